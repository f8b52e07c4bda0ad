"""The participants in a Conflict: parties, their characters' sheets, and their starting values."""

from collections.abc import Iterable

from msgspec import Struct

from hub.games.game import MAX_WORD_CHARS
from hub.games.tourists.rules.deck import Card


# book: establishing-control.attribute, establishing-control.special, using-reserve.secondary
class Sheet(Struct, frozen=True):
    """The part of a character sheet that counts in this Conflict. ``attribute`` is the value of the
    Attribute in use."""

    attribute: int | None
    aspects: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()
    reserve: tuple[Card, ...] = ()
    reserve_max: int = 0
    attribute_name: str = ""


# book: agendas.aims, parties-and-goals.*
class Party(Struct, frozen=True):
    """A party in the Conflict, with its characters' sheets by name. A party with a single sheet is
    its own character, under its own name."""

    name: str
    sheets: dict[str, Sheet]
    goal: str = ""
    gm: bool = False

    # book: establishing-control.sheet, establishing-control.characters
    @property
    def total(self) -> int:
        """The best Attribute, plus the number of Aspects, minus the number of Weaknesses."""
        sheets = self.sheets.values()
        best = max(each.attribute for each in sheets if each.attribute is not None)
        return best + sum(len(each.aspects) - len(each.weaknesses) for each in sheets)

    @property
    def reasons(self) -> Iterable[str]:
        """All Aspects and Weaknesses of the party's characters."""
        return (text for each in self.sheets.values() for text in reasons_of(each))


def reasons_of(sheet: Sheet) -> tuple[str, ...]:
    """The texts that can justify a Reserve Card."""
    return sheet.aspects + sheet.weaknesses


def is_line(text: str, least: int = 1) -> bool:
    """Whether a text is a single printable line without spaces at its ends, so that it can be
    repeated exactly at the table."""
    return least <= len(text) <= MAX_WORD_CHARS and text.isprintable() and text == text.strip()
