"""Who takes part in a Conflict: parties, their characters' sheets, what they start with."""

from collections.abc import Iterable

from msgspec import Struct

from hub.games.game import MAX_WORD_CHARS
from hub.games.tourists.rules.deck import Card


# book: establishing-control.attribute, establishing-control.special, using-reserve.secondary
class Sheet(Struct, frozen=True):
    """What of a character counts in this Conflict; ``attribute`` is the value of the one used."""

    attribute: int | None
    aspects: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()
    reserve: tuple[Card, ...] = ()
    reserve_max: int = 0
    attribute_name: str = ""


# book: agendas.aims, parties-and-goals.*
class Party(Struct, frozen=True):
    """A side of the Conflict: its characters' sheets by name. One with a sheet of its own is its
    own character, under its own name."""

    name: str
    sheets: dict[str, Sheet]
    goal: str = ""
    gm: bool = False

    # book: establishing-control.sheet, establishing-control.characters
    @property
    def total(self) -> int:
        """The best Attribute, and all Aspects less all Weaknesses."""
        sheets = self.sheets.values()
        best = max(each.attribute for each in sheets if each.attribute is not None)
        return best + sum(len(each.aspects) - len(each.weaknesses) for each in sheets)

    @property
    def reasons(self) -> Iterable[str]:
        """Every Aspect and Weakness of whichever character."""
        return (text for each in self.sheets.values() for text in reasons_of(each))


def reasons_of(sheet: Sheet) -> tuple[str, ...]:
    """What a Reserve Card can be laid for."""
    return sheet.aspects + sheet.weaknesses


def is_line(text: str, least: int = 1) -> bool:
    """Whether a text of people can be said as it is written: a line, with no space at either
    end."""
    return least <= len(text) <= MAX_WORD_CHARS and text.isprintable() and text == text.strip()
