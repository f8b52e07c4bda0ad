"""Dice that the table throws: the bytes of chance decide the faces.

The table commits to the bytes before any choice is made, and publishes them with the choices, so
that anyone can recompute the dice:

1. Take the SHA-256 of the 32 bytes of chance, the name of the character that rolls (UTF-8) and a
   counter (four bytes, big-endian), which begins at 0.
2. Go through the 32 bytes of the result in order. Skip a byte of 252 or above. For any other, the
   byte modulo six, plus one, is the face of the next die.
3. If more dice are needed, add one to the counter and go to step 1.

252 is the largest multiple of six up to 256, so every face is equally likely.
"""

from collections.abc import Iterator, Mapping, Set
from hashlib import sha256
from itertools import count, islice
from typing import Any

from hub.games.tricube.rules.character import MOST_DICE

FACES = 6
LIMIT = 256 - 256 % FACES


def thrown(chance: bytes, who: str, dice: int) -> tuple[int, ...]:
    """The faces of the dice that ``who`` rolls by ``chance``; ``dice`` is their number."""
    return tuple(islice(_faces(chance, who), dice))


def thrown_by_all(on: Mapping[str, Any], rolling: Set[str], chance: bytes) -> dict[str, list[int]]:
    """Roller → the faces of its dice.

    ``on["dice"]`` has the number of dice for each roller. ``rolling`` are the characters that chose
    an approach; empty if NPCs roll. Raises :class:`ValueError` if ``on`` is malformed or names
    other rollers.
    """
    counts = on.get("dice")
    if on.keys() != {"dice"} or not isinstance(counts, dict):
        raise ValueError("dice are thrown by somebody")
    if any(type(n) is not int or not 1 <= n <= MOST_DICE for n in counts.values()):
        raise ValueError(f"one to {MOST_DICE} dice are thrown at once")
    if not counts or (rolling and {*rolling} != {*counts}):
        raise ValueError("those throw who say so")
    return {who: [*thrown(chance, who, counts[who])] for who in counts}


def _faces(chance: bytes, who: str) -> Iterator[int]:
    for counter in count():
        said = sha256(chance + who.encode() + counter.to_bytes(4, "big")).digest()
        yield from (byte % FACES + 1 for byte in said if byte < LIMIT)
