"""What a command is answered.

``{"id": "7", "ok": true, "code": "done", "reason": "", "seq": 42}``
"""

from enum import StrEnum

import msgspec
from msgspec import Struct

from hub.kernel.reasons import Reason


class Code(StrEnum):
    """What became of a command, for a page to put into its reader's language."""

    DONE = "done"
    STALE = "stale"
    """The table has gone on since the sender looked."""
    ILLEGAL = "illegal"
    """The rules or the table say no."""
    MALFORMED = "malformed"
    """It could not be understood."""
    BUSY = "busy"
    """The hub has too much to do; it may be sent again."""
    FAILED = "failed"
    """A fault of the hub's, or it is stopping."""


class Reply(Struct, frozen=True):
    """The answer to a command."""

    id: str
    ok: bool
    why: Reason | None = None
    """Why not; None when it was done."""
    seq: int = 0
    """Number of the last record when the answer was given."""
    code: Code = Code.DONE
    """What became of it in one word. A refusal that names none is ``illegal``."""
    reason: str = ""
    """``why`` as an English sentence; empty when it was done."""

    def __post_init__(self) -> None:
        """See ``code`` and ``reason``."""
        if not self.ok and self.code is Code.DONE:
            msgspec.structs.force_setattr(self, "code", Code.ILLEGAL)
        if self.why is not None and not self.reason:
            msgspec.structs.force_setattr(self, "reason", str(self.why))


ANOTHERS_ID = Reason("id-used")
