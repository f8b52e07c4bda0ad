"""N-Dimensional Tourists: Conflicts."""

from typing import TYPE_CHECKING

from hub.books.family import Family, Script
from hub.rules.tourists.game import TouristsGame

if TYPE_CHECKING:
    from hub.books.tourists import script

    _faces: tuple[Script] = (script,)


class Tourists(Family):
    """Conflicts over cards of the Space-Time Deck."""

    id = "tourists"
    catalogues = "hub.rules.tourists"
    package = __name__
    games = (TouristsGame(),)


TOURISTS = Tourists()
