"""The GM's word between scenes: whatever about a sheet changes in play, with its reason (R11).

What a character has learned is not among it: that is a level-up's. Of an NPC only what a conflict
would show is said here, for every deed is read by everybody.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from hub.rules.faults import shown
from hub.rules.game import RulesError
from hub.rules.reasons import Reason
from hub.rules.triangle.characters.book import Rest
from hub.rules.triangle.characters.marks import sound
from hub.rules.triangle.characters.sheet import Sheet
from hub.rules.triangle.edition import Action
from hub.rules.triangle.overrule import word as w
from hub.rules.triangle.story import deed as d
from hub.rules.triangle.story.state import StoryState, nobody
from hub.rules.words import Holds


def overruled(state: StoryState, holds: d.AnyHolds) -> StoryState:
    """The story in which this holds. Raises :class:`RulesError`."""
    if isinstance(holds, d.AnotherRest):
        return replace(state, may_rest=True)
    sheet = state.sheets.get(holds.name)
    if sheet is None:
        raise nobody(state.sheets)
    if sheet.npc and type(holds) in OF_PLAYERS:
        raise RulesError(Reason("npc-clauses", who=sheet.name, words=[*OF_NPCS]))
    return state.with_sheets([sound(sheet, _SAID[type(holds)](sheet, holds))])


def _energy(sheet: Sheet, holds: w.EnergyIs) -> Sheet:
    """Zero is marked in conflicts alone."""
    return replace(sheet, energy=w.energy_of(sheet.name, sheet.max, holds.energy))


def _zero(sheet: Sheet, holds: d.ZeroIs) -> Sheet:
    """The types marked as having reached zero (R8)."""
    return replace(sheet, zero=tuple(action for action in Action if action in holds.types))


def _dead(sheet: Sheet, holds: w.DeadIs) -> Sheet:
    if sheet.dead and holds.dead:
        raise RulesError(Reason("dead-already", who=sheet.name))
    if not (sheet.dead or holds.dead):
        raise RulesError(Reason("alive", who=sheet.name))
    return replace(sheet, dead=holds.dead)


def _special(sheet: Sheet, holds: w.SpecialIs) -> Sheet:
    special = holds.special
    if sheet.special(special) is None:
        raise RulesError(Reason("knows-no-special", who=sheet.name, special=shown(special)))
    if holds.used and sheet.book.specials[special].per_conflict:
        raise RulesError(Reason("counted-in-conflicts", special=special))
    of = (replace(e, used=holds.used) if e.id == special else e for e in sheet.specials)
    return replace(sheet, specials=tuple(of))


def _background(sheet: Sheet, holds: d.BackgroundIs) -> Sheet:
    """The points that a background has left."""
    of = next((each for each in sheet.backgrounds if each.name == holds.background), None)
    if of is None:
        names = [each.name for each in sheet.backgrounds] or NONE
        raise RulesError(Reason("background-form", who=sheet.name, names=names))
    left = w.within(holds.left, Reason("what-is-left", who=of.name), of.points)
    changed = replace(of, left=left)
    return replace(sheet, backgrounds=tuple(changed if b == of else b for b in sheet.backgrounds))


def _rested(sheet: Sheet, holds: d.RestedIs) -> Sheet:
    """The lesser rests taken since the last full one (R14)."""
    return replace(sheet, rested=tuple(each for each in LESSER if each in holds.rests))


NONE = "none"
LESSER = tuple(each for each in Rest if each is not Rest.FULL)
_SAID: Mapping[type[Holds], Callable[[Sheet, Any], Sheet]] = {
    w.EnergyIs: _energy,
    d.ZeroIs: _zero,
    w.DeadIs: _dead,
    w.SpecialIs: _special,
    d.SitsOutIs: lambda sheet, holds: replace(sheet, sits_out=holds.sits_out),
    d.VetoIs: lambda sheet, holds: replace(sheet, veto=holds.left),
    d.BackgroundIs: _background,
    d.RestedIs: _rested,
}
OF_PLAYERS = {d.VetoIs, d.BackgroundIs, d.RestedIs}
ENERGY = "energy"
CLAUSES = (
    ENERGY, "zero", "dead", "alive", "specials", "sits-out", "veto", "background", "rested",
)  # fmt: skip
"""What may be said of a character, by the word that it begins with where it is written; that of
energy begins with a type of energy."""
OF_NPCS = (ENERGY, "zero", "dead", "alive", "specials", "sits-out")
"""What a conflict shows of NPCs."""
