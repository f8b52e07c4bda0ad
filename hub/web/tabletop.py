"""The top of the virtual table: readers and hands of cards that a page may move.

The daemon's wiring builds one from simulated readers; the pages know only these protocols.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from hub.ports import VirtualField


class HandCard(Struct, frozen=True, omit_defaults=True):
    """A card in a seat's hand, or one end of a card, as its own player sees it."""

    tag: str
    """The id that its tag carries."""
    label: str
    """The text printed on it."""
    kind: str
    """The kind of choice that it makes; see :class:`hub.games.game.Choice`."""
    value: str
    end: str = ""
    """The id of the tag at the card's other end; empty if it has one tag."""


class VirtualTable(Protocol):
    """Simulated readers and the cards beside them."""

    @property
    def readers(self) -> Mapping[str, VirtualField]:
        """Seat → its reader, in the table's order."""
        ...

    def hand(self, seat: str) -> Sequence[HandCard]:
        """The cards of a seat, in the order of its hand."""
        ...

    def deck(self) -> Sequence[HandCard]:
        """The shared cards in the middle: any seat may lay one, by either end. Most tables have
        none."""
        ...


class Tabletop:
    """Moves cards and cables on behalf of pages."""

    def __init__(self, table: VirtualTable) -> None:
        self._table = table
        self._seats = {field.name: seat for seat, field in table.readers.items()}
        self._unplugged: set[str] = set()

    def has(self, reader: str, tag: str | None = None) -> bool:
        """Whether there is such a reader and, if a tag is given, such a card at its seat."""
        seat = self._seats.get(reader)
        if seat is None:
            return False
        cards = (*self._table.hand(seat), *self._table.deck())
        return tag is None or any(card.tag == tag for card in cards)

    def has_seat(self, seat: str) -> bool:
        """Whether this seat has a simulated reader."""
        return seat in self._table.readers

    def do(self, gesture: str, reader: str, tag: str | None) -> None:
        """Do ``place``, ``lift``, ``unplug`` or ``replug``. May block: not for the event loop."""
        field = self._table.readers[self._seats[reader]]
        match gesture:
            case "place":
                self._take_from_elsewhere(tag or "", reader)
                field.place(tag or "")
            case "lift":
                field.lift(tag)
            case "unplug":
                field.unplug()
                self._unplugged.add(reader)
            case "replug":
                field.replug()
                self._unplugged.discard(reader)

    def _take_from_elsewhere(self, tag: str, reader: str) -> None:
        """Lift a shared card from any other reader, with both of its ends: it can be in one place
        only."""
        card = next((card for card in self._table.deck() if card.tag == tag), None)
        for field in self._table.readers.values() if card else ():
            for lying in {*field.tags()} & {tag, card.end if card else ""}:
                if field.name != reader:
                    field.lift(lying)

    def picture(self) -> dict[str, object]:
        """The content of the ``tabletop`` frame."""
        return {
            "type": "tabletop",
            "readers": [
                {
                    "name": field.name,
                    "seat": seat,
                    "tags": list(field.tags()),
                    "plugged": field.name not in self._unplugged,
                }
                for seat, field in self._table.readers.items()
            ],
            "hands": [
                {"seat": seat, "cards": list(self._table.hand(seat))}
                for seat in self._table.readers
            ],
            "deck": list(self._table.deck()),
        }
