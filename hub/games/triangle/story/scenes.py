"""The scenes that the GM may ask for: prepared from a story, with their results carried back to
it."""

from collections.abc import Collection, Iterator, Mapping

import msgspec
from msgspec.structs import replace

from hub.games.deeds import MAX_STAKES_CHARS, Stakes
from hub.games.game import SetupError
from hub.games.story import MAX_TITLE_CHARS, SceneOffer, SceneRequest, Staged
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters import conflicts
from hub.games.triangle.rules.characters.sheet import Sheet
from hub.games.triangle.rules.conflict import Conflict
from hub.games.triangle.rules.problem.setup import MAX_PROBLEM_CHARS, after_problem, problem_setup
from hub.games.triangle.rules.problem.views import ProblemView
from hub.games.triangle.story.state import StoryState
from hub.kernel.faults import Fault, is_name, shown
from hub.kernel.forms import Field, flag, in_groups, several, words


# book: after-problem.conflict, conflicts.begun
class ConflictRequest(SceneRequest, frozen=True, kw_only=True, tag="conflict"):
    """A conflict that the GM asks for. Characters on neither side sit out."""

    # book: stakes.npcs
    sides: Mapping[str, tuple[str, ...]] = {}
    """Two sides with their members, the GM's second. If empty, all player characters who can take
    part are against all NPCs who can."""
    lethal: bool = False
    minor: bool = False
    # book: stakes.agreed
    stakes: str = ""
    """The goals that the sides fight for."""


# book: problems.set
class ProblemRequest(SceneRequest, frozen=True, kw_only=True, tag="problem"):
    """A problem that the GM asks for."""

    problem: str = ""
    """The obstacle that the characters face, in the GM's words."""
    interested: tuple[str, ...] = ()
    """The characters who show a number; if empty, all living player characters."""


SceneAsked = ConflictRequest | ProblemRequest


PLAYERS, OTHERS = "players", "others"
"""The usual names of a conflict's sides."""


# book: after-problem.conflict, conflicts.begun, stakes.lethal-takes-all, stakes.sit-out
def stage_conflict(state: StoryState, request: ConflictRequest) -> Staged:
    """Prepare a conflict from the current sheets. Raises :class:`SetupError`."""
    state = state.with_sheets(_lapsed(state.sheets.values()))
    sides = request.sides or _everybody(state)
    faults = [
        Fault(("sides", side), Reason("no-sheet-of", who=shown(name)))
        for side, names in sides.items()
        for name in names
        if name not in state.sheets
    ]
    nameless = [side for side in sides if not is_name(side)]
    faults += [Fault(("sides",), Reason("no-name", text=shown(side))) for side in nameless]
    if faults:
        raise SetupError(*faults)
    entering = {name for names in sides.values() for name in names}
    able = filter(_able, state.party.values())
    away = [sheet.name for sheet in able if sheet.name not in entering]
    if request.lethal and away and any(s.book.lethal_takes_all for s in state.party.values()):
        raise SetupError(Fault(("sides",), Reason("lethal-takes", names=[*away])))
    sheets = [sheet for name, sheet in state.sheets.items() if name in entering]
    setup = conflicts.setup_of(
        sheets, sides, lethal=request.lethal, minor=request.minor, house=state.house
    )
    told = request.stakes.strip()
    deed = msgspec.to_builtins(Stakes(words=told)) if told else None
    return Staged(setup["ruleset"], request.title, setup, deed)


def _everybody(state: StoryState) -> dict[str, tuple[str, ...]]:
    """All characters who can take part, by side, the players' first. If none of a side can, all its
    living characters are returned, so that each is refused with its reason."""
    others = [sheet for sheet in state.sheets.values() if sheet.npc and not sheet.dead]
    sides = {PLAYERS: [*state.party.values()], OTHERS: others}
    return {
        side: tuple(sheet.name for sheet in [*filter(_able, sheets)] or sheets)
        for side, sheets in sides.items()
    }


def _lapsed(sheets: Collection[Sheet]) -> Iterator[Sheet]:
    """Yield the sheets of characters who need not sit out after all, because their side would be
    empty otherwise (R22)."""
    for npc in (False, True):
        fit = [s for s in sheets if s.npc == npc and not s.dead and s.energy.total]
        if all(sheet.sits_out for sheet in fit):
            yield from (replace(sheet, sits_out=False) for sheet in fit)


def _able(sheet: Sheet) -> bool:
    return conflicts.why_not_enter(sheet) is None


def scene_forms(state: StoryState) -> tuple[SceneOffer, ...]:
    """Return the forms for a conflict of all who can take part, and for a problem of the party."""
    title = words("title", most=MAX_TITLE_CHARS)
    party, nobody = [*state.party], Reason("concerns-nobody")
    return (
        SceneOffer(
            scene={"type": "conflict"},
            fields=(
                _sides(state),
                flag("lethal", first=False),
                flag("minor", first=False),
                words("stakes", most=MAX_STAKES_CHARS),
                title,
            ),
        ),
        SceneOffer(
            scene={"type": "problem"},
            fields=(
                words("problem", most=MAX_PROBLEM_CHARS),
                several("interested", "interested", party, party, empty=nobody),
                title,
            ),
        ),
    )


def _sides(state: StoryState) -> Field:
    """The field for sides: all living characters, player characters first, with the reason
    beside each who cannot take part."""
    now = state.with_sheets(_lapsed(state.sheets.values())).sheets.values()
    fit = {PLAYERS: [s for s in now if not s.npc and not s.dead]}
    fit[OTHERS] = [s for s in now if s.npc and not s.dead]
    able = {side: [s.name for s in sheets if _able(s)] for side, sheets in fit.items()}
    everybody = {s.name: conflicts.why_not_enter(s) for sheets in fit.values() for s in sheets}
    return in_groups("sides", everybody, able, Reason("sides-empty"))


# book: problems.set
def stage_problem(state: StoryState, request: ProblemRequest) -> Staged:
    """Prepare a problem. The whole party takes part, because each of its characters may veto."""
    setup = problem_setup(state.party.values(), request.problem.strip(), request.interested or None)
    return Staged(setup["ruleset"], request.title, setup)


def conflict_ended(state: StoryState, conflict: Conflict) -> StoryState:
    """Return the story after a conflict: energies, zero marks, deaths and used specials are carried
    to the sheets (R8, R10, R11), the stakes are gone, and a rest may be allowed."""
    sheets = [conflicts.after_conflict(sheet, conflict) for sheet in state.sheets.values()]
    may_rest = state.may_rest or conflicts.was_played(conflict)
    return replace(state.with_sheets(sheets), stakes="", may_rest=may_rest)


def problem_ended(state: StoryState, view: ProblemView) -> StoryState:
    """Return the story with a problem's results on the sheets: points spent, marks, vetoes, and who
    decided. An aborted problem costs nothing (R13)."""
    return state.with_sheets(after_problem(sheet, view) for sheet in state.sheets.values())
