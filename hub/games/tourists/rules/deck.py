"""The Space-Time Deck as data, and which card beats which (``RULES.md`` T1, T2, T4, T5)."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct


class Card(Struct, frozen=True, order=True):
    """A card: its number and orientation."""

    number: int
    reversed: bool = False

    def __str__(self) -> str:
        return f"{self.number} {'reversed' if self.reversed else 'upright'}"

    def turned(self) -> "Card":
        """The same card in the other orientation."""
        return Card(self.number, not self.reversed)


class Deck(Struct, frozen=True):
    """The numbers of a deck and their meaning.

    ``attribute_of`` gives the attribute of each attribute card, ``rank_of`` the rank of each
    Triumph, from 0, and ``beaten_by`` the attributes that an attribute beats.
    """

    excuses: frozenset[int]
    rank_of: Mapping[int, int]
    attribute_of: Mapping[int, str]
    beaten_by: Mapping[str, frozenset[str]]

    def __contains__(self, number: object) -> bool:
        return number in self.rank_of or number in self.attribute_of or number in self.excuses

    def __iter__(self) -> Iterator[int]:
        yield from self.excuses
        yield from self.rank_of
        yield from self.attribute_of

    def is_excuse(self, card: Card) -> bool:
        """Whether the card is an Excuse."""
        return card.number in self.excuses

    # book: t1.triumph, t1.attributes, t1.same, t2.beats, t5.nothing
    def beats(self, one: Card, other: Card) -> bool:
        """Whether ``one`` beats ``other``, in any orientation (T1, T2). An Excuse neither beats nor
        is beaten (T5)."""
        rank = self.rank_of.get(one.number)
        if rank is not None:
            lower = self.rank_of.get(other.number)
            return other.number in self.attribute_of if lower is None else rank > lower
        own = self.attribute_of.get(one.number)
        return own is not None and self.attribute_of.get(other.number) in self.beaten_by[own]

    # book: bidding.broken, t8.no-card
    def beats_all(self, ones: tuple[Card, ...], others: tuple[Card, ...]) -> bool:
        """Whether each of ``others`` is beaten by one of ``ones``. False if there are no ``ones``
        (T8)."""
        return bool(ones) and all(any(self.beats(one, each) for one in ones) for each in others)


# book: at-hand.deck, t1.data
def deck_of(
    excuses: list[int],
    triumphs: list[int],
    attributes: Mapping[str, list[int]],
    beats: Mapping[str, list[str]],
) -> Deck:
    """A deck of these cards. Triumphs are listed from the lowest."""
    return Deck(
        frozenset(excuses),
        {number: rank for rank, number in enumerate(triumphs)},
        {number: name for name, all_ in attributes.items() for number in all_},
        {name: frozenset(beats.get(name, ())) for name in attributes},
    )


# book: t4.cards
EXCUSES = (4,)
TRIUMPHS = tuple(range(5, 27))
ATTRIBUTES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "paper": tuple(range(27, 42)),
        "stone": tuple(range(42, 57)),
        "blades": tuple(range(57, 72)),
        "serpent": tuple(range(72, 87)),
    }
)
# book: t1.attributes
BEATS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "blades": ("paper", "serpent"),
        "stone": ("blades", "serpent"),
        "paper": ("stone",),
        "serpent": ("paper",),
    }
)
