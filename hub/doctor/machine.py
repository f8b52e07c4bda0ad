"""Asks the machine: runs its commands, and finds the program that listens at a port.

A command is run without a shell and limited in time; its output is limited in size.
Ref: proc(5), ``/proc/net/tcp`` and ``udp``.
"""

import os
import pwd
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from hub.kernel.reasons import Reason
from hub.readers.causes import ReaderReason, holders_of

_LONGEST_S = 2.0
_MOST_CHARS = 200_000
_MORE_PATHS = "/usr/sbin:/sbin:/usr/bin:/bin"


class Answer(NamedTuple):
    """A command's standard output, and whether the command succeeded."""

    text: str
    done: bool


def asked(*command: str) -> Answer | None:
    """Run a command. Returns None if there is no such program, or if it does not end in time."""
    path = os.environ.get("PATH", "")
    program = shutil.which(command[0], path=f"{path}:{_MORE_PATHS}")
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and nothing of a stranger's in it
            [program, *command[1:]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_LONGEST_S,
            env={**os.environ, "LC_ALL": "C"},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    text = done.stdout[:_MOST_CHARS].decode("utf-8", errors="replace")
    return Answer(text, done.returncode == 0)


def properties(answer: Answer | None) -> dict[str, str]:
    """The ``KEY=value`` lines in the output of systemd's commands; empty for None."""
    if answer is None:
        return {}
    lines = (line.partition("=") for line in answer.text.splitlines())
    return {key: value for key, equals, value in lines if equals}


def user() -> str:
    """The name of the user who runs this process."""
    return user_called(os.geteuid())


def user_called(number: int) -> str:
    """The name of the user with this number, or ``user NUMBER`` if there is none."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


_PROC = Path("/proc/net")
_WAITING = {"tcp": "0A", "udp": "07"}
"""The state in /proc of a socket that waits: listening for TCP, unconnected for UDP."""


def listener(port: int, kind: Literal["tcp", "udp"] = "tcp") -> Reason:
    """The name of the program that listens at the port, or a text that says that it is unknown."""
    for table in (kind, f"{kind}6"):
        with suppress(OSError):
            for line in (_PROC / table).read_text().splitlines()[1:]:
                parts = line.split()
                local = int(parts[1].rpartition(":")[2], 16)
                if parts[3] == _WAITING[kind] and local == port:
                    found = holders_of(f"socket:[{parts[9]}]")
                    if found:
                        return found[0].said
    return ReaderReason("holder-unknown")
