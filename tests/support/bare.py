"""A family with rules and a story, but without faces and pages: the toy's, reduced to these."""

from hub.games.family import Family
from tests.toy import TOY


class Bare(Family):
    id = "bare"
    games = TOY.games
    stories = TOY.stories


BARE = Bare()
