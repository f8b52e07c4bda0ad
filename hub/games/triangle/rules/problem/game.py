"""The Game protocol for problems (R13), and what the GM can overrule in one (R11): the decider, a
number, the outcome, a veto.

The GM can overrule something only after the numbers are shown. With a new decider, number or
outcome, what was told so far is dropped and costs nothing.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from hub.games import steps
from hub.games.game import Choice, IllegalChoice, SetupError
from hub.games.overrules import Clause, GmsWord, Holds, HoldsOf, of_each
from hub.games.steps import StepGame
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.conflict import RULINGS
from hub.games.triangle.rules.edition import Edition
from hub.games.triangle.rules.problem.setup import read_problem
from hub.games.triangle.rules.problem.state import Option, ProblemState
from hub.games.triangle.rules.problem.steps import OPTION, Step, come_back, leave, step_of
from hub.games.triangle.rules.problem.views import ProblemOver, ProblemView, of_problem, public_view
from hub.kernel.documents import Document
from hub.kernel.faults import shown
from hub.kernel.forms import Field, flag, one


class DeciderIs(HoldsOf, frozen=True, kw_only=True, tag="decider"):
    """The character ``name`` decides, and tells the outcome as its shown number allows."""


class OptionIs(HoldsOf, frozen=True, kw_only=True, tag="option"):
    """The number that counts for the character ``name`` in place of the one shown; who decides is
    then determined anew."""

    option: int


class OutcomeIs(Holds, frozen=True, kw_only=True, tag="outcome"):
    """The problem ends with the outcome that the GM tells, a ``success`` or not, and costs
    nothing."""

    success: bool


class NoVeto(Holds, frozen=True, kw_only=True, tag="no-veto"):
    """The veto is taken back; the outcome that was told can be vetoed again."""


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


class ProblemGame(StepGame[ProblemState]):
    """Problems by one book. All player characters are actors, because each may veto."""

    over = Reason("problem-over")
    rulings = RULINGS
    gms_word = WORD

    def __init__(self, book: Edition, view: type[ProblemView]) -> None:
        self.book = book
        self.ruleset = f"{book.id}-problem"
        self.view_type = view

    def begin(self, setup: Mapping[str, Any], rulings: int = RULINGS) -> ProblemState:
        """Return a problem from its description. Raises :class:`SetupError` with every fault."""
        document = Document(None)
        state = read_problem(document, self.book, self.ruleset, setup)
        if state is None:
            raise SetupError(*document.faults)
        return state

    def actors(self, state: ProblemState) -> tuple[str, ...]:
        """The player characters, in the order of the setup."""
        return tuple(state.players)

    def step_of(self, state: ProblemState) -> Step | None:
        """The current step; None when the problem is over."""
        return step_of(state)

    def not_awaited(self, step: steps.Step[ProblemState], choice: Choice) -> Reason:
        """Return the reason against a choice whose kind does not fit the step."""
        return Reason("wrong-answer", what=step.word, kind=shown(choice.kind))

    def sit_out(self, state: ProblemState, actor: str, *, out: bool) -> ProblemState:
        """Return the problem with ``actor`` taken ``out`` or, until the numbers are shown, brought
        back. A character who leaves shows no number, does not decide, and withdraws its veto."""
        return leave(state, actor) if out else come_back(state, actor)

    def view(self, state: ProblemState) -> ProblemView:
        """Return the public view, which includes the result once the problem is over."""
        return public_view(self.view_type, state, over=step_of(state) is None)

    def consequences(self, before: ProblemView | None, after: ProblemView) -> list[ProblemOver]:
        """Return how the problem ended, if it ended between these two views; else nothing."""
        return of_problem(before, after)
