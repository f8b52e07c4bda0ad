"""The toy's entry in the registry."""

from hub.books.family import Family, Script, Sheets, Words
from tests.toy.rules import ReachGame
from tests.toy.story import ToyStory


class Toy(Family):
    """Dice against a number."""

    id = "toy"
    catalogues = "tests.toy"
    games = (ReachGame(),)
    stories = (ToyStory(),)

    @property
    def words(self) -> Words:
        from tests.toy.words import ToyWords

        return ToyWords()

    @property
    def sheets(self) -> Sheets:
        from tests.toy import sheets

        return sheets

    @property
    def script(self) -> Script:
        from tests.toy import script

        return script


TOY = Toy()
