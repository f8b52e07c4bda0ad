"""Change sheets between scenes: marks, words and points, and rests (R14).

Each function returns new sheets, and raises :class:`SheetError` if the change is not allowed.

Ref: Problems, Resting, and the end of a session in Level Up.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.sheet import (
    Background,
    Rest,
    Sheet,
    SheetError,
    Trait,
    said,
    set_points,
)
from hub.games.triangle.rules.edition import Action

TraitKey = Literal["belief", "flaw", "goal"]
TRAITS: tuple[TraitKey, ...] = ("belief", "flaw", "goal")


def trait_of(sheet: Sheet, key: TraitKey) -> Trait:
    """Return the belief, the flaw or the goal, as ``key`` says."""
    return {"belief": sheet.belief, "flaw": sheet.flaw, "goal": sheet.goal}[key]


# book: belief.marked, flaw.marked, goal.marked, level-up.one-mark
def mark(sheet: Sheet, key: TraitKey) -> Sheet:
    """Return the sheet with a belief or flaw marked as used, or a goal as reached. The trait must
    have a text and no mark yet."""
    trait = trait_of(sheet, key)
    if not trait.text:
        raise SheetError(Reason("trait-missing", who=sheet.name, trait=key))
    if trait.marked:
        raise SheetError(Reason("trait-marked", who=sheet.name, trait=key))
    return replace(sheet, **{key: replace(trait, marked=True)})


def unmark(sheet: Sheet, key: TraitKey) -> Sheet:
    """Return the sheet with the mark of a trait taken back."""
    trait = trait_of(sheet, key)
    if not trait.marked:
        raise SheetError(Reason("trait-not-marked", who=sheet.name, trait=key))
    return replace(sheet, **{key: replace(trait, marked=False, counted=False)})


# book: energy.zero-of-one
def mark_zero(sheet: Sheet, *actions: Action) -> Sheet:
    """Return the sheet with these types marked as having reached zero in a conflict (R8). Earlier
    marks stay."""
    marked = {*sheet.zero, *actions}
    return replace(sheet, zero=tuple(action for action in Action if action in marked))


# book: goal.text, level-up.reworded
def rewrite(
    sheet: Sheet, *, belief: str | None = None, flaw: str | None = None, goal: str | None = None
) -> Sheet:
    """Return the sheet with new texts for traits; None keeps a text. Marks stay, because they are
    about what happened, not about the words."""
    texts = {"belief": belief, "flaw": flaw, "goal": goal}
    changed = {
        key: replace(getattr(sheet, key), text=text.strip())
        for key, text in texts.items()
        if text is not None
    }
    return sound(sheet, replace(sheet, **changed))


# book: backgrounds.left
def spend_background(sheet: Sheet, name: str) -> Sheet:
    """Return the sheet with a point of a background spent. For a background that is not on the
    sheet, an undecided point is spent."""
    for index, background in enumerate(sheet.backgrounds):
        if background.name.casefold() != name.casefold():
            continue
        if not background.left:
            raise SheetError(Reason("background-spent", who=sheet.name, background=background.name))
        spent = list(sheet.backgrounds)
        spent[index] = replace(background, left=background.left - 1)
        return replace(sheet, backgrounds=tuple(spent))
    if not sheet.undecided_points:
        raise SheetError(Reason("background-unknown", who=sheet.name))
    return replace(sheet, backgrounds=(*sheet.backgrounds, Background(name, 1, 0)))


# book: level-up.other-backgrounds
def rename_background(sheet: Sheet, old: str, new: str) -> Sheet:
    """Return the sheet with a background renamed, such as one that was decided in play."""
    renamed = [
        replace(each, name=new) if each.name.casefold() == old.casefold() else each
        for each in sheet.backgrounds
    ]
    if [*sheet.backgrounds] == renamed:
        known = [each.name for each in sheet.backgrounds] or Reason("none")
        raise SheetError(Reason("background-not-named", names=known))
    return sound(sheet, replace(sheet, backgrounds=tuple(renamed)))


# book: level-up.renamed
def rename_move(sheet: Sheet, move: str, name: str) -> Sheet:
    """Return the sheet with a new ``name`` for a known ``move``, such as ``attack-high +1``."""
    known = [str(each) for each in sheet.moves]
    if move not in known or not name:
        raise SheetError(Reason("move-not-named", moves=[*known]))
    moves = [replace(each, name=name) if str(each) == move else each for each in sheet.moves]
    return sound(sheet, replace(sheet, moves=tuple(moves)))


def sound(before: Sheet, after: Sheet) -> Sheet:
    """Return ``after`` if it has no faults beyond those of ``before``. Otherwise raise
    :class:`SheetError`."""
    had = faults_of(before)
    if wrong := [said(each) for each in faults_of(after) if each not in had]:
        raise SheetError(*wrong)
    return after


# book: veto.one
def use_veto(sheet: Sheet) -> Sheet:
    """Return the sheet with its veto used up."""
    if not sheet.veto:
        raise SheetError(Reason("no-veto", who=sheet.name))
    return replace(sheet, veto=False)


# book: rest.breather, rest.once-each, rest.full, rest.all-alike, specials.once
def rest(
    party: Sequence[Sheet], kind: Rest, choices: Mapping[str, Action] | None = None
) -> tuple[Sheet, ...]:
    """Return all sheets after the same rest, in their order, or raise all reasons against it.

    ``choices`` maps a character to the type of energy that it regains, where it has a choice.
    """
    chosen = choices or {}
    names = [sheet.name for sheet in party]
    reasons = [Reason("not-resting", who=name) for name in chosen if name not in names]
    if not party:
        reasons.append(Reason("nobody-rests"))
    if len(set(names)) < len(names):
        reasons.append(Reason("listed-twice"))
    for sheet in party:
        reasons += [
            Reason("whose", who=sheet.name, why=why)
            for why in _problems(sheet, kind, chosen.get(sheet.name))
        ]
    if reasons:
        raise SheetError(*reasons)
    return tuple(_rested(sheet, kind, chosen.get(sheet.name)) for sheet in party)


# book: rest.short, rest.equal-maximums
def rest_types(sheet: Sheet, kind: Rest) -> tuple[Action, ...]:
    """Return the types of energy that the player can choose to regain by a rest.

    For a breather, they are the types below their maximum; for a short rest, those with the lowest
    maximum. For a full rest there are none, because it restores all.
    """
    if kind is Rest.BREATHER:
        return tuple(each for each in Action if sheet.energy.of(each) < sheet.max.of(each))
    if kind is Rest.SHORT:
        lowest = min(map(sheet.max.of, Action))
        return tuple(each for each in Action if sheet.max.of(each) == lowest)
    return ()


def _problems(sheet: Sheet, kind: Rest, choice: Action | None) -> Iterator[Reason]:
    yield from map(said, faults_of(sheet))
    if sheet.npc:
        yield Reason("npc-recovers")
    if sheet.dead:
        yield Reason("is-dead")
    if kind in sheet.rested:
        named = Reason("short-rest") if kind is Rest.SHORT else kind
        yield Reason("had-rest", rest=named)
    types = rest_types(sheet, kind)
    if choice is None:
        if len(types) > 1:
            yield Reason("choose-type", types=[*types])
    elif choice not in types:
        allowed = [*types] or Reason("none-leave-out")
        yield Reason("type-not-for-rest", type=choice, types=allowed)


def _rested(sheet: Sheet, kind: Rest, choice: Action | None) -> Sheet:
    types = rest_types(sheet, kind)
    action = choice or (types[0] if types else None)
    energy, rested = sheet.energy, tuple(each for each in Rest if each in {*sheet.rested, kind})
    if kind is Rest.FULL:
        energy, rested = sheet.max, ()
    elif action is not None:
        most = sheet.max.of(action)
        points = most if kind is Rest.SHORT else min(most, energy.of(action) + 1)
        energy = set_points(energy, action, points)
    specials = sheet.specials
    if kind is Rest.FULL or sheet.book.any_rest_returns_specials:
        specials = tuple(replace(each, used=False) for each in specials)
    return replace(sheet, energy=energy, rested=rested, specials=specials)
