"""The rules systems that this hub knows, by ruleset id."""

from collections.abc import Mapping
from typing import Any

from hub.rules.game import Game
from hub.rules.rulebooks import Rulebooks
from hub.rules.story import Story
from hub.rules.triangle.editions import DEFAULT, EDITIONS
from hub.rules.triangle.game import TriangleGame
from hub.rules.triangle.problem.game import ProblemGame
from hub.rules.triangle.problem.views import (
    FirstTriangleProblemView,
    TriangleProblemView,
    UnrollProblemView,
)
from hub.rules.triangle.story.game import TriangleStory
from hub.rules.triangle.story.views import TriangleStoryView
from hub.rules.triangle.views import IronTriangle1eView, IronTriangleView, UnrollView

AnyView = (
    UnrollView
    | IronTriangleView
    | IronTriangle1eView
    | UnrollProblemView
    | TriangleProblemView
    | FirstTriangleProblemView
)
"""The public view of any ruleset; ``ruleset`` in it tells which."""

AnyStoryView = TriangleStoryView
"""The public view of any story."""

DEFAULT_RULESET = DEFAULT

_CONFLICTS = (
    TriangleGame(EDITIONS["unroll"], UnrollView),
    TriangleGame(EDITIONS["iron-triangle"], IronTriangleView),
    TriangleGame(EDITIONS["iron-triangle-1e"], IronTriangle1eView),
)
_PROBLEMS = (
    ProblemGame(EDITIONS["unroll"], UnrollProblemView),
    ProblemGame(EDITIONS["iron-triangle"], TriangleProblemView),
    ProblemGame(EDITIONS["iron-triangle-1e"], FirstTriangleProblemView),
)

GAMES: Mapping[str, Game[Any]] = {game.ruleset: game for game in (*_CONFLICTS, *_PROBLEMS)}

STORIES: Mapping[str, Story[Any]] = {
    conflict.ruleset: TriangleStory(conflict, problem)
    for conflict, problem in zip(_CONFLICTS, _PROBLEMS, strict=True)
}


RULEBOOKS = Rulebooks(GAMES, STORIES)
"""All of it, for a table to play by."""

game_of, story_of = RULEBOOKS.game, RULEBOOKS.story
