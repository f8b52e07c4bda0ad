"""Three books, Unroll and both Iron Triangles: conflicts, problems, and the story around them."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hub.games.family import Dealing, Demo, Family, Fresh, Houses, Script, Sheets, Starter
from hub.games.game import Game
from hub.games.triangle.rules import views as conflicts
from hub.games.triangle.rules.characters.faults import setup_faults
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.triangle.rules.game import TriangleGame
from hub.games.triangle.rules.problem import views as problems
from hub.games.triangle.rules.problem.game import ProblemGame
from hub.games.triangle.story.game import TriangleStory
from hub.kernel.faults import Fault

if TYPE_CHECKING:
    from hub.games.triangle import dealing, demo, fresh, houses, script, sheets, starter

    _faces: tuple[Dealing, Demo, Fresh, Houses, Script, Sheets, Starter] = (
        *(dealing, demo, fresh, houses),
        *(script, sheets, starter),
    )


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
_GAMES: tuple[Game[Any], ...] = (*(s.conflict for s in STORIES), *(s.problem for s in STORIES))


class Triangle(Family):
    """The family of Unroll and both Iron Triangles, which share one engine."""

    id = "triangle"
    package = __name__
    games = _GAMES
    stories = STORIES

    def naming_faults(self, setup: Mapping[str, Any]) -> Iterator[Fault]:
        """Yield the faults of deceptive names in the house rules and backgrounds of a scene's
        setup."""
        return setup_faults(setup)


TRIANGLE = Triangle()
