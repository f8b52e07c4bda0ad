"""Commands: what a page, a dashboard or an MQTT client may ask of the table, as JSON, with replies.

``{"id": "7", "command": "decide", "actor": "ada", "choice": "opponent ninja"}`` is answered by
``{"id": "7", "ok": true, "reason": "", "seq": 42}``.
"""

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


AnyCommand = StartScene | EndScene | Decide | DropSeal | Pause | Resume | Undo | TellStory


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
    except (msgspec.MsgspecError, UnicodeError, RecursionError, IllegalChoice) as error:
        raise CommandFault(f"not a command: {error}") from None
    actor = getattr(command, "actor", "")
    if len(command.id) > _MAX_ID_CHARS or len(actor) > _MAX_NAME_CHARS:
        raise CommandFault("not a command: its id and its actor have at most 64 characters")
    return command
