"""A deck that the hub draws from: which card comes, and which way up, by the bytes of chance.

The bytes are committed to before the word is said and shown with it, so that anybody can work the
card out again:

1. Write down the numbers of the cards that are in the deck, in ascending order; there are ``n``.
2. Take the SHA-256 of the 32 bytes of chance, the name of whoever draws (UTF-8) and a counter (four
   bytes, the highest first), which begins at 0.
3. Its first two bytes, the highest first, are a number from 0 to 65,535. The largest multiple of
   ``n`` in 65,536 is the limit: at the limit or above the counter goes up by one, and step 2 is
   done again. Otherwise the rest of dividing by ``n`` is the card's place in the list, from 0.
4. The card lies upright if its third byte is even, reversed if it is odd.

Every card comes up equally often, in either way: what would favour the first ones is left out.
"""

from collections.abc import Sequence
from hashlib import sha256
from itertools import count

from hub.games.tourists.rules.deck import Card

WORDS = 0x10000
"""How many numbers two bytes can be; a deck has no more cards than this."""


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
    """The card that these bytes mean, below ``WORDS`` and below 256; None for a ``word`` that means
    none, so that each card has as many words as every other."""
    if word >= WORDS - WORDS % len(numbers):
        return None
    return Card(numbers[word % len(numbers)], way % 2 == 1)
