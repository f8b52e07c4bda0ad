"""Passes the GM console's key from the setup page to the table that it starts.

The table is a new process. The key goes through a pipe that only this process inherits: never
through a file, an argument or the environment, where others could read it.
"""

import os
import stat
from contextlib import suppress

_NAME = "FACEDOWN_KEY_PIPE"
_MOST_BYTES = 128


def leave_key(key: str) -> None:
    """Leave the key to the program that this process is about to execute."""
    end, begin = os.pipe()
    os.write(begin, key.encode())
    os.close(begin)
    os.set_inheritable(end, True)
    os.environ[_NAME] = str(end)


def take_key() -> str:
    """The key left to this process; empty if there is none, and on a second call."""
    name = os.environ.pop(_NAME, "")
    if not name.isdecimal():
        return ""
    with suppress(OSError, ValueError, OverflowError):
        end = int(name)
        if not stat.S_ISFIFO(os.fstat(end).st_mode):
            return ""
        os.set_blocking(end, False)
        key = os.read(end, _MOST_BYTES)
        os.close(end)
        return key.decode("ascii")
    return ""
