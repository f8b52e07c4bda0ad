"""The public JSON documents: the table's state, a seat, the timer, a reply.

UTF-8 with sorted keys, so that the same view is the same bytes on every channel. Each is built
from the public views of :mod:`hub.table.views`, never from the table's state. Times are UTC with
milliseconds, ``2026-01-31T19:00:00.000Z``.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from msgspec import Struct

from hub.rules.game import GameView
from hub.rules.story import CountdownView, StoryView
from hub.table.state import Phase, Version
from hub.table.views import SCHEMA, PublicView, SeatView, TimerView
from hub.wire.commands import Reply

ONLINE = b"online"
OFFLINE = b"offline"
CLEARED = b""
"""Retained, it removes what the broker keeps of a topic (MQTT 3.1.1 §3.3.1.3)."""

GAME_KEYS_LEFT_OUT = frozenset({"step"})
"""The state has the table's own ``step``: the game's says the same."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class TimerPayload(Struct, frozen=True):
    """A running commit timer. Clocks tick for themselves towards ``deadline``."""

    deadline: str
    """UTC, see the module's text."""
    seconds: float
    """The whole time that was given."""
    warnings: tuple[float, ...] = ()
    """Seconds before ``deadline`` at which clocks warn."""


class CountdownPayload(Struct, frozen=True, kw_only=True):
    """A countdown. It is full when ``marked`` is ``boxes``."""

    name: str
    boxes: int
    marked: int


class StatePayload(Struct, frozen=True, kw_only=True):
    """What ``state`` holds in every scene; while one is played the game's own fields stand beside
    these, and ``ruleset`` says which they are."""

    schema: int = SCHEMA
    table: str
    log: str
    """The event log's random id, in hex."""
    seq: int
    """Number of the last event that this state includes."""
    head: str
    """SHA-256 (hex) of that event's line; see ``facedown verify``."""
    scene: int
    """Counts the table's scenes from 1; 0 before the first."""
    title: str
    phase: Phase
    basis: Version
    """Where the table stands; a command that bears the same is done only while it stands there."""
    step: str
    """What is chosen now, in the book's words; empty without a scene."""
    turn_number: int
    """From 1; 0 before the first. (``turn`` is the game's own account of the turn.)"""
    awaited: tuple[str, ...]
    """Who has to choose in this phase, whether or not they have."""
    committed: tuple[str, ...]
    """Those of them whose choice is in."""
    beside: tuple[str, ...]
    """Of whom a card lies sealed beside the step; a name stands once for each of its cards."""
    answers: tuple[str, ...]
    """Who had chosen before that, and may still answer it or pass."""
    timer: TimerPayload | None
    reveal_at: str | None
    """While locked: when the reveal is due (UTC)."""
    revealed_at: str | None = None
    """When cards were last revealed (UTC), in this scene or an earlier one; null before the first
    time. Pages turn the cards over for 1.5 s from then on, and show only then what follows."""
    story: StoryView | None = None
    """What lasts between scenes; null at a table without a story."""


def utc(at_ms: int) -> str:
    """``at_ms`` (ms since the Unix epoch) as UTC text. Raises OverflowError past the year 9999."""
    text = (_EPOCH + timedelta(milliseconds=at_ms)).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def _time(at_ms: int | None) -> str | None:
    return None if at_ms is None else utc(at_ms)


def state_payload(view: PublicView, head: str) -> bytes:
    """The document of ``state``. ``head``: hash of the last line of the event log."""
    table = StatePayload(
        schema=view.schema,
        table=view.table,
        log=view.log,
        seq=view.seq,
        head=head,
        scene=view.scene,
        title=view.title,
        phase=view.phase,
        basis=view.basis,
        step=view.step,
        turn_number=view.turn,
        awaited=view.awaited,
        committed=view.committed,
        beside=view.beside,
        answers=view.answers,
        timer=_timer(view.timer),
        reveal_at=_time(view.reveal_at_ms),
        revealed_at=_time(view.revealed_at_ms),
        story=view.story,
    )
    return _encode(_game_fields(view.game) | msgspec.to_builtins(table))


def seat_payload(seat: SeatView) -> bytes:
    """The document of ``seat/S``."""
    return _encode(seat)


def countdown_payload(countdown: CountdownView) -> bytes:
    """The document of ``countdown/C``."""
    return _encode(
        CountdownPayload(name=countdown.name, boxes=countdown.boxes, marked=countdown.marked)
    )


def timer_payload(timer: TimerView | None) -> bytes:
    """The document of ``timer``; without a timer the empty one that clears the topic."""
    return CLEARED if timer is None else _encode(_timer(timer))


def reply_payload(reply: Reply) -> bytes:
    """The document of ``reply``."""
    return _encode(reply)


def _timer(timer: TimerView | None) -> TimerPayload | None:
    return (
        None
        if timer is None
        else TimerPayload(utc(timer.deadline_ms), timer.seconds, timer.warnings)
    )


def _game_fields(game: GameView | None) -> dict[str, Any]:
    if game is None:
        return {}
    fields = msgspec.to_builtins(game, order="sorted")
    return {key: value for key, value in fields.items() if key not in GAME_KEYS_LEFT_OUT}


def _encode(document: object) -> bytes:
    return msgspec.json.encode(document, order="sorted")
