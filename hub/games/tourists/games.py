"""The family's game and its story."""

from hub.games.tourists.rules.game import TouristsGame
from hub.games.tourists.story.game import TouristsStory

GAMES = (TouristsGame(),)
STORIES = (TouristsStory(),)
