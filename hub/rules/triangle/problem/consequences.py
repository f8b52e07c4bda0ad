"""What followed by the rules in a problem, from one public view to the next."""

from hub.rules.game import Consequence
from hub.rules.triangle.problem.views import ProblemView


class ProblemOver(Consequence, frozen=True, kw_only=True, tag="problem-over"):
    """The problem is over: solved or not, as its decider tells it."""

    decider: str
    success: bool


def of_problem(before: ProblemView | None, after: ProblemView) -> list[ProblemOver]:
    """How the problem ended."""
    if after.result is None or (before and before.result):
        return []
    return [ProblemOver(decider=after.result.decider, success=after.result.success)]
