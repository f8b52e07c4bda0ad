"""What a virtual table's page may ask for: cards to be moved, cables pulled, commands obeyed."""

from typing import Literal

import msgspec
from msgspec import Struct

from hub.ports import MAX_TAG_CHARS
from hub.wire.commands import AnyCommand, CommandFault, decode_command

MAX_MESSAGE_BYTES = 4096
_MAX_NAME_CHARS = 64


class Deed(Struct, frozen=True):
    """Hands at a reader."""

    do: Literal["place", "lift", "unplug", "replug"]
    reader: str
    tag: str | None
    id: str


class _Message(Struct, frozen=True, forbid_unknown_fields=True):
    do: Literal["place", "lift", "unplug", "replug", "command"]
    id: str = ""
    reader: str = ""
    tag: str | None = None
    command: msgspec.Raw = msgspec.Raw()


def decode_message(data: str) -> Deed | AnyCommand:
    """Read a message of a page. Raises :class:`CommandFault`."""
    try:
        message = msgspec.json.decode(data, type=_Message)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise CommandFault(f"not understood: {error}") from None
    if message.do == "command":
        return decode_command(bytes(message.command))
    if max(len(message.id), len(message.reader)) > _MAX_NAME_CHARS:
        raise CommandFault("not understood: an id and a reader's name have at most 64 characters")
    if message.do == "place" and message.tag is None:
        raise CommandFault("not understood: which card is to be placed?")
    if message.tag is not None and len(message.tag) > MAX_TAG_CHARS:
        raise CommandFault(f"not understood: a tag has at most {MAX_TAG_CHARS} characters")
    return Deed(message.do, message.reader, message.tag, message.id)
