"""The frames of the live streams: JSON, keys sorted, built from announcements alone.

Public: ``state`` (the document of the MQTT topic ``state`` with those of all seats in it, at
connect and with each announcement) and ``event`` (one log line each, sent before the state that
it leads to). For the virtual table also ``questions``, ``deeds``, ``bench``, ``tell`` and
``reply``.
"""

from typing import Any

import msgspec
from msgspec import Struct

from hub.ports import Announcement
from hub.wire.commands import Reply
from hub.wire.payloads import seat_payload, state_payload

LATEST_ONLY = frozenset({"state", "questions", "deeds", "bench"})
"""Frames of which only the newest matters to a client that has fallen behind."""


class Frame(Struct, frozen=True):
    """One message to pages, encoded once for all of them."""

    type: str
    data: bytes


def frame(content: dict[str, Any]) -> Frame:
    """Encode a frame; ``content`` names its type."""
    return Frame(content["type"], msgspec.json.encode(content, order="sorted"))


def state_frame(told: Announcement) -> Frame:
    """The whole table as everybody may see it."""
    state = msgspec.json.decode(state_payload(told.view, told.head), type=dict[str, Any])
    seats = [msgspec.Raw(seat_payload(seat)) for seat in told.seats]
    return frame(state | {"type": "state", "seats": seats})


def event_frames(told: Announcement) -> list[Frame]:
    """The log lines of what just happened, byte for byte."""
    return [Frame("event", b'{"line":' + line + b',"type":"event"}') for line in told.lines]


def questions_frame(told: Announcement) -> Frame:
    """The decisions open now, choices in their written form."""
    return frame(
        {
            "type": "questions",
            "questions": [
                {
                    "actor": question.actor,
                    "step": question.step,
                    "offers": [
                        {
                            "choice": str(offer.choice),
                            "kind": offer.choice.kind,
                            "value": offer.choice.value,
                            "reason": offer.reason,
                            "default": offer.default,
                        }
                        for offer in question.offers
                    ],
                }
                for question in told.questions
            ],
        }
    )


def deeds_frame(told: Announcement) -> Frame:
    """What the GM can do to the story now, in its written form, and whom it is about."""
    deeds = [
        {
            "deed": str(offer.choice),
            "kind": offer.choice.kind,
            "value": offer.choice.value,
            "reason": offer.reason,
        }
        for offer in told.deeds
    ]
    return frame({"type": "deeds", "deeds": deeds, "cast": told.cast})


def tell_frame(seat: str, signal: str, why: str) -> Frame:
    """A signal for one seat."""
    return frame({"type": "tell", "seat": seat, "signal": signal, "why": why})


def reply_frame(reply: Reply) -> Frame:
    """The answer to what a page asked for."""
    return frame({"type": "reply"} | msgspec.to_builtins(reply))
