"""Everything that is wrong with a sheet, each with its place and what to do about it (R16).

What has to be learned first, and what a character may have in all (10 points of energy, so many
moves, a choice for each level), binds player characters. An NPC is as strong as the GM makes it and
may know any move, variant and special of its book (R24).
"""

from collections import Counter
from collections.abc import Collection, Iterator

from hub.rules.faults import MAX_NAME_CHARS, MAX_NUMBER, Fault, Place, is_name, shown
from hub.rules.game import GM
from hub.rules.triangle.characters.book import BACKGROUND_POINTS, FOLLOW_UPS, START_ENERGY
from hub.rules.triangle.characters.sheet import Background, Sheet, Trait
from hub.rules.triangle.edition import VARIANTS, Action, Edition
from hub.rules.triangle.editions import EDITIONS

MAX_TEXT_CHARS = 2000
"""Longest belief, style or description."""
_UNPRINTABLE = f"has to be printable, of at most {MAX_TEXT_CHARS} characters"
_NO_NAME = f"has to be printable, of 1 to {MAX_NAME_CHARS} characters"


# book: name.any, level.nothing-learned, belief.text, flaw.text, goal.text
# book: backgrounds.three-of-one-use, energy.ten, energy.one-of-each, moves.four-of-nine
# book: moves.named, example-character.sound, specials.needs, level-up.follow-up-known
# book: level-up.none-twice, backgrounds.three-points, moves.same-three, elements.later
# book: five-elements.after-nine, character.sound
def faults_of(sheet: Sheet, party: Collection[Sheet] | None = None) -> tuple[Fault, ...]:
    """Everything that is wrong. The allies in ``party`` may know a combo's starting move; without
    a party nobody asks who knows it."""
    if sheet.ruleset not in EDITIONS:
        text = f"is {shown(sheet.ruleset)}; characters belong to {', '.join(EDITIONS)}"
        return (Fault(("ruleset",), text),)
    book = sheet.book
    return (
        *_words(sheet),
        *_traits(sheet),
        *_energy(sheet, book),
        *_backgrounds(sheet, book),
        *_moves(sheet, book),
        *_combos(sheet, book, party),
        *_specials(sheet, book),
        *_level(sheet, book),
    )


def _words(sheet: Sheet) -> Iterator[Fault]:
    if not is_name(sheet.name):
        yield Fault(("name",), _NO_NAME)
    elif sheet.name == GM:
        yield Fault(("name",), f"cannot be {GM}, which means the GM; choose another")
    for key in ("style", "description"):
        if not _is_text(getattr(sheet, key)):
            yield Fault((key,), _UNPRINTABLE)
    if not 0 <= sheet.decided <= MAX_NUMBER:
        yield Fault(("decided",), f"has to be a number from 0 to {MAX_NUMBER}")


def _who(sheet: Sheet) -> str:
    return sheet.name if is_name(sheet.name) else "the character"


def _is_text(text: str) -> bool:
    return len(text) <= MAX_TEXT_CHARS and text.replace("\n", "").isprintable()


def _traits(sheet: Sheet) -> Iterator[Fault]:
    """A goal may be missing: it can be chosen later, and a level-up erases it."""
    for key in ("belief", "flaw", "goal"):
        trait: Trait = getattr(sheet, key)
        if not _is_text(trait.text):
            yield Fault((key, "text"), _UNPRINTABLE)
        elif not trait.text.strip() and not sheet.npc and key != "goal":
            yield Fault((key, "text"), f"is missing; choose a {key}")
        if trait.counted and (not trait.marked or key == "goal"):
            yield Fault((key, "counted"), "goes only with the mark of a belief or a flaw")


def _energy(sheet: Sheet, book: Edition) -> Iterator[Fault]:
    least = 0 if sheet.npc else book.least_energy
    for action in Action:
        now, most = sheet.energy.of(action), sheet.max.of(action)
        if not least <= most <= MAX_NUMBER:
            yield Fault(("energy", action, "max"), f"is {most}; it has to be at least {least}")
        if not 0 <= now <= most:
            yield Fault(("energy", action, "now"), f"is {now}; it has to be from 0 to {most}")
    if not sheet.npc and sheet.max.total < START_ENERGY:
        text = f"has maximums of {sheet.max.total} in all; a character starts with {START_ENERGY}"
        yield Fault(("energy",), text)


def _backgrounds(sheet: Sheet, book: Edition) -> Iterator[Fault]:
    points = 0
    names: set[str] = set()
    for index, background in enumerate(sheet.backgrounds):
        points += max(0, background.points)
        yield from _background(background, book, ("backgrounds", index))
        if background.name.casefold() in names:
            text = f"stands here twice: {shown(background.name)}; keep one of them"
            yield Fault(("backgrounds", index, "name"), text)
        names.add(background.name.casefold())
    if points > BACKGROUND_POINTS:
        text = f"have {points} points in all; there are {BACKGROUND_POINTS} to distribute"
        yield Fault(("backgrounds",), text)


def _background(background: Background, book: Edition, place: Place) -> Iterator[Fault]:
    most = book.background_points
    if not is_name(background.name):
        yield Fault((*place, "name"), _NO_NAME)
    if not 1 <= background.points <= most:
        allowed = "1" if most == 1 else f"from 1 to {most}"
        yield Fault((*place, "points"), f"is {background.points}; it has to be {allowed}")
    if not 0 <= background.left <= background.points:
        text = f"is {background.left}; it has to be from 0 to {background.points}"
        yield Fault((*place, "left"), text)


def _moves(sheet: Sheet, book: Edition) -> Iterator[Fault]:
    missing = [move for move in book.basic_moves if not sheet.knows(move)]
    for known, count in Counter(map(str, sheet.moves)).items():
        if count > 1:
            yield Fault(("moves", known), "is known twice; learn something else")
    for move in sheet.moves:
        place = ("moves", str(move))
        if move.id not in book.move_ids:
            yield Fault(place, f"is no move of {book.id} ({', '.join(book.move_ids)})")
        elif move.variant and not book.most_variants:
            yield Fault(place, f"is a variant; {book.id} has none")
        elif move.variant and move.variant not in VARIANTS:
            yield Fault(place, "is no variant; they are written +1 or -1")
        elif missing and not sheet.npc and (move.variant or move.id in book.late_moves):
            yield Fault(place, f"comes after all nine; first learn {', '.join(missing)}")
        if not (is_name(move.name) or (sheet.npc and not move.name)):
            yield Fault(place, "has no proper name; make one up")
    if sheet.npc:
        return
    varied = Counter(move.id for move in sheet.moves if move.variant)
    if varied.total() > book.most_variants > 0:
        text = f"have {varied.total()} variants; at most {book.most_variants} can be known"
        yield Fault(("moves",), text)
    for move_id, count in varied.items():
        if count > 1 and book.most_variants:
            yield Fault(("moves",), f"have two variants of {move_id}; replace one of them")
    yield from _start_moves(sheet, book)


def _start_moves(sheet: Sheet, book: Edition) -> Iterator[Fault]:
    missing = [move for move in book.start_moves if not sheet.knows(move)]
    originals = {move.id for move in sheet.moves if not move.variant and move.id in book.move_ids}
    if missing:
        yield Fault(("moves",), f"lack {', '.join(missing)}; every character starts with it")
    elif len(originals) < book.start_count:
        text = f"are {len(originals)}; a character starts with {book.start_count}"
        yield Fault(("moves",), text)
    elif not book.start_moves and len(originals) == book.start_count:
        for action in Action:
            same = {move for move in book.basic_moves if move.startswith(action)}
            if same and same <= originals:
                text = f"are of too little variety: exchange one {action} move for another action's"
                yield Fault(("moves",), text)


# book: level-up.start-known
def why_not_start(sheet: Sheet, book: Edition, start: str, party: Collection[Sheet]) -> str | None:
    """Why a combo cannot start from this move: neither the character nor an ally knows it."""
    if not book.combos_need_moves or any(each.knows(start) for each in (sheet, *party)):
        return None
    return f"starts from a move that neither {_who(sheet)} nor an ally knows"


def _combos(sheet: Sheet, book: Edition, party: Collection[Sheet] | None) -> Iterator[Fault]:
    for start, follow_ups in sheet.combos.items():
        place = ("combos", start)
        if start not in book.move_ids:
            yield Fault(place, f"is no move of {book.id} ({', '.join(book.move_ids)})")
        elif party is not None and (text := why_not_start(sheet, book, start, party)):
            yield Fault(place, text)
        if len(follow_ups) > FOLLOW_UPS:
            text = f"has {len(follow_ups)} follow-ups; at most {FOLLOW_UPS} for a starting move"
            yield Fault(place, text)
        for index, move in enumerate(follow_ups):
            at = (*place, index)
            if move not in book.move_ids:
                yield Fault(at, f"{shown(move)} is no move of {book.id}")
            elif book.combos_need_moves and not sheet.knows(move):
                yield Fault(at, f"{move} has to be known before it can follow up; learn it first")
            elif move in follow_ups[:index]:
                yield Fault(at, f"{move} follows up on it already")


def _specials(sheet: Sheet, book: Edition) -> Iterator[Fault]:
    for known, count in Counter(each.id for each in sheet.specials).items():
        if count > 1:
            yield Fault(("specials", known), "is known twice; learn something else")
    for special in sheet.specials:
        place, rule = ("specials", special.id), book.specials.get(special.id)
        if special.name and not is_name(special.name):
            yield Fault(place, "has no proper name; make one up or leave it out")
        if rule is None:
            yield Fault(place, f"is no special of {book.id} ({', '.join(book.specials)})")
            continue
        if sheet.npc:
            continue
        if sheet.level < rule.level:
            yield Fault(place, f"requires level {rule.level}; {_who(sheet)} has {sheet.level}")
        if rule.needs and sheet.special(rule.needs) is None:
            yield Fault(place, f"requires {rule.needs}; learn that first")
    if not sheet.npc:
        yield from _late_specials(sheet, book)


def _late_specials(sheet: Sheet, book: Edition) -> Iterator[Fault]:
    """A level-up teaches one special, so those that need a level share the level-ups from it on.
    One that needs another cannot be too early either: both are in the sum of :func:`_level`."""
    needed = [rule.level for each in sheet.specials if (rule := book.specials.get(each.id))]
    for level in sorted({level for level in needed if book.level < level <= sheet.level}):
        count, had = sum(each >= level for each in needed), sheet.level - level + 1
        if count > had:
            text = (
                f"have {count} that need level {level}; at {sheet.level} at most {had} can be known"
            )
            yield Fault(("specials",), text)


def _level(sheet: Sheet, book: Edition) -> Iterator[Fault]:
    """What was learned against the level-ups that the level stands for. An exchanged follow-up or
    variant leaves no trace, so only without any the two have to be equal."""
    if not book.level <= sheet.level <= MAX_NUMBER:
        yield Fault(("level",), f"is {sheet.level}; {book.id} starts at {book.level}")
        return
    if sheet.npc:
        return
    follow_ups = sum(map(len, sheet.combos.values()))
    taken = {
        "moves": max(0, len(sheet.moves) - book.start_count),
        "follow-ups": -(-follow_ups // book.combo_changes),
        "energy": max(0, sheet.max.total - START_ENERGY),
        "specials": len(sheet.specials),
    }
    total, had = sum(taken.values()), sheet.level - book.level
    parts = ", ".join(f"{count} for {what}" for what, count in taken.items() if count) or "none"
    if total > had:
        text = f"{sheet.level} stands for {had} level-ups, but {total} were taken ({parts})"
        yield Fault(("level",), text)
    could_exchange = follow_ups if book.combos_replaced else 0
    if total < had and not could_exchange and not any(move.variant for move in sheet.moves):
        text = f"{sheet.level} stands for {had} level-ups; {had - total} still have to be chosen"
        yield Fault(("level",), text)
