"""Dice that the table throws: which faces come, by the bytes of chance.

The bytes are committed to before anybody has chosen and shown with the choices, so that anybody can
throw the dice again:

1. Take the SHA-256 of the 32 bytes of chance, the name of whoever rolls (UTF-8) and a counter (four
   bytes, the highest first), which begins at 0.
2. Go through its 32 bytes, the first one first. A byte of 252 or above is left out; of any other
   the rest of dividing it by six, and one, is the face of the next die.
3. If there are dice left, the counter goes up by one, and it goes on with step 1.

252 is the largest multiple of six in 256: every face comes up equally often.
"""

from collections.abc import Iterator, Mapping, Set
from hashlib import sha256
from itertools import count, islice
from typing import Any

from hub.games.tricube.rules.character import MOST_DICE

FACES = 6
LIMIT = 256 - 256 % FACES


def thrown(chance: bytes, who: str, dice: int) -> tuple[int, ...]:
    """The faces of so many dice that ``who`` rolls by ``chance``."""
    return tuple(islice(_faces(chance, who), dice))


def thrown_by_all(on: Mapping[str, Any], rolling: Set[str], chance: bytes) -> dict[str, list[int]]:
    """Everybody's dice. ``on`` says in ``dice`` how many each has; ``rolling`` are those who have
    said how they go about it, empty where NPCs roll.

    Raises :class:`ValueError` for an ``on`` that no step has.
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
