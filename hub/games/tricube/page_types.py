"""The types of the data, besides views, that a tale's pages receive."""

from hub.games.tricube.fresh import Beginning
from hub.games.tricube.story.game import OwnConsole
from hub.games.tricube.story.sheet import TaleSheet

PAGE_TYPES = {"Beginning": Beginning, "OwnConsole": OwnConsole, "TaleSheet": TaleSheet}
