"""Values read from JSON or TOML, and all faults found in them, each with its place.

A faulty value is replaced by a harmless one so that a single pass finds every fault. Readers must
call :meth:`Document.check` before they trust the result.
"""

import codecs
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from hub.kernel.faults import MAX_NUMBER, Fault, Faulty, Place, is_name, shown
from hub.kernel.reasons import Reason

ENCODING = "utf-8-sig"
"""UTF-8; a byte order mark is skipped, which Windows Notepad writes."""
_UTF_16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE
Lines = Callable[[Collection[Place]], Mapping[Place, int]]
MAX_ITEMS = 256
"""The most items of a list of names or moves, and the most keys of an object."""


class Document:
    """The ``values`` of a file or a message, and the ``faults`` found in them.

    ``name`` is the file's name, empty for a message. ``lines`` finds the first line of each of the
    places given to it; it is called only when a line is wanted.
    """

    def __init__(self, values: Any, name: str = "", lines: Lines = lambda wanted: {}) -> None:
        self.values = values
        self.name = name
        self.faults: list[Fault] = []
        self._lines = lines

    def line(self, place: Place) -> int:
        """The line (from 1) of the statement that sets or encloses ``place``; 0 if it is not
        known."""
        return self.lines([place])[0]

    def lines(self, places: Collection[Place]) -> list[int]:
        """The line of each place in ``places``, as from :meth:`line`."""
        known = self._lines(
            {place[:length] for place in places for length in range(1, len(place) + 1)}
        )
        return [
            next((known[at] for n in range(len(place), 0, -1) if (at := place[:n]) in known), 0)
            for place in places
        ]

    def blame(self, place: Place, reason: Reason) -> None:
        """Record a fault at a place."""
        self.faults.append(Fault(place, reason))

    def sound(self, place: Place) -> bool:
        """Whether no fault has been recorded at a place, inside it or around it."""
        return not any(_touch(fault.place, place) for fault in self.faults)

    def blame_beside(self, found: Iterable[Fault]) -> None:
        """Record ``found``, except faults that touch the place of an earlier fault or, if that is
        in a list, the entry around it.

        Such an entry was not read in full, so a second fault in it may be false.
        """
        blamed = [_entry(fault.place) for fault in self.faults]
        for fault in found:
            if not any(_touch(fault.place, place) for place in blamed):
                self.faults.append(fault)

    def placed(self, found: Collection[Fault]) -> list[Fault]:
        """The faults ``found``, each with its file and line."""
        lines = self.lines([fault.place for fault in found])
        pairs = zip(found, lines, strict=True)
        return [Fault(fault.place, fault.reason, self.name, line) for fault, line in pairs]

    def check(self) -> None:
        """Raise :class:`Faulty` with every recorded fault, if there is one."""
        if self.faults:
            raise Faulty(*self.placed(self.faults))

    def refuse(self, place: Place, reason: Reason | None) -> None:
        """If there is a reason, raise :class:`Faulty` with it and every fault recorded before."""
        if reason is not None:
            self.blame(place, reason)
            self.check()

    def table(
        self,
        value: object,
        place: Place,
        required: Collection[str] = (),
        optional: Collection[str] | None = None,
    ) -> dict[str, Any]:
        """Read an object that has every ``required`` key and, besides them, only ``optional`` ones;
        if ``optional`` is None, any keys that are valid names."""
        if not isinstance(value, Mapping):
            self.blame(place, Reason("no-object", value=shown(value)))
            return {}
        if len(value) > MAX_ITEMS:
            self.blame(place, Reason("too-many-keys", most=MAX_ITEMS))
            return {}
        kept = {}
        for key, item in value.items():
            if optional is None:
                if is_name(key):
                    kept[key] = item
                else:
                    self.blame((*place, str(key)), Reason("is-no-name"))
            elif key in required or key in optional:
                kept[key] = item
            else:
                known = [*required, *optional]
                self.blame((*place, str(key)), Reason("no-such-key", keys=known))
        for key in required:
            if key not in kept:
                self.blame((*place, key), Reason("is-missing"))
        return kept

    def items(self, value: object, place: Place, most: int = MAX_ITEMS) -> list[Any]:
        """Read a list of at most ``most`` items; anything else is a fault, and counts as empty."""
        if not isinstance(value, list | tuple):
            self.blame(place, Reason("no-list", value=shown(value)))
            return []
        if len(value) > most:
            self.blame(place, Reason("too-many-items", most=most))
            return []
        return list(value)

    def number(self, value: object, place: Place) -> int:
        """Read a whole number from 0 to ``MAX_NUMBER``. Neither ``true`` nor ``1.0`` is one."""
        if type(value) is int and 0 <= value <= MAX_NUMBER:
            return value
        self.blame(place, Reason("no-whole-number", most=MAX_NUMBER, value=shown(value)))
        return 0

    def flag(self, value: object, place: Place) -> bool:
        """Read true or false; anything else is a fault, and counts as false."""
        if isinstance(value, bool):
            return value
        self.blame(place, Reason("no-flag", value=shown(value)))
        return False

    def text(self, value: object, place: Place) -> str:
        """Read a text that can be encoded again: no lone surrogate such as ``"\\ud800"``."""
        if not isinstance(value, str):
            self.blame(place, Reason("no-text", value=shown(value)))
            return ""
        if any("\ud800" <= each <= "\udfff" for each in value):
            self.blame(place, Reason("no-whole-text", value=shown(value)))
            return ""
        return value


def _entry(place: Place) -> Place:
    """The entry of the outermost list that a place is in; the place itself if there is none."""
    return place[: next((n for n, step in enumerate(place, 1) if isinstance(step, int)), None)]


def _touch(one: Place, other: Place) -> bool:
    """Whether one of the two places contains the other, or they are equal."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def decode_text(data: bytes) -> str:
    """Decode a file's bytes. Raises :class:`UnicodeDecodeError`: see :func:`why_no_text`."""
    return data.decode(ENCODING)


def why_no_text(data: bytes) -> Reason | None:
    """The reason that names UTF-16 if ``data`` begins with its byte order mark; else None.

    Windows Notepad offers UTF-16, and *is not UTF-8* would tell the author nothing.
    """
    return Reason("utf-16") if data.startswith(_UTF_16) else None
