"""What a tale's pages are sent of its own, as types: their scripts are checked by them."""

from hub.games.tricube.fresh import Beginning
from hub.games.tricube.story.console import OwnConsole
from hub.games.tricube.story.sheet import TaleSheet

PAGE_TYPES = {"Beginning": Beginning, "OwnConsole": OwnConsole, "TaleSheet": TaleSheet}
