"""Reading values of JSON or TOML strictly, and naming the place of everything that is wrong.

Reading goes on past a fault with a harmless value, so that one reading names every fault; whoever
reads must look at :attr:`Reader.faults` before believing the result.
"""

from collections.abc import Collection, Mapping
from typing import Any

from hub.rules.faults import MAX_NUMBER, Fault, Place, is_name, shown, written
from hub.rules.game import RulesError
from hub.rules.reasons import Reason, together

MAX_ITEMS = 256
"""Longest list of names or moves, and most keys of an object."""


class ScriptError(RulesError, ValueError):
    """A document is not valid. ``faults`` lists everything that is found wrong; the text is one
    line each."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(together(each.said() for each in faults))
        self.faults = faults

    def __str__(self) -> str:
        return "\n".join(f"{written(each.place)}: {each.reason}" for each in self.faults)


class Reader:
    """Reads values and collects what is wrong with them."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def check(self) -> None:
        """Raise :class:`ScriptError` with every fault, if there is one."""
        if self.faults:
            raise ScriptError(*self.faults)

    def fault(self, place: Place, reason: Reason | str) -> None:
        """Something is wrong at a place."""
        self.faults.append(Fault(place, reason))

    def table(
        self,
        value: object,
        place: Place,
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
                    self.fault((*place, str(key)), "is no name")
            elif key in required or key in optional:
                kept[key] = item
            else:
                known = ", ".join([*required, *optional])
                self.fault((*place, str(key)), f"unknown key (known: {known})")
        for key in required:
            if key not in kept:
                self.fault((*place, key), "is missing")
        return kept

    def items(self, value: object, place: Place, most: int = MAX_ITEMS) -> list[Any]:
        """A list."""
        if not isinstance(value, list | tuple):
            self.fault(place, f"has to be a list, not {shown(value)}")
            return []
        if len(value) > most:
            self.fault(place, f"has more than {most} items")
            return []
        return list(value)

    def number(self, value: object, place: Place) -> int:
        """A whole number from 0; neither ``true`` nor ``1.0`` is one."""
        if type(value) is int and 0 <= value <= MAX_NUMBER:
            return value
        self.fault(place, f"has to be a whole number from 0 to {MAX_NUMBER}, not {shown(value)}")
        return 0

    def flag(self, value: object, place: Place) -> bool:
        """True or false."""
        if isinstance(value, bool):
            return value
        self.fault(place, f"has to be true or false, not {shown(value)}")
        return False

    def text(self, value: object, place: Place) -> str:
        """A text."""
        if isinstance(value, str):
            return value
        self.fault(place, f"has to be a text, not {shown(value)}")
        return ""
