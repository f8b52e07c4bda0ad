"""Mark and rewrite parts of a sheet by hand. Each function returns a new sheet.

Ref: Problems, and the end of a session in Level Up. All raise :class:`SheetError`.
"""

from typing import Literal

from msgspec.structs import replace

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.sheet import Background, Sheet, SheetError, Trait, said
from hub.games.triangle.rules.edition import Action

TraitKey = Literal["belief", "flaw", "goal"]
TRAITS: tuple[TraitKey, ...] = ("belief", "flaw", "goal")


def trait_of(sheet: Sheet, key: TraitKey) -> Trait:
    """Return the belief, the flaw or the goal."""
    return {"belief": sheet.belief, "flaw": sheet.flaw, "goal": sheet.goal}[key]


# book: belief.marked, flaw.marked, goal.marked, level-up.one-mark
def mark(sheet: Sheet, key: TraitKey) -> Sheet:
    """Mark a belief or flaw as used, or a goal as reached. Each can be marked once."""
    trait = trait_of(sheet, key)
    if not trait.text:
        raise SheetError(Reason("trait-missing", who=sheet.name, trait=key))
    if trait.marked:
        raise SheetError(Reason("trait-marked", who=sheet.name, trait=key))
    return replace(sheet, **{key: replace(trait, marked=True)})


def unmark(sheet: Sheet, key: TraitKey) -> Sheet:
    """Take the mark back."""
    trait = trait_of(sheet, key)
    if not trait.marked:
        raise SheetError(Reason("trait-not-marked", who=sheet.name, trait=key))
    return replace(sheet, **{key: replace(trait, marked=False, counted=False)})


# book: energy.zero-of-one
def mark_zero(sheet: Sheet, *actions: Action) -> Sheet:
    """Mark types that reached zero in a conflict (R8); marks are kept in printed order."""
    marked = {*sheet.zero, *actions}
    return replace(sheet, zero=tuple(action for action in Action if action in marked))


# book: goal.text, level-up.reworded
def rewrite(
    sheet: Sheet, *, belief: str | None = None, flaw: str | None = None, goal: str | None = None
) -> Sheet:
    """Reword traits at the end of a session. Marks stay, because they answer questions about the
    session, not about the words. Invalid text is refused."""
    texts = {"belief": belief, "flaw": flaw, "goal": goal}
    changed = {
        key: replace(getattr(sheet, key), text=text.strip())
        for key, text in texts.items()
        if text is not None
    }
    new = replace(sheet, **changed)
    before = faults_of(sheet)
    wrong = [said(each) for each in faults_of(new) if each not in before]
    if wrong:
        raise SheetError(*wrong)
    return new


# book: backgrounds.left
def spend_background(sheet: Sheet, name: str) -> Sheet:
    """Spend a point of a background; a new background uses an undecided point."""
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
    """Rename a background, such as one that was decided in play."""
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
    """Rename a known move, such as ``attack-high`` or the variant ``attack-high +1``."""
    known = [str(each) for each in sheet.moves]
    if move not in known or not name:
        raise SheetError(Reason("move-not-named", moves=[*known]))
    moves = [replace(each, name=name) if str(each) == move else each for each in sheet.moves]
    return sound(sheet, replace(sheet, moves=tuple(moves)))


def sound(before: Sheet, after: Sheet) -> Sheet:
    """Return ``after`` if it has no faults beyond those of ``before``."""
    had = faults_of(before)
    wrong = [said(each) for each in faults_of(after) if each not in had]
    if wrong:
        raise SheetError(*wrong)
    return after


# book: veto.one
def use_veto(sheet: Sheet) -> Sheet:
    """Use up the veto."""
    if not sheet.veto:
        raise SheetError(Reason("no-veto", who=sheet.name))
    return replace(sheet, veto=False)
