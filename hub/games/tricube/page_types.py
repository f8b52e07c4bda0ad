"""Types of the data that a tale's pages receive besides views; the page scripts are checked against
them."""

from hub.games.tricube.fresh import Beginning
from hub.games.tricube.story.game import OwnConsole
from hub.games.tricube.story.sheet import TaleSheet

PAGE_TYPES = {"Beginning": Beginning, "OwnConsole": OwnConsole, "TaleSheet": TaleSheet}
