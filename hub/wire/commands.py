"""Commands: what a page, a dashboard or an MQTT client may ask of the table, as JSON, with replies.

``{"id": "7", "command": "decide", "actor": "ada", "choice": "opponent ninja"}`` is answered by
``{"id": "7", "ok": true, "reason": "", "seq": 42}``.
"""

from typing import Any

import msgspec
from msgspec import Struct

from hub.rules.game import Choice, IllegalChoice
from hub.rules.story import AnyWish, parse_deed

MAX_COMMAND_BYTES = 4096
_MAX_ID_CHARS = 64
_MAX_NAME_CHARS = 64


class CommandFault(ValueError):
    """A command that cannot be understood; the message says what and where."""


class Command(Struct, frozen=True, kw_only=True, tag_field="command", forbid_unknown_fields=True):
    """A wish. ``id`` is the sender's, given back in the reply."""

    id: str = ""


class StartScene(Command, frozen=True, kw_only=True, tag="start-scene"):
    """Start a scene: the one that the configuration names or, where it is described here, one
    from the story."""

    scene: AnyWish | None = None


class TellStory(Command, frozen=True, kw_only=True, tag="tell-story"):
    """Do something to the story; ``docs/rules/evening.md`` lists the deeds."""

    deed: str


class AddCharacter(Command, frozen=True, kw_only=True, tag="add-character"):
    """Bring an NPC into the story: one with this sheet, or one more of those there are."""

    sheet: dict[str, Any] | None = None
    """With the keys of a character file; ``docs/rules/characters.md`` lists them. ``ruleset`` and
    ``npc`` may be left out."""
    like: str = ""
    """Without a sheet: an NPC of the story or its reserve, which the new one is like."""
    name: str = ""
    """Without a sheet: what the new one is called."""


class RemoveCharacter(Command, frozen=True, kw_only=True, tag="remove-character"):
    """Take an NPC out of the story that is no longer needed."""

    name: str


class EndScene(Command, frozen=True, kw_only=True, tag="end-scene"):
    """Close the scene, finished or not."""


class Decide(Command, frozen=True, kw_only=True, tag="decide"):
    """Make an open choice or declaration for ``actor`` (``gm``: as referee)."""

    actor: str
    choice: str


class DropSeal(Command, frozen=True, kw_only=True, tag="drop-seal"):
    """Drop an actor's sealed choice."""

    actor: str


class Pause(Command, frozen=True, kw_only=True, tag="pause"):
    """Pause the table."""


class Resume(Command, frozen=True, kw_only=True, tag="resume"):
    """Let the table go on."""


class Undo(Command, frozen=True, kw_only=True, tag="undo"):
    """Go back to right after the last reveal."""


AnyCommand = (
    StartScene
    | EndScene
    | Decide
    | DropSeal
    | Pause
    | Resume
    | Undo
    | TellStory
    | AddCharacter
    | RemoveCharacter
)


class Reply(Struct, frozen=True):
    """The answer to a command."""

    id: str
    ok: bool
    reason: str = ""
    """Why not, for a person; empty when it was done."""
    seq: int = 0
    """Number of the last record when the answer was given."""


def decode_command(data: bytes | str) -> AnyCommand:
    """Read a command. Raises :class:`CommandFault`."""
    if len(data) > MAX_COMMAND_BYTES:
        raise CommandFault(f"a command has at most {MAX_COMMAND_BYTES} bytes")
    try:
        command: AnyCommand = msgspec.json.decode(data, type=AnyCommand)
        if isinstance(command, Decide):
            Choice.parse(command.choice)
        if isinstance(command, TellStory):
            parse_deed(command.deed)
        if isinstance(command, AddCharacter):
            _check_character(command)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, IllegalChoice) as error:
        raise CommandFault(f"not a command: {error}") from None
    names = (getattr(command, key, "") for key in ("actor", "name", "like"))
    if len(command.id) > _MAX_ID_CHARS or any(len(name) > _MAX_NAME_CHARS for name in names):
        raise CommandFault("not a command: its id and names in it have at most 64 characters")
    return command


def _check_character(command: AddCharacter) -> None:
    alike = bool(command.like), bool(command.name)
    if any(alike) if command.sheet is not None else not all(alike):
        raise CommandFault(
            "not a command: add-character has either a sheet, or a name and whom it is like"
        )
