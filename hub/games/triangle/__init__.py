"""The three texts, Unroll and both Iron Triangles: conflicts, problems, and the evening around
them."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hub.games.family import Dealing, Demo, Family, Fresh, Houses, Script, Sheets, Starter
from hub.games.game import Game
from hub.games.triangle.rules.characters.faults import setup_faults
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.triangle.rules.game import TriangleGame
from hub.games.triangle.rules.problem.game import ProblemGame
from hub.games.triangle.rules.problem.views import (
    FirstTriangleProblemView,
    ProblemView,
    TriangleProblemView,
    UnrollProblemView,
)
from hub.games.triangle.rules.views import (
    IronTriangle1eView,
    IronTriangleView,
    TriangleView,
    UnrollView,
)
from hub.games.triangle.story.game import TriangleStory
from hub.kernel.faults import Fault

if TYPE_CHECKING:
    from hub.games.triangle import dealing, demo, fresh, houses, script, sheets, starter

    _faces: tuple[Dealing, Demo, Fresh, Houses, Script, Sheets, Starter] = (
        *(dealing, demo, fresh, houses),
        *(script, sheets, starter),
    )


_BOOKS: tuple[tuple[str, type[TriangleView], type[ProblemView]], ...] = (
    ("unroll", UnrollView, UnrollProblemView),
    ("iron-triangle", IronTriangleView, TriangleProblemView),
    ("iron-triangle-1e", IronTriangle1eView, FirstTriangleProblemView),
)
"""Each text with its view types for conflicts and problems; the default text comes first."""

STORIES = tuple(
    TriangleStory(TriangleGame(EDITIONS[text], conflict), ProblemGame(EDITIONS[text], problem))
    for text, conflict, problem in _BOOKS
)
_GAMES: tuple[Game[Any], ...] = (
    *(story.conflict for story in STORIES),
    *(story.problem for story in STORIES),
)


class Triangle(Family):
    """The three books that share one engine."""

    id = "triangle"
    package = __name__
    games = _GAMES
    stories = STORIES

    def naming_faults(self, setup: Mapping[str, Any]) -> Iterator[Fault]:
        """Return the faults of the names in house rules and backgrounds."""
        return setup_faults(setup)


TRIANGLE = Triangle()
