"""A local socket at which a running hub reports its health, and its client.

The socket is beside the journal. The hub's own user, its group and root may ask. A caller sends
nothing; it receives one line of JSON, and the connection ends.

Ref: unix(7): connecting requires write permission on the socket's file.
"""

import asyncio
import errno
import os
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from logging import getLogger
from pathlib import Path
from typing import Self, TypeVar

import msgspec

from hub.kernel.called import called
from hub.wire.health import Health, read_health

log = getLogger(__name__)

T = TypeVar("T")
_Identity = tuple[int, int]
"""Identity of a file: its device and inode."""
ANSWER_S = 2.0
"""How long sending an answer may take, and waiting for one (s)."""
_MOST_CALLERS = 8
_MOST_BYTES = 256 * 1024
_OUR_GROUP = 0o660
_MOST_NAME_BYTES = 107
"""Longest socket name, without its terminating zero (unix(7))."""


def socket_of(journal: Path) -> Path:
    """The path of the socket for this journal's hub."""
    return journal.with_name(f"{journal.name}.status")


@contextmanager
def _near(path: Path) -> Iterator[str]:
    """The path as a socket's name. Longer paths than 107 bytes go through a descriptor of the
    folder, so the name is valid only within this context."""
    if len(os.fsencode(path)) <= _MOST_NAME_BYTES:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


class LocalSocket:
    """Answers callers at ``path`` while the context is open. A problem with the socket only costs a
    line in the log, because the table plays without it. ``tell`` returns the answer's line,
    ``mode`` are the socket's permissions, ``command`` is the client's name in messages."""

    def __init__(self, path: Path, tell: Callable[[], bytes], mode: int, command: str) -> None:
        self._path, self._tell = path, tell
        self._mode, self._command = mode, command
        self._server: asyncio.Server | None = None
        self._own: _Identity | None = None
        self._callers = 0

    async def __aenter__(self) -> Self:
        try:
            listening = self._listening()
            try:
                # Not start_unix_server: from Python 3.13 on that looks for a file by the name that
                # the socket was bound to, and that name may mean another file by now.
                self._server = await asyncio.start_server(self._answer, sock=listening)
            except BaseException:
                listening.close()
                self._unlink()
                raise
        except OSError as error:
            why = error.strerror or error
            log.warning("%s cannot ask this hub: %s: %s", self._command, self._path, why)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
            self._unlink()

    def _listening(self) -> socket.socket:
        """The listening socket, replacing one left by a killed hub. Raises :class:`OSError`."""
        with suppress(FileNotFoundError):
            if not stat.S_ISSOCK(self._path.lstat().st_mode):
                raise FileExistsError(errno.EEXIST, "something else lies there; move it away")
            self._path.unlink()
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with _near(self._path) as near:
                listening.bind(near)
            self._own = _identity(self._path)
            self._path.chmod(self._mode)  # no connection is possible before it listens
        except BaseException:
            listening.close()
            self._unlink()
            raise
        return listening

    def _unlink(self) -> None:
        """Remove the socket's file, unless another file has replaced it."""
        with suppress(OSError):
            if self._own is not None and _identity(self._path) == self._own:
                self._path.unlink()

    async def _answer(self, _: asyncio.StreamReader, caller: asyncio.StreamWriter) -> None:
        if self._callers >= _MOST_CALLERS:
            caller.transport.abort()
            return
        self._callers += 1
        try:
            async with asyncio.timeout(ANSWER_S):
                caller.write(self._tell() + b"\n")
                await caller.drain()
                caller.close()
                await caller.wait_closed()
        except (TimeoutError, OSError):
            caller.transport.abort()
        finally:
            self._callers -= 1


def _identity(path: Path) -> _Identity:
    found = path.lstat()
    return found.st_dev, found.st_ino


class StatusSocket(LocalSocket):
    """Answers with the health of this journal's hub."""

    def __init__(self, journal: Path, tell: Callable[[], bytes]) -> None:
        super().__init__(socket_of(journal), tell, _OUR_GROUP, f"{called()} status")


class NotAnswered(Exception):
    """The hub gave no usable answer. ``why``: ``nobody`` (no hub), ``closed`` (no permission),
    ``hangs``, or ``other`` (an answer that this version cannot parse)."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def ask(journal: Path) -> Health:
    """The health of this journal's hub. Raises :class:`NotAnswered`."""
    return read_as(said_at(socket_of(journal)), read_health)


def said_at(path: Path) -> bytes:
    """The line received from the socket at ``path``. Raises :class:`NotAnswered`."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(ANSWER_S)
        try:
            with _near(path) as near:
                line.connect(near)
            found = b""
            while (more := line.recv(65536)) and len(found) < _MOST_BYTES:
                found += more
        except PermissionError:
            raise NotAnswered("closed") from None
        except TimeoutError:
            raise NotAnswered("hangs") from None
        except OSError:
            raise NotAnswered("nobody") from None
    return found


def read_as(found: bytes, read: Callable[[bytes], T]) -> T:
    """The line ``found``, parsed by ``read``. Raises :class:`NotAnswered`."""
    try:
        return read(found)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise NotAnswered("other" if found else "hangs") from None
