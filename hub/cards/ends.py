"""Cards with a tag at each end: what is wrong with how a deck pairs them.

Both tags bear the same ``of``, the name of their card within its deck.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from hub.games.game import Choice
from hub.kernel.reasons import Reason

ENDS = 2
NAME = re.compile(r"[a-z0-9-]{1,32}")
"""What a card may be called by ``of``."""


class End(Protocol):
    """What a deck says of a tag."""

    @property
    def choice(self) -> Choice:
        """What it means."""

    @property
    def group(self) -> str:
        """Its set."""

    @property
    def of(self) -> str:
        """Its card; empty: the tag is a card of its own."""

    @property
    def in_play(self) -> bool:
        """Whether it counts."""


_E = TypeVar("_E", bound=End)


def paired(ends: Iterable[_E]) -> dict[str, list[_E]]:
    """The tags of each card that has more than one end, by its name."""
    found: dict[str, list[_E]] = {}
    for end in ends:
        if end.of:
            found.setdefault(end.of, []).append(end)
    return found


def end_faults(ends: Iterable[_E]) -> Iterator[tuple[_E, Reason]]:
    """What is wrong, with the last tag of the card that it is wrong with."""
    for name, tags in paired(ends).items():
        if why := _fault(name, tags):
            yield tags[-1], why


def _fault(name: str, tags: Sequence[End]) -> Reason | None:
    if len(tags) != ENDS:
        return Reason("card-ends", of=name, n=len(tags))
    one, other = tags
    if one.choice == other.choice:
        return Reason("ends-alike", of=name, card=str(one.choice))
    if one.group != other.group:
        return Reason("ends-apart", of=name)
    if one.in_play != other.in_play:
        return Reason("ends-struck", of=name)
    return None


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """``wanted``, or with the first number after it that makes it a name of its own."""
    there = {*taken}
    name, n = wanted, 1
    while name in there:
        n += 1
        name = f"{wanted}-{n}"
    return name
