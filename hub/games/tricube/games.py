"""The family's game and its story."""

from hub.games.tricube.rules.game import TricubeGame
from hub.games.tricube.story.game import TricubeStory

GAMES = (TricubeGame(),)
STORIES = (TricubeStory(),)
