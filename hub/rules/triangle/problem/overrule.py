"""The GM's word over a problem: who decides, with which number, and how it comes out (R11, R13).

Only after the numbers are shown. What was told before is taken back, and costs nothing.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from hub.rules.faults import shown
from hub.rules.game import IllegalChoice, Kind
from hub.rules.reasons import Reason
from hub.rules.triangle.overrule.word import Name
from hub.rules.triangle.problem.state import Option, ProblemState
from hub.rules.triangle.problem.steps import OPTION, step_of
from hub.rules.words import Holds


class DeciderIs(Holds, frozen=True, kw_only=True, tag="decider"):
    """This one tells the outcome, by the number that it showed."""

    name: Name


class OptionIs(Holds, frozen=True, kw_only=True, tag="option"):
    """What somebody shows counts as this number; who decides follows anew."""

    name: Name
    option: int


class OutcomeIs(Holds, frozen=True, kw_only=True, tag="outcome"):
    """The problem is over, as the GM tells it, and costs nothing."""

    success: bool


class NoVeto(Holds, frozen=True, kw_only=True, tag="no-veto"):
    """Nobody has said veto; what was told is open to one again."""


InProblems = DeciderIs | OptionIs | OutcomeIs | NoVeto


def open_now(state: ProblemState) -> tuple[type[Holds], ...]:
    """What can be said now."""
    step = step_of(state)
    if step is None or step.kind is Kind.SEALED:
        return ()
    return (DeciderIs, OptionIs, OutcomeIs, *((NoVeto,) if state.vetoer else ()))


def overrule(state: ProblemState, holds: InProblems) -> ProblemState:
    """The problem as the GM says. Raises :class:`IllegalChoice` with one sentence."""
    if step_of(state) is None:
        raise IllegalChoice(Reason("problem-over"))
    if state.options is None:
        raise IllegalChoice(Reason("cards-sealed-here"))
    if type(holds) not in open_now(state):
        raise IllegalChoice(Reason("nobody-vetoed"))
    return _SAID[type(holds)](state, holds)


def _decider(state: ProblemState, holds: DeciderIs) -> ProblemState:
    if holds.name not in (state.options or {}):
        raise IllegalChoice(Reason("no-number-shown", who=shown(holds.name), names=names(state)))
    refused = tuple(name for name in state.refused if name != holds.name)
    return replace(_untold(state), refused=refused, named="", ruled=holds.name)


def _option(state: ProblemState, holds: OptionIs) -> ProblemState:
    if holds.name not in (state.options or {}):
        raise IllegalChoice(option_form(state))
    if why := OPTION.why_not(state, holds.name, str(holds.option)):
        raise IllegalChoice(why)
    options = {**(state.options or {}), holds.name: Option(holds.option)}
    return replace(_untold(state), options=options, refused=(), named="", ruled="")


def option_form(state: ProblemState) -> Reason:
    """What can be said of a number."""
    return Reason("number-form", names=names(state))


def _outcome(state: ProblemState, holds: OutcomeIs) -> ProblemState:
    return replace(_untold(state), named="", ruled="", gm_success=holds.success)


def _veto(state: ProblemState, _: NoVeto) -> ProblemState:
    return replace(state, vetoer="", substitute=None)


def _untold(state: ProblemState) -> ProblemState:
    return replace(state, told=None, vetoer="", substitute=None, stands=False)


def names(state: ProblemState) -> list[str]:
    """Who showed a number."""
    return [*(state.options or {})]


_SAID: Mapping[type[Holds], Callable[[ProblemState, Any], ProblemState]] = {
    DeciderIs: _decider,
    OptionIs: _option,
    OutcomeIs: _outcome,
    NoVeto: _veto,
}
