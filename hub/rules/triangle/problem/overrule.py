"""The GM's word over a problem: who decides, with which number, and how it comes out (R11, R13).

Only after the numbers are shown. What was told before is taken back, and costs nothing.
"""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from hub.rules.faults import shown
from hub.rules.game import IllegalChoice, Kind
from hub.rules.triangle.grammar import NONE
from hub.rules.triangle.names import first_that_holds, name_alone, readings
from hub.rules.triangle.overrule.written import as_said
from hub.rules.triangle.problem.asides import VETO
from hub.rules.triangle.problem.state import Option, ProblemState
from hub.rules.triangle.problem.steps import OPTION, OUTCOMES, step_of

DECIDER, OUTCOME, NUMBER = "decider", "outcome", "option"


def overrules(state: ProblemState) -> tuple[str, ...]:
    """The clauses that are open now."""
    step = step_of(state)
    if step is None or step.kind is Kind.SEALED:
        return ()
    taken_back = (VETO,) if state.vetoer else ()
    return (DECIDER, NUMBER, OUTCOME, *taken_back)


def why_not_overrule(state: ProblemState, text: str) -> str | None:
    """Why the GM's word cannot be taken like this now; None if it can."""
    try:
        overrule(state, text)
    except IllegalChoice as error:
        return str(error)
    return None


def overrule(state: ProblemState, text: str) -> ProblemState:
    """The problem as the GM says. Raises :class:`IllegalChoice` with one sentence."""
    return as_said([*state.players], text, lambda what: _overrule(state, what))


def _overrule(state: ProblemState, what: str) -> ProblemState:
    clause, _, said = what.partition(" ")
    if clause not in _CLAUSES:
        raise IllegalChoice(f"{shown(clause)} cannot be overruled here ({', '.join(_CLAUSES)})")
    if state.options is None:
        raise IllegalChoice("cards are being sealed; overrule after the reveal")
    if clause not in overrules(state):
        raise IllegalChoice("nobody has said veto")
    return _CLAUSES[clause](state, said.strip())


def _decider(state: ProblemState, text: str) -> ProblemState:
    """``NAME``: this one tells the outcome, by the number that it showed."""
    ruled = name_alone(state.options or {}, text)
    if not ruled:
        raise IllegalChoice(f"{shown(text)} showed no number ({_names(state)} did)")
    refused = tuple(name for name in state.refused if name != ruled)
    return replace(_untold(state), refused=refused, named="", ruled=ruled)


def _number(state: ProblemState, text: str) -> ProblemState:
    """``NAME 3``: what somebody shows counts as this number; who decides follows anew."""
    unread = IllegalChoice(f"write: {NUMBER} NAME 3; numbers were shown by {_names(state)}")
    found = readings(state.options or {}, text)
    return first_that_holds(found, lambda said: _shows(state, *said), unread)


def _shows(state: ProblemState, name: str, number: str) -> ProblemState:
    if why := OPTION.why_not(state, name, number):
        raise IllegalChoice(why)
    options = {**(state.options or {}), name: Option(int(number))}
    return replace(_untold(state), options=options, refused=(), named="", ruled="")


def _outcome(state: ProblemState, text: str) -> ProblemState:
    """``success`` or ``failure``: the problem is over, as the GM tells it, and costs nothing."""
    if text not in OUTCOMES:
        raise IllegalChoice(f"{shown(text)} is neither success nor failure")
    return replace(_untold(state), named="", ruled="", gm_success=OUTCOMES[text])


def _veto(state: ProblemState, text: str) -> ProblemState:
    """``none``: nobody has said it; what was told is open to a veto again."""
    if text != NONE:
        raise IllegalChoice(f"write: {VETO} {NONE}")
    return replace(state, vetoer="", substitute=None)


def _untold(state: ProblemState) -> ProblemState:
    return replace(state, told=None, vetoer="", substitute=None, stands=False)


def _names(state: ProblemState) -> str:
    return ", ".join(state.options or {})


_CLAUSES: Mapping[str, Callable[[ProblemState, str], ProblemState]] = {
    DECIDER: _decider,
    NUMBER: _number,
    OUTCOME: _outcome,
    VETO: _veto,
}
