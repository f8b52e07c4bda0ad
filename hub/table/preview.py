"""Preview of a command: what it would change.

The preview works for every command alike, by comparing the table before and after the command.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hub.table.acts.decide import Decide
from hub.table.acts.scenes import EndScene
from hub.table.inputs import Request
from hub.table.state import Scene, Settings, TableState
from hub.table.step import step

MOST_CHANGES = 200
_NAMES = ("id", "name")
"""Fields that identify the items of a list."""
_FOR_EVER_MS = 10**12
_Way = tuple[str, ...]


class Difference(Struct, frozen=True):
    """One value that a command would change."""

    who: str
    """The character concerned; empty if the value is not a character's."""
    what: tuple[str, ...]
    """The path to the changed value. On a sheet, for example, ``energy`` and ``attack``. In the
    story ``stakes``, or ``countdowns`` and a countdown's id. At the table ``scene``, ``undecided``
    and the step in which a scene is closed, ``paused``, ``evening``, ``evening_over``,
    ``commit_seconds``, ``turn``, ``step``, or a field of the scene. For a character ``sealed``,
    ``beside``, ``decided``, ``counted``, ``absent``, ``away``, ``portrait``, ``gm_plays``,
    ``hub_plays``, ``reserve``, ``wish``, or a field of the scene."""
    before: Any
    """The present value; None if there is none."""
    after: Any


def preview(state: TableState, settings: Settings, given: Request) -> tuple[Difference, ...]:
    """The changes that ``given`` would make, at most :data:`MOST_CHANGES`, without revealing sealed
    cards. Empty if sealed random bytes decide the outcome.

    Raises :class:`SeatFault` with the reason why ``given`` cannot be done.
    """
    done = step(
        state, {}, given,
        settings=replace(settings, reveal_delay_ms=_FOR_EVER_MS),
        now_ms=0, entropy=bytes(32), written=lambda record: record,
    )  # fmt: skip
    if _is_by_chance(state, given):
        return ()
    before, after = _told(state), _told(done.state)
    if state.scene and isinstance(given.command, EndScene) and (left := state.scene.left_open()):
        before |= {("", "undecided", left.step): left.waits}
    if state.scene and done.state.scene and state.scene.number == done.state.scene.number:
        before |= _played(state.scene)
        after |= _played(done.state.scene)
    ways = (*before, *(way for way in after if way not in before))
    found = (
        Difference(way[0], way[1:], before.get(way), after.get(way))
        for way in ways
        if before.get(way) != after.get(way)
    )
    return tuple(change for change, _ in zip(found, range(MOST_CHANGES), strict=False))


def _is_by_chance(state: TableState, given: Request) -> bool:
    """Whether the outcome depends on sealed random bytes, and so must not be previewed."""
    scene = state.scene
    return isinstance(given.command, Decide) and scene is not None and scene.chance is not None


def _told(state: TableState) -> dict[_Way, Any]:
    """Path → value for the whole story and for the table around its scene."""
    told = {("", *way): value for way, value in _leaves(_at_table(state))}
    told |= {("", "evening"): state.evening} if state.evening else {}
    told |= {("", "evening_over"): True} if state.evening_over else {}
    told |= {("", "commit_seconds"): state.commit_s} if state.commit_s is not None else {}
    told |= {(actor, "away"): True for actor in state.away}
    told |= {(actor, "hub_plays"): True for actor in state.hub_plays}
    if scene := state.scene:
        told |= {(actor, "sealed"): True for actor in scene.seals}
        told |= {(actor, "beside"): len(lie) for actor, lie in scene.beside.items()}
        told |= {(actor, "absent"): True for actor in scene.sits_out}
        told |= {(actor, "decided"): str(each) for actor, each in scene.decided.items()}
        told |= {(actor, "counted"): len(tally.points) for actor, tally in scene.counted.items()}
    told |= {(name, "portrait"): msgspec.to_builtins(p) for name, p in state.portraits.items()}
    told |= {(actor, "gm_plays"): True for actor in state.gm_plays}
    if state.story is None:
        return told
    story = state.story.rules
    sheets = msgspec.to_builtins(story.sheets(state.story.state))
    public = msgspec.to_builtins(story.view(state.story.state))
    shared = {"countdowns": public["countdowns"], "stakes": public["stakes"]}
    told |= {("", *way): value for way, value in _leaves(shared)}
    told |= {(name, "reserve"): True for name in story.waiting(state.story.state)}
    told |= {(name, "wish"): True for name in state.story.state.wishes}
    return dict(_leaves(sheets)) | told


def _at_table(state: TableState) -> dict[str, Any]:
    scene = state.scene
    paused = {"paused": True} if state.paused else {}
    return {"scene": scene.title or scene.number, **paused} if scene else {}


def _played(scene: Scene) -> dict[_Way, Any]:
    """Path → value for a scene's public state: each actor's fields, and the scene's own scalar
    fields."""
    game = scene.rules
    actors = {*game.actors(scene.game)}
    played: dict[_Way, Any] = {
        ("", "turn"): game.turn(scene.game),
        ("", "step"): scene.pending.step,
    }
    for field, value in msgspec.to_builtins(game.view(scene.game)).items():
        if isinstance(value, Mapping) and value.keys() <= actors:
            for actor, each in value.items():
                way = (actor,) if isinstance(each, Mapping) else (actor, field)
                played |= _leaves(each, way)
        elif isinstance(value, str | int) or field == "result":
            played |= _leaves(value, ("", field))
    return played


def _leaves(value: Any, way: _Way = ()) -> Iterator[tuple[_Way, Any]]:
    if isinstance(value, tuple | list) and all(isinstance(each, Mapping) for each in value):
        key = next((name for name in _NAMES if all(name in each for each in value)), None)
        if key is not None or not value:
            value = {each[key]: each for each in value}
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _leaves(each, (*way, str(name)))
    else:
        yield way, value
