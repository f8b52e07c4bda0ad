"""A deck that the hub draws from: chance decides the card and its orientation.

The table commits to the bytes of chance before the word is said, and publishes them with it, so
that anyone can recompute the card:

1. Write down the numbers of the cards in the deck, in ascending order; there are ``n``.
2. Take the SHA-256 of the 32 bytes of chance, the name of the character that draws (UTF-8) and a
   counter (four bytes, big-endian), which begins at 0.
3. Its first two bytes, big-endian, are a number from 0 to 65,535. The limit is the largest multiple
   of ``n`` up to 65,536. If the number is at or above the limit, add one to the counter and repeat
   step 2. Otherwise the number modulo ``n`` is the card's place in the list, from 0.
4. The card is upright if the third byte is even, reversed if it is odd.

Discarding the numbers above the limit makes every card and orientation equally likely.
"""

from collections.abc import Mapping, Sequence, Set
from hashlib import sha256
from itertools import count
from typing import Any

from hub.games.tourists.rules.deck import Card

WORDS = 0x10000
"""How many values two bytes have; the size limit of a deck."""


def drawn_card(chance: bytes, who: str, numbers: Sequence[int]) -> Card:
    """The card that ``who`` draws by ``chance`` from a deck of these numbers, in ascending order.

    Raises :class:`ValueError` for an empty deck, or one of more than 65,536 cards.
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
    """The card for a ``word`` below ``WORDS`` and a ``way`` below 256. None for a ``word`` above
    the limit, so that each card has equally many words."""
    if word >= WORDS - WORDS % len(numbers):
        return None
    return Card(numbers[word % len(numbers)], way % 2 == 1)


def drawn_from(on: Mapping[str, Any], drawing: Set[str], chance: bytes) -> dict[str, str]:
    """The card each character drew, in written form.

    ``on`` has the numbers of the cards in the ``deck``, in ascending order, and ``who`` draws, in
    table order. ``drawing`` are the characters whose choice was to draw. Raises :class:`ValueError`
    if ``on`` does not fit.
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
