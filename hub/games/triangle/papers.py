"""The printed pages of the three books: the rules on one page, and character sheets."""

from collections.abc import Iterator, Mapping

from hub.games.faces import Line, Part, Sign
from hub.games.triangle.dealing import OPTIONS
from hub.games.triangle.rules.characters.sheet import Sheet
from hub.games.triangle.rules.edition import ACTION_BEATS, Action, Edition
from hub.kernel.texts import Texts

Signs = Mapping[str, Sign]
_NOTES = 4
"""How many blank lines for notes a sheet ends with."""
_SEQUENCE = ("opponent", "stance", "move", "winner", "loss", "next")


def rules_parts(book: Edition, say: Texts, signs: Signs) -> Iterator[Part]:
    """The parts of the rules in our own words: the order of a turn, winners, costs, the numbers of
    the moves, terms, problems and rests."""
    turn = (Line(str(n), say(f"card.turn.{step}")) for n, step in enumerate(_SEQUENCE, 1))
    yield Part(say("card.rules.turn"), tuple(turn))
    yield Part(say("card.rules.beats"), tuple(_beats(book, say, signs)))
    yield Part(say("card.rules.costs"), tuple(_costs(say)))
    yield Part(say("card.rules.numbers"), tuple(_numbers(book, say, signs)))
    words = ("disadvantage", "combo", "special", "surrender", "lethal", "minor")
    lines = [Line(say(f"word.{word}"), say(f"word.{word}.more")) for word in words]
    yield Part(say("card.rules.words"), (*lines, Line(say("card.zero"), say("card.zero.more"))))
    yield Part(say("card.rules.problem"), tuple(_problem(book, say)))
    rests = [Line(say(f"card.rest.{rest}"), say(f"card.rest.{rest}.more"))
             for rest in ("breather", "short", "full")]  # fmt: skip
    rests.append(Line(text=say("card.rest.once")))
    if book.any_rest_returns_specials:
        rests.append(Line(text=say("card.rest.specials")))
    yield Part(say("card.rules.rests"), tuple(rests))


def _beats(book: Edition, say: Texts, signs: Signs) -> Iterator[Line]:
    for action in Action:
        beaten = say.row([say(each) for each in Action if each in ACTION_BEATS[action]], "and")
        yield Line(say(action), say("card.beats", worse=beaten), signs=(signs[action],))
    yield Line(text=say("card.beats.then"))
    for element, worse in book.element_beats.items():
        names = [element_name(each, say) for each in book.element_beats if each in worse]
        if names:
            text = say("card.beats", worse=say.row(names, "and"))
            yield Line(element_name(element, say), text)
    yield Line(text=say("card.beats.last"))


def _costs(say: Texts) -> Iterator[Line]:
    for key in ("base", "stance", "theirs", "combo", "disadvantage"):
        yield Line(say(f"card.cost.{key}"), say(f"card.cost.{key}.more"))
    yield Line(text=say("card.cost.tie"))


def _numbers(book: Edition, say: Texts, signs: Signs) -> Iterator[Line]:
    """A line for the moves of an action with equal numbers; one for each move named otherwise."""
    alike: dict[tuple[Action, int, int], list[str]] = {}
    others: list[Line] = []
    order = [*Action]
    for move in sorted(book.moves.values(), key=lambda each: order.index(each.action)):
        element = element_name(move.element, say)
        if move.id == f"{move.action}-{move.element}":
            alike.setdefault((move.action, move.base, move.multiplier), []).append(element)
            continue
        takes = say("card.takes", base=move.base, times=move.multiplier)
        text = f"{say(move.action)} {element} · {takes}"
        others.append(Line(as_title(move.id), text, signs=(signs[move.action],)))
    for (action, base, times), names in alike.items():
        label = f"{say(action)} {say.row(names, '')}"
        yield Line(label, say("card.takes", base=base, times=times), signs=(signs[action],))
    yield from others
    if book.variants:
        yield Line(text=say("card.variants"))


def _problem(book: Edition, say: Texts) -> Iterator[Line]:
    yield Line(text=say("word.option.more"))
    for number in OPTIONS:
        text = say(f"own.option.{number}").rstrip(".")
        yield Line(f"{number} {say(f'option.{number}')}", f"{text}.")
    if book.ones_beat_fours:
        yield Line(text=say("card.problem.ones"))
    yield Line(text=say("card.problem.level"))
    yield Line(say("word.veto"), say("word.veto.more"))


def sheet_parts(sheet: Sheet, say: Texts, signs: Signs) -> Iterator[Part]:
    """The parts of a character's printed sheet, with boxes to tick and blank lines for notes."""
    about = [Line(say("word.level"), str(sheet.level))]
    for key, text in (("style", sheet.style), ("looks", sheet.description)):
        if text:
            about.append(Line(say(f"card.sheet.{key}"), text))
    yield Part(say("card.sheet.about"), tuple(about))
    yield Part(say("own.energy"), tuple(_energy(sheet, say, signs)))
    yield Part(say("own.moves"), tuple(_moves(sheet, say, signs)))
    if sheet.specials:
        yield Part(say("own.specials"), tuple(_specials(sheet)))
    if sheet.combos:
        yield Part(say("own.combos"), tuple(_combos(sheet, say)))
    if not sheet.npc:
        yield Part(say("own.traits"), tuple(_traits(sheet, say)))
    yield Part(say("card.sheet.notes"), (Line(write=True),) * _NOTES)


def _energy(sheet: Sheet, say: Texts, signs: Signs) -> Iterator[Line]:
    for action in Action:
        most = sheet.max.of(action)
        lost = most - sheet.energy.of(action)
        yield Line(say(action), str(most), most, lost, (signs[action],))
    for action in Action:
        zero = int(action in sheet.zero)
        yield Line(say("card.sheet.zero", type=say(action)), "", 1, zero)


def element_name(element: str, say: Texts) -> str:
    """The name of an element; of one from house rules, its id as a title."""
    return say(element) if say.knows(element) else as_title(element)


def move_name(move_id: str, say: Texts) -> str:
    """The name of a move such as ``attack-high``."""
    action, _, element = move_id.partition("-")
    known = action in [*Action]
    return f"{say(action)} {element_name(element, say)}" if known else as_title(move_id)


def _moves(sheet: Sheet, say: Texts, signs: Signs) -> Iterator[Line]:
    for move in sheet.moves:
        numbers = sheet.book.moves.get(move.id)
        sign = signs.get(str(numbers.action) if numbers else move.id.partition("-")[0])
        label = f"{move_name(move.id, say)} {move.variant}".rstrip()
        if numbers and move.variant:
            numbers = sheet.book.variant(numbers, move.variant)
        takes = say("card.takes", base=numbers.base, times=numbers.multiplier) if numbers else ""
        named = move.name if move.name.casefold() != as_title(move.id).casefold() else ""
        text = "\u00a0· ".join(each for each in (named, takes) if each)
        yield Line(label, text, signs=(sign,) if sign else ())


def _specials(sheet: Sheet) -> Iterator[Line]:
    for known in sheet.specials:
        plain = as_title(known.id)
        named = known.name if known.name.casefold() != plain.casefold() else ""
        yield Line(plain, named, 1, int(known.used))


def _combos(sheet: Sheet, say: Texts) -> Iterator[Line]:
    for start, after in sheet.combos.items():
        follow = say("own.combo.then", moves=[move_name(each, say) for each in after])
        yield Line(move_name(start, say), follow)


def _traits(sheet: Sheet, say: Texts) -> Iterator[Line]:
    for key in ("belief", "flaw", "goal"):
        trait = getattr(sheet, key)
        yield _to_write(say(f"own.trait.{key}"), trait.text, 1, int(trait.marked))
    for each in sheet.backgrounds:
        yield Line(say("own.background"), each.name, each.points, each.points - each.left)
    if sheet.undecided_points:
        yield Line(say("own.background"), "", sheet.undecided_points, write=True)
    yield Line(say("own.veto"), "", 1, int(not sheet.veto))


def _to_write(label: str, text: str, boxes: int, filled: int) -> Line:
    """A trait with its boxes, and a blank line to write on if it has no words yet."""
    said = text.strip().strip("….")
    return Line(label, text if said else "", boxes, filled, write=not said)


def as_title(name: str) -> str:
    """An id as a title: ``wax-on`` becomes Wax On."""
    return " ".join(word[:1].upper() + word[1:] for word in name.replace("-", " ").split())
