"""Unroll and both Iron Triangles: conflicts, problems, and the evening around them."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hub.books.family import Demo, Family, Houses, Playing, Script, Sheets, Starter, Words
from hub.rules.faults import Fault
from hub.rules.triangle.characters.named import setup_faults
from hub.rules.triangle.rulesets import GAMES, STORIES

if TYPE_CHECKING:
    import typer


class Triangle(Family):
    """The three books of one engine."""

    id = "triangle"
    catalogues = "hub.rules.triangle"
    games = GAMES
    stories = STORIES

    def naming_faults(self, setup: Mapping[str, Any]) -> Iterator[Fault]:
        """Of house rules and backgrounds."""
        return setup_faults(setup)

    @property
    def words(self) -> Words:
        """In the words of the books."""
        from hub.books.triangle.words import TriangleWords

        return TriangleWords()

    @property
    def playing(self) -> Playing:
        """With specials, to the end."""
        from hub.books.triangle.playing import TrianglePlaying

        return TrianglePlaying()

    @property
    def script(self) -> Script:
        """A conflict, turn by turn."""
        from hub.books.triangle import script

        return script

    @property
    def sheets(self) -> Sheets:
        """A TOML file for each character."""
        from hub.books.triangle import sheets

        return sheets

    @property
    def sheet_commands(self) -> "typer.Typer":
        """Level up, and rest."""
        from hub.books.triangle.commands import app

        return app

    @property
    def demo(self) -> Demo:
        """Three seats in a library."""
        from hub.books.triangle import demo

        return demo

    @property
    def starter(self) -> Starter:
        """Fresh characters, and NPCs that are ready to play."""
        from hub.books.triangle import starter

        return starter

    @property
    def houses(self) -> Houses:
        """A TOML file for each homebrew."""
        from hub.books.triangle import homebrew

        return homebrew


TRIANGLE = Triangle()
