"""Data for the GM's console about a tale's story, besides public data: the characters in
reserve."""

from typing import TypedDict

from hub.games.deeds import Told
from hub.games.tricube.story.sheet import TaleSheet


class OwnConsole(TypedDict):
    """Story data for the GM only."""

    reserve: dict[str, TaleSheet]
    """The sheets of the characters in reserve."""


def console(state: Told) -> OwnConsole:
    """The sheets of the reserve."""
    return {"reserve": dict(state.reserve)}
