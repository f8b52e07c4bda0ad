"""The messages of the live streams: frames to the pages, and commands and gestures from pages.

Frames are JSON with sorted keys. The public ones are ``state`` (the document of the MQTT topic
``state``, at connect and with each announcement), ``event`` (one log line each, sent before the
state that it leads to), ``sound`` and ``where``. All other frames need a key;
``docs/connect/websocket.md`` lists which role receives which frame.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, Literal, TypedDict

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from hub.games.registry import family_shown
from hub.games.story import DeedOffer
from hub.kernel.reasons import Explained, Reason, worded
from hub.kernel.texts import Said
from hub.ports import MAX_TAG_CHARS, Announcement
from hub.table.inputs import Command, CommandFault
from hub.table.preview import Difference
from hub.table.views import Question
from hub.wire import private_frames
from hub.wire.reading import MAX_COMMAND_BYTES, decode_page_command
from hub.wire.replies import Reply

LATEST_ONLY = frozenset(
    {"state", "questions", "deeds", "console", "hand", "tabletop", "company", "sound", "lights"}
)
"""The frame types of which only the newest matters to a client that has fallen behind."""

Topic = tuple[str, str]
"""A frame's type, and the seat that it is about or ``""``."""


class Frame(Struct, frozen=True):
    """A message to pages, encoded once for all of them."""

    type: str
    data: bytes
    about: str = ""
    """The seat, if each seat has its own frame of this type; otherwise empty."""

    @property
    def topic(self) -> Topic:
        """The key by which a newer frame supersedes this one."""
        return self.type, self.about


class Tell(Explained):
    """A signal about a seat's reader or cards, with the reason for it."""

    seat: str
    signal: str


class Sound(TypedDict):
    """The volume of every page that plays sounds: 0 to 100, and whether it is muted."""

    volume: int
    muted: bool


class Company(TypedDict):
    """How many browsers have shown a seat's key or opened its page."""

    seat: str
    browsers: int


class Elsewhere(TypedDict):
    """A command that another browser at the same seat has sent, and whether it was done."""

    seat: str
    command: str
    ok: bool


def frame(kind: str, content: Mapping[str, Any], about: str = "") -> Frame:
    """The frame with ``content``, and with ``kind`` as its type."""
    return Frame(kind, msgspec.json.encode({**content, "type": kind}, order="sorted"), about)


def state_frame(told: Announcement, revealed_ago_ms: int | None = None) -> Frame:
    """The frame with the public state of the table.

    ``revealed_ago_ms``: how long ago the reveal began, for a page that joins while it is shown.
    """
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
    """A frame for each log line of an announcement, with the line byte for byte."""
    return [Frame("event", b'{"line":' + line + b',"type":"event"}') for line in told.lines]


def questions_frame(told: Announcement, questions: Sequence[Question], seat: str = "") -> Frame:
    """The frame with the open decisions (choices in their written form); with ``seat``, only those
    of that seat."""
    own = own_actors(told, seat) if seat else None
    return frame("questions", private_frames.questions_frame(questions, own), seat)


def own_actors(told: Announcement, seat: str) -> Collection[str]:
    """The characters that a seat plays now."""
    return next((view.characters for view in told.view.seats if view.seat == seat), ())


def chronicle_frame(entries: Sequence[dict[str, Any]], *, reset: bool) -> Frame:
    """The frame with the story so far (``reset``), or with its new entries."""
    return frame("chronicle", {"reset": reset, "entries": entries})


def deeds_frame(deeds: Sequence[DeedOffer], cast: Sequence[str]) -> Frame:
    """The frame with the deeds that the GM can do to the story now, and the characters that they
    can concern.
    """
    return frame("deeds", private_frames.deeds_frame(deeds, cast))


def tell_frame(seat: str, signal: str, why: Reason | None) -> Frame:
    """The frame with a signal for one seat, and its reason if there is one."""
    told: Tell = {"seat": seat, "signal": signal, **worded(why)}
    return frame("tell", told)


def company_frame(seat: str, browsers: int) -> Frame:
    """The frame that tells a seat's page how many browsers share it, so that its player notices
    others.
    """
    company: Company = {"seat": seat, "browsers": browsers}
    return frame("company", company, seat)


def elsewhere_frame(seat: str, asked: Command, reply: Reply) -> Frame:
    """The frame that tells which command another browser at this seat has sent, and whether it was
    done.

    The command's content is left out, because it may name a card.
    """
    command = str(type(asked).__struct_config__.tag)
    elsewhere: Elsewhere = {"seat": seat, "ok": reply.ok, "command": command}
    return frame("elsewhere", elsewhere)


def preview_frame(
    asked: str, changes: Sequence[Difference], why: Reason | None = None, told: Said | None = None
) -> Frame:
    """The frame with the changes that the command with the id ``asked`` would make, or with the
    reason why it cannot be done. ``told``: the change in words.
    """
    found: private_frames.Preview = {"id": asked, "changes": changes, "told": told, **worded(why)}
    return frame("preview", found)


MAX_MESSAGE_BYTES = MAX_COMMAND_BYTES + 256
"""The longest message of a page: a command of the maximum size, and what it is wrapped in."""
_MAX_NAME_CHARS = 64


class Gesture(Struct, frozen=True):
    """What a hand does at a simulated reader. ``tag``: the card's tag id; None: all cards, or none
    needed.
    """

    do: Literal["place", "lift", "unplug", "replug"]
    reader: str
    tag: str | None
    id: str


class Louder(Struct, frozen=True):
    """A page's request to set how loud the table sounds; ``volume``: 0 to 100."""

    volume: int
    muted: bool
    id: str


class ShowLights(Struct, frozen=True):
    """A page's request to start or stop following the virtual table's lights."""

    on: bool


class Preview(Struct, frozen=True):
    """A page asks which changes a command would make."""

    command: Command


class Beginning(Struct, frozen=True):
    """A page asks what a new player character can begin with."""


class _Message(Struct, frozen=True, forbid_unknown_fields=True):
    do: Literal[
        "place", "lift", "unplug", "replug", "command", "preview", "sound", "beginning", "lights"
    ]
    id: str = ""
    reader: str = ""
    tag: str | None = None
    command: msgspec.Raw = msgspec.Raw()
    volume: Annotated[int, msgspec.Meta(ge=0, le=100)] = 100
    muted: bool = False
    on: bool = True


def decode_message(data: str) -> Beginning | Gesture | Louder | Command | Preview | ShowLights:
    """The message that a page has sent. Raises :class:`CommandFault`."""
    try:
        message = msgspec.json.decode(data, type=_Message)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise CommandFault(Reason("not-understood", why=str(error))) from None
    if message.do == "command" or message.do == "preview":  # noqa: PLR1714 - mypy follows this
        command = decode_page_command(bytes(message.command))
        if message.do == "command":
            return command
        if command.page_only:
            raise CommandFault(Reason("sealed-not-previewed"))
        return Preview(command)
    if max(len(message.id), len(message.reader)) > _MAX_NAME_CHARS:
        raise CommandFault(Reason("name-too-long"))
    if message.do == "beginning":
        return Beginning()
    if message.do == "lights":
        return ShowLights(message.on)
    if message.do == "sound":
        return Louder(message.volume, message.muted, message.id)
    if message.do == "place" and message.tag is None:
        raise CommandFault(Reason("which-card"))
    if message.tag is not None and len(message.tag) > MAX_TAG_CHARS:
        raise CommandFault(Reason("tag-too-long", most=MAX_TAG_CHARS))
    return Gesture(message.do, message.reader, message.tag, message.id)


class _Named(Struct, frozen=True):
    id: str = ""


class _Wrapped(Struct, frozen=True):
    command: _Named = _Named()
    id: str = ""


def id_of(data: str) -> str:
    """The id in a message that could not be decoded; empty if none can be found."""
    try:
        wrapped = msgspec.json.decode(data, type=_Wrapped)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return ""
    return (wrapped.command.id or wrapped.id)[:_MAX_NAME_CHARS]
