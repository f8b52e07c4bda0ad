"""Find the faults of a sheet and of the names on it, each with its place and a remedy (R16).

Prerequisites and totals (10 points of energy, the number of moves, one lesson for each level) apply
to player characters. An NPC is as strong as the GM makes it, and may know any move, variant and
special of its book (R24).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from hub.games.game import GM
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.sheet import (
    BACKGROUND_POINTS,
    FOLLOW_UPS,
    START_ENERGY,
    Background,
    KnownMove,
    Sheet,
    Trait,
)
from hub.games.triangle.rules.edition import VARIANTS, Action, Edition
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.triangle.rules.house import derive
from hub.games.triangle.rules.house import naming_faults as house_faults
from hub.kernel.faults import MAX_NAME_CHARS, MAX_NUMBER, Fault, Place, is_name, shown
from hub.kernel.likeness import name_faults

MAX_TEXT_CHARS = 2000
"""The greatest length of a trait's text, a style or a description."""
Found = tuple[Place, Reason]
_UNPRINTABLE = Reason("text-not-printable", most=MAX_TEXT_CHARS)
_NO_NAME = Reason("name-not-printable", most=MAX_NAME_CHARS)


# book: name.any, level.nothing-learned, belief.text, flaw.text, goal.text
# book: backgrounds.three-of-one-use, energy.ten, energy.one-of-each, moves.four-of-nine
# book: moves.named, example-character.sound, specials.needs, level-up.follow-up-known
# book: level-up.none-twice, backgrounds.three-points, moves.same-three, elements.later
# book: five-elements.after-nine, character.sound
def faults_of(sheet: Sheet, party: Collection[Sheet] | None = None) -> tuple[Fault, ...]:
    """Return all faults of a sheet. The starting move of each combo must be known to the character
    or to an ally in ``party``; if ``party`` is None, this is not checked."""
    if sheet.ruleset not in EDITIONS:
        unknown = Reason("book-unknown", book=shown(sheet.ruleset), books=[*EDITIONS])
        return (Fault(("ruleset",), unknown),)
    book = sheet.book
    found = (
        *(*_words(sheet), *_traits(sheet), *_energy(sheet, book), *_backgrounds(sheet, book)),
        *(*_moves(sheet, book), *_combos(sheet, book, party)),
        *(*_specials(sheet, book), *_level(sheet, book)),
    )
    return tuple(Fault(*each) for each in found)


def _words(sheet: Sheet) -> Iterator[Found]:
    if not is_name(sheet.name):
        yield ("name",), _NO_NAME
    elif sheet.name == GM:
        yield ("name",), Reason("gm-as-name", gm=GM)
    for key in ("style", "description"):
        if not _is_text(getattr(sheet, key)):
            yield (key,), _UNPRINTABLE
    if not 0 <= sheet.decided <= MAX_NUMBER:
        yield ("decided",), Reason("no-number", most=MAX_NUMBER)


def _who(sheet: Sheet) -> Reason | str:
    return sheet.name if is_name(sheet.name) else Reason("the-character")


def _is_text(text: str) -> bool:
    return len(text) <= MAX_TEXT_CHARS and text.replace("\n", "").isprintable()


def _traits(sheet: Sheet) -> Iterator[Found]:
    """Check the traits. A goal may be missing, because it can be chosen later."""
    for key in ("belief", "flaw", "goal"):
        trait: Trait = getattr(sheet, key)
        if not _is_text(trait.text):
            yield (key, "text"), _UNPRINTABLE
        elif not trait.text.strip() and not sheet.npc and key != "goal":
            yield (key, "text"), Reason("trait-not-chosen", trait=key)
        if trait.counted and (not trait.marked or key == "goal"):
            yield (key, "counted"), Reason("count-without-mark")


def _energy(sheet: Sheet, book: Edition) -> Iterator[Found]:
    least = 0 if sheet.npc else book.least_energy
    for action in Action:
        now, most = sheet.energy.of(action), sheet.max.of(action)
        if not least <= most <= MAX_NUMBER:
            yield ("energy", action, "max"), Reason("too-low", n=most, least=least)
        if not 0 <= now <= most:
            yield ("energy", action, "now"), Reason("not-up-to", n=now, most=most)
    if not sheet.npc and sheet.max.total < START_ENERGY:
        yield ("energy",), Reason("maximums-low", n=sheet.max.total, least=START_ENERGY)


def _backgrounds(sheet: Sheet, book: Edition) -> Iterator[Found]:
    points = 0
    names: set[str] = set()
    for index, background in enumerate(sheet.backgrounds):
        points += max(0, background.points)
        yield from _background(background, book, ("backgrounds", index))
        if background.name.casefold() in names:
            yield ("backgrounds", index, "name"), Reason("named-twice", name=shown(background.name))
        names.add(background.name.casefold())
    if points > BACKGROUND_POINTS:
        yield ("backgrounds",), Reason("points-too-many", n=points, most=BACKGROUND_POINTS)


def _background(background: Background, book: Edition, place: Place) -> Iterator[Found]:
    most = book.background_points
    if not is_name(background.name):
        yield (*place, "name"), _NO_NAME
    if not 1 <= background.points <= most:
        allowed = "1" if most == 1 else Reason("one-up-to", most=most)
        yield (*place, "points"), Reason("not-allowed", n=background.points, allowed=allowed)
    if not 0 <= background.left <= background.points:
        yield (*place, "left"), Reason("not-up-to", n=background.left, most=background.points)


def _moves(sheet: Sheet, book: Edition) -> Iterator[Found]:
    for known, count in Counter(map(str, sheet.moves)).items():
        if count > 1:
            yield ("moves", known), Reason("known-twice")
    for move in sheet.moves:
        place = ("moves", str(move))
        if why := _why_not_known(sheet, book, move):
            yield place, why
        if not (is_name(move.name) or (sheet.npc and not move.name)):
            yield place, Reason("move-unnamed")
    if not sheet.npc:
        yield from _variants(sheet, book)
        yield from _start_moves(sheet, book)


def _why_not_known(sheet: Sheet, book: Edition, move: KnownMove) -> Reason | None:
    """Why this character cannot know the move, or cannot yet; None if it can."""
    if move.id not in book.move_ids:
        return Reason("not-in-book", book=book.id, moves=[*book.move_ids])
    if move.variant and not book.most_variants:
        return Reason("no-variants-in-book", book=book.id)
    if move.variant and move.variant not in VARIANTS:
        return Reason("no-variant")
    if sheet.npc or not (move.variant or move.id in book.late_moves):
        return None
    missing = [basic for basic in book.basic_moves if not sheet.knows(basic)]
    return Reason("after-basic-moves", moves=missing) if missing else None


def _variants(sheet: Sheet, book: Edition) -> Iterator[Found]:
    varied = Counter(move.id for move in sheet.moves if move.variant)
    if varied.total() > book.most_variants > 0:
        yield ("moves",), Reason("variants-too-many", n=varied.total(), most=book.most_variants)
    for move_id, count in varied.items():
        if count > 1 and book.most_variants:
            yield ("moves",), Reason("two-variants", move=move_id)


def _start_moves(sheet: Sheet, book: Edition) -> Iterator[Found]:
    missing = [move for move in book.start_moves if not sheet.knows(move)]
    originals = {move.id for move in sheet.moves if not move.variant and move.id in book.move_ids}
    if missing:
        yield ("moves",), Reason("lacks-moves", moves=[*missing])
    elif len(originals) < book.start_count:
        yield ("moves",), Reason("too-few-moves", n=len(originals), least=book.start_count)
    elif not book.start_moves and len(originals) == book.start_count:
        for action in Action:
            same = {move for move in book.basic_moves if move.startswith(action)}
            if same and same <= originals:
                yield ("moves",), Reason("too-alike", type=action)


# book: level-up.start-known
def why_not_start(
    sheet: Sheet, book: Edition, start: str, party: Collection[Sheet]
) -> Reason | None:
    """Why a combo cannot start from this move: neither the character nor an ally knows it. None if
    one of them does, or the book does not require it."""
    if not book.combos_need_moves or any(each.knows(start) for each in (sheet, *party)):
        return None
    return Reason("start-unknown", who=_who(sheet))


def _combos(sheet: Sheet, book: Edition, party: Collection[Sheet] | None) -> Iterator[Found]:
    for start, follow_ups in sheet.combos.items():
        place = ("combos", start)
        if start not in book.move_ids:
            yield place, Reason("not-in-book", book=book.id, moves=[*book.move_ids])
        elif party is not None and (text := why_not_start(sheet, book, start, party)):
            yield place, text
        if len(follow_ups) > FOLLOW_UPS:
            yield place, Reason("follow-ups-too-many", n=len(follow_ups), most=FOLLOW_UPS)
        for index, move in enumerate(follow_ups):
            at = (*place, index)
            if move not in book.move_ids:
                yield at, Reason("no-move", move=shown(move), book=book.id)
            elif book.combos_need_moves and not sheet.knows(move):
                yield at, Reason("follow-up-unknown", move=move)
            elif move in follow_ups[:index]:
                yield at, Reason("follows-already", move=move)


def _specials(sheet: Sheet, book: Edition) -> Iterator[Found]:
    for known, count in Counter(each.id for each in sheet.specials).items():
        if count > 1:
            yield ("specials", known), Reason("known-twice")
    for special in sheet.specials:
        place, rule = ("specials", special.id), book.specials.get(special.id)
        if special.name and not is_name(special.name):
            yield place, Reason("special-unnamed")
        if rule is None:
            yield place, Reason("special-not-in-book", book=book.id, specials=[*book.specials])
            continue
        if sheet.npc:
            continue
        if sheet.level < rule.level:
            who, least = _who(sheet), rule.level
            yield place, Reason("special-needs-level", level=least, who=who, n=sheet.level)
        if rule.needs and sheet.special(rule.needs) is None:
            yield place, Reason("special-needs-special", special=rule.needs)
    if not sheet.npc:
        yield from _late_specials(sheet, book)


def _late_specials(sheet: Sheet, book: Edition) -> Iterator[Found]:
    """Check that there were enough level-ups to learn each special at the level it needs, or
    later."""
    needed = [rule.level for each in sheet.specials if (rule := book.specials.get(each.id))]
    for level in sorted({level for level in needed if book.level < level <= sheet.level}):
        count, had = sum(each >= level for each in needed), sheet.level - level + 1
        if count > had:
            reached = sheet.level
            why = Reason("specials-too-early", n=count, level=level, reached=reached, most=had)
            yield ("specials",), why


def _level(sheet: Sheet, book: Edition) -> Iterator[Found]:
    """Check what was learnt against the level. It may be less than the level-ups if a follow-up or
    a variant may have been exchanged, which leaves no trace."""
    if not book.level <= sheet.level <= MAX_NUMBER:
        yield ("level",), Reason("level-too-low", n=sheet.level, book=book.id, least=book.level)
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
    parts = [Reason("taken-for", n=count, what=what) for what, count in taken.items() if count]
    if total > had:
        each, level = parts or Reason("none"), sheet.level
        why = Reason("level-ups-too-many", level=level, ups=had, taken=total, sum=each)
        yield ("level",), why
    could_exchange = follow_ups if book.combos_replaced else 0
    if total < had and not could_exchange and not any(move.variant for move in sheet.moves):
        yield ("level",), Reason("level-ups-left", level=sheet.level, ups=had, left=had - total)


def faults_of_names(sheet: Sheet) -> Iterator[Fault]:
    """Yield a fault for each deceptive name on the sheet, including the character's own."""
    own: Mapping[Place, str] = {("name",): sheet.name}
    for names in (own, *_kinds(sheet)):
        faults = dict(name_faults(names.values()))
        for place, name in names.items():
            if name in faults:
                yield Fault(place, Reason("refused-as", text=shown(name), fault=faults[name]))


def new_names(before: Sheet | None, after: Sheet) -> Iterator[Reason]:
    """Yield the reasons against deceptive names on the sheet ``after`` that ``before`` lacks."""
    had = _kinds(before) if before is not None else ({}, {}, {})
    for old, new in zip(had, _kinds(after), strict=True):
        added = [name for name in new.values() if name not in old.values()]
        yield from naming_faults(added, old.values())


def setup_faults(setup: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield a fault, with its place, for each deceptive name in the house rules and backgrounds of
    a valid scene setup. Names of characters and sides are checked elsewhere."""
    if setup.get("house") is not None:
        for fault in house_faults(derive(setup["house"])):
            yield Fault(("house", *fault.place), fault.reason)
    for name, character in setup["characters"].items():
        backgrounds = character.get("backgrounds", {})
        for background, why in name_faults(backgrounds):
            place = ("characters", name, "backgrounds", background)
            yield Fault(place, Reason("about", place=shown(background), why=why))


def naming_faults(new: Iterable[str], known: Iterable[str] = ()) -> Iterator[Reason]:
    """Yield the reasons against ``new`` names: each that is deceptive, or too like another new name
    or a ``known`` one."""
    for name, fault in name_faults(new, known):
        yield Reason("name-refused", name=shown(name), fault=fault)


def _kinds(sheet: Sheet) -> tuple[Mapping[Place, str], ...]:
    """The names of moves, of specials and of backgrounds, each as place → name. Names of one kind
    must differ."""
    return (
        {("moves", str(each)): each.name for each in sheet.moves if each.name},
        {("specials", each.id, "name"): each.name for each in sheet.specials if each.name},
        {
            ("backgrounds", index, "name"): each.name
            for index, each in enumerate(sheet.backgrounds)
            if each.name
        },
    )
