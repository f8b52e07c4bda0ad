"""Messages that pages may send: commands, the volume and, at the virtual table, its lights and
gestures with cards and cables."""

from typing import Annotated, Literal

import msgspec
from msgspec import Struct

from hub.kernel.reasons import Reason
from hub.ports import MAX_TAG_CHARS
from hub.wire.commands import AnyCommand, PageCommand
from hub.wire.reading import MAX_COMMAND_BYTES, CommandFault, decode_page_command

MAX_MESSAGE_BYTES = MAX_COMMAND_BYTES + 256
"""A command of the maximum size plus its wrapper."""
_MAX_NAME_CHARS = 64


class Gesture(Struct, frozen=True):
    """A hand's action at a simulated reader."""

    do: Literal["place", "lift", "unplug", "replug"]
    reader: str
    tag: str | None
    id: str


class Louder(Struct, frozen=True):
    """Set how loud the table sounds."""

    volume: int
    muted: bool
    id: str


class ShowLights(Struct, frozen=True):
    """Start or stop following the virtual table's lights."""

    on: bool


class Preview(Struct, frozen=True):
    """Ask what a command would change."""

    command: AnyCommand


class Beginning(Struct, frozen=True):
    """Ask what a new player character can begin with."""


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


def decode_message(data: str) -> Beginning | Gesture | Louder | PageCommand | Preview | ShowLights:
    """Decode a page's message. Raises :class:`CommandFault`."""
    try:
        message = msgspec.json.decode(data, type=_Message)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise CommandFault(Reason("not-understood", why=str(error))) from None
    if message.do == "command" or message.do == "preview":  # noqa: PLR1714 - mypy follows this
        command = decode_page_command(bytes(message.command))
        if message.do == "command":
            return command
        if not isinstance(command, AnyCommand):
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
    """Return the id in a message that could not be decoded, so that its sender can match the reply;
    ``""`` if none can be found."""
    try:
        wrapped = msgspec.json.decode(data, type=_Wrapped)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return ""
    return (wrapped.command.id or wrapped.id)[:_MAX_NAME_CHARS]
