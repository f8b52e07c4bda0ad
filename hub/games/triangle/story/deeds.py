"""The effects of the GM's deeds on a story.

Each function takes the state and a deed and returns the new state. Each raises
:class:`hub.games.game.RulesError` with one sentence. Ref: Countdowns, Resting, Level Up,
Replacement characters, of each book (R14 to R16).
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from hub.games.deeds import (
    COUNTDOWN_DEEDS,
    STAKES_DEEDS,
    WISH_DEEDS,
    Deed,
    Does,
    leave,
    without_reserve,
)
from hub.games.game import RulesError
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters import marks
from hub.games.triangle.rules.characters.level_up import level_up
from hub.games.triangle.rules.characters.marks import rest
from hub.games.triangle.rules.characters.replacement import not_handed_on, replacement
from hub.games.triangle.rules.characters.sheet import Sheet, set_points
from hub.games.triangle.story import deed as d
from hub.games.triangle.story.newcomers import enter, given, join, newcomer
from hub.games.triangle.story.overrules import WORD
from hub.games.triangle.story.state import StoryState, unknown
from hub.kernel.reasons import together


def _of(sheets: Mapping[str, Sheet], name: str) -> Sheet:
    if name not in sheets:
        raise unknown(sheets, name)
    return sheets[name]


def _rest(state: StoryState, deed: d.TakeRest) -> StoryState:
    party = state.party
    for name in deed.types:
        _of(party, name)
    rested = rest([*party.values()], deed.kind, dict(deed.types))
    return replace(state.with_sheets(rested), may_rest=False)


def _why_not_rest(state: StoryState, _: d.TakeRest) -> Reason | None:
    """One rest after each conflict (R18)."""
    if state.may_rest:
        return None
    return Reason("no-rest-yet")


def _recover(state: StoryState, deed: d.Recover) -> StoryState:
    """Restore all energy and specials of an NPC, or set one type to the given points."""
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
def _lose(state: StoryState, deed: d.Lose) -> StoryState:
    """Deduct the cost of a failed problem. It never kills, and it marks no zero, because only a
    conflict does (Consequences of problems)."""
    sheet = _of(state.sheets, deed.name)
    most = sheet.energy.of(deed.type)
    if not 1 <= deed.points <= most:
        raise RulesError(Reason("points-to-lose", who=sheet.name, most=most, type=deed.type))
    energy = set_points(sheet.energy, deed.type, most - deed.points)
    return state.with_sheets([replace(sheet, energy=energy)])


def _level_up(state: StoryState, deed: d.LevelUp) -> StoryState:
    sheet = _of(state.sheets, deed.name)
    allies = [ally for name, ally in state.party.items() if name != sheet.name]
    return state.with_sheets([level_up(sheet, deed.choices, allies)])


def _why_not_tradition(state: StoryState, deed: d.Replace) -> Reason | None:
    """A replacement can only learn what the deceased knew (R21)."""
    reasons = not_handed_on(_of(state.sheets, deed.name), deed.level_ups)
    return together(reasons) if reasons else None


def _replace(state: StoryState, deed: d.Replace) -> StoryState:
    """Replace a dead character by a new one who continues its tradition."""
    deceased, fresh = _of(state.sheets, deed.name), _of(state.reserve, deed.by)
    grown = replacement(fresh, deceased, deed.level_ups, [*state.party.values()])
    sheets = {
        **{name: sheet for name, sheet in state.sheets.items() if name != deceased.name},
        grown.name: grown,
    }
    heirs = {**state.heirs, grown.name: deceased.name}
    return without_reserve(replace(state, sheets=sheets, heirs=heirs), fresh.name)


def _changed(change: Callable[[Sheet, Any], Sheet]) -> Callable[[StoryState, Any], StoryState]:
    """Return the effect of a deed that applies ``change`` to the sheet it names."""

    def doing(state: StoryState, deed: Any) -> StoryState:
        return state.with_sheets([change(_of(state.sheets, deed.name), deed)])

    return doing


# book: goal.marked, goal.agreed, countdowns.marked, after-problem.countdown, stakes.declined
# book: end.replaced, rest.countdown, level-up.gm, replacement.for-the-dead, stakes.agreed
DEEDS: Mapping[type[Deed], Does] = {
    **COUNTDOWN_DEEDS,
    **STAKES_DEEDS,
    **WISH_DEEDS,
    d.TakeRest: _rest,
    d.Recover: _recover,
    d.Lose: _lose,
    d.RenameMove: _changed(lambda sheet, deed: marks.rename_move(sheet, deed.move, deed.called)),
    d.MarkTrait: _changed(lambda sheet, deed: marks.mark(sheet, deed.trait)),
    d.UnmarkTrait: _changed(lambda sheet, deed: marks.unmark(sheet, deed.trait)),
    d.Rewrite: _changed(lambda sheet, deed: marks.rewrite(sheet, **{deed.trait: deed.words})),
    d.RenameBackground: _changed(
        lambda sheet, deed: marks.rename_background(sheet, deed.background, deed.called)
    ),
    d.LevelUp: _level_up,
    d.Replace: _replace,
    d.Join: lambda state, deed: enter(state, deed.name),
    d.Npc: lambda state, deed: join(state, newcomer(state, given(deed))),
    d.Dismiss: lambda state, deed: leave(state, deed.name),
    d.OverruleStory: lambda state, deed: WORD.overrule(state, deed.holds),
}

JUDGED: Mapping[type[Deed], Callable[[StoryState, Any], Reason | None]] = {
    d.TakeRest: _why_not_rest,
    d.Replace: _why_not_tradition,
}
