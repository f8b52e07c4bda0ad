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

    A method that reads records a fault at its place and returns a harmless value instead, as
    :class:`Document` does. If ``optional`` is None, any key is allowed.
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
        """The script itself. Duplicate keys in the entries of the list ``parts`` are reported when
        an entry is played."""
        blame_doubled(document, document.values, (), apart=parts)
        return cls(document, document.values, (), required, optional)

    def __contains__(self, key: str) -> bool:
        return key in self.given

    def at(self, *keys: str | int) -> Place:
        """The place of a value inside."""
        return (*self.place, *keys)

    def part(
        self, key: str, required: Collection[str] = (), optional: Collection[str] | None = ()
    ) -> "Part":
        """Read an object inside; a missing one is empty."""
        return Part(self.document, self.given.get(key, {}), self.at(key), required, optional)

    def by_name(self, key: str) -> "Part":
        """Read an object inside whose keys are any names; a missing one is empty."""
        return self.part(key, optional=None)

    def items(self, key: str, most: int = MAX_ITEMS) -> list[Any]:
        """Read a list."""
        return self.document.items(self.given.get(key, ()), self.at(key), most)

    def each(self, key: str, how: Callable[..., ValueT], *more: Any) -> tuple[ValueT, ...]:
        """Read a list, each entry by ``how`` as in :meth:`read`."""
        entries = enumerate(self.items(key))
        return tuple(how(self.document, entry, self.at(key, n), *more) for n, entry in entries)

    def read(self, key: str, how: Callable[..., ValueT], *more: Any) -> ValueT | None:
        """Read a value by ``how(document, value, place, *more)``; None if it is missing."""
        if key not in self.given:
            return None
        return how(self.document, self.given[key], self.at(key), *more)

    def text(self, key: str) -> str:
        """Read a text."""
        return self.document.text(self.given.get(key, ""), self.at(key))

    def text_or_none(self, key: str) -> str | None:
        """Read a text; None if it is missing."""
        return self.text(key) if key in self.given else None

    def texts(self, key: str) -> tuple[str, ...]:
        """Read a list of texts."""
        return self.each(key, Document.text)

    def number(self, key: str, *, usual: int = 0) -> int:
        """Read a whole number."""
        return self.document.number(self.given.get(key, usual), self.at(key))

    def number_or_none(self, key: str) -> int | None:
        """Read a whole number; None if it is missing."""
        return self.number(key) if key in self.given else None

    def numbers(self, key: str) -> tuple[int, ...]:
        """Read a list of whole numbers."""
        return self.each(key, Document.number)

    def flag(self, key: str, *, usual: bool = False) -> bool:
        """Read true or false."""
        return self.document.flag(self.given.get(key, usual), self.at(key))

    def blame(self, why: Reason, *keys: str | int) -> None:
        """Record a fault at these keys."""
        self.document.blame(self.at(*keys), why)

    def refuse(self, why: Reason | None, *keys: str | int) -> None:
        """If there is a reason, raise :class:`hub.kernel.faults.Faulty` with it at these keys."""
        self.document.refuse(self.at(*keys), why)

    def check(self) -> None:
        """Raise :class:`hub.kernel.faults.Faulty` with every fault recorded so far."""
        self.document.check()

    @contextmanager
    def rules(self, *keys: str | int) -> Iterator[None]:
        """Turn a refusal by the rules in this block into a fault at these keys, or inside."""
        try:
            yield
        except RulesError as no:
            inside = no.part if isinstance(no, Refused) else ()
            self.refuse(no.reason, *keys, *inside)
