"""The toy's entry in the registry."""

from hub.games.family import Family
from tests.toy.rules import ReachGame
from tests.toy.story import ToyStory


class Toy(Family):
    """Dice against a number."""

    id = "toy"
    games = (ReachGame(),)
    stories = (ToyStory(),)
    package = __package__


TOY = Toy()
