"""The GM's word over a problem: the decider, the numbers, and the outcome (R11, R13).

It is allowed only after the numbers are shown. An outcome told before is undone and costs nothing.
"""

from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.overrules import Clause, GmsWord, Holds, HoldsOf, of_each
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.problem.state import Option, ProblemState
from hub.games.triangle.rules.problem.steps import OPTION, step_of
from hub.kernel.faults import shown
from hub.kernel.forms import Field, flag, one


class DeciderIs(HoldsOf, frozen=True, kw_only=True, tag="decider"):
    """This character tells the outcome, by the number it showed."""


class OptionIs(HoldsOf, frozen=True, kw_only=True, tag="option"):
    """A character's shown number counts as this one; the decider is found again."""

    option: int


class OutcomeIs(Holds, frozen=True, kw_only=True, tag="outcome"):
    """The problem ends with the outcome that the GM tells, and costs nothing."""

    success: bool


class NoVeto(Holds, frozen=True, kw_only=True, tag="no-veto"):
    """Take back the veto; the outcome that was told can be vetoed again."""


def _why_not(state: ProblemState, kind: type[Holds], _: str) -> Reason | None:
    if step_of(state) is None:
        return Reason("problem-over")
    if state.options is None:
        return Reason("cards-sealed-here")
    return Reason("nobody-vetoed") if kind is NoVeto and not state.vetoer else None


def _decider(state: ProblemState, holds: DeciderIs) -> ProblemState:
    if holds.name not in (state.options or {}):
        raise IllegalChoice(Reason("no-number-shown", who=shown(holds.name), names=_shown(state)))
    refused = tuple(name for name in state.refused if name != holds.name)
    return replace(_untold(state), refused=refused, named="", ruled=holds.name)


def _option(state: ProblemState, holds: OptionIs) -> ProblemState:
    if holds.name not in (state.options or {}):
        raise IllegalChoice(Reason("number-form", names=_shown(state)))
    if why := OPTION.why_not(state, holds.name, str(holds.option)):
        raise IllegalChoice(why)
    options = {**(state.options or {}), holds.name: Option(holds.option)}
    return replace(_untold(state), options=options, refused=(), named="", ruled="")


def _outcome(state: ProblemState, holds: OutcomeIs) -> ProblemState:
    return replace(_untold(state), named="", ruled="", gm_success=holds.success)


def _veto(state: ProblemState, _: NoVeto) -> ProblemState:
    return replace(state, vetoer="", substitute=None, let_happen=())


def _untold(state: ProblemState) -> ProblemState:
    return replace(state, told=None, vetoer="", substitute=None, let_happen=(), stands=False)


def _shown(state: ProblemState) -> list[str]:
    return [*(state.options or {})]


def _numbers(state: ProblemState, name: str) -> tuple[Field, ...]:
    first = int((state.options or {})[name])
    return (one("option", "option", map(int, Option), first),)


WORD = GmsWord(
    clauses=(
        Clause(DeciderIs, _decider, of_each(_shown)),
        Clause(OptionIs, _option, of_each(_shown, _numbers)),
        Clause(OutcomeIs, _outcome, lambda _: (flag("success", first=True),)),
        Clause(NoVeto, _veto, None),
    ),
    why_not=_why_not,
)
