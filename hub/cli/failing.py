"""How a command fails: with a line for each reason, and an exit status.

Only the smallest parts of the standard library are imported here before they are needed: the line
that says that there is too little memory for the rest has to get out.
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
"""How the system's loader and threads say so."""


_LASTING = frozenset({errno.ENAMETOOLONG, errno.ELOOP, errno.EISDIR, errno.ENOTDIR})
"""Faults of a path itself: waiting does not mend them."""


def give_up(*why: str, status: int = UNUSABLE) -> NoReturn:
    """End a command that cannot do what it was asked: one line for each reason."""
    import typer

    from hub.kernel.faults import one_line

    for each in why:
        print(one_line(each), file=sys.stderr)
    raise typer.Exit(status)


def fail(error: Exception, *, may_pass: bool = False) -> NoReturn:
    """End the process with one line for what nobody expected. ``may_pass``: what the system refuses
    a hub, it may grant in a moment, so that systemd is to try again; a path that can never be
    opened is for a person to change."""
    status, line = reason(error)
    print(f"facedown: {line}", file=sys.stderr)
    lasting = getattr(error, "errno", 0) in _LASTING
    sys.exit(FAILED if may_pass and not lasting else status)


def status_of(error: "Faulty | JournalError") -> int:
    """The exit status of a hub whose files cannot be used. If the system could not read one just
    now, systemd is to try again; a mistake in a file is for a person to correct."""
    faults = getattr(error, "faults", ())
    return FAILED if any(fault.may_pass for fault in faults) else UNUSABLE


def reason(error: Exception) -> tuple[int, str]:
    """Exit status and one line for what nobody expected. What an exception says may name a card,
    so of the program's own faults only the place is told."""
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
