"""Commands as JSON: parsed from any channel, within limits; a card is sealed at once.

A command is an object such as ``{"id": "7", "command": "decide", "actor": "ada", "choice":
"opponent ninja"}``. The commands are those of :mod:`hub.table.acts`; :mod:`hub.wire.replies` has
the answers. A page may also send a card to be sealed. No other channel may, because hidden cards
must never reach a broker.
"""

from typing import Any, Union

import msgspec

from hub.games.game import Choice, IllegalChoice
from hub.kernel.reasons import Reason
from hub.table import acts
from hub.table.inputs import Command, CommandFault
from hub.table.sealed import Sealed

MAX_COMMAND_BYTES = 8192
_MAX_ID_CHARS = 64
_MAX_NAME_CHARS = 64
_NAMES = ("actor", "name", "like", "seat")


def meaning(command: Command) -> bytes:
    """The content of a command, independent of its encoding, ``id`` and ``version``. May contain a
    card: use it only for comparison and digests."""
    asked = msgspec.structs.replace(command.plain(), id="", version=None)
    return msgspec.json.encode(asked, order="sorted", enc_hook=lambda card: str(card.unseal()))


def decode_command(data: bytes | str) -> Command:
    """Parse a command from any channel. Raises :class:`CommandFault`."""
    command = decode_page_command(data)
    if command.page_only:
        raise CommandFault(Reason("no-sealed-here"))
    return command


def decode_page_command(data: bytes | str) -> Command:
    """Parse a page's command, sealing its card. Raises :class:`CommandFault`, without the card."""
    if len(data) > MAX_COMMAND_BYTES:
        raise CommandFault(Reason("command-too-long", most=MAX_COMMAND_BYTES))
    try:
        command: Command = _DECODER.decode(data)
        command.plain()
    except (msgspec.MsgspecError, UnicodeError, RecursionError, IllegalChoice) as error:
        why = error.reason if isinstance(error, IllegalChoice) else str(error)
        raise CommandFault(Reason("no-command", why=why)) from None
    names = [getattr(command, key, "") for key in _NAMES]
    names += getattr(command, "actors", ())
    if len(command.id) > _MAX_ID_CHARS or any(len(name) > _MAX_NAME_CHARS for name in names):
        raise CommandFault(Reason("command-names-too-long"))
    return command


def _sealed(_: type, given: Any) -> Sealed[Choice]:
    """Seal a command's card as soon as it is decoded."""
    if not isinstance(given, str):
        raise IllegalChoice(Reason("card-form"))
    return Sealed(Choice.parse(given))


_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(
    Union[acts.COMMANDS],  # noqa: UP007  (made of a tuple)
    dec_hook=_sealed,
)
