"""Runs the machine's own commands, limited in time and size, never in a shell; finds listeners.

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
    """A command's output, and whether it succeeded."""

    text: str
    done: bool


def asked(*command: str) -> Answer | None:
    """Run a command; None if there is none, or if it does not end in time."""
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
    """``KEY=value`` lines as systemd's commands write them; empty without an answer."""
    if answer is None:
        return {}
    lines = (line.partition("=") for line in answer.text.splitlines())
    return {key: value for key, equals, value in lines if equals}


def user() -> str:
    """The user of this process."""
    return user_called(os.geteuid())


def user_called(number: int) -> str:
    """A user's name, or the number."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


_PROC = Path("/proc/net")
_WAITING = {"tcp": "0A", "udp": "07"}
"""The state of a waiting socket: listening for TCP, open for UDP."""


def listener(port: int, kind: Literal["tcp", "udp"] = "tcp") -> Reason:
    """The program that has the port."""
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
