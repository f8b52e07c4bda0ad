"""What the GM's console shows of a story by these books: what each character could learn."""

from typing import Any, TypedDict

import msgspec
from msgspec import Struct

from hub.rules.reasons import Explained, together, worded
from hub.rules.triangle.characters.level_up import Choices, not_yet, regainable
from hub.rules.triangle.characters.options import options
from hub.rules.triangle.reasons import Reason
from hub.rules.triangle.story.state import StoryState


class Lesson(Struct, frozen=True):
    """Something to learn, or to regain, with a level."""

    choices: dict[str, Any]
    """What the deed says of it."""
    reason: Reason | None = None
    """What stands against just this one."""


class LevelUps(Struct, frozen=True):
    """What a character could learn with its next level."""

    reason: Reason | None = None
    """Why it cannot reach another level now; None when it can."""
    options: tuple[Lesson, ...] = ()
    """Each thing that it could learn, and what it could regain beside it."""


class Taught(Explained):
    """Something to learn, or to regain, with a level."""

    choices: dict[str, Any]


class Level(Explained):
    """What a character could learn with its next level."""

    options: list[Taught]


class OwnConsole(TypedDict):
    """What the GM knows of a story by these books."""

    level_ups: dict[str, Level]
    """What each player character could learn; empty while a scene is played."""


def console(state: StoryState, *, playing: bool) -> OwnConsole:
    """All of it; the levels take a few milliseconds for each character."""
    return {
        "level_ups": {}
        if playing
        else {
            name: {
                **worded(each.reason),
                "options": [{"choices": o.choices, **worded(o.reason)} for o in each.options],
            }
            for name, each in level_ups(state).items()
        },
    }


def level_ups(state: StoryState) -> dict[str, LevelUps]:
    """What each player character that is alive could learn, and what it could regain (R16)."""
    party = state.party
    found = {}
    for name, sheet in party.items():
        allies = [ally for other, ally in party.items() if other != name]
        lessons = [_lesson(each.choices, each.reason) for each in options(sheet, allies)]
        lessons += (_lesson(Choices(regain=each)) for each in regainable(sheet))
        against = not_yet(sheet)
        found[name] = LevelUps(together(against) if against else None, tuple(lessons))
    return found


def _lesson(choices: Choices, reason: Reason | None = None) -> Lesson:
    return Lesson(msgspec.to_builtins(choices), reason)
