"""Book-specific data for the GM's console and the players' pages: possible level-ups and the
reserve."""

from typing import TypedDict

from hub.games.triangle.rules.characters.sheet import Sheet
from hub.games.triangle.story.learning import Level, as_level, level_up_of, level_ups
from hub.games.triangle.story.newcomers import waiting_players
from hub.games.triangle.story.state import StoryState


class OwnConsole(TypedDict):
    """Book-specific data for the GM."""

    level_ups: dict[str, Level]
    """Player character → its next level-up; empty during a scene."""
    reserve: dict[str, Sheet]
    """The player characters in reserve."""


class OwnCharacter(TypedDict):
    """Data about a player's own character, besides its sheet."""

    level_up: Level | None
    """Its next level-up; None during a scene, and for NPCs."""


def console(state: StoryState, *, playing: bool) -> OwnConsole:
    """Return the GM's data; the levels take a few milliseconds per character."""
    found = {} if playing else level_ups(state)
    return {
        "level_ups": {name: as_level(each) for name, each in found.items()},
        "reserve": {name: state.reserve[name] for name in waiting_players(state)},
    }


def own(state: StoryState, name: str, *, playing: bool) -> OwnCharacter:
    """Return one character's data; no options are listed until it can level up."""
    if playing or name not in state.party:
        return {"level_up": None}
    level = as_level(level_up_of(state, name))
    return {"level_up": level if level["why"] is None else {**level, "options": []}}
