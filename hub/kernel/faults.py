"""Places in documents and the faults there, and how both are written for people."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct

from hub.kernel.bounds import NAME
from hub.kernel.reasons import Reason

Place = tuple[str | int, ...]
"""The path to a value: keys, and positions (from 0) in lists. Empty: the whole document."""
MAX_NUMBER = 9_999
"""The largest whole number in a sheet or a homebrew; none comes near it."""
MAX_NAME_CHARS = NAME.most
_SHOWN_CHARS = 40


class Fault(Struct, frozen=True):
    """A fault in a document.

    If the ``reason`` has this place among its values, its sentence names the place itself.
    Otherwise the place is added when the fault is shown.
    """

    place: Place
    reason: Reason
    file: str = ""
    line: int = 0
    """The line, from 1; 0 for the file as a whole."""
    may_pass: bool = False
    """Whether the system could not read the file this time, but may be able to in a moment."""

    def __str__(self) -> str:
        if self.file:
            where = f"{self.file}:{self.line}" if self.line else self.file
            return f"{where}: {self.text}"
        said = self.text if self.place else f"{written(())}: {self.reason}"
        return f"{said} (line {self.line})" if self.line else said

    @property
    def text(self) -> str:
        """The fault and its place in the file, in English."""
        return str(self.said())

    def said(self) -> Reason:
        """The fault and its place in the file, as a reason."""
        reason, place = self.reason, written(self.place)
        if not self.place or reason.values.get("place") == place:
            return reason
        return Reason("at", place=place, why=reason)


class Faulty(ValueError):
    """A document cannot be used. ``faults``: the reasons, by file and line. As a text, a line for
    each."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(*faults)
        self.faults = tuple(sorted(faults, key=_by_line))

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults))


@contextmanager
def noted(faults: list[Fault]) -> Iterator[None]:
    """Add the faults to ``faults`` if the block raises :class:`Faulty`, and continue after the
    block."""
    try:
        yield
    except Faulty as found:
        faults += found.faults


def _by_line(fault: Fault) -> tuple[str, int, str]:
    return fault.file, fault.line, fault.text if fault.file else ""


def written(place: Place) -> str:
    """A place as people write it: ``characters.ada.moves[1]``, or ``$`` for the document."""
    text = ""
    for step in place:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            name = step if is_name(step) else _quoted(step)
            text += f".{name}" if text else name
    return text or "$"


def shown(value: object) -> Reason | str:
    """A value for use in an error message: ASCII, on one line, shortened."""
    if isinstance(value, Mapping):
        return Reason("an-object")
    if isinstance(value, list | tuple):
        return Reason("a-list")
    if isinstance(value, int) and abs(value) > MAX_NUMBER:
        return Reason("so-large") if value > 0 else Reason("so-low")
    return _quoted(value)


def _quoted(value: object) -> str:
    text = json.dumps(value, default=ascii)
    return text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + "..."


def is_name(value: object) -> bool:
    """Whether a value can be a name: printable, not too long, no space at either end."""
    return isinstance(value, str) and NAME.holds(value)


def one_line(text: str) -> str:
    """``text`` with every unprintable character (see :meth:`str.isprintable`) escaped, line breaks
    and lone surrogates among them."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
