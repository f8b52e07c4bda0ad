"""The frames of the live streams: JSON, keys sorted, built from announcements alone.

Public: ``state`` (the document of the MQTT topic ``state``, at connect and with each
announcement) and ``event`` (one log line each, sent before the state that it leads to). The rest
goes to those who have shown a key; ``docs/pages.md`` says which to whom.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypedDict

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from hub.games.registry import family_shown
from hub.games.story import DeedOffer
from hub.kernel.reasons import Explained, Reason, worded
from hub.ports import Announcement
from hub.table.preview import Difference
from hub.table.views import Question
from hub.wire import backstage
from hub.wire.backstage import Console, Hand, Preview
from hub.wire.commands import PageCommand
from hub.wire.replies import Reply

LATEST_ONLY = frozenset(
    {"state", "questions", "deeds", "console", "hand", "tabletop", "company", "sound", "lights"}
)
"""Frames of which only the newest matters to a client that has fallen behind."""

Topic = tuple[str, str]
"""A frame's type, and the seat that it is about or ``""``."""


class Frame(Struct, frozen=True):
    """One message to pages, encoded once for all of them."""

    type: str
    data: bytes
    about: str = ""
    """The seat, where there is one such frame for each."""

    @property
    def topic(self) -> Topic:
        """What a newer frame has to be on to make this one useless."""
        return self.type, self.about


class Tell(Explained):
    """What a reader says to a seat."""

    seat: str
    signal: str


class Sound(TypedDict):
    """How loud the table sounds, on every page that sounds."""

    volume: int
    """In percent."""
    muted: bool


class Company(TypedDict):
    """How many browsers are at a seat."""

    seat: str
    browsers: int


class Elsewhere(TypedDict):
    """What another browser at the same seat has asked for."""

    seat: str
    command: str
    ok: bool


def frame(kind: str, content: Mapping[str, Any], about: str = "") -> Frame:
    """Encode a frame of this type."""
    return Frame(kind, msgspec.json.encode({**content, "type": kind}, order="sorted"), about)


def state_frame(told: Announcement, revealed_ago_ms: int | None = None) -> Frame:
    """The whole table as everybody may see it, and which families' pages show it.
    ``revealed_ago_ms``: since when the reveal is shown, for a page that joins in the middle."""
    more: dict[str, Any] = {
        "family": family_shown(told.view.game),
        "story_family": family_shown(told.view.story),
    }
    if told.view.ended is not None:
        more["ended_family"] = family_shown(told.view.ended.game)
    if told.panel is not None:
        more["panel"] = told.panel
    if told.stalled:
        more["stalled"] = True
    if revealed_ago_ms is not None:
        more["revealed_ago_ms"] = revealed_ago_ms
    return frame("state", asdict(told.view) | more)


def event_frames(told: Announcement) -> list[Frame]:
    """The log lines of what just happened, byte for byte."""
    return [Frame("event", b'{"line":' + line + b',"type":"event"}') for line in told.lines]


def questions_frame(told: Announcement, questions: Sequence[Question], seat: str = "") -> Frame:
    """The decisions open now, choices in their written form; with ``seat`` only its own."""
    own = own_actors(told, seat) if seat else None
    return frame("questions", backstage.questions_frame(questions, own), seat)


def own_actors(told: Announcement, seat: str) -> Collection[str]:
    """Whom a seat plays now."""
    return next((view.characters for view in told.view.seats if view.seat == seat), ())


def hand_frame(seat: str, hand: Hand) -> Frame:
    """What a seat's own player knows."""
    return frame("hand", hand, seat)


def console_frame(console: Console) -> Frame:
    """What the GM knows."""
    return frame("console", console)


def chronicle_frame(entries: Sequence[dict[str, Any]], *, reset: bool) -> Frame:
    """The story so far (``reset``), or how it went on."""
    return frame("chronicle", {"reset": reset, "entries": entries})


def deeds_frame(deeds: Sequence[DeedOffer], cast: Sequence[str]) -> Frame:
    """What the GM can do to the story now, and whom it is about."""
    return frame("deeds", backstage.deeds_frame(deeds, cast))


def tell_frame(seat: str, signal: str, why: Reason | None) -> Frame:
    """A signal for one seat."""
    told: Tell = {"seat": seat, "signal": signal, **worded(why)}
    return frame("tell", told)


def sound_frame(sound: Sound) -> Frame:
    """How loud the table sounds."""
    return frame("sound", sound)


def where_frame() -> Frame:
    """Phones find the pages elsewhere now; where, is asked for by whoever shows it."""
    return frame("where", {})


def company_frame(seat: str, browsers: int) -> Frame:
    """How many browsers have the key of a seat's page, or have opened it: its own player sees when
    another one comes."""
    company: Company = {"seat": seat, "browsers": browsers}
    return frame("company", company, seat)


def elsewhere_frame(seat: str, asked: PageCommand, reply: Reply) -> Frame:
    """What another browser at this seat has asked for, and whether it was done; never with which
    card."""
    command = str(type(asked).__struct_config__.tag)
    elsewhere: Elsewhere = {"seat": seat, "ok": reply.ok, "command": command}
    return frame("elsewhere", elsewhere)


def preview_frame(asked: str, changes: Sequence[Difference], why: Reason | None = None) -> Frame:
    """What a command would change, to the page that has asked; or why it cannot be done."""
    found: Preview = {"id": asked, "changes": changes, **worded(why)}
    return frame("preview", found)


def beginning_frame(found: Struct | None) -> Frame:
    """What a new player character can begin with, to the page that has asked."""
    return frame("beginning", {"beginning": found})


def reply_frame(reply: Reply) -> Frame:
    """The answer to what a page asked for."""
    return frame("reply", msgspec.to_builtins(reply))
