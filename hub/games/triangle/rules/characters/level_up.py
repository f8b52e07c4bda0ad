"""Level-ups, exactly as each book defines them (R16).

``faults`` checks the limits on a sheet, such as that late moves come after the nine basic ones. A
level-up that would break a limit is refused with the same words.

Ref: Level Up (both later books), Leveling up (first text).
"""

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.faults import MAX_TEXT_CHARS, faults_of, why_not_start
from hub.games.triangle.rules.characters.marks import rewrite
from hub.games.triangle.rules.characters.sheet import (
    QUESTIONS,
    KnownMove,
    KnownSpecial,
    Sheet,
    SheetError,
    Trait,
    said,
    set_points,
)
from hub.games.triangle.rules.edition import Action, Edition
from hub.kernel.bounds import NAME

Name = Annotated[str, Meta(max_length=NAME.most)]
Text = Annotated[str, Meta(max_length=MAX_TEXT_CHARS)]


class Regain(StrEnum):
    """Things that a level-up can restore."""

    # book: level-up.backgrounds-back
    BACKGROUNDS = "backgrounds"
    # book: level-up.veto-back
    VETO = "veto"


# book: level-up.follow-ups
class FollowUp(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A follow-up to learn, in place of ``instead_of`` unless that is empty."""

    start: Name
    move: Name
    instead_of: Name = ""


# book: level-up.one-thing
class Choices(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The choices of a level-up: one thing to learn, what to regain, and new words for traits."""

    # book: level-up.move
    move: Name = ""
    """The move to learn."""
    # book: level-up.variant
    variant: KnownMove | None = None
    """The variant to learn: its original's id and its sign. Its name is in ``called``."""
    # book: level-up.variant-exchanged
    replaces: Name = ""
    """The variant that is given up for a new one, such as ``attack-high +1``."""
    combos: tuple[FollowUp, ...] = ()
    # book: level-up.maximum, level-up.maximum-anywhere
    energy: Action | None = None
    """The type whose maximum grows by one; None if it is not energy that is learned."""
    # book unroll, iron-triangle: level-up.special
    special: Name = ""
    # book: level-up.named
    called: Name = ""
    """The player's name for what is learned. If it is empty, a move is named after its id."""
    regain: Regain | None = None
    # book: level-up.reworded
    goal: Text | None = None
    """The new goal; None for no new one. A goal can also be chosen later."""
    belief: Text | None = None
    flaw: Text | None = None

    def fault(self) -> Reason | None:
        """Return the reason if the variant's name is too long; None if it is not."""
        known = self.variant or KnownMove("")
        if max(map(len, (known.id, known.name, known.variant))) > NAME.most:
            return Reason("name-not-printable", most=NAME.most)
        return None


# book: level-up.three-of-three, level-up.erases-goal, level-up.erases-zeros, level-up.erases-pair
# book: level-up.saved, level-up.two-of-three, level-up.erases-all
def level_up(sheet: Sheet, choices: Choices, party: Collection[Sheet] = ()) -> Sheet:
    """Return the sheet one level higher, with used marks erased; ``party`` are its allies.

    Raises :class:`SheetError` with the reasons against it.
    """
    book = sheet.book
    if faults := faults_of(sheet):
        raise SheetError(*map(said, faults))
    reasons = [*_not_allowed(sheet, book, choices), *_choice_faults(sheet, book, choices)]
    if reasons:
        raise SheetError(*reasons)
    new = _erased(_regained(learn(sheet, choices, party), choices), book)
    return rewrite(new, belief=choices.belief, flaw=choices.flaw, goal=choices.goal)


# book: level-up.one-thing
# book iron-triangle-1e: level-up.special
def learn(sheet: Sheet, choices: Choices, party: Collection[Sheet]) -> Sheet:
    """Return the sheet one level higher, with the thing that ``choices`` teach. Marks are neither
    required nor erased.

    Raises :class:`SheetError` if the choices do not fit together, or the result is not a valid
    sheet.
    """
    book = sheet.book
    if reasons := [*_choice_faults(sheet, book, choices)]:
        raise SheetError(*reasons)
    new = replace(_learned(sheet, choices), level=sheet.level + 1)
    wrong = [*map(said, faults_of(new))]
    for change in choices.combos:
        reason = why_not_start(new, book, change.start, party)
        if change.start in book.move_ids and reason:
            wrong.append(Reason("about", place=f"combos.{change.start}", why=reason))
    if wrong:
        raise SheetError(*wrong)
    return new


def learned_not(
    sheet: Sheet, choices: Choices, party: Collection[Sheet] = ()
) -> tuple[Reason, ...]:
    """Return why :func:`level_up` would refuse these choices, except for the reasons against any
    level-up of the character, which :func:`not_yet` returns."""
    book = sheet.book
    any_at_all = {*_not_yet(sheet, book)}
    found = [why for why in _not_allowed(sheet, book, choices) if why not in any_at_all]
    try:
        learn(sheet, choices, party)
    except SheetError as error:
        found += (why for why in error.reasons if why not in found)
    return tuple(found)


def not_yet(sheet: Sheet) -> tuple[Reason, ...]:
    """Return the reasons against any level-up of the character now."""
    return (*map(said, faults_of(sheet)), *_not_yet(sheet, sheet.book))


def regainable(sheet: Sheet) -> tuple[Regain, ...]:
    """Return the things that a level-up could restore now. If there are any, the player must choose
    one."""
    lacking = {
        Regain.BACKGROUNDS: any(each.left < each.points for each in sheet.backgrounds),
        Regain.VETO: not sheet.veto,
    }
    regains = sheet.book.regains
    return tuple(each for each, lacks in lacking.items() if lacks and regains)


# book: level-up.questions
def answers(sheet: Sheet) -> dict[str, bool]:
    """Return the three questions at the end of a session: question → whether the marks answer it
    with yes.

    A mark that has already counted for a level does not count again.
    """
    fresh = [trait.marked and not trait.counted for trait in (sheet.belief, sheet.flaw)]
    return {
        "belief or flaw": any(fresh),
        "goal": sheet.goal.marked,
        "a type that stood at zero": bool(sheet.zero),
    }


def _not_yet(sheet: Sheet, book: Edition) -> Iterator[Reason]:
    if sheet.npc:
        yield Reason("npc-level", who=sheet.name)
    if sheet.dead:
        yield Reason("dead", who=sheet.name)
    missing = _missing(sheet)
    if QUESTIONS - len(missing) < book.yes_needed:
        needed = Reason("three-marks") if book.yes_needed == QUESTIONS else Reason("two-marks")
        yield Reason("level-up-needs", marks=needed, who=sheet.name, missing=[*missing])


def _missing(sheet: Sheet) -> list[str]:
    return [question for question, yes in answers(sheet).items() if not yes]


def _not_allowed(sheet: Sheet, book: Edition, choices: Choices) -> Iterator[Reason]:
    """The reasons against any level-up of this character, and those against these choices because
    of its marks, or of what can be regained."""
    yield from _not_yet(sheet, book)
    missing = _missing(sheet)
    if choices.special and book.yes_needed <= QUESTIONS - len(missing) < book.yes_for_special:
        yield Reason("special-needs-marks", who=sheet.name, missing=[*missing])
    if choices.energy and book.energy_needs_zero and choices.energy not in sheet.zero:
        at_zero = [*sheet.zero] or Reason("none")
        yield Reason("not-at-zero", type=choices.energy, types=at_zero)
    if choices.regain and not book.regains:
        yield Reason("gives-nothing-back", book=book.id)
    if not choices.regain and regainable(sheet):
        yield Reason("choose-what-to-regain")


def _choice_faults(sheet: Sheet, book: Edition, choices: Choices) -> Iterator[Reason]:
    yield from _not_one_lesson(choices)
    yield from _wrong_variant(sheet, choices)
    yield from _wrong_follow_ups(sheet, book, choices.combos)


def _not_one_lesson(choices: Choices) -> Iterator[Reason]:
    lessons = {
        "a move": choices.move,
        "a variant": choices.variant,
        "combos": choices.combos,
        "energy": choices.energy,
        "a special": choices.special,
    }
    chosen = [what for what, value in lessons.items() if value]
    if len(chosen) != 1:
        yield Reason("choose-one-of", things=[*lessons], chosen=chosen or Reason("none"))
    if choices.called and not (choices.move or choices.variant or choices.special):
        yield Reason("names-nothing", text=ascii(choices.called))


def _wrong_variant(sheet: Sheet, choices: Choices) -> Iterator[Reason]:
    variant, replaced = choices.variant, choices.replaces
    if variant and not variant.variant:
        yield Reason("no-variant-sign", move=variant.id)
    if not replaced:
        return
    if not variant:
        yield Reason("give-up-variants-only")
    if not any(move.variant and str(move) == replaced for move in sheet.moves):
        yield Reason("variant-unknown", who=sheet.name, text=ascii(replaced))
    if variant and replaced == str(variant):
        yield Reason("replaces-itself", move=replaced)


def _wrong_follow_ups(sheet: Sheet, book: Edition, changes: Sequence[FollowUp]) -> Iterator[Reason]:
    if len(changes) > book.combo_changes:
        most = Reason("follow-ups", count=book.combo_changes)
        yield Reason("learns-too-much", most=most, n=len(changes))
    for change in changes:
        if change.instead_of and not book.combos_replaced:
            yield Reason("no-exchange", book=book.id)
        elif change.instead_of and change.instead_of not in sheet.combos.get(change.start, ()):
            yield Reason("not-following", move=change.instead_of, start=change.start)
        elif change.instead_of == change.move:
            yield Reason("replaces-itself", move=change.move)
    exchanged = [(each.start, each.instead_of) for each in changes if each.instead_of]
    if len(set(exchanged)) < len(exchanged):
        yield Reason("follow-up-replaced-twice")


def _learned(sheet: Sheet, choices: Choices) -> Sheet:
    """The sheet with the thing that the choices teach, valid or not."""
    if choices.move:
        return replace(sheet, moves=(*sheet.moves, _named(KnownMove(choices.move), choices)))
    if choices.variant:
        kept = (move for move in sheet.moves if str(move) != choices.replaces or not move.variant)
        return replace(sheet, moves=(*kept, _named(choices.variant, choices)))
    if choices.energy:
        grown = set_points(sheet.max, choices.energy, sheet.max.of(choices.energy) + 1)
        return replace(sheet, max=grown)
    if choices.special:
        special = KnownSpecial(choices.special, choices.called)
        return replace(sheet, specials=(*sheet.specials, special))
    combos = dict(sheet.combos)
    for change in choices.combos:
        now = combos.get(change.start, ())
        if change.instead_of:
            now = tuple(change.move if each == change.instead_of else each for each in now)
        else:
            now = (*now, change.move)
        combos[change.start] = now
    return replace(sheet, combos=combos)


def _named(move: KnownMove, choices: Choices) -> KnownMove:
    plain = str(move).replace("-", " ", 1).title()
    return replace(move, name=choices.called or plain)


def _regained(sheet: Sheet, choices: Choices) -> Sheet:
    if choices.regain is Regain.VETO:
        return replace(sheet, veto=True)
    if choices.regain is Regain.BACKGROUNDS:
        full = tuple(replace(each, left=each.points) for each in sheet.backgrounds)
        return replace(sheet, backgrounds=full)
    return sheet


def _erased(sheet: Sheet, book: Edition) -> Sheet:
    """The sheet without the marks that the level-up used.

    The first text erases every mark. The later ones erase the goal with its mark, the zeros, and,
    only if both are there, the marks of belief and flaw. A remaining mark is flagged as counted.
    """
    both = sheet.belief.marked and sheet.flaw.marked
    belief, flaw = (
        replace(each, marked=False, counted=False)
        if both or book.erases_all
        else replace(each, counted=each.marked)
        for each in (sheet.belief, sheet.flaw)
    )
    goal = Trait() if sheet.goal.marked else sheet.goal
    return replace(sheet, belief=belief, flaw=flaw, goal=goal, zero=())
