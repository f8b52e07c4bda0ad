"""The scenes that the GM may ask for."""

from collections.abc import Mapping

from hub.games.story import SceneRequest


# book: after-problem.conflict, conflicts.begun
class ConflictRequest(SceneRequest, frozen=True, kw_only=True, tag="conflict"):
    """A conflict. Whoever is on no side sits out."""

    # book: stakes.npcs
    sides: Mapping[str, tuple[str, ...]] = {}
    """Two sides with their members, the GM's second; empty: all player characters against all
    others, as far as they can take part."""
    lethal: bool = False
    minor: bool = False
    # book: stakes.agreed
    stakes: str = ""
    """What each side fights for."""


# book: problems.set
class ProblemRequest(SceneRequest, frozen=True, kw_only=True, tag="problem"):
    """A problem."""

    problem: str = ""
    """What stands in the way."""
    interested: tuple[str, ...] = ()
    """Who shows a number; empty: every player character that is alive."""


SceneAsked = ConflictRequest | ProblemRequest
