"""Fits a text into the available room: large first, then smaller, then on more lines."""

from collections.abc import Callable

from msgspec import Struct

from hub.cards.printing.letters import Letters, NoRoom, fitted, letters, plain
from hub.fonts import Font, Weight

LEAST = 2.47
"""Smallest size of text that players have to read, in mm of the em: 7 points."""


class Style(Struct, frozen=True):
    """How a text is set."""

    font: Font
    weight: Weight
    sizes: tuple[float, float]
    """The largest and the smallest size to try, in mm."""
    most: int = 1
    """Most lines."""
    breaks: bool = False
    """Whether a word may be broken as a last resort."""

    @property
    def letters(self) -> Letters:
        """Its font."""
        return letters(self.font, self.weight)


class Unprintable(ValueError):
    """A text that cannot be printed: on which card, which text, and why."""


def set_text(
    text: str, style: Style, room: Callable[[int, float], float], where: str
) -> tuple[float, list[str]]:
    """Size and lines of a text on the card (or paper) ``where``.

    ``room(line, size)`` returns the room for each line. Raises :class:`Unprintable`.
    """
    sizes = (max(style.sizes), min(style.sizes))
    try:
        return fitted(plain(text), style.letters, sizes, style.most, room, breaks=style.breaks)
    except NoRoom as error:
        raise cannot_fit(where, ascii(text)) from error


def cannot_fit(where: str, what: str) -> Unprintable:
    """The error for a text that is too long."""
    return Unprintable(f"{where}: {what} does not fit; shorten it, or take larger cards")


def set_name(
    name: str, style: Style, room: Callable[[int, float], float], where: str
) -> tuple[float, list[str]]:
    """Like :func:`set_text`, for a name: shortened if there is too little room.

    So one long name does not keep the rest from being printed.
    """
    for most in range(len(name), 0, -1):
        shown = name if most == len(name) else f"{name[:most].rstrip()}…"
        try:
            return set_text(shown, style, room, where)
        except Unprintable:
            continue
    return set_text(name, style, room, where)
