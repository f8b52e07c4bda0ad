"""What the GM's console and the players' pages show of a story by these books: what each character
could learn."""

from typing import TypedDict

from hub.games.triangle.rules.characters.sheet import Sheet
from hub.games.triangle.story.learning import Level, as_level, level_up_of, level_ups
from hub.games.triangle.story.newcomers import waiting_players
from hub.games.triangle.story.state import StoryState


class OwnConsole(TypedDict):
    """What the GM knows of a story by these books."""

    level_ups: dict[str, Level]
    """What each player character could learn; empty while a scene is played."""
    reserve: dict[str, Sheet]
    """The player characters who wait to join."""


class OwnCharacter(TypedDict):
    """What a player knows of a character of their own, beside its sheet."""

    level_up: Level | None
    """What it could learn; None while a scene is played, and of whom the GM plays."""


def console(state: StoryState, *, playing: bool) -> OwnConsole:
    """All of it; the levels take a few milliseconds for each character."""
    found = {} if playing else level_ups(state)
    return {
        "level_ups": {name: as_level(each) for name, each in found.items()},
        "reserve": {name: state.reserve[name] for name in waiting_players(state)},
    }


def own(state: StoryState, name: str, *, playing: bool) -> OwnCharacter:
    """The same for one character. What cannot be learned yet is not listed."""
    if playing or name not in state.party:
        return {"level_up": None}
    level = as_level(level_up_of(state, name))
    return {"level_up": level if level["why"] is None else {**level, "options": []}}
