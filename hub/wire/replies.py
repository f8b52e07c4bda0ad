"""Replies to commands: ``{"id": "7", "ok": true, "code": "done", "reason": "", "seq": 42}``"""

from enum import StrEnum

import msgspec
from msgspec import Struct

from hub.kernel.reasons import Reason


class Code(StrEnum):
    """The result of a command, for a page to translate."""

    DONE = "done"
    STALE = "stale"
    """The table has moved on since the sender looked."""
    ILLEGAL = "illegal"
    """The rules or the table do not allow it."""
    MALFORMED = "malformed"
    """The command could not be parsed."""
    BUSY = "busy"
    """The hub is overloaded; the command may be sent again."""
    FAILED = "failed"
    """The hub has an internal fault, or is stopping."""


class Reply(Struct, frozen=True):
    """The reply to a command; ``id`` is the command's."""

    id: str
    ok: bool
    why: Reason | None = None
    """Why the command was not carried out; null if it was."""
    seq: int = 0
    """Number of the last record when the reply was sent."""
    code: Code = Code.DONE
    """The result in one word; ``illegal`` for a refusal without a more specific code."""
    reason: str = ""
    """``why`` as an English sentence; empty if the command was carried out."""

    def __post_init__(self) -> None:
        """Fill in ``code`` and ``reason`` from ``ok`` and ``why``."""
        if not self.ok and self.code is Code.DONE:
            msgspec.structs.force_setattr(self, "code", Code.ILLEGAL)
        if self.why is not None and not self.reason:
            msgspec.structs.force_setattr(self, "reason", str(self.why))


ANOTHERS_ID = Reason("id-used")
