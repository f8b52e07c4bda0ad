"""The Game protocol for problems (R13)."""

from collections.abc import Mapping
from typing import Any

from hub.games import steps
from hub.games.game import Choice, SetupError
from hub.games.steps import StepGame
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.conflict import RULINGS
from hub.games.triangle.rules.edition import Edition
from hub.games.triangle.rules.problem.overrule import WORD
from hub.games.triangle.rules.problem.setup import read_problem
from hub.games.triangle.rules.problem.state import ProblemState
from hub.games.triangle.rules.problem.steps import Step, come_back, leave, step_of
from hub.games.triangle.rules.problem.views import ProblemOver, ProblemView, of_problem, public_view
from hub.kernel.documents import Document
from hub.kernel.faults import shown


class ProblemGame(StepGame[ProblemState]):
    """A problem by one book. Every player character in the scene is an actor, because each may
    veto."""

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
        """The player characters."""
        return tuple(state.players)

    def step_of(self, state: ProblemState) -> Step | None:
        """The current step; None when the problem is over."""
        return step_of(state)

    def not_awaited(self, step: steps.Step[ProblemState], choice: Choice) -> Reason:
        """The refusal of a choice of another kind than the step's."""
        return Reason("wrong-answer", what=step.word, kind=shown(choice.kind))

    def sit_out(self, state: ProblemState, actor: str, *, out: bool) -> ProblemState:
        """Take a character out, or bring it back until the numbers are shown. One who leaves
        shows no number, passes if it was to decide, and withdraws its veto."""
        return leave(state, actor) if out else come_back(state, actor)

    def view(self, state: ProblemState) -> ProblemView:
        """Return the public view."""
        return public_view(self.view_type, state, over=step_of(state) is None)

    def consequences(self, before: ProblemView | None, after: ProblemView) -> list[ProblemOver]:
        """Return how the problem ended."""
        return of_problem(before, after)
