"""The GM's word over a problem as tests write it: ``decider Ada because WHY``."""

from collections.abc import Callable, Mapping
from functools import partial

from hub.games.game import IllegalChoice
from hub.games.overrules import Holds
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.grammar import readings
from hub.games.triangle.rules.problem.game import (
    WORD,
    DeciderIs,
    NoVeto,
    OptionIs,
    OutcomeIs,
)
from hub.games.triangle.rules.problem.state import ProblemState
from hub.games.triangle.rules.problem.steps import OPTION, OUTCOMES
from hub.kernel.faults import shown
from tests.support.said.conflict import said_and_why
from tests.support.said.names import first_that_holds, name_alone, unsaid


def read_word(state: ProblemState, text: str) -> tuple[Holds, str]:
    """The GM's word and its reason."""
    return said_and_why(text, partial(_read, state))


def _read(state: ProblemState, what: str) -> Holds:
    clause, _, said = what.partition(" ")
    if clause not in _READ:
        raise unsaid(f"one of {[*_READ]}")
    holds = _READ[clause](state, said.strip())
    WORD.overrule(state, holds)
    return holds


def _read_decider(state: ProblemState, text: str) -> Holds:
    """``NAME``."""
    name = name_alone(state.options or {}, text)
    if state.options is not None and not name:
        raise IllegalChoice(
            Reason("no-number-shown", who=shown(text), names=[*(state.options or {})])
        )
    return DeciderIs(name=name)


def _read_option(state: ProblemState, text: str) -> Holds:
    """``NAME 3``."""

    def shows(said: tuple[str, str]) -> Holds:
        name, number = said
        if why := OPTION.why_not(state, name, number):
            raise IllegalChoice(why)
        return OptionIs(name=name, option=int(number))

    found = readings(state.options or {}, text)
    return first_that_holds(
        found, shows, IllegalChoice(Reason("number-form", names=[*(state.options or {})]))
    )


def _read_outcome(_: ProblemState, text: str) -> Holds:
    """``success`` or ``failure``."""
    if text not in OUTCOMES:
        raise IllegalChoice(Reason("no-outcome", text=shown(text)))
    return OutcomeIs(success=OUTCOMES[text])


def _read_veto(_: ProblemState, text: str) -> Holds:
    """``none``."""
    if text != "none":
        raise unsaid("veto none")
    return NoVeto()


_READ: Mapping[str, Callable[[ProblemState, str], Holds]] = {
    "decider": _read_decider,
    "option": _read_option,
    "outcome": _read_outcome,
    "veto": _read_veto,
}
