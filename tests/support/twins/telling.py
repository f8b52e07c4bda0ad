"""Everything that leaves a hub, in its order, each with its moment; and how two tellings differ."""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import accumulate, groupby
from typing import Any, NamedTuple

HASH = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_DIGITS = 64
_LONG = re.compile(rb"[0-9a-f]{64,}")
"""Runs of digits whole, which is quicker to find: those of :data:`_DIGITS` are what :data:`HASH`
finds."""
_AROUND = 160
_TELLTALE = 16
"""So many digits of something hidden are as good as all of it."""
_SOME = re.compile(rb"[0-9a-f]{%d,}" % _TELLTALE)
_WEB_LOG = b"logger=hub.web"


class Said(NamedTuple):
    """``at_ms`` of the table's time, a channel, and the bytes as they left."""

    at_ms: int
    channel: str
    data: bytes


class Framed(NamedTuple):
    """A frame that reached a page's stream; ``asked`` holds the ids of that page's own requests."""

    stream: str
    frame: dict[str, Any]
    asked: frozenset[str]


class Telling:
    """Takes note until the reveal of cards that differ (see :meth:`until_the_reveal`)."""

    def __init__(self) -> None:
        self.said: list[Said] = []
        self.frames: list[Framed] = []
        """Every frame of every page, the last reveal's too."""
        self.now_ms = lambda: 0
        self.reveals = False
        self.over = False
        self.hidden: dict[str, tuple[int, int | None]] = {}
        """What nobody may be told, and from where to where in :attr:`said`: nonces, entropy."""
        self._deaf = 0

    def note(self, channel: str, data: bytes) -> None:
        if not self.over and not self._deaf:
            self.said.append(Said(self.now_ms(), channel, data))

    @contextmanager
    def deaf(self) -> Iterator[None]:
        """What a hub says after it was killed is heard by nobody."""
        self._deaf += 1
        yield
        self._deaf -= 1

    def hide(self, random: str) -> None:
        """Random bytes, in hex, by which somebody could open a seal."""
        assert len(random) >= _TELLTALE, "too few digits to be told from others"
        self.hidden.setdefault(random, (len(self.said), None))

    def show(self, random: str) -> None:
        """From now on everybody may know them."""
        if random in self.hidden:
            self.hidden[random] = (self.hidden[random][0], len(self.said))

    def bared(self) -> str:
        """The first that told something hidden; empty if nothing did. All that was said is gone
        through once, for digits at all, and then for those that were among them."""
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
        """What lies face down now differs: the next reveal ends what has to be the same."""
        self.reveals = True

    def reveal(self) -> None:
        if self.reveals:
            self.note("the reveal", b"")
            self.over = True


def public(said: list[Said]) -> list[Said]:
    """With each hash as the number of its first appearance: seals' digests and what is built on
    them are random, but which of them is the same as which is not."""
    known: dict[bytes, bytes] = {}

    def number(found: "re.Match[bytes]") -> bytes:
        if len(found[0]) != _DIGITS:
            return found[0]
        return known.setdefault(found[0], b"#%062d#" % len(known))

    return [Said(at, where, _LONG.sub(number, data)) for at, where, data in _in_order(said)]


def _in_order(said: list[Said]) -> Iterable[Said]:
    """Pages are told in no order among themselves; each of them in one, and so is the rest."""
    for (_, pages), group in groupby(said, lambda one: (one.at_ms, _of_pages(one))):
        some = [*group]
        yield from sorted(some, key=_place) if pages else some


def _of_pages(one: Said) -> bool:
    return one.channel.startswith("web ") or (one.channel == "log" and _WEB_LOG in one.data)


def _place(one: Said) -> tuple[str, bytes]:
    return one.channel, one.data if one.channel == "log" else b""


def difference(one: Telling, other: Telling) -> str:
    """The first difference, or what must not be told at all; empty if there is neither."""
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
