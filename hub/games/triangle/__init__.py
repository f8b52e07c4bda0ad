"""Unroll and both Iron Triangles: conflicts, problems, and the evening around them."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hub.games.family import Dealing, Demo, Family, Fresh, Houses, Script, Sheets, Starter
from hub.games.triangle.rules.characters.named import setup_faults
from hub.games.triangle.rulesets import GAMES, STORIES
from hub.kernel.faults import Fault

if TYPE_CHECKING:
    from hub.games.triangle import dealing, demo, fresh, houses, script, sheets, starter

    _faces: tuple[Dealing, Demo, Fresh, Houses, Script, Sheets, Starter] = (
        *(dealing, demo, fresh, houses),
        *(script, sheets, starter),
    )


class Triangle(Family):
    """The three books that share one engine."""

    id = "triangle"
    package = __name__
    games = GAMES
    stories = STORIES

    def naming_faults(self, setup: Mapping[str, Any]) -> Iterator[Fault]:
        """Return the faults of the names in house rules and backgrounds."""
        return setup_faults(setup)


TRIANGLE = Triangle()
