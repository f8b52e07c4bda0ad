"""Countdowns: named rows of boxes that the GM marks one by one, for everybody to see (R15).

Ref: Countdowns.
"""

import re
from collections.abc import Iterable
from itertools import count
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from hub.games.game import RulesError
from hub.kernel.faults import MAX_NAME_CHARS, is_name, shown
from hub.kernel.reasons import Reason

# book: countdowns.boxes
LEAST_BOXES = 4
# book: countdowns.boxes
MOST_BOXES = 8
MAX_ID_CHARS = 32
MOST_COUNTDOWNS = 32
"""More than a table could show, and any could keep in mind."""
MOST_ERASED = 64
"""How many ids of erased countdowns are remembered."""
_OTHER = re.compile(r"[^a-z0-9]+")


class CountdownView(Struct, frozen=True, kw_only=True):
    """A countdown as everybody sees it."""

    id: str
    """Its name as a topic bears it: ``a-z``, ``0-9`` and hyphen. It stays while it lives."""
    name: str
    boxes: int
    marked: int


class CountdownError(RulesError, ValueError):
    """A countdown cannot be made or changed like this."""


class Countdown(Struct, frozen=True):
    """One countdown; nothing about it is secret."""

    name: str
    boxes: int
    marked: int = 0
    id: str = ""
    """Its name as a topic bears it. It stays while it lives."""

    def __post_init__(self) -> None:
        if not is_name(self.name):
            raise CountdownError(Reason("countdown-name", most=MAX_NAME_CHARS))
        if not LEAST_BOXES <= self.boxes <= MOST_BOXES:
            raise CountdownError(
                Reason(
                    "countdown-boxes",
                    name=self.name,
                    boxes=self.boxes,
                    least=LEAST_BOXES,
                    most=MOST_BOXES,
                )
            )
        if not 0 <= self.marked <= self.boxes:
            raise CountdownError(
                Reason("countdown-marks", name=self.name, marked=self.marked, boxes=self.boxes)
            )

    # book: countdowns.full
    @property
    def full(self) -> bool:
        """Whether it has run out: the GM narrates what comes of it."""
        return self.marked == self.boxes

    # book: countdowns.marked
    def mark(self) -> Self:
        """One more box. Raises :class:`CountdownError` if all are marked."""
        if self.full:
            raise CountdownError(Reason("countdown-full", name=self.name))
        return replace(self, marked=self.marked + 1)

    def unmark(self) -> Self:
        """Take a mark back. Raises :class:`CountdownError` if there is none."""
        if not self.marked:
            raise CountdownError(Reason("countdown-unmarked", name=self.name))
        return replace(self, marked=self.marked - 1)


# book: countdowns.public
class Countdowns(Struct, frozen=True):
    """All countdowns of a story, in the order they were begun; names stand once each."""

    each: tuple[Countdown, ...] = ()
    erased: tuple[str, ...] = ()
    """Ids of countdowns that are gone, the newest last."""

    def __post_init__(self) -> None:
        if len(self.each) > MOST_COUNTDOWNS:
            raise CountdownError(Reason("countdowns-too-many", most=MOST_COUNTDOWNS))
        names: set[str] = set()
        for countdown in self.each:
            if countdown.name in names:
                raise CountdownError(Reason("countdown-there", name=countdown.name))
            names.add(countdown.name)

    def named(self, name: str) -> Countdown:
        """The countdown. Raises :class:`CountdownError` if there is none of that name."""
        for countdown in self.each:
            if countdown.name == name:
                return countdown
        known = [countdown.name for countdown in self.each] or Reason("none")
        raise CountdownError(Reason("no-countdown", name=shown(name), names=known))

    # book: countdowns.several
    def begin(self, name: str, boxes: int) -> Self:
        """One more countdown, without a mark."""
        plain = plain_id(name, [one.id for one in self.each])
        return self._now((*self.each, Countdown(name, boxes, id=plain)))

    def mark(self, name: str) -> Self:
        """Mark a box of one of them."""
        return self._with(name, self.named(name).mark())

    def unmark(self, name: str) -> Self:
        """Take back a mark of one of them."""
        return self._with(name, self.named(name).unmark())

    # book: countdowns.erased
    def erase(self, name: str) -> Self:
        """It was stopped, or it is full and told."""
        self.named(name)
        return self._now(tuple(one for one in self.each if one.name != name))

    def back(self, earlier: "Countdowns") -> "Countdowns":
        """``earlier``, which these were once; what has come since is among what is gone."""
        return self._now(earlier.each)

    def view(self) -> tuple[CountdownView, ...]:
        """As everybody sees them."""
        return tuple(
            CountdownView(id=one.id, name=one.name, boxes=one.boxes, marked=one.marked)
            for one in self.each
        )

    def _now(self, each: tuple[Countdown, ...]) -> Self:
        """These, and of all others that they are gone."""
        ids = {one.id for one in each}
        gone = [one.id for one in self.each if one.id not in ids]
        erased = [each for each in self.erased if each not in {*gone, *ids}]
        return replace(self, each=each, erased=(*erased, *gone)[-MOST_ERASED:])

    def _with(self, name: str, changed: Countdown) -> Self:
        return replace(self, each=tuple(changed if one.name == name else one for one in self.each))


def plain_id(name: str, taken: Iterable[str]) -> str:
    """A name as a topic can bear it, told from others like it by a number."""
    plain = _OTHER.sub("-", name.lower()).strip("-")[:MAX_ID_CHARS].strip("-") or "countdown"
    used = {*taken}
    for number in count(1):
        tail = f"-{number}" if number > 1 else ""
        candidate = plain[: MAX_ID_CHARS - len(tail)] + tail
        if candidate not in used:
            return candidate
    raise AssertionError("numbers do not end")
