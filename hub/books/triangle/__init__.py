"""Unroll and both Iron Triangles: conflicts, problems, and the evening around them."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hub.books.family import Dealing, Demo, Family, Fresh, Houses, Script, Sheets, Starter
from hub.rules.faults import Fault
from hub.rules.triangle.characters.named import setup_faults
from hub.rules.triangle.rulesets import GAMES, STORIES

if TYPE_CHECKING:
    from hub.books.triangle import dealing, demo, fresh, houses, script, sheets, starter

    _faces: tuple[Dealing, Demo, Fresh, Houses, Script, Sheets, Starter] = (
        *(dealing, demo, fresh, houses),
        *(script, sheets, starter),
    )


class Triangle(Family):
    """The three books of one engine."""

    id = "triangle"
    catalogues = "hub.rules.triangle"
    package = __name__
    games = GAMES
    stories = STORIES

    def naming_faults(self, setup: Mapping[str, Any]) -> Iterator[Fault]:
        """Of house rules and backgrounds."""
        return setup_faults(setup)


TRIANGLE = Triangle()
