"""What a held undo would take back, by what everybody has seen: lines of the public chronicle."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from hub.table.back import WayBack
from hub.table.state import Undoes

MOST_LINES = 12
"""So many fit on a display; the newest."""

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
"""What an undo of the play leaves as it is; the console's list says the same."""


class Goes(Struct, frozen=True):
    """A way back, and the entries of the chronicle that it would take away."""

    way: WayBack
    entries: tuple[dict[str, Any], ...]


def newest(ways: Sequence[WayBack], chronicle: Sequence[dict[str, Any]]) -> Goes | None:
    """The way back of the last thing that was done; None where nothing can be taken back.
    ``chronicle``: what happened since the earliest of them."""
    standing = _standing(chronicle)
    found = [Goes(way, _gone(way, standing)) for way in ways]
    return max(found, key=_last, default=None)


def _last(goes: Goes) -> tuple[int, int]:
    at = int(goes.entries[-1]["seq"]) if goes.entries else goes.way.to_seq
    return at, goes.way.to_seq


def _standing(chronicle: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without what was taken back already."""
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
