"""The family of N-Dimensional Tourists: Conflicts, with parties, open cards and bids."""

from typing import TYPE_CHECKING

from hub.games.family import Dealing, Demo, Family, Script, Sheets, Starter

if TYPE_CHECKING:
    from hub.games.tourists import dealing, demo, script, sheets, starter

    _faces: tuple[Dealing, Demo, Script, Sheets, Starter] = (
        *(dealing, demo, script),
        *(sheets, starter),
    )


class Tourists(Family):
    """The family of the ruleset ``tourists``: Conflicts over cards of the Space-Time Deck."""

    id = "tourists"
    package = __name__
    rulesets = story_rulesets = ("tourists",)


TOURISTS = Tourists()
