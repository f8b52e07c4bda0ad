"""The rules systems that this hub knows, by ruleset id."""

from collections.abc import Mapping
from typing import Any

from hub.rules.game import Game, RulesError
from hub.rules.triangle.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL
from hub.rules.triangle.game import TriangleGame
from hub.rules.triangle.views import IronTriangle1eView, IronTriangleView, UnrollView

AnyView = UnrollView | IronTriangleView | IronTriangle1eView
"""The public view of any ruleset; ``ruleset`` in it tells which."""

DEFAULT_RULESET = UNROLL.id

GAMES: Mapping[str, Game[Any]] = {
    UNROLL.id: TriangleGame(UNROLL, UnrollView),
    IRON_TRIANGLE.id: TriangleGame(IRON_TRIANGLE, IronTriangleView),
    IRON_TRIANGLE_1E.id: TriangleGame(IRON_TRIANGLE_1E, IronTriangle1eView),
}


def game_of(ruleset: str) -> Game[Any]:
    """The game with this id. Raises :class:`RulesError` that lists the ids there are."""
    try:
        return GAMES[ruleset]
    except KeyError:
        known = ", ".join(GAMES)
        raise RulesError(f"no ruleset {ruleset[:40]!r}; this hub knows {known}") from None
