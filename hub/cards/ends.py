"""Cards with a tag at each end: faults in how a deck pairs them.

Both tags bear the same ``of``, the name of their card within its deck.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from hub.games.game import Choice
from hub.kernel.reasons import Reason

ENDS = 2
NAME = re.compile(r"[a-z0-9-]{1,32}")
"""The form of a card's name in ``of``."""


class End(Protocol):
    """A deck's entry for a tag."""

    @property
    def choice(self) -> Choice:
        """Its meaning."""

    @property
    def group(self) -> str:
        """Its set."""

    @property
    def of(self) -> str:
        """The name of its card; empty if the tag is the card's only one."""

    @property
    def in_play(self) -> bool:
        """Whether it counts."""


_E = TypeVar("_E", bound=End)


def paired(ends: Iterable[_E]) -> dict[str, list[_E]]:
    """The tags of each card with more than one end, by the card's name."""
    found: dict[str, list[_E]] = {}
    for end in ends:
        if end.of:
            found.setdefault(end.of, []).append(end)
    return found


def end_faults(ends: Iterable[_E]) -> Iterator[tuple[_E, Reason]]:
    """Each fault, with the last tag of its card."""
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
    """``wanted``, followed by a number if the name is already taken."""
    there = {*taken}
    name, n = wanted, 1
    while name in there:
        n += 1
        name = f"{wanted}-{n}"
    return name
