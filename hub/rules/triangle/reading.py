"""Reading JSON values strictly, and naming the place of everything that is wrong.

A place is written as in ``characters.ada.moves[1]``; the document itself is ``$``. Reading goes
on past a fault with a harmless value, so that one reading names every fault; whoever reads must
look at :attr:`Reader.faults` before believing the result.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from hub.rules.game import RulesError

DOCUMENT = "$"
MAX_NUMBER = 9_999
"""Largest whole number: no sheet and no homebrew comes near it."""
MAX_NAME_CHARS = 64
MAX_ITEMS = 256
"""Longest list of names or moves, and most keys of an object."""
_SHOWN_CHARS = 40


class Fault(Struct, frozen=True):
    """Something wrong in a document."""

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


def below(place: str, key: str | int) -> str:
    """The place of a key or of an item (from 0); unprintable keys are shown escaped."""
    if isinstance(key, int):
        return f"{place}[{key}]"
    name = key if is_name(key) else shown(key)
    return name if place == DOCUMENT else f"{place}.{name}"


def shown(value: object) -> str:
    """A value as an error repeats it: on one line of ASCII, and not all of it."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, int) and abs(value) > MAX_NUMBER:
        return "so large a number" if value > 0 else "so low a number"
    text = json.dumps(value, default=ascii)
    return text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + "..."


def is_name(value: object) -> bool:
    """Whether it can be a name: printable, not long, no space at either end."""
    return (
        isinstance(value, str)
        and 0 < len(value) <= MAX_NAME_CHARS
        and value.isprintable()
        and value == value.strip()
    )


class ScriptError(RulesError, ValueError):
    """A document is not valid: ``place`` says where, ``reason`` why."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class Reader:
    """Reads values and collects what is wrong with them."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def check(self) -> None:
        """Raise :class:`ScriptError` with the first fault, if there is one."""
        if self.faults:
            raise ScriptError(self.faults[0].place, self.faults[0].reason)

    def fault(self, place: str, reason: str) -> None:
        """Something is wrong at a place."""
        self.faults.append(Fault(place, reason))

    def table(
        self,
        value: object,
        place: str,
        required: Collection[str] = (),
        optional: Collection[str] | None = None,
    ) -> dict[str, Any]:
        """An object with these keys and no others; any names as keys if ``optional`` is None."""
        if not isinstance(value, Mapping):
            self.fault(place, f"has to be an object, not {shown(value)}")
            return {}
        if len(value) > MAX_ITEMS:
            self.fault(place, f"has more than {MAX_ITEMS} keys")
            return {}
        kept = {}
        for key, item in value.items():
            if optional is None:
                if is_name(key):
                    kept[key] = item
                else:
                    self.fault(below(place, str(key)), "is no name")
            elif key in required or key in optional:
                kept[key] = item
            else:
                known = ", ".join([*required, *optional])
                self.fault(below(place, str(key)), f"unknown key (known: {known})")
        for key in required:
            if key not in kept:
                self.fault(below(place, key), "is missing")
        return kept

    def items(self, value: object, place: str, most: int = MAX_ITEMS) -> list[Any]:
        """A list."""
        if not isinstance(value, list | tuple):
            self.fault(place, f"has to be a list, not {shown(value)}")
            return []
        if len(value) > most:
            self.fault(place, f"has more than {most} items")
            return []
        return list(value)

    def number(self, value: object, place: str) -> int:
        """A whole number from 0; neither ``true`` nor ``1.0`` is one."""
        if type(value) is int and 0 <= value <= MAX_NUMBER:
            return value
        self.fault(place, f"has to be a whole number from 0 to {MAX_NUMBER}, not {shown(value)}")
        return 0

    def flag(self, value: object, place: str) -> bool:
        """True or false."""
        if isinstance(value, bool):
            return value
        self.fault(place, f"has to be true or false, not {shown(value)}")
        return False

    def text(self, value: object, place: str) -> str:
        """A text."""
        if isinstance(value, str):
            return value
        self.fault(place, f"has to be a text, not {shown(value)}")
        return ""
