"""Ends a command that fails, with a line for each reason and an exit status.

Only the smallest parts of the standard library are imported at the top, so that a message about too
little memory can still be printed.
"""

import errno
import os
import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from hub.kernel.faults import Faulty
    from hub.ports import JournalError

FAILED = NOT_SOUND = 1
UNUSABLE = 2

_MEMORY = "there is not enough memory for it; close other programs, or raise its limit"
_STARVED = ("can't start new thread", "failed to map segment", "cannot allocate memory")
"""Parts of messages about a lack of memory, from threads and the system's loader; in lower case."""
_LASTING = frozenset({errno.ENAMETOOLONG, errno.ELOOP, errno.EISDIR, errno.ENOTDIR})
"""The error numbers for faults of a path itself. Trying again later does not help against them."""


def give_up(*why: str, status: int = UNUSABLE) -> NoReturn:
    """End a command that cannot do its work: print one line for each reason, and exit with
    ``status``."""
    import typer

    from hub.kernel.faults import one_line

    for each in why:
        print(one_line(each), file=sys.stderr)
    raise typer.Exit(status)


def fail(error: Exception, *, may_pass: bool = False) -> NoReturn:
    """End the process with one line for an unexpected error.

    ``may_pass``: the error may be temporary, so the exit status lets systemd try again, unless the
    error is about a path itself.
    """
    status, line = reason(error)
    print(f"facedown: {line}", file=sys.stderr)
    lasting = getattr(error, "errno", 0) in _LASTING
    sys.exit(FAILED if may_pass and not lasting else status)


def status_of(error: "Faulty | JournalError") -> int:
    """The exit status of a hub whose files cannot be used: 1 if a fault may be temporary, so that
    systemd tries again, else 2."""
    faults = getattr(error, "faults", ())
    return FAILED if any(fault.may_pass for fault in faults) else UNUSABLE


def reason(error: Exception) -> tuple[int, str]:
    """The exit status and one line for an unexpected error.

    For a bug in the program, the line names only the exception's type and its place, because the
    exception's text may name a card.
    """
    starved = (
        isinstance(error, MemoryError | SystemError) or getattr(error, "errno", 0) == errno.ENOMEM
    )
    if starved or any(words in str(error).lower() for words in _STARVED):
        return FAILED, _MEMORY
    if isinstance(error, OSError) and error.strerror:
        file = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        return UNUSABLE, f"{file}{error.strerror}"
    import traceback
    from pathlib import PurePath

    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return FAILED, f"a fault of the program's own: {type(error).__name__}{place}; please report it"
