"""Problems at the table: the Game protocol over the steps of R13."""

# ruff: noqa: D102  (what each method of an aside means is said once, on Aside)

from collections.abc import Iterator, Mapping
from typing import Any

from hub.rules import steps
from hub.rules.faults import shown
from hub.rules.game import RULINGS, Choice, SetupError
from hub.rules.reading import Reader
from hub.rules.steps import OVER, StepGame
from hub.rules.triangle.edition import Edition
from hub.rules.triangle.overrule.written import OVERRULE
from hub.rules.triangle.problem.asides import Aside, not_the_gm
from hub.rules.triangle.problem.consequences import ProblemOver, of_problem
from hub.rules.triangle.problem.overrule import overrule, overrules, why_not_overrule
from hub.rules.triangle.problem.setup import read_problem
from hub.rules.triangle.problem.state import ProblemState
from hub.rules.triangle.problem.steps import Step, step_of
from hub.rules.triangle.problem.views import ProblemView, public_view


class Overruled(Aside):
    """The GM's word over anything, with its reason (R11)."""

    word = OVERRULE

    def values(self, state: ProblemState) -> Iterator[str]:
        yield from ()

    def why_not(self, state: ProblemState, actor: str, value: str) -> str | None:
        return not_the_gm(self, actor) or why_not_overrule(state, value)

    def follow(self, state: ProblemState, actor: str, value: str) -> ProblemState:
        return overrule(state, value)


class ProblemGame(StepGame[ProblemState]):
    """A problem by one book. Every player character of the scene is an actor, as each may veto."""

    over = "the problem is over"
    always = (Overruled(),)

    def __init__(self, book: Edition, view: type[ProblemView]) -> None:
        self.book = book
        self._view = view

    @property
    def ruleset(self) -> str:
        """The book's id, and that it is a problem."""
        return f"{self.book.id}-problem"

    def begin(self, setup: Mapping[str, Any], rulings: int = RULINGS) -> ProblemState:
        """A problem from its description. Raises :class:`SetupError` with every fault."""
        reader = Reader()
        state = read_problem(reader, self.book, self.ruleset, setup)
        if state is None:
            raise SetupError(*reader.faults)
        return state

    def actors(self, state: ProblemState) -> tuple[str, ...]:
        """The player characters."""
        return tuple(state.players)

    def step_of(self, state: ProblemState) -> Step | None:
        """The step that the problem is at."""
        return step_of(state)

    def not_awaited(self, step: steps.Step[ProblemState], choice: Choice) -> str:
        """What is said to a choice of another kind than the step's."""
        return f"{step.word} is awaited now, this is {shown(choice.kind)}"

    def overrules(self, state: ProblemState) -> tuple[str, ...]:
        """The clauses of ``overrule`` that are open."""
        return overrules(state)

    def view(self, state: ProblemState) -> ProblemView:
        """The public fields."""
        step = step_of(state)
        return public_view(self._view, state, step.name if step else OVER, over=step is None)

    @property
    def view_type(self) -> type[ProblemView]:
        """The book's view."""
        return self._view

    def consequences(self, before: ProblemView | None, after: ProblemView) -> list[ProblemOver]:
        """How it ended."""
        return of_problem(before, after)
