"""Browsers that have shown a key: bounded, each role with its end, known by the hash of an id.

They outlive a restart in a file that holds hashes alone. Times are seconds since the Unix epoch.
"""

import os
import secrets
import stat
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from hub.web.keys import MAX_KEY_CHARS, TABLE, hash_key

MOST_SESSIONS = 200
_MOST_ROLES = 256
_MOST_FILE_BYTES = 1 << 20
_ID_BYTES = 32

_Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
_Role = Annotated[str, Meta(min_length=1, max_length=64)]


class StoredSession(Struct, frozen=True, forbid_unknown_fields=True):
    """A session as it lies in the file."""

    id: _Hash
    ends: Annotated[dict[_Role, float], Meta(max_length=_MOST_ROLES)]
    """Role → when it ends."""


class _Stored(Struct, frozen=True, forbid_unknown_fields=True):
    sessions: Annotated[tuple[StoredSession, ...], Meta(max_length=MOST_SESSIONS)]


class Session:
    """What one browser may open."""

    def __init__(self) -> None:
        self.ends: dict[str, float] = {}

    def end_of(self, role: str) -> float:
        """When this browser's right to ``role`` ends; 0 for one that it has not."""
        return max(self.ends.get(role, 0.0), self.ends.get(TABLE, 0.0))


class Sessions:
    """Every session; an old one makes room for a new one when there are too many."""

    def __init__(
        self, lifetime_s: float, clock: Callable[[], float], limit: int = MOST_SESSIONS
    ) -> None:
        self._lifetime_s = lifetime_s
        self._clock = clock
        self._limit = limit
        self._sessions: dict[str, Session] = {}
        """By the hash of the id, the one that was opened last at the end."""

    def open(self, role: str, known: str = "") -> str:
        """Give ``role`` to the browser with the session ``known``, or to a new one. Returns the
        session's new id: one that somebody knew before the key was shown is worth nothing."""
        session = self.find(known) or Session()
        self._sessions.pop(hash_key(known), None)
        session.ends[role] = self._clock() + self._lifetime_s
        fresh = secrets.token_urlsafe(_ID_BYTES)
        self._sessions[hash_key(fresh)] = session
        self._make_room()
        return fresh

    def find(self, session: str) -> Session | None:
        """The session with this id."""
        return self._sessions.get(hash_key(session)) if len(session) <= MAX_KEY_CHARS else None

    def opens(self, session: Session, role: str) -> bool:
        """Whether that browser may have ``role`` now."""
        return self._clock() < session.end_of(role)

    def left_s(self, session: Session, role: str) -> float:
        """How long it still may."""
        return max(0.0, session.end_of(role) - self._clock())

    def end(self, role: str) -> None:
        """Take ``role`` from everybody who has it."""
        for session in self._sessions.values():
            session.ends.pop(role, None)
        self._forget_ended()

    def stored(self) -> bytes:
        """All that has not ended, as the file holds it."""
        self._forget_ended()
        found = [StoredSession(id_, session.ends) for id_, session in self._sessions.items()]
        return msgspec.json.encode(_Stored(tuple(found)))

    def restore(self, stored: Sequence[StoredSession], roles: Collection[str]) -> None:
        """Take over what a file held, as far as there still are such roles. None lasts longer
        than if it had been opened now, whatever the file says."""
        latest = self._clock() + self._lifetime_s
        for one in stored:
            session = self._sessions.setdefault(one.id, Session())
            session.ends = {r: min(end, latest) for r, end in one.ends.items() if r in roles}
        self._forget_ended()
        self._make_room()

    def _forget_ended(self) -> None:
        now = self._clock()
        for id_, session in tuple(self._sessions.items()):
            session.ends = {role: end for role, end in session.ends.items() if now < end}
            if not session.ends:
                del self._sessions[id_]

    def _make_room(self) -> None:
        """Of those with the same roles, the kind that there are most of: whoever holds the key of
        one seat cannot push the others out."""
        while len(self._sessions) > self._limit:
            kinds = Counter(frozenset(session.ends) for session in self._sessions.values())
            crowd = kinds.most_common(1)[0][0]
            oldest = next(id_ for id_, s in self._sessions.items() if s.ends.keys() == crowd)
            self._sessions.pop(oldest).ends.clear()


class SessionFileError(Exception):
    """The file cannot be read or written; the message says why."""


def load_sessions(path: Path) -> tuple[StoredSession, ...]:
    """What the file holds; nothing if there is none. Raises :class:`SessionFileError`."""
    try:
        data = _read(path)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise SessionFileError(f"cannot be read ({error.strerror})") from None
    if len(data) > _MOST_FILE_BYTES:
        raise SessionFileError("is too long")
    try:
        return msgspec.json.decode(data, type=_Stored).sessions
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise SessionFileError("is damaged") from None


def _read(path: Path) -> bytes:
    # O_NONBLOCK: a FIFO in the file's place must not keep the hub from starting.
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            raise SessionFileError("is no plain file")
        if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise SessionFileError("can be written by others")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(_MOST_FILE_BYTES + 1)
    finally:
        os.close(handle)


def save_sessions(path: Path, data: bytes) -> None:
    """Put ``data`` in the file's place, whole or not at all, for the hub's own user alone.

    Raises :class:`SessionFileError`; the old file is then removed if that can be: it may open
    what has been closed since.
    """
    new = path.with_name(f"{path.name}.new")
    try:
        with suppress(FileNotFoundError):
            new.unlink()  # left by a hub that was killed
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        for old in (new, path):
            with suppress(OSError):
                old.unlink()
        raise SessionFileError(f"cannot be written ({error.strerror})") from None
