"""Setting a text in the room that there is: larger first, then smaller, then on more lines."""

from collections.abc import Callable

from msgspec import Struct

from hub.cards.printing.letters import Letters, NoLetter, NoRoom, fitted, letters, plain
from hub.fonts import Font, Weight

LEAST = 2.0
"""Smallest letters of what has to be read, in mm of the em: about 5.7 points."""


class Style(Struct, frozen=True):
    """How a text is set."""

    font: Font
    weight: Weight
    sizes: tuple[float, float]
    """The larger, and the smaller that it may shrink to; in mm."""
    most: int = 1
    """Lines."""

    @property
    def letters(self) -> Letters:
        """Its font."""
        return letters(self.font, self.weight)


class Unprintable(ValueError):
    """Something that cannot be printed: on which card, what, and why."""


def set_text(
    text: str, style: Style, room: Callable[[int, float], float], where: str
) -> tuple[float, list[str]]:
    """Size and lines of a text on the card (or paper) ``where``. ``room(line, size)`` is how much
    room each line has. Raises :class:`Unprintable`."""
    sizes = (max(style.sizes), min(style.sizes))
    try:
        return fitted(plain(text), style.letters, sizes, style.most, room)
    except NoRoom as error:
        raise cannot_fit(where, ascii(text)) from error
    except NoLetter as error:
        raise Unprintable(
            f"{where}: {text!r} has {error.letter!r}, which no font here has; write it in Latin "
            "letters"
        ) from error


def cannot_fit(where: str, what: str) -> Unprintable:
    """What is said where something is too long."""
    return Unprintable(f"{where}: {what} does not fit; shorten it, or take larger cards")


def is_about_letters(error: Unprintable) -> bool:
    """Whether no size would help."""
    return isinstance(error.__cause__, NoLetter)
