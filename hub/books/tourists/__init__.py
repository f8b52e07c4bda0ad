"""N-Dimensional Tourists: Conflicts, as scripts."""

from typing import TYPE_CHECKING

from hub.books.family import Family, Script

if TYPE_CHECKING:
    from hub.books.tourists import script

    _faces: tuple[Script] = (script,)


class Tourists(Family):
    """Conflicts over cards of the Space-Time Deck. No table plays them: there is no game here."""

    id = "tourists"
    catalogues = "hub.rules.tourists"
    package = __name__
    games = ()
    scripts = ("tourists",)


TOURISTS = Tourists()
