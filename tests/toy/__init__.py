"""A family of rules that comes from no book: a model for new families.

A test copies this folder to ``hub/games/toy`` and adds its line to the registry.
"""

from typing import TYPE_CHECKING

from hub.games.family import Demo, Family, Script, Sheets

from .rules import ReachGame
from .story import ToyStory

if TYPE_CHECKING:
    from . import demo, script, sheets

    _faces: tuple[Demo, Script, Sheets] = (demo, script, sheets)


class Toy(Family):
    """Dice against a number."""

    id = "toy"
    package = __name__
    games = (ReachGame(),)
    stories = (ToyStory(),)


TOY = Toy()
