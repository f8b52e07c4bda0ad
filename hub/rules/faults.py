"""Places in documents, what is wrong there, and how both are written for people."""

import json
from collections.abc import Mapping

from msgspec import Struct

from hub.rules.reasons import Reason, put

Place = tuple[str | int, ...]
"""Where a value stands: the keys that lead to it, and positions (from 0) in lists. Empty: the
document as a whole."""
MAX_NUMBER = 9_999
"""Largest whole number: no sheet and no homebrew comes near it."""
MAX_NAME_CHARS = 64
_SHOWN_CHARS = 40


class Fault(Struct, frozen=True):
    """Something wrong in a document."""

    place: Place
    reason: Reason | str

    def __str__(self) -> str:
        return str(self.said())

    def said(self) -> Reason:
        """What is wrong, and where."""
        if not self.place:
            return put(self.reason)
        return Reason("at", place=written(self.place), why=self.reason)


def written(place: Place) -> str:
    """A place as people write it: ``characters.ada.moves[1]``, ``$`` for the document itself;
    unprintable keys are shown escaped."""
    text = ""
    for step in place:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            name = step if is_name(step) else shown(step)
            text += f".{name}" if text else name
    return text or "$"


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


def one_line(text: str) -> str:
    """``text`` with every line break, control character and lone surrogate as an escape."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
