"""Tricube Tales."""

from typing import TYPE_CHECKING

from hub.books.family import Dealing, Demo, Family, Fresh, Sheets, Starter
from hub.rules.tricube.game import TricubeGame
from hub.rules.tricube.story.game import TricubeStory

if TYPE_CHECKING:
    from hub.books.tricube import dealing, demo, fresh, sheets, starter

    _faces: tuple[Dealing, Demo, Fresh, Sheets, Starter] = (dealing, demo, fresh, sheets, starter)


class Tricube(Family):
    """Challenges that are rolled for with one to three dice."""

    id = "tricube"
    catalogues = "hub.rules.tricube"
    package = __name__
    games = (TricubeGame(),)
    stories = (TricubeStory(),)


TRICUBE = Tricube()
