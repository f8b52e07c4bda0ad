"""Countdowns: named rows of boxes that the GM marks one by one, visible to all (R15).

Ref: Countdowns, of Unroll and both Iron Triangles.
"""

import re
from collections.abc import Iterable
from itertools import count
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from hub.games.game import RulesError, view_of
from hub.kernel.faults import MAX_NAME_CHARS, is_name, shown
from hub.kernel.reasons import Reason

# book: countdowns.boxes
LEAST_BOXES = 4
# book: countdowns.boxes
MOST_BOXES = 8
MAX_ID_CHARS = 32
MOST_COUNTDOWNS = 32
"""The most countdowns in a story: more than a table could show or players remember."""
MOST_ERASED = 64
"""How many ids of erased countdowns are kept."""
_OTHER = re.compile(r"[^a-z0-9]+")


class CountdownView(Struct, frozen=True, kw_only=True):
    """A countdown as the pages and MQTT show it."""

    id: str
    """The name in MQTT topics, made of ``a-z``, ``0-9`` and hyphens. It never changes."""
    name: str
    boxes: int
    marked: int


class CountdownError(RulesError, ValueError):
    """Raised when a countdown cannot be made or changed as asked."""


class Countdown(Struct, frozen=True):
    """A countdown: a name, a row of ``boxes``, and how many of them are ``marked``. All of it is
    public."""

    name: str
    boxes: int
    marked: int = 0
    id: str = ""
    """The name in MQTT topics, which never changes; empty until :meth:`Countdowns.begin` sets
    it."""

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
        """Whether every box is marked, so that the GM narrates the outcome."""
        return self.marked == self.boxes

    # book: countdowns.marked
    def mark(self) -> Self:
        """The countdown with one more box marked. Raises :class:`CountdownError` if all are
        marked."""
        if self.full:
            raise CountdownError(Reason("countdown-full", name=self.name))
        return replace(self, marked=self.marked + 1)

    def unmark(self) -> Self:
        """The countdown with one mark fewer. Raises :class:`CountdownError` if no box is marked."""
        if not self.marked:
            raise CountdownError(Reason("countdown-unmarked", name=self.name))
        return replace(self, marked=self.marked - 1)


# book: countdowns.public
class Countdowns(Struct, frozen=True):
    """All countdowns of a story, in the order they were begun. No two have the same name. Each
    change returns new countdowns, and raises :class:`CountdownError` if it is not possible."""

    each: tuple[Countdown, ...] = ()
    erased: tuple[str, ...] = ()
    """Ids of countdowns that were removed, newest last."""

    def __post_init__(self) -> None:
        if len(self.each) > MOST_COUNTDOWNS:
            raise CountdownError(Reason("countdowns-too-many", most=MOST_COUNTDOWNS))
        names: set[str] = set()
        for countdown in self.each:
            if countdown.name in names:
                raise CountdownError(Reason("countdown-there", name=countdown.name))
            names.add(countdown.name)

    def named(self, name: str) -> Countdown:
        """The countdown with this name. Raises :class:`CountdownError` if there is none."""
        for countdown in self.each:
            if countdown.name == name:
                return countdown
        known = [countdown.name for countdown in self.each] or Reason("none")
        raise CountdownError(Reason("no-countdown", name=shown(name), names=known))

    # book: countdowns.several
    def begin(self, name: str, boxes: int) -> Self:
        """The countdowns with a new one, still unmarked, at the end."""
        plain = plain_id(name, [one.id for one in self.each])
        return self._now((*self.each, Countdown(name, boxes, id=plain)))

    def mark(self, name: str) -> Self:
        """The countdowns after one more box of the countdown ``name`` is marked."""
        return self._with(name, self.named(name).mark())

    def unmark(self, name: str) -> Self:
        """The countdowns after one mark of the countdown ``name`` is taken back."""
        return self._with(name, self.named(name).unmark())

    # book: countdowns.erased
    def erase(self, name: str) -> Self:
        """The countdowns without ``name``, which was stopped or whose end has been narrated."""
        self.named(name)
        return self._now(tuple(one for one in self.each if one.name != name))

    def back(self, earlier: "Countdowns") -> "Countdowns":
        """The countdowns after an undo back to ``earlier``. Those begun since then count as
        erased."""
        return self._now(earlier.each)

    def view(self) -> tuple[CountdownView, ...]:
        """The countdowns as everybody may see them."""
        return tuple(view_of(CountdownView, one) for one in self.each)

    def _now(self, each: tuple[Countdown, ...]) -> Self:
        """Return ``each`` as the new countdowns, which remember the ids of those removed."""
        ids = {one.id for one in each}
        gone = [one.id for one in self.each if one.id not in ids]
        erased = [each for each in self.erased if each not in {*gone, *ids}]
        return replace(self, each=each, erased=(*erased, *gone)[-MOST_ERASED:])

    def _with(self, name: str, changed: Countdown) -> Self:
        return replace(self, each=tuple(changed if one.name == name else one for one in self.each))


def plain_id(name: str, taken: Iterable[str]) -> str:
    """Turn a countdown's name into an id for topics, with a number appended if ``taken`` has the
    id."""
    plain = _OTHER.sub("-", name.lower()).strip("-")[:MAX_ID_CHARS].strip("-") or "countdown"
    used = {*taken}
    for number in count(1):
        tail = f"-{number}" if number > 1 else ""
        candidate = plain[: MAX_ID_CHARS - len(tail)] + tail
        if candidate not in used:
            return candidate
    raise AssertionError("numbers do not end")
