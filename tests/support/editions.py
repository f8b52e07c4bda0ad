"""The three editions, by name."""

from collections.abc import Mapping

from hub.games.registry import rulebooks
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.triangle.rules.problem.game import ProblemGame

UNROLL = EDITIONS["unroll"]
IRON_TRIANGLE = EDITIONS["iron-triangle"]
IRON_TRIANGLE_1E = EDITIONS["iron-triangle-1e"]
TEXTS = (UNROLL, IRON_TRIANGLE, IRON_TRIANGLE_1E)
PROBLEM_GAMES: Mapping[str, ProblemGame] = {
    name: game for name, game in rulebooks().games.items() if isinstance(game, ProblemGame)
}
