"""The games and stories of the three texts: conflicts, problems, and the evening around them."""

from typing import Any

from hub.games.game import Game
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
GAMES: tuple[Game[Any], ...] = (
    *(story.conflict for story in STORIES),
    *(story.problem for story in STORIES),
)
