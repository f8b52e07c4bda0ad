"""What the steps of a conflict have in common."""

from hub.rules import steps
from hub.rules.triangle.conflict import Conflict, Turn, Verdict

Step = steps.Step[Conflict]


def turn_of(conflict: Conflict) -> Turn:
    """The turn that is being played."""
    if conflict.turn is None:
        raise ValueError("no turn is being played")
    return conflict.turn


def verdict_of(conflict: Conflict) -> Verdict:
    """What the moves of this turn led to."""
    verdict = turn_of(conflict).verdict
    if verdict is None:
        raise ValueError("the moves of this turn have not been shown")
    return verdict
