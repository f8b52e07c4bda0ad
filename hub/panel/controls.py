"""The panel's controls: buttons that bounce, a knob that turns, and what a held undo would undo."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from hub.table.acts import EVENTS
from hub.table.acts.undo import WayBack
from hub.table.state import MOST_COMMIT_S, Undoes

SETTLE_S = 0.025


class Press:
    """A debounced button. It must be used in the event loop only: edges seen in another thread have
    to be handed over.
    """

    def __init__(
        self,
        is_down: Callable[[], bool],
        down: Callable[[], None],
        *,
        hold_s: float = 0,
        held: Callable[[], None] = lambda: None,
        let_go: Callable[[], None] = lambda: None,
    ) -> None:
        """``is_down`` reads the contact, and ``down`` is called at each press. ``held`` is called
        once the button has been pressed for ``hold_s`` (0: never), ``let_go`` if it is released
        sooner.

        A button that is down now counts only after it has been released.
        """
        self._is_down = is_down
        self._down, self._held, self._let_go = down, held, let_go
        self._hold_s = hold_s
        self.is_down = is_down()
        self._settling: asyncio.TimerHandle | None = None
        self._holding: asyncio.TimerHandle | None = None

    def edge(self) -> None:
        """Note that the contact has opened or closed."""
        if self._settling is not None:
            self._settling.cancel()
        self._settling = asyncio.get_running_loop().call_later(SETTLE_S, self._settle)

    def close(self) -> None:
        """Stop both timers. Idempotent."""
        for timer in (self._settling, self._holding):
            if timer is not None:
                timer.cancel()

    def _settle(self) -> None:
        is_down = self._is_down()
        if is_down == self.is_down:
            return
        self.is_down = is_down
        if is_down:
            if self._hold_s:
                loop = asyncio.get_running_loop()
                # The settling time counts as part of it.
                self._holding = loop.call_later(self._hold_s - SETTLE_S, self._hold)
            self._down()
        elif self._holding is not None:
            self._holding.cancel()
            self._holding = None
            self._let_go()

    def _hold(self) -> None:
        self._holding = None
        self._held()


RESTS_S = 0.6
"""A knob counts as at rest when it has not moved for this long."""
USUAL_S = 30
"""The time, in seconds, that a press sets if the timer was never on."""


class Turning:
    """Turns a knob's notches into settings of the timer. It must be used in the event loop only."""

    def __init__(
        self,
        step_s: int,
        now: Callable[[], float],
        turned: Callable[[float], None],
        notch: Callable[[], None],
    ) -> None:
        """``step_s``: seconds per notch. ``now`` returns the timer's current setting in seconds, 0
        for off; ``turned`` gets the new one once the knob is at rest, or at a press. ``notch`` is
        called at each turn.
        """
        self._step_s, self._now = step_s, now
        self._turned, self._notch = turned, notch
        self._wanted: float | None = None
        self._last_s: float = USUAL_S
        """The timer's setting before a press turned it off."""
        self._resting: asyncio.TimerHandle | None = None

    def turn(self, notches: int) -> None:
        """Turn by ``notches`` (above 0: clockwise), at least to 0 s (off), at most to the longest
        time.
        """
        at = self._now() if self._wanted is None else self._wanted
        self._wanted = min(max(at + notches * self._step_s, 0.0), float(MOST_COMMIT_S))
        self._notch()
        self.close()
        self._resting = asyncio.get_running_loop().call_later(RESTS_S, self._rest)

    def press(self) -> None:
        """Turn the timer off, or on again with its last setting."""
        at = self._now() if self._wanted is None else self._wanted
        if at:
            self._last_s = at
        self._wanted = None
        self.close()
        self._turned(0.0 if at else self._last_s)

    def close(self) -> None:
        """Drop an unfinished turn. Idempotent."""
        if self._resting is not None:
            self._resting.cancel()

    def _rest(self) -> None:
        wanted, self._wanted = self._wanted, None
        if wanted is not None and wanted != self._now():
            self._turned(wanted)


MOST_LINES = 12
"""How many entries fit on a display; of more, the newest are shown."""

_TAGS = {kind: str(kind.__struct_config__.tag) for kind in EVENTS}
_DEEDS = frozenset(_TAGS[kind] for kind in EVENTS if kind.is_deed)
_BACK = frozenset(_TAGS[kind] for kind in EVENTS if "to_seq" in kind.__struct_fields__)
_UNTOUCHED = frozenset(_TAGS[kind] for kind in EVENTS if not kind.of_play)
"""Events that an undo of the play does not affect; the console has the same list."""


class Goes(Struct, frozen=True):
    """A way back, and the entries of the chronicle that it would undo, at most
    :data:`MOST_LINES`.
    """

    way: WayBack
    entries: tuple[dict[str, Any], ...]


def newest(ways: Sequence[WayBack], chronicle: Sequence[dict[str, Any]]) -> Goes | None:
    """The way among ``ways`` that undoes the latest entry; None if there are no ways.

    ``chronicle``: the entries since the earliest way.
    """
    standing = _standing(chronicle)
    found = [Goes(way, _gone(way, standing)) for way in ways]
    return max(found, key=_last, default=None)


def _last(goes: Goes) -> tuple[int, int]:
    at = int(goes.entries[-1]["seq"]) if goes.entries else goes.way.to_seq
    return at, goes.way.to_seq


def _standing(chronicle: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
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
