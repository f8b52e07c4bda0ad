"""The family of Tricube Tales: characters, challenges, and rolls of one to three dice."""

from typing import TYPE_CHECKING

from hub.games.family import Dealing, Demo, Family, Fresh, Sheets, Starter

if TYPE_CHECKING:
    from hub.games.tricube import dealing, demo, fresh, sheets, starter

    _faces: tuple[Dealing, Demo, Fresh, Sheets, Starter] = (dealing, demo, fresh, sheets, starter)


class Tricube(Family):
    """The family of the ruleset ``tricube``: challenges met with rolls of one to three dice."""

    id = "tricube"
    package = __name__
    rulesets = story_rulesets = ("tricube",)


TRICUBE = Tricube()
