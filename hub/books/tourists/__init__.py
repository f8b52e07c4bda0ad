"""N-Dimensional Tourists: Conflicts."""

from typing import TYPE_CHECKING

from hub.books.family import Dealing, Demo, Family, Script
from hub.rules.tourists.game import TouristsGame

if TYPE_CHECKING:
    from hub.books.tourists import dealing, demo, script

    _faces: tuple[Dealing, Demo, Script] = (dealing, demo, script)


class Tourists(Family):
    """Conflicts over cards of the Space-Time Deck."""

    id = "tourists"
    catalogues = "hub.rules.tourists"
    package = __name__
    games = (TouristsGame(),)


TOURISTS = Tourists()
