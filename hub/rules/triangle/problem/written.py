"""The GM's word over a problem as logs up to schema 2 and older clients write it, read into values;
see :mod:`hub.rules.triangle.overrule.written`."""

from collections.abc import Callable, Mapping
from functools import partial

from hub.rules.faults import shown
from hub.rules.game import IllegalChoice
from hub.rules.reasons import Reason
from hub.rules.triangle.names import first_that_holds, name_alone, readings
from hub.rules.triangle.overrule.written import said_and_why
from hub.rules.triangle.problem.overrule import (
    DeciderIs,
    InProblems,
    NoVeto,
    OptionIs,
    OutcomeIs,
    names,
    option_form,
    overrule,
)
from hub.rules.triangle.problem.state import ProblemState
from hub.rules.triangle.problem.steps import OPTION, OUTCOMES


def read_word(state: ProblemState, text: str) -> tuple[InProblems, str]:
    """What is to hold, and why. Raises :class:`IllegalChoice`."""
    return said_and_why([*state.players], text, partial(_read, state))


def _read(state: ProblemState, what: str) -> InProblems:
    clause, _, said = what.partition(" ")
    if clause not in _READ:
        raise IllegalChoice(Reason("not-overruled", text=shown(clause), words=[*_READ]))
    holds = _READ[clause](state, said.strip())
    overrule(state, holds)
    return holds


def _decider(state: ProblemState, text: str) -> InProblems:
    """``NAME``."""
    name = name_alone(state.options or {}, text)
    if state.options is not None and not name:
        raise IllegalChoice(Reason("no-number-shown", who=shown(text), names=names(state)))
    return DeciderIs(name=name)


def _option(state: ProblemState, text: str) -> InProblems:
    """``NAME 3``."""

    def shows(said: tuple[str, str]) -> InProblems:
        name, number = said
        if why := OPTION.why_not(state, name, number):
            raise IllegalChoice(why)
        return OptionIs(name=name, option=int(number))

    found = readings(state.options or {}, text)
    return first_that_holds(found, shows, IllegalChoice(option_form(state)))


def _outcome(_: ProblemState, text: str) -> InProblems:
    """``success`` or ``failure``."""
    if text not in OUTCOMES:
        raise IllegalChoice(Reason("no-outcome", text=shown(text)))
    return OutcomeIs(success=OUTCOMES[text])


def _veto(_: ProblemState, text: str) -> InProblems:
    """``none``."""
    if text != "none":
        raise IllegalChoice(Reason("clause-form"))
    return NoVeto()


_READ: Mapping[str, Callable[[ProblemState, str], InProblems]] = {
    "decider": _decider,
    "option": _option,
    "outcome": _outcome,
    "veto": _veto,
}
