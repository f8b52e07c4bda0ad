"""Problems of the three books, by ruleset id: what a registry takes over as it stands."""

from collections.abc import Mapping

from hub.rules.triangle.characters.book import FIRST_TRIANGLE_BOOK, TRIANGLE_BOOK, UNROLL_BOOK
from hub.rules.triangle.problem.game import ProblemGame
from hub.rules.triangle.problem.views import (
    FirstTriangleProblemView,
    TriangleProblemView,
    UnrollProblemView,
)

AnyProblemView = UnrollProblemView | TriangleProblemView | FirstTriangleProblemView
"""The public view of any book's problem."""

PROBLEM_GAMES: Mapping[str, ProblemGame] = {
    game.ruleset: game
    for game in (
        ProblemGame(UNROLL_BOOK, UnrollProblemView),
        ProblemGame(TRIANGLE_BOOK, TriangleProblemView),
        ProblemGame(FIRST_TRIANGLE_BOOK, FirstTriangleProblemView),
    )
}
