"""Everything that leaves a hub, in order and with its time; and how two such recordings differ."""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import accumulate, groupby
from typing import Any, NamedTuple

import msgspec

HASH = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_DIGITS = 64
_LONG = re.compile(rb"[0-9a-f]{64,}")
"""Whole runs of digits: faster than :data:`HASH`, which matches the runs of :data:`_DIGITS`."""
_AROUND = 160
_TELLTALE = 16
"""This many digits of a secret count as a leak of all of it."""
_SOME = re.compile(rb"[0-9a-f]{%d,}" % _TELLTALE)
_WEB_LOG = b"logger=hub.web"


class Said(NamedTuple):
    """One message: ``at_ms`` of the table's time, a channel, and the bytes as they left."""

    at_ms: int
    channel: str
    data: bytes


class Framed(NamedTuple):
    """A frame that reached a page's stream. ``asked``: whether it answers that page's request."""

    stream: str
    data: bytes
    asked: bool

    @property
    def frame(self) -> dict[str, Any]:
        return msgspec.json.decode(self.data, type=dict[str, Any])


class Telling:
    """Records until the reveal of cards that differ (see :meth:`until_the_reveal`)."""

    def __init__(self) -> None:
        self.said: list[Said] = []
        self.frames: list[Framed] = []
        """Every frame of every page, including the last reveal's."""
        self.now_ms = lambda: 0
        self.reveals = False
        self.over = False
        self.hidden: dict[str, tuple[int, int | None]] = {}
        """Secrets (nonces, entropy), each with the range of :attr:`said` in which it must not
        appear.
        """
        self._deaf = 0

    def note(self, channel: str, data: bytes) -> None:
        if not self.over and not self._deaf:
            self.said.append(Said(self.now_ms(), channel, data))

    @contextmanager
    def deaf(self) -> Iterator[None]:
        """Ignore what a hub says after it was killed."""
        self._deaf += 1
        yield
        self._deaf -= 1

    def hide(self, random: str) -> None:
        """Register random bytes, in hex, that could open a seal."""
        assert len(random) >= _TELLTALE, "too few digits to be told from others"
        self.hidden.setdefault(random, (len(self.said), None))

    def show(self, random: str) -> None:
        """Allow these bytes to appear from now on."""
        if random in self.hidden:
            self.hidden[random] = (self.hidden[random][0], len(self.said))

    def bared(self) -> str:
        """The first message that leaked a secret; empty if none did.

        Scans all messages once for digits, then only for the secrets whose digits occur.
        """
        starts = [0, *accumulate(len(one.data) for one in self.said)]
        told = b"".join(one.data for one in self.said).lower()
        runs = set(_SOME.findall(told))
        found = {run[n : n + _TELLTALE] for run in runs for n in range(len(run) - _TELLTALE + 1)}
        for random, (since, until) in self.hidden.items():
            if random[:_TELLTALE].encode() not in found:
                continue
            to = starts[len(self.said) if until is None else until]
            at = told.find(random[:_TELLTALE].encode(), starts[since], to)
            if at >= 0:
                return f"told before its time: {random} in {self.said[bisect(starts, at) - 1]}"
        return ""

    def until_the_reveal(self) -> None:
        """Mark the face-down cards as different: only messages before the next reveal must be the
        same.
        """
        self.reveals = True

    def reveal(self) -> None:
        if self.reveals:
            self.note("the reveal", b"")
            self.over = True


def public(said: list[Said]) -> list[Said]:
    """Replace each hash by the number of its first appearance.

    Digests of seals, and hashes built on them, are random; which of them are equal is not.
    """
    known: dict[bytes, bytes] = {}

    def number(found: "re.Match[bytes]") -> bytes:
        if len(found[0]) != _DIGITS:
            return found[0]
        return known.setdefault(found[0], b"#%062d#" % len(known))

    return [Said(at, where, _LONG.sub(number, data)) for at, where, data in _in_order(said)]


def _in_order(said: list[Said]) -> Iterable[Said]:
    """Sort messages to pages within one moment, where only the order per page is defined."""
    for (_, pages), group in groupby(said, lambda one: (one.at_ms, _of_pages(one))):
        some = [*group]
        yield from sorted(some, key=_place) if pages else some


def _of_pages(one: Said) -> bool:
    return one.channel.startswith("web ") or (one.channel == "log" and _WEB_LOG in one.data)


def _place(one: Said) -> tuple[str, bytes]:
    return one.channel, one.data if one.channel == "log" else b""


def difference(one: Telling, other: Telling) -> str:
    """The first difference, or the first leak; empty if there is neither."""
    first, second = public(one.said), public(other.said)
    for a, b in zip(first, second, strict=False):
        if a != b:
            return f"{_told(a, b)}\n{_told(b, a)}"
    if len(first) != len(second):
        longer = max(first, second, key=len)
        return f"only one says: {longer[min(len(first), len(second))]}"
    return one.bared() or other.bared()


def _told(this: Said, that: Said) -> str:
    pairs = zip(this.data, that.data, strict=False)
    at = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(this.data), len(that.data)))
    return f"{this.at_ms} {this.channel} …{this.data[max(0, at - _AROUND) : at + _AROUND]!r}"
