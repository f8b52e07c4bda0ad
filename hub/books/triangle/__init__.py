"""Unroll and both Iron Triangles: conflicts, problems, and the evening around them."""

from hub.books.family import Family, Script
from hub.rules.registry import GAMES, STORIES


class Triangle(Family):
    """The three books of one engine."""

    id = "triangle"
    games = tuple(GAMES.values())
    stories = tuple(STORIES.values())

    @property
    def script(self) -> Script:
        """A conflict, turn by turn."""
        from hub.books.triangle import script

        return script


TRIANGLE = Triangle()
