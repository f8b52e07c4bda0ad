"""The public JSON documents: the table's state and its parts, events, a reply.

UTF-8 with sorted keys, so that the same view has the same bytes on every channel. State and parts
are public views of :mod:`hub.table.views`, never built from the table's own state.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Raw, Struct

from hub.games.countdowns import CountdownView
from hub.table.views import SCHEMA, MomentView, PublicView, SeatView, TimerView
from hub.wire.replies import Reply
from hub.wire.said import SaidView

ONLINE = b"online"
OFFLINE = b"offline"
CLEARED = b""
"""An empty message. Sent as a retained one, it removes the broker's copy of a topic (MQTT 3.1.1
§3.3.1.3)."""


class Events(Struct, frozen=True):
    """All events of one step of the table."""

    events: Sequence[Raw]
    """Lines of the event log in order, byte for byte."""
    schema: int = SCHEMA


def state_payload(view: PublicView) -> bytes:
    """The document published on the topic ``state``: the table's whole public view."""
    return _encode(view)


def seat_payload(seat: SeatView) -> bytes:
    """The document published on the topic ``seat/S``, for one seat."""
    return _encode(seat)


def countdown_payload(countdown: CountdownView) -> bytes:
    """The document published on the topic ``countdown/C``, for one countdown."""
    return _encode(countdown)


def timer_payload(timer: TimerView | None) -> bytes:
    """The document published on the topic ``timer``; without a timer, the empty one that clears the
    topic."""
    return CLEARED if timer is None else _encode(timer)


def moment_payload(moment: MomentView) -> bytes:
    """The document published on the topic ``moment``, for LED clocks."""
    return _encode(moment)


def said_payload(said: SaidView) -> bytes:
    """The document published on the topic ``said``."""
    return _encode(said)


def events_payload(lines: Sequence[bytes]) -> bytes:
    """The document published on the topic ``event``, from lines of the event log."""
    return _encode(Events([Raw(line) for line in lines]))


def lines_of(payload: bytes) -> list[bytes]:
    """The log lines in a payload of the topic ``event``. Raises :class:`msgspec.MsgspecError`."""
    return [bytes(line) for line in msgspec.json.decode(payload, type=Events).events]


def reply_payload(reply: Reply) -> bytes:
    """The document published on the topic ``reply``, for one command."""
    return _encode(reply)


def _encode(document: object) -> bytes:
    return msgspec.json.encode(document, order="sorted")


NO_EVENTS = events_payload(())
"""A document of ``event`` without events: a harmless message to test a broker with."""
