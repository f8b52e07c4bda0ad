"""Connection limits: every connection is counted, and room is made by fixed rules.

A connection costs a descriptor, and the journal, the readers and the broker need descriptors, too.
So the total is limited, and strangers get only a part of it; the remaining places are reserved for
browsers that have shown a key and for the machine itself. When room is needed, a stranger's
connection that does not follow the table is dropped: from the address that has most such
connections, the one silent for longest.
"""

import resource
from collections import Counter
from enum import Enum
from typing import Protocol

from msgspec import Struct

_HIGHEST_DESCRIPTOR = 1024
"""The limit of select(), by which the readers' threads wait for their serial lines."""
_KEPT, _KEPT_FOR_A_SEAT = 64, 8
"""The descriptors kept for files, the journal and the broker, and those kept for each seat's
reader.
"""
_FEWEST, _MOST = 20, 800


class Limits(Struct, frozen=True):
    """How many connections each group may have; ``total``: all groups together."""

    total: int
    strangers: int
    """The places for browsers without a key."""
    own: int
    """The additional places for connections from the machine itself."""
    for_a_role: int
    """The places for browsers with a key that have the same roles."""
    address: int
    """The places for one stranger's address, which a whole convention may share."""
    viewers: int
    """How many of the strangers' places may follow the table; ``viewers_at_address``: from one
    address.
    """
    viewers_at_address: int

    @property
    def known(self) -> int:
        """The places for browsers with a key."""
        return self.total - self.strangers - self.own


def limits_of(total: int) -> Limits:
    """Divide ``total`` places between the groups."""
    strangers, own = total * 3 // 5, total // 10
    address = strangers * 3 // 4
    return Limits(
        total=total,
        strangers=strangers,
        own=own,
        for_a_role=max(4, (total - strangers - own) // 4),
        address=address,
        viewers=strangers * 3 // 4,
        viewers_at_address=address * 3 // 4,
    )


def places_on_this_machine(seats: int) -> int:
    """How many connections the process's file descriptors allow, less those that the hub needs."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _HIGHEST_DESCRIPTOR if soft == resource.RLIM_INFINITY else min(soft, _HIGHEST_DESCRIPTOR)
    return max(_FEWEST, min(_MOST, most - _KEPT - _KEPT_FOR_A_SEAT * seats))


class Guest(Enum):
    """The group that a connection counts for. ``OWN``: the machine itself. ``KNOWN``: browsers with
    a key.
    """

    STRANGER = "stranger"
    OWN = "own"
    KNOWN = "known"
    PROXY = "proxy"
    """A proxy named in the configuration, which forwards others' requests."""


class Placed(Protocol):
    """A connection, as :class:`ConnectionLimits` counts it. ``own``: whether it comes from this
    machine.
    """

    address: str
    own: bool
    guest: Guest
    roles: frozenset[str]
    viewer: str | None
    """The address for which the connection counts as a viewer without a key; None if it
    does not.
    """
    streams: bool
    """Whether the connection follows the table, in any role."""

    def drop(self) -> None:
        """Abort the connection at once. The limits call this to make room."""
        ...


class ConnectionLimits:
    """All connections, ordered by when they last sent a request, newest last."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._lines: dict[Placed, None] = {}

    def __len__(self) -> int:
        return len(self._lines)

    def admit(self, line: Placed) -> bool:
        """Make room for a connection, perhaps by dropping another; False if there is no room."""
        if line.guest is Guest.STRANGER:
            strangers = [one for one in self._lines if one.guest is Guest.STRANGER]
            if sum(one.address == line.address for one in strangers) >= self.limits.address:
                if not self._drop_silent(line.address):
                    return False
            elif len(strangers) >= self.limits.strangers:
                if line.own and self._count(Guest.OWN) < self.limits.own:
                    line.guest = Guest.OWN
                elif not self._drop_silent():
                    return False
        if len(self._lines) >= self.limits.total and not self._drop_silent():
            return False
        self._lines[line] = None
        return True

    def leave(self, line: Placed) -> None:
        """Remove a connection that has ended."""
        self._lines.pop(line, None)

    def heard(self, line: Placed, roles: frozenset[str]) -> None:
        """Note that a connection has sent a request; ``roles``: the roles of its browser."""
        if line not in self._lines:
            return
        self._lines[line] = self._lines.pop(line)
        if roles and line.guest in {Guest.STRANGER, Guest.OWN}:
            alike = sum(one.guest is Guest.KNOWN and one.roles == roles for one in self._lines)
            if self._count(Guest.KNOWN) < self.limits.known and alike < self.limits.for_a_role:
                line.guest, line.roles = Guest.KNOWN, roles

    def follow(self, line: Placed, address: str, *, public: bool) -> None:
        """Note that a connection from ``address`` follows the table, without a key if ``public``.

        If there are too many viewers without a key, the newest viewer at this address, or at the
        busiest addresses, is dropped. So a display that was there first stays.
        """
        line.streams = True
        if public and line.guest is not Guest.KNOWN:
            self._make_room_for_viewer(address, self.limits.own // 2 if line.own else 0)
            line.viewer = address

    def _make_room_for_viewer(self, address: str, own: int) -> None:
        viewers = Counter(one.viewer for one in self._lines if one.viewer is not None)
        crowds: set[str | None] = set()
        if viewers[address] >= self.limits.viewers_at_address + own:
            crowds = {address}
        elif viewers.total() >= self.limits.viewers + own:
            most = max(viewers.values())
            crowds = {one for one, count in viewers.items() if count == most}
        if crowds:
            newest = next(one for one in reversed(self._lines) if one.viewer in crowds)
            self.leave(newest)
            newest.drop()

    def _drop_silent(self, address: str | None = None) -> bool:
        """Drop one of the strangers that do not follow the table, the one silent for longest, at
        ``address`` or else at the busiest address. Returns False if there is none.
        """
        silent = [
            one
            for one in self._lines
            if one.guest is Guest.STRANGER and not one.streams and address in {None, one.address}
        ]
        if not silent:
            return False
        crowd = Counter(one.address for one in silent).most_common(1)[0][0]
        victim = next(one for one in silent if one.address == crowd)
        self.leave(victim)
        victim.drop()
        return True

    def _count(self, guest: Guest) -> int:
        return sum(one.guest is guest for one in self._lines)
