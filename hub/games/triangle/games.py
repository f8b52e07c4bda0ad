"""The three books' games and stories."""

from typing import Any

from hub.games.game import Game
from hub.games.triangle.rules import views as conflicts
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.triangle.rules.game import TriangleGame
from hub.games.triangle.rules.problem import views as problems
from hub.games.triangle.rules.problem.game import ProblemGame
from hub.games.triangle.story.game import TriangleStory

_BOOKS: tuple[tuple[str, type[conflicts.TriangleView], type[problems.ProblemView]], ...] = (
    ("unroll", conflicts.UnrollView, problems.UnrollProblemView),
    ("iron-triangle", conflicts.IronTriangleView, problems.TriangleProblemView),
    ("iron-triangle-1e", conflicts.IronTriangle1eView, problems.FirstTriangleProblemView),
)
"""Each book's id, with the types of its views of conflicts and problems; the default first."""

STORIES = tuple(
    TriangleStory(TriangleGame(EDITIONS[text], conflict), ProblemGame(EDITIONS[text], problem))
    for text, conflict, problem in _BOOKS
)
GAMES: tuple[Game[Any], ...] = (*(s.conflict for s in STORIES), *(s.problem for s in STORIES))
