"""The Space-Time Deck as data, which card beats which (T1, T2, T4, T5), and how the hub draws from
a deck: chance decides the card and its orientation.

The table commits to the bytes of chance before a player chooses to draw, and publishes them with
the draw, so that anyone can recompute the card:

1. Write down the numbers of the cards in the deck, in ascending order; there are ``n``.
2. Take the SHA-256 of the 32 bytes of chance, the name of the character that draws (UTF-8) and a
   counter (four bytes, big-endian), which begins at 0.
3. Its first two bytes, big-endian, are a number from 0 to 65,535. The limit is the largest multiple
   of ``n`` up to 65,536. If the number is at or above the limit, add one to the counter and repeat
   step 2. Otherwise the number modulo ``n`` is the card's place in the list, from 0.
4. The card is upright if the third byte is even, reversed if it is odd.

Discarding the numbers above the limit makes every card and orientation equally likely."""

from collections.abc import Iterator, Mapping, Sequence, Set
from hashlib import sha256
from itertools import count
from types import MappingProxyType
from typing import Any

from msgspec import Struct


class Card(Struct, frozen=True, order=True):
    """A card of the deck: its number, and whether it lies ``reversed`` (upside down)."""

    number: int
    reversed: bool = False

    def __str__(self) -> str:
        return f"{self.number} {'reversed' if self.reversed else 'upright'}"

    def turned(self) -> "Card":
        """The same card in the other orientation."""
        return Card(self.number, not self.reversed)


class Deck(Struct, frozen=True):
    """The numbers of a deck's cards and what each means.

    ``excuses`` are its Excuses. ``rank_of`` gives each Triumph's rank, from 0, ``attribute_of`` the
    attribute of each attribute card, and ``beaten_by`` the attributes that an attribute beats.
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
        """Whether the card is an Excuse, which beats nothing (T5)."""
        return card.number in self.excuses

    # book: t1.triumph, t1.attributes, t1.same, t2.beats, t5.nothing
    def beats(self, one: Card, other: Card) -> bool:
        """Whether ``one`` beats ``other`` (T1, T2). Orientation does not matter, and an Excuse
        neither beats nor is beaten (T5)."""
        rank = self.rank_of.get(one.number)
        if rank is not None:
            lower = self.rank_of.get(other.number)
            return other.number in self.attribute_of if lower is None else rank > lower
        own = self.attribute_of.get(one.number)
        return own is not None and self.attribute_of.get(other.number) in self.beaten_by[own]

    # book: bidding.broken, t8.no-card
    def beats_all(self, ones: tuple[Card, ...], others: tuple[Card, ...]) -> bool:
        """Whether each card of ``others`` is beaten by a card of ``ones``. False if ``ones`` is
        empty (T8)."""
        return bool(ones) and all(any(self.beats(one, each) for one in ones) for each in others)


# book: at-hand.deck, t1.data
def deck_of(
    excuses: list[int],
    triumphs: list[int],
    attributes: Mapping[str, list[int]],
    beats: Mapping[str, list[str]],
) -> Deck:
    """The deck of these card numbers. ``triumphs`` are listed from the lowest; ``attributes`` maps
    each attribute to its cards, ``beats`` to the attributes that it beats."""
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


WORDS = 0x10000
"""How many values two bytes have, which is also the most cards a deck can have."""


def drawn_card(chance: bytes, who: str, numbers: Sequence[int]) -> Card:
    """The card that ``who`` draws by ``chance`` from a deck. ``numbers`` are the deck's cards, in
    ascending order.

    Raises :class:`ValueError` if the deck is empty or has more than 65,536 cards.
    """
    if not 0 < len(numbers) <= WORDS:
        raise ValueError(f"cannot draw from {len(numbers)} cards")
    for counter in count():
        said = sha256(chance + who.encode() + counter.to_bytes(4, "big")).digest()
        found = card_of(int.from_bytes(said[:2], "big"), said[2], numbers)
        if found is not None:
            return found
    raise AssertionError("counted to the end")


def card_of(word: int, way: int, numbers: Sequence[int]) -> Card | None:
    """The card for a two-byte number, ``word``, and a byte, ``way``: upright if ``way`` is even.
    None if ``word`` is at or above the limit, so that equally many words lead to each card."""
    if word >= WORDS - WORDS % len(numbers):
        return None
    return Card(numbers[word % len(numbers)], way % 2 == 1)


def drawn_from(on: Mapping[str, Any], drawing: Set[str], chance: bytes) -> dict[str, str]:
    """Character → the card that it drew, in written form (``39 upright``).

    ``on``: ``deck``, the numbers of its cards in ascending order, and ``who``, the characters that
    draw, in table order. ``drawing``: those whose choice was to draw. Raises :class:`ValueError` if
    ``on`` is malformed, names other characters than ``drawing``, or has too few cards.
    """
    deck, who = on.get("deck"), on.get("who")
    if on.keys() != {"deck", "who"} or not isinstance(deck, list) or not isinstance(who, list):
        raise ValueError("a card is drawn by somebody from a deck")
    if any(type(number) is not int for number in deck) or deck != sorted({*deck}):
        raise ValueError("a deck is numbers in ascending order")
    if len(who) != len({*who}) or {*who} != drawing:
        raise ValueError("those draw who say so, each once")
    left, drawn = [*deck], {}
    for name in who:
        card = drawn_card(chance, name, left)
        left.remove(card.number)
        drawn[name] = str(card)
    return drawn
