"""What a deed would change in the story, worked out without doing it, for the GM to read first."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from hub.table import inputs as i
from hub.table.state import Settings, TableState
from hub.table.step import step

StoryInput = i.TellStory | i.AddCharacter | i.RemoveCharacter
MOST_CHANGES = 200
_NAMES = ("id", "name")
"""By which of its fields a thing in a list is told from the others."""


class Change(Struct, frozen=True):
    """One thing that is otherwise afterwards."""

    who: str
    """A character; empty for what belongs to nobody."""
    what: tuple[str, ...]
    """The way to it on the sheet, such as ``energy``, ``attack``; in the story ``stakes``, or
    ``countdowns``, then its id."""
    before: Any
    """None where there was nothing."""
    after: Any


def preview(state: TableState, settings: Settings, given: StoryInput) -> tuple[Change, ...]:
    """What ``given`` would change, at most :data:`MOST_CHANGES`. Raises :class:`SeatFault` with the
    reason why it cannot be done."""
    done = step(
        state, {}, given,
        settings=settings, now_ms=0, entropy=bytes(32), written=lambda record: record,
    )  # fmt: skip
    before, after = _told(state), _told(done.state)
    ways = (*before, *(way for way in after if way not in before))
    found = (
        Change(way[0], way[1:], before.get(way), after.get(way))
        for way in ways
        if before.get(way) != after.get(way)
    )
    return tuple(change for change, _ in zip(found, range(MOST_CHANGES), strict=False))


def _told(state: TableState) -> dict[tuple[str, ...], Any]:
    """Everything that the story says, by the way to it."""
    if state.story is None:
        return {}
    story = state.story.rules
    sheets = msgspec.to_builtins(story.sheets(state.story.state))
    public = msgspec.to_builtins(story.view(state.story.state))
    told = {"countdowns": public["countdowns"], "stakes": public.get("stakes", "")}
    return dict(_leaves(sheets)) | {("", *way): value for way, value in _leaves(told)}


def _leaves(value: Any, way: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, tuple | list) and all(isinstance(each, Mapping) for each in value):
        key = next((name for name in _NAMES if all(name in each for each in value)), None)
        if key is not None or not value:
            value = {each[key]: each for each in value}
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _leaves(each, (*way, str(name)))
    else:
        yield way, value
