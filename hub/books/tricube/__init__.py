"""Tricube Tales."""

from hub.books.family import Family


class Tricube(Family):
    """Challenges that are rolled for with one to three dice."""

    id = "tricube"
    catalogues = "hub.rules.tricube"
    package = __name__
    games = ()
    scripts = ("tricube",)


TRICUBE = Tricube()
