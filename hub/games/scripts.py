"""Reads the objects of ``facedown resolve`` scripts and of scene descriptions, and records every
fault with its place.

A family lists the keys of each object, reads them with :class:`Part`, and plays a script with the
functions that its games use.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from hub.games.game import Refused, RulesError
from hub.kernel.documents import MAX_ITEMS, Document
from hub.kernel.documents.json import blame_doubled
from hub.kernel.faults import Place
from hub.kernel.reasons import Reason

MAX_PARTS = 100_000
"""Most turns, rounds or events of a script."""
ValueT = TypeVar("ValueT")


class Part:
    """An object of a script or a description: its values, read by their keys.

    Each method that reads a value records any fault with its place, and then returns a harmless
    value, as :class:`Document` does. If ``optional`` is None, any key is allowed.
    """

    def __init__(
        self,
        document: Document,
        value: object,
        place: Place,
        required: Collection[str] = (),
        optional: Collection[str] | None = (),
    ) -> None:
        self.document = document
        self.place = place
        self.given = document.table(value, place, required, optional)

    @classmethod
    def script(
        cls, document: Document, parts: str, required: Collection[str], optional: Collection[str]
    ) -> "Part":
        """The whole script as a part. Duplicate keys are reported now, except those inside entries
        of the list at the key ``parts``: they are reported when the entry is played."""
        blame_doubled(document, document.values, (), apart=parts)
        return cls(document, document.values, (), required, optional)

    def __contains__(self, key: str) -> bool:
        return key in self.given

    def at(self, *keys: str | int) -> Place:
        """The place of the value that ``keys`` lead to, starting from this object."""
        return (*self.place, *keys)

    def part(
        self, key: str, required: Collection[str] = (), optional: Collection[str] | None = ()
    ) -> "Part":
        """Read the object at ``key``; a missing one is empty."""
        return Part(self.document, self.given.get(key, {}), self.at(key), required, optional)

    def by_name(self, key: str) -> "Part":
        """Read the object at ``key``, which may have any keys; a missing one is empty."""
        return self.part(key, optional=None)

    def items(self, key: str, most: int = MAX_ITEMS) -> list[Any]:
        """Read the list at ``key``, of at most ``most`` entries; a missing one is empty."""
        return self.document.items(self.given.get(key, ()), self.at(key), most)

    def each(self, key: str, how: Callable[..., ValueT], *more: Any) -> tuple[ValueT, ...]:
        """Read the list at ``key``, each entry by ``how`` as in :meth:`read`; a missing list is
        empty."""
        entries = enumerate(self.items(key))
        return tuple(how(self.document, entry, self.at(key, n), *more) for n, entry in entries)

    def read(self, key: str, how: Callable[..., ValueT], *more: Any) -> ValueT | None:
        """Read the value at ``key`` by ``how(document, value, place, *more)``; None if it is
        missing."""
        if key not in self.given:
            return None
        return how(self.document, self.given[key], self.at(key), *more)

    def text(self, key: str) -> str:
        """Read the text at ``key``; a missing one is empty."""
        return self.document.text(self.given.get(key, ""), self.at(key))

    def text_or_none(self, key: str) -> str | None:
        """Read the text at ``key``; None if it is missing."""
        return self.text(key) if key in self.given else None

    def texts(self, key: str) -> tuple[str, ...]:
        """Read the list of texts at ``key``; a missing one is empty."""
        return self.each(key, Document.text)

    def number(self, key: str, *, usual: int = 0) -> int:
        """Read the whole number at ``key``; ``usual`` if it is missing."""
        return self.document.number(self.given.get(key, usual), self.at(key))

    def number_or_none(self, key: str) -> int | None:
        """Read the whole number at ``key``; None if it is missing."""
        return self.number(key) if key in self.given else None

    def numbers(self, key: str) -> tuple[int, ...]:
        """Read the list of whole numbers at ``key``; a missing one is empty."""
        return self.each(key, Document.number)

    def flag(self, key: str, *, usual: bool = False) -> bool:
        """Read true or false at ``key``; ``usual`` if it is missing."""
        return self.document.flag(self.given.get(key, usual), self.at(key))

    def blame(self, why: Reason, *keys: str | int) -> None:
        """Record a fault at the value that ``keys`` lead to."""
        self.document.blame(self.at(*keys), why)

    def refuse(self, why: Reason | None, *keys: str | int) -> None:
        """Raise :class:`hub.kernel.faults.Faulty` with the reason ``why``, at the value that
        ``keys`` lead to; do nothing if ``why`` is None."""
        self.document.refuse(self.at(*keys), why)

    def check(self) -> None:
        """Raise :class:`hub.kernel.faults.Faulty` with every fault recorded so far."""
        self.document.check()

    @contextmanager
    def rules(self, *keys: str | int) -> Iterator[None]:
        """Turn a :class:`RulesError` in this block into a :class:`hub.kernel.faults.Faulty` at the
        value that ``keys`` lead to, or at the refused part of it."""
        try:
            yield
        except RulesError as no:
            inside = no.part if isinstance(no, Refused) else ()
            self.refuse(no.reason, *keys, *inside)
