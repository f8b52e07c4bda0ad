"""The GM's overrules between scenes, about all parts of a sheet that change in play (R11).

The moves, combos and specials that a character has learned are left out, because learning takes a
level-up. For an NPC only what a conflict would show is included, because all deeds are public.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from hub.games.deeds import Name, Number
from hub.games.game import RulesError
from hub.games.overrules import Clause, GmsWord, Holds, HoldsOf, of_some
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.marks import sound
from hub.games.triangle.rules.characters.sheet import Rest, Sheet
from hub.games.triangle.rules.edition import Action
from hub.games.triangle.rules.overrules import people as w
from hub.games.triangle.story.state import StoryState, unknown
from hub.kernel.faults import shown
from hub.kernel.forms import Field, flag, number, one, several

NONE = "none"
LESSER = tuple(each for each in Rest if each is not Rest.FULL)


class ZeroIs(HoldsOf, frozen=True, kw_only=True, tag="zero"):
    """The energy types that are marked as having reached zero, in place of the earlier marks."""

    types: Annotated[tuple[Action, ...], Meta(max_length=3)]


class SitsOutIs(HoldsOf, frozen=True, kw_only=True, tag="sits-out"):
    """Whether a character sits out the next conflict."""

    sits_out: bool


class VetoIs(HoldsOf, frozen=True, kw_only=True, tag="veto"):
    """Whether a character still has its veto."""

    left: bool


class BackgroundIs(HoldsOf, frozen=True, kw_only=True, tag="background"):
    """The points left in a background."""

    background: Name
    left: Number


class RestedIs(HoldsOf, frozen=True, kw_only=True, tag="rested"):
    """The breathers and short rests that a character has had since its last full rest."""

    rests: Annotated[tuple[Rest, ...], Meta(max_length=2)]


class AnotherRest(Holds, frozen=True, kw_only=True, tag="rest"):
    """One more rest is allowed before the next conflict (R18)."""


def _energy(sheet: Sheet, holds: w.EnergyIs) -> Sheet:
    """Set the energy; zero marks stay, because only conflicts mark them."""
    return replace(sheet, energy=w.energy_of(sheet.name, sheet.max, holds.energy))


def _zero(sheet: Sheet, holds: ZeroIs) -> Sheet:
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


def _background(sheet: Sheet, holds: BackgroundIs) -> Sheet:
    of = next((each for each in sheet.backgrounds if each.name == holds.background), None)
    if of is None:
        names = [each.name for each in sheet.backgrounds] or NONE
        raise RulesError(Reason("background-form", who=sheet.name, names=names))
    left = w.within(holds.left, Reason("what-is-left", who=of.name), of.points)
    changed = replace(of, left=left)
    return replace(sheet, backgrounds=tuple(changed if b == of else b for b in sheet.backgrounds))


def _rested(sheet: Sheet, holds: RestedIs) -> Sheet:
    return replace(sheet, rested=tuple(each for each in LESSER if each in holds.rests))


def _of_sheet(
    kind: type[Holds],
    change: Callable[[Sheet, Any], Sheet],
    fields: Callable[[Sheet], tuple[Field, ...]],
) -> Clause[StoryState]:
    """A clause about a character's sheet; it is offered if ``fields`` returns any for the sheet."""

    def follow(state: StoryState, holds: Any) -> StoryState:
        sheet = state.sheets.get(holds.name)
        if sheet is None:
            raise unknown(state.sheets, holds.name)
        if sheet.npc and kind in OF_PLAYERS:
            raise RulesError(Reason("npc-clauses", who=sheet.name, words=[*OF_NPCS]))
        return state.with_sheets([sound(sheet, change(sheet, holds))])

    def form(state: StoryState, name: str) -> tuple[Field, ...]:
        sheet = state.sheets[name]
        return () if sheet.npc and kind in OF_PLAYERS else fields(sheet)

    return Clause(kind, follow, of_some(lambda state: state.sheets, form))


def _backgrounds(sheet: Sheet) -> tuple[Field, ...]:
    left = {b.name: (number("left", first=b.left, most=b.points),) for b in sheet.backgrounds}
    return (one("background", "background", left),) if left else ()


CLAUSES = (
    _of_sheet(w.EnergyIs, _energy, lambda sheet: w.energy_fields(sheet.energy, sheet.max)),
    _of_sheet(ZeroIs, _zero, lambda sheet: (several("types", "type", Action, sheet.zero),)),
    _of_sheet(w.DeadIs, _dead, lambda sheet: (flag("dead", first=not sheet.dead),)),
    _of_sheet(
        w.SpecialIs,
        _special,
        lambda sheet: w.special_fields({each.id: not each.used for each in sheet.specials}),
    ),
    _of_sheet(
        SitsOutIs,
        lambda sheet, holds: replace(sheet, sits_out=holds.sits_out),
        lambda sheet: (flag("sits_out", first=sheet.sits_out),),
    ),
    _of_sheet(
        VetoIs,
        lambda sheet, holds: replace(sheet, veto=holds.left),
        lambda sheet: (flag("left", first=sheet.veto),),
    ),
    _of_sheet(BackgroundIs, _background, _backgrounds),
    _of_sheet(RestedIs, _rested, lambda sheet: (several("rests", "rest", LESSER, sheet.rested),)),
    Clause[StoryState](AnotherRest, lambda state, _: replace(state, may_rest=True), None),
)
WORD: GmsWord[StoryState] = GmsWord(clauses=CLAUSES)
if TYPE_CHECKING:
    AnyHolds = Holds
else:
    AnyHolds = WORD.kinds
OF_PLAYERS = {VetoIs, BackgroundIs, RestedIs}
OF_NPCS = ("energy", "zero", "dead", "alive", "specials", "sits-out")
"""The overrules that are allowed for NPCs, as the refusal of another one lists them."""
