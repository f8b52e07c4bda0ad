"""Parse commands from any channel, within limits; a card is sealed at once."""

from typing import Any

import msgspec

from hub.games.game import MAX_TOLD_CHARS, Choice, IllegalChoice
from hub.games.story import parse_deed
from hub.kernel.reasons import Reason
from hub.table.sealed import Sealed
from hub.wire.commands import (
    AddCharacter,
    AnyCommand,
    Commit,
    Decide,
    LetHubPlay,
    PageCommand,
    TakeBack,
    TellStory,
    Withdraw,
)

MAX_COMMAND_BYTES = 8192
_MAX_ID_CHARS = 64
_MAX_NAME_CHARS = 64


class CommandFault(ValueError):
    """A malformed command; ``reason`` says what is wrong and where."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def meaning(command: PageCommand) -> bytes:
    """The content of a command, independent of its encoding, ``id`` and ``version``. May contain a
    card: use it only for comparison and digests."""
    changes: dict[str, Any] = {"id": "", "version": None}
    if isinstance(command, Decide):
        changes["choice"] = str(Choice.parse(command.choice, MAX_TOLD_CHARS))
    elif isinstance(command, TellStory) and isinstance(command.deed, str):
        changes["deed"] = str(parse_deed(command.deed))
    asked = msgspec.structs.replace(command, **changes)
    return msgspec.json.encode(asked, order="sorted", enc_hook=lambda card: str(card.unseal()))


def decode_command(data: bytes | str) -> AnyCommand:
    """Parse a command from any channel. Raises :class:`CommandFault`."""
    command = decode_page_command(data)
    if isinstance(command, Commit | TakeBack | Withdraw):
        raise CommandFault(Reason("no-sealed-here"))
    return command


def decode_page_command(data: bytes | str) -> PageCommand:
    """Parse a command from a page; a card is sealed at once. Raises :class:`CommandFault`, which
    never names a card."""
    if len(data) > MAX_COMMAND_BYTES:
        raise CommandFault(Reason("command-too-long", most=MAX_COMMAND_BYTES))
    try:
        command: PageCommand = msgspec.json.decode(data, type=PageCommand, dec_hook=_sealed)
        if isinstance(command, TellStory) and isinstance(command.deed, str):
            parse_deed(command.deed)
        if isinstance(command, AddCharacter):
            _check_character(command)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, IllegalChoice) as error:
        why = error.reason if isinstance(error, IllegalChoice) else str(error)
        raise CommandFault(Reason("no-command", why=why)) from None
    if isinstance(command, Decide):
        try:
            Choice.parse(command.choice, MAX_TOLD_CHARS)
        except IllegalChoice as illegal:
            raise CommandFault(illegal.reason) from None
    names = [getattr(command, key, "") for key in ("actor", "name", "like", "seat")]
    if isinstance(command, LetHubPlay):
        names += command.actors
    if len(command.id) > _MAX_ID_CHARS or any(len(name) > _MAX_NAME_CHARS for name in names):
        raise CommandFault(Reason("command-names-too-long"))
    return command


def _sealed(_: type, given: Any) -> Sealed[Choice]:
    """Seal the card of a :class:`Commit` or :class:`Withdraw` as soon as it is decoded."""
    if not isinstance(given, str):
        raise IllegalChoice(Reason("card-form"))
    return Sealed(Choice.parse(given))


def _check_character(command: AddCharacter) -> None:
    alike = bool(command.like), bool(command.name)
    written = (command.sheet is not None) + bool(command.toml)
    if written > 1 or (any(alike) if written else not all(alike)):
        raise CommandFault(Reason("character-form"))
