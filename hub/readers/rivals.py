"""Decides which reader gets a device that the names of two readers lead to.

This happens with names that do not last (:mod:`hub.readers.devices`), so it is checked again at
each opening. A seat whose name does not last gives way to one whose name does, and a later seat to
an earlier one. A card attributed to the wrong seat is worse than a lost reader.
"""

import os
from collections.abc import Mapping

from hub.readers.address import Address
from hub.readers.causes import Told
from hub.readers.devices import lasts
from hub.readers.words import ReaderReason

_TWO = 2


class Rivals:
    """The readers of one table: name → address."""

    def __init__(self, addresses: Mapping[str, Address]) -> None:
        self._addresses = addresses

    def check(self, name: str) -> None:
        """Raises :exc:`Told` for a reader whose device belongs to another."""
        own = self._addresses[name]
        rank = self._rank(name)
        for other, address in self._addresses.items():
            if other != name and same_place(own, address) and self._rank(other) < rank:
                raise Told(ReaderReason("down.shared", path=own.path, seat=other))

    def _rank(self, name: str) -> tuple[bool, int]:
        return not lasts(self._addresses[name].path), [*self._addresses].index(name)


def same_place(one: Address, other: Address) -> bool:
    """Whether both names lead to one reader now: the same device, and not two boards of a bus."""
    if not (one.path and other.path):
        return False
    numbers = {each.bus.number for each in (one, other) if each.bus}
    return len(numbers) < _TWO and os.path.realpath(one.path) == os.path.realpath(other.path)
