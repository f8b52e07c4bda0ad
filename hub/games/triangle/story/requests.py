"""The scenes that the GM may ask for."""

from collections.abc import Mapping

from hub.games.story import SceneRequest


# book: after-problem.conflict, conflicts.begun
class ConflictRequest(SceneRequest, frozen=True, kw_only=True, tag="conflict"):
    """A conflict. Characters on neither side sit out."""

    # book: stakes.npcs
    sides: Mapping[str, tuple[str, ...]] = {}
    """Two sides with their members, the GM's second. Empty: all player characters who can take part
    against all NPCs who can."""
    lethal: bool = False
    minor: bool = False
    # book: stakes.agreed
    stakes: str = ""
    """The goals that the sides fight for."""


# book: problems.set
class ProblemRequest(SceneRequest, frozen=True, kw_only=True, tag="problem"):
    """A problem."""

    problem: str = ""
    """The obstacle."""
    interested: tuple[str, ...] = ()
    """The characters who show a number; empty: every living player character."""


SceneAsked = ConflictRequest | ProblemRequest
