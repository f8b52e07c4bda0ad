"""The GM's deeds: each as a value, and its effect on a story.

In JSON ``do`` says which deed it is, and every other part is a field of its own, so that names and
texts may hold any word: ``{"do": "rest", "kind": "breather", "types": {"Marit": "attack"}}``.
:mod:`hub.games.triangle.story.written` parses the written form.

The effect of a deed is a function that takes the state and the deed, and returns the new state. It
raises :class:`hub.games.game.RulesError` with one sentence if the deed is not possible.

Ref: Countdowns, Resting, Level Up, Replacement characters, of each book (R14 to R16).
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from hub.games.deeds import (
    COUNTDOWN_DEEDS,
    MAX_DEED_CHARS,
    STAKES_DEEDS,
    WISH_DEEDS,
    Deed,
    DeedTo,
    Does,
    Name,
    Number,
    Words,
    leave,
    without_reserve,
)
from hub.games.game import RulesError
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters import marks
from hub.games.triangle.rules.characters.level_up import Choices, level_up
from hub.games.triangle.rules.characters.marks import TraitKey, rest
from hub.games.triangle.rules.characters.replacement import not_handed_on, replacement
from hub.games.triangle.rules.characters.sheet import Rest, Sheet, set_points
from hub.games.triangle.rules.edition import Action
from hub.games.triangle.story.newcomers import Npc, enter, given, join, newcomer
from hub.games.triangle.story.overrules import WORD, AnyHolds
from hub.games.triangle.story.state import StoryState, unknown
from hub.kernel.reasons import together


class TakeRest(Deed, frozen=True, kw_only=True, tag="rest"):
    """All player characters take the same rest (R14, R18)."""

    kind: Rest
    types: Mapping[Name, Action] = {}
    """Character → the energy type that it regains, where the rest leaves a choice."""


class Recover(DeedTo, frozen=True, kw_only=True, tag="recover"):
    """An NPC recovers all energy and specials or, with a ``type``, has its energy of that type set
    to ``points``."""

    type: Action | None = None
    points: Number = 0


class Lose(DeedTo, frozen=True, kw_only=True, tag="lose"):
    """A character loses energy because a problem failed. Unlike in a conflict, an energy type that
    drops to zero is not marked."""

    type: Action
    points: Number


class RenameMove(DeedTo, frozen=True, kw_only=True, tag="rename"):
    """Give a known move the name ``called``."""

    move: Name
    """The move's id, with the sign if it is a variant: ``attack-high +1``."""
    called: Name


class MarkTrait(DeedTo, frozen=True, kw_only=True, tag="mark"):
    """Mark a belief or flaw as used, or a goal as reached."""

    trait: TraitKey


class UnmarkTrait(DeedTo, frozen=True, kw_only=True, tag="unmark"):
    """Take back the mark of a trait."""

    trait: TraitKey


class Rewrite(DeedTo, frozen=True, kw_only=True, tag="rewrite"):
    """Give a belief, a flaw or a goal new ``words``; its mark stays."""

    trait: TraitKey
    words: Words


class RenameBackground(DeedTo, frozen=True, kw_only=True, tag="background"):
    """Give a background the name ``called``."""

    background: Name
    called: Name


class LevelUp(DeedTo, frozen=True, kw_only=True, tag="level-up"):
    """Raise a character by a level, with these ``choices`` (R16)."""

    choices: Choices

    def fault(self) -> Reason | None:
        """Return the reason if a name in the choices is too long; None if none is."""
        return self.choices.fault()


class Replace(DeedTo, frozen=True, kw_only=True, tag="replace"):
    """A character in reserve, ``by``, continues the tradition of a dead one, ``name`` (R21)."""

    by: Name
    level_ups: Annotated[tuple[Choices, ...], Meta(max_length=16)] = ()

    def fault(self) -> Reason | None:
        """Return the reason if a name in the level-ups is too long; None if none is."""
        return next(filter(None, (each.fault() for each in self.level_ups)), None)


class Join(DeedTo, frozen=True, kw_only=True, tag="join"):
    """A player character in reserve joins the party."""


class Dismiss(DeedTo, frozen=True, kw_only=True, tag="dismiss"):
    """Remove an NPC, or a character in reserve, who is no longer needed."""


class OverruleStory(Deed, frozen=True, kw_only=True, tag="overrule"):
    """The GM overrules something, with a reason (R11)."""

    holds: AnyHolds
    because: Annotated[str, Meta(min_length=1, max_length=MAX_DEED_CHARS)]


def _of(sheets: Mapping[str, Sheet], name: str) -> Sheet:
    if name not in sheets:
        raise unknown(sheets, name)
    return sheets[name]


def _rest(state: StoryState, deed: TakeRest) -> StoryState:
    party = state.party
    for name in deed.types:
        _of(party, name)
    rested = rest([*party.values()], deed.kind, dict(deed.types))
    return replace(state.with_sheets(rested), may_rest=False)


def _why_not_rest(state: StoryState, _: TakeRest) -> Reason | None:
    """Refuse a rest if no conflict was played since the last rest (R18)."""
    return None if state.may_rest else Reason("no-rest-yet")


def _recover(state: StoryState, deed: Recover) -> StoryState:
    sheet = _of(state.sheets, deed.name)
    if not sheet.npc:
        raise RulesError(Reason("rests-itself", who=sheet.name))
    if sheet.dead:
        raise RulesError(Reason("dead", who=sheet.name))
    if deed.type is None:
        specials = tuple(replace(each, used=False) for each in sheet.specials)
        return state.with_sheets([replace(sheet, energy=sheet.max, specials=specials)])
    most = sheet.max.of(deed.type)
    if deed.points > most:
        raise RulesError(Reason("points-range", who=sheet.name, most=most, type=deed.type))
    energy = set_points(sheet.energy, deed.type, deed.points)
    return state.with_sheets([replace(sheet, energy=energy)])


# book: after-problem.energy
def _lose(state: StoryState, deed: Lose) -> StoryState:
    """Deduct the energy. Only a conflict kills, or marks a type that drops to zero (Consequences of
    problems)."""
    sheet = _of(state.sheets, deed.name)
    most = sheet.energy.of(deed.type)
    if not 1 <= deed.points <= most:
        raise RulesError(Reason("points-to-lose", who=sheet.name, most=most, type=deed.type))
    energy = set_points(sheet.energy, deed.type, most - deed.points)
    return state.with_sheets([replace(sheet, energy=energy)])


def _level_up(state: StoryState, deed: LevelUp) -> StoryState:
    sheet = _of(state.sheets, deed.name)
    allies = [ally for name, ally in state.party.items() if name != sheet.name]
    return state.with_sheets([level_up(sheet, deed.choices, allies)])


def _why_not_tradition(state: StoryState, deed: Replace) -> Reason | None:
    """Refuse level-ups by which a replacement would learn what the deceased did not know (R21)."""
    reasons = not_handed_on(_of(state.sheets, deed.name), deed.level_ups)
    return together(reasons) if reasons else None


def _replace(state: StoryState, deed: Replace) -> StoryState:
    deceased, fresh = _of(state.sheets, deed.name), _of(state.reserve, deed.by)
    grown = replacement(fresh, deceased, deed.level_ups, [*state.party.values()])
    others = {name: sheet for name, sheet in state.sheets.items() if name != deceased.name}
    sheets = {**others, grown.name: grown}
    heirs = {**state.heirs, grown.name: deceased.name}
    return without_reserve(replace(state, sheets=sheets, heirs=heirs), fresh.name)


def _changed(change: Callable[[Sheet, Any], Sheet]) -> Callable[[StoryState, Any], StoryState]:
    """Return the effect of a deed that applies ``change`` to the sheet that the deed names."""

    def doing(state: StoryState, deed: Any) -> StoryState:
        return state.with_sheets([change(_of(state.sheets, deed.name), deed)])

    return doing


# book: goal.marked, goal.agreed, countdowns.marked, after-problem.countdown, stakes.declined
# book: end.replaced, rest.countdown, level-up.gm, replacement.for-the-dead, stakes.agreed
DEEDS: Mapping[type[Deed], Does] = {
    **COUNTDOWN_DEEDS,
    **STAKES_DEEDS,
    **WISH_DEEDS,
    TakeRest: _rest,
    Recover: _recover,
    Lose: _lose,
    RenameMove: _changed(lambda sheet, deed: marks.rename_move(sheet, deed.move, deed.called)),
    MarkTrait: _changed(lambda sheet, deed: marks.mark(sheet, deed.trait)),
    UnmarkTrait: _changed(lambda sheet, deed: marks.unmark(sheet, deed.trait)),
    Rewrite: _changed(lambda sheet, deed: marks.rewrite(sheet, **{deed.trait: deed.words})),
    RenameBackground: _changed(
        lambda sheet, deed: marks.rename_background(sheet, deed.background, deed.called)
    ),
    LevelUp: _level_up,
    Replace: _replace,
    Join: lambda state, deed: enter(state, deed.name),
    Npc: lambda state, deed: join(state, newcomer(state, given(deed))),
    Dismiss: lambda state, deed: leave(state, deed.name),
    OverruleStory: lambda state, deed: WORD.overrule(state, deed.holds),
}

JUDGED: Mapping[type[Deed], Callable[[StoryState, Any], Reason | None]] = {
    TakeRest: _why_not_rest,
    Replace: _why_not_tradition,
}
