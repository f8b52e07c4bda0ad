"""Sessions of browsers that have shown a key, stored by the hash of their id.

Their number is limited, and each role in them expires. They survive a restart in a file that holds
no ids, only hashes. Lifetimes are measured by the machine's uptime (:mod:`hub.web.clocks`), so
setting the clock locks no player out.
"""

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Collection
from logging import getLogger
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from hub.web.clocks import Moment
from hub.web.kept import KeptFileError, read_kept, write_kept
from hub.web.keys import MAX_KEY_CHARS, TABLE, hash_key
from hub.world import MACHINE, World
from hub.world.disk import DISK, Disk

MOST_SESSIONS = 200
_MOST_ROLES = 256
_ID_BYTES = 32
_NAME_BYTES = 8
_Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
_Name = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}\Z")]
_Role = Annotated[str, Meta(min_length=1, max_length=64)]


class StoredSession(Struct, frozen=True, forbid_unknown_fields=True):
    """A session as stored in the file. ``id``: the hash of its id."""

    id: _Hash
    ends: Annotated[dict[_Role, float], Meta(max_length=_MOST_ROLES)]
    """Role → when it expires, by the wall clock at the time the file was written."""
    name: _Name
    """The session's name: see :attr:`Session.name`."""


class Stored(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the file. ``written``: when it was written."""

    sessions: Annotated[tuple[StoredSession, ...], Meta(max_length=MOST_SESSIONS)]
    written: Moment


def new_name(world: World) -> str:
    """A name for a session that no other has."""
    return world.hex_token(_NAME_BYTES)


class Session:
    """The roles of one browser."""

    def __init__(self, name: str) -> None:
        self.name = name
        """A random name that tells this browser's commands from others', over restarts, too. It
        grants nothing.
        """
        self.ends: dict[str, float] = {}
        """Role → the uptime of the machine at which it expires."""

    def end_of(self, role: str) -> float:
        """When this browser's ``role`` expires, as the machine's uptime; minus infinity if it lacks
        the role.
        """
        never = -math.inf
        return max(self.ends.get(role, never), self.ends.get(TABLE, never))


class Sessions:
    """All sessions, at most ``limit``; beyond that, an old session makes room for a new one."""

    def __init__(
        self,
        lifetime_s: float,
        clock: Callable[[], Moment],
        limit: int = MOST_SESSIONS,
        world: World = MACHINE,
    ) -> None:
        self._lifetime_s = lifetime_s
        self._clock = clock
        self._limit = limit
        self._world = world
        self._sessions: dict[str, Session] = {}
        """Hash of the id → session, the most recently opened last."""
        self._closed: set[str] = set()
        """The roles revoked in this run, which the file must not restore."""

    def open(self, role: str, known: str = "") -> str:
        """Give ``role`` to a browser. Returns its session's new id.

        The browser's previous id, ``known``, becomes invalid, which prevents session fixation.
        """
        session = self.find(known) or Session(new_name(self._world))
        self._sessions.pop(hash_key(known), None)
        session.ends[role] = self._now + self._lifetime_s
        fresh = self._world.url_token(_ID_BYTES)
        self._sessions[hash_key(fresh)] = session
        self._make_room()
        return fresh

    def find(self, session: str) -> Session | None:
        """The session with this id; None if there is none."""
        return self._sessions.get(hash_key(session)) if len(session) <= MAX_KEY_CHARS else None

    def opens(self, session: Session, role: str) -> bool:
        """Whether the session has ``role`` now; the virtual table's role includes every other."""
        return self._now < session.end_of(role)

    def roles(self, session: Session) -> frozenset[str]:
        """The session's roles that have not expired."""
        now = self._now
        return frozenset(role for role, end in session.ends.items() if now < end)

    def left_s(self, session: Session, role: str) -> float:
        """The seconds until ``role`` expires; 0 if the session does not have it."""
        return max(0.0, session.end_of(role) - self._now)

    def holders(self, role: str) -> frozenset[str]:
        """The names of the sessions that have shown the key of ``role`` itself."""
        now = self._now
        return frozenset(s.name for s in self._sessions.values() if now < s.ends.get(role, now))

    def end(self, role: str) -> None:
        """Revoke ``role`` in all sessions."""
        self._closed.add(role)
        for session in self._sessions.values():
            session.ends.pop(role, None)
        self._forget_ended()

    def stored(self) -> bytes:
        """The file's content: the sessions that have not expired."""
        self._forget_ended()
        now = self._clock()
        ahead_s = now.wall_s - now.uptime_s
        found = (
            StoredSession(id_, {role: end + ahead_s for role, end in s.ends.items()}, s.name)
            for id_, s in self._sessions.items()
        )
        return msgspec.json.encode(Stored(tuple(found), now))

    def restore(self, stored: Stored, roles: Collection[str]) -> None:
        """Take over the sessions of a file, with those of ``roles`` that are not revoked.

        No restored session lasts longer than a session opened now, and none expires merely because
        the clock is behind the file's.
        """
        now = self._clock()
        written = stored.written
        passed_s = now.since(written)
        for one in stored.sessions:
            left = {role: end - written.wall_s - passed_s for role, end in one.ends.items()}
            session = self._sessions.setdefault(one.id, Session(one.name))
            session.ends = session.ends or {
                role: now.uptime_s + min(left_s, self._lifetime_s)
                for role, left_s in left.items()
                if role in roles and role not in self._closed
            }
        self._forget_ended()
        self._make_room()

    @property
    def _now(self) -> float:
        return self._clock().uptime_s

    def _forget_ended(self) -> None:
        now = self._now
        for id_, session in tuple(self._sessions.items()):
            session.ends = {role: end for role, end in session.ends.items() if now < end}
            if not session.ends:
                del self._sessions[id_]

    def _make_room(self) -> None:
        """Drop the oldest session of the most common set of roles, so that one key cannot push out
        all sessions.
        """
        while len(self._sessions) > self._limit:
            kinds = Counter(frozenset(session.ends) for session in self._sessions.values())
            crowd = kinds.most_common(1)[0][0]
            oldest = next(id_ for id_, s in self._sessions.items() if s.ends.keys() == crowd)
            self._sessions.pop(oldest).ends.clear()


def load_sessions(path: Path) -> Stored | None:
    """The file's content; None if there is no file. Raises :class:`KeptFileError`."""
    data = read_kept(path)
    if data is None:
        return None
    try:
        return msgspec.json.decode(data, type=Stored)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise KeptFileError("is damaged") from None


log = getLogger(__name__)

_AGAIN_S = 10.0


class Register:
    """Keeps the sessions in a file: reads it once, and writes it after changes. Without a ``path``
    it does nothing.

    A fault is logged, and the file is written again after a while. A file that cannot be read for a
    transient reason is not overwritten before it has been read.
    """

    def __init__(
        self,
        path: Path | None,
        sessions: Sessions,
        roles: Collection[str],
        clock: Callable[[], Moment],
        disk: Disk = DISK,
    ) -> None:
        self._path, self._disk = path, disk
        self._sessions = sessions
        self._roles = roles
        self._clock = clock
        self._written = clock()
        self._writing = asyncio.Lock()
        self._unread = path is not None
        self._again: asyncio.Task[None] | None = None
        self._warned = False
        if path is not None:
            self._read(path)

    async def save(self) -> None:
        """Write the sessions to the file. Never raises."""
        async with self._writing:
            if self._path is None:
                return
            if (self._unread and not self._read(self._path)) or not await self._write(self._path):
                self._again = self._again or asyncio.create_task(self._save_again())

    async def _save_again(self) -> None:
        await asyncio.sleep(_AGAIN_S)
        self._again = None
        await self.save()

    async def keep_time(self) -> None:
        """Rewrite the file if the wall clock was set since it was written."""
        if self._clock().clock_was_set(self._written):
            await self.save()

    async def close(self) -> None:
        """Write pending changes. Idempotent."""
        again = self._again
        if again is not None:
            await self.save()
            again.cancel()
            await asyncio.gather(again, return_exceptions=True)
            self._again = None
        else:
            await self.keep_time()

    def _read(self, path: Path) -> bool:
        """Read the file. Returns whether it may be overwritten from now on."""
        try:
            if (stored := load_sessions(path)) is not None:
                self._sessions.restore(stored, self._roles)
            self._unread = False
        except KeptFileError as error:
            self._unread = error.passing
            self._warn(error)
        return not self._unread

    async def _write(self, path: Path) -> bool:
        data, self._written = self._sessions.stored(), self._clock()
        try:
            await asyncio.to_thread(write_kept, path, data, self._disk)
        except KeptFileError as error:
            self._warn(error)
            return False
        self._warned = False
        return True

    def _warn(self, error: KeptFileError) -> None:
        if not self._warned:
            log.warning(
                "the sessions' file %s %s: pages may ask for their keys again after a restart, and "
                "what was closed may open",
                self._path,
                error,
            )
        self._warned = True
