"""Browsers that have shown a key: bounded, each role with its end, known by the hash of an id.

They outlive a restart in a file that holds hashes alone. How long one lasts is measured by the time
since the machine was started (:mod:`hub.web.clocks`): a clock that is set locks nobody out.
"""

import math
import secrets
from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from hub.web.clocks import Moment
from hub.web.kept import KeptFileError, read_kept
from hub.web.keys import MAX_KEY_CHARS, TABLE, hash_key

MOST_SESSIONS = 200
_MOST_ROLES = 256
_ID_BYTES = 32
_NAME_BYTES = 8
_Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
_Name = Annotated[str, Meta(pattern=r"^([0-9a-f]{16})?\Z")]
_Role = Annotated[str, Meta(min_length=1, max_length=64)]


class StoredSession(Struct, frozen=True, forbid_unknown_fields=True):
    """A session as it lies in the file."""

    id: _Hash
    ends: Annotated[dict[_Role, float], Meta(max_length=_MOST_ROLES)]
    """Role → when it ends, by the wall clock as it stood when the file was written."""
    name: _Name = ""
    """See :attr:`Session.name`; empty in files of an older version."""


class Stored(Struct, frozen=True, forbid_unknown_fields=True):
    """All that the file holds."""

    sessions: Annotated[tuple[StoredSession, ...], Meta(max_length=MOST_SESSIONS)]
    written: Moment | None = None
    """None in files of an older version."""


class Session:
    """What one browser may open."""

    def __init__(self, name: str = "") -> None:
        self.name = name or secrets.token_hex(_NAME_BYTES)
        """Tells this browser's commands from those of others, over restarts too; opens nothing."""
        self.ends: dict[str, float] = {}
        """Role → the uptime of the machine at which it ends."""

    def end_of(self, role: str) -> float:
        """When this browser's right to ``role`` ends; minus infinity for one that it has not."""
        never = -math.inf
        return max(self.ends.get(role, never), self.ends.get(TABLE, never))


class Sessions:
    """Every session; an old one makes room for a new one when there are too many."""

    def __init__(
        self, lifetime_s: float, clock: Callable[[], Moment], limit: int = MOST_SESSIONS
    ) -> None:
        self._lifetime_s = lifetime_s
        self._clock = clock
        self._limit = limit
        self._sessions: dict[str, Session] = {}
        """By the hash of the id, the one that was opened last at the end."""
        self._closed: set[str] = set()
        """Roles that were taken from everybody since: no file gives them back."""

    def open(self, role: str, known: str = "") -> str:
        """Give ``role`` to the browser with the session ``known``, or to a new one. Returns the
        session's new id: one that somebody knew before the key was shown is worth nothing."""
        session = self.find(known) or Session()
        self._sessions.pop(hash_key(known), None)
        session.ends[role] = self._now + self._lifetime_s
        fresh = secrets.token_urlsafe(_ID_BYTES)
        self._sessions[hash_key(fresh)] = session
        self._make_room()
        return fresh

    def find(self, session: str) -> Session | None:
        """The session with this id."""
        return self._sessions.get(hash_key(session)) if len(session) <= MAX_KEY_CHARS else None

    def opens(self, session: Session, role: str) -> bool:
        """Whether that browser may have ``role`` now."""
        return self._now < session.end_of(role)

    def roles(self, session: Session) -> frozenset[str]:
        """All that it has been let in for, and still may open."""
        now = self._now
        return frozenset(role for role, end in session.ends.items() if now < end)

    def left_s(self, session: Session, role: str) -> float:
        """How long it still may."""
        return max(0.0, session.end_of(role) - self._now)

    def holders(self, role: str) -> frozenset[str]:
        """The names of the sessions that have shown the key of ``role`` itself."""
        now = self._now
        return frozenset(s.name for s in self._sessions.values() if now < s.ends.get(role, now))

    def end(self, role: str) -> None:
        """Take ``role`` from everybody who has it."""
        self._closed.add(role)
        for session in self._sessions.values():
            session.ends.pop(role, None)
        self._forget_ended()

    def stored(self) -> bytes:
        """All that has not ended, as the file holds it."""
        self._forget_ended()
        now = self._clock()
        ahead_s = now.wall_s - now.uptime_s
        found = (
            StoredSession(id_, {role: end + ahead_s for role, end in s.ends.items()}, s.name)
            for id_, s in self._sessions.items()
        )
        return msgspec.json.encode(Stored(tuple(found), now))

    def restore(self, stored: Stored, roles: Collection[str]) -> None:
        """Take over what a file held, as far as there still are such roles. None lasts longer
        than if it had been opened now, whatever the file says, and none ends because the clock is
        earlier than the file."""
        now = self._clock()
        written = stored.written or now
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
        """Of those with the same roles, the kind that there are most of: whoever holds the key of
        one seat cannot push the others out."""
        while len(self._sessions) > self._limit:
            kinds = Counter(frozenset(session.ends) for session in self._sessions.values())
            crowd = kinds.most_common(1)[0][0]
            oldest = next(id_ for id_, s in self._sessions.items() if s.ends.keys() == crowd)
            self._sessions.pop(oldest).ends.clear()


def load_sessions(path: Path) -> Stored:
    """What the file holds; nothing if there is none. Raises :class:`KeptFileError`."""
    data = read_kept(path)
    if data is None:
        return Stored(())
    try:
        return msgspec.json.decode(data, type=Stored)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise KeptFileError("is damaged") from None
