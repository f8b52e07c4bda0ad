"""What the GM's console shows of a tale's story beyond what everybody sees: who waits to join."""

from typing import TypedDict

from hub.games.deeds import Told
from hub.games.tricube.story.sheet import TaleSheet


class OwnConsole(TypedDict):
    """What the GM knows of it."""

    reserve: dict[str, TaleSheet]
    """The characters who wait in reserve."""


def console(state: Told) -> OwnConsole:
    """The sheets of the reserve."""
    return {"reserve": dict(state.reserve)}
