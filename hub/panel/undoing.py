"""The entries of the public chronicle that a held undo would take back."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from hub.table.back import WayBack
from hub.table.state import Undoes

MOST_LINES = 12
"""The most that fit on a display; the newest ones."""

_DEEDS = frozenset({"story-told", "character-joined", "character-left"})
_BACK = frozenset({"undone", "story-undone", "scene-called-off", "scene-reopened"})
_UNTOUCHED = (
    _DEEDS
    | _BACK
    | {
        *("story-begun", "log-begun", "reader-lost", "reader-returned", "reader-unreliable"),
        *("reader-reliable", "scene-started", "paused", "resumed", "played-by-gm"),
        *("played-by-hub", "portrayed", "stays-away", "evening-named", "evening-ended"),
        *("timer-set", "clock-set", "stop-made"),
    }
)
"""Events that an undo of the play does not affect; the same list as in the console."""


class Goes(Struct, frozen=True):
    """A way back, and the entries of the chronicle that it would undo."""

    way: WayBack
    entries: tuple[dict[str, Any], ...]


def newest(ways: Sequence[WayBack], chronicle: Sequence[dict[str, Any]]) -> Goes | None:
    """The way back for the latest deed; None if nothing can be undone.

    ``chronicle``: the entries since the earliest way's target.
    """
    standing = _standing(chronicle)
    found = [Goes(way, _gone(way, standing)) for way in ways]
    return max(found, key=_last, default=None)


def _last(goes: Goes) -> tuple[int, int]:
    at = int(goes.entries[-1]["seq"]) if goes.entries else goes.way.to_seq
    return at, goes.way.to_seq


def _standing(chronicle: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The chronicle without entries that are already undone."""
    kept: list[dict[str, Any]] = []
    for entry in chronicle:
        event = entry["event"]
        if event["type"] in _BACK:
            played, to_seq = event["type"] == "undone", event.get("to_seq", 0)
            kept = [e for e in kept if e["seq"] <= to_seq or (played and _is_untouched(e))]
        kept.append(entry)
    return kept


def _is_untouched(entry: dict[str, Any]) -> bool:
    return entry["event"]["type"] in _UNTOUCHED


def _gone(way: WayBack, standing: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    since = [entry for entry in standing if entry["seq"] > way.to_seq]
    match way.what:
        case Undoes.DEED:
            some = [e for e in since if e["event"]["type"] in _DEEDS][:1]
        case Undoes.END:
            some = [e for e in since if e["event"]["type"] == "scene-ended"][:1]
        case Undoes.START:
            some = [e for e in since if e["event"]["type"] in {"scene-started", "story-told"}]
        case Undoes.PLAY | Undoes.STEP:
            some = [e for e in since if not _is_untouched(e)]
    return tuple(some[-MOST_LINES:])
