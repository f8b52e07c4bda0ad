"""By what name or address phones find the pages now: both can change while it is played."""

from collections.abc import Callable, Collection


class Whereabouts:
    """Asked whenever an address is shown. Event loop only."""

    def __init__(
        self, address: Callable[[], str] = lambda: "", names: Collection[str] = ()
    ) -> None:
        """``address``: the one by which phones can call, empty for none; ``names``: by which the
        pages may be called whoever has them now."""
        self._address = address
        self._names = frozenset(names)
        self.name = ""
        """That phones can call, such as ``facedown.local``; empty while there is none."""
        self.on_change: Callable[[], None] = lambda: None
        """Called when it has changed."""
        self._was = ("", "")

    @property
    def address(self) -> str:
        """The number, as it is written in an address of a page; empty while there is none."""
        number = self._address()
        return f"[{number}]" if ":" in number else number

    @property
    def host(self) -> str:
        """What an address for phones is made with: the name, or the number; empty for none."""
        number = self.address
        return (self.name or number) if number else ""

    @property
    def names(self) -> frozenset[str]:
        """By which the pages may be called."""
        return self._names | {self.name} if self.name else self._names

    def look(self, name: str | None = None) -> bool:
        """It is called so now, or its addresses may have changed; whether anything has."""
        if name is not None:
            self.name = name
        now = self.name, self.address
        changed, self._was = now != self._was, now
        if changed:
            self.on_change()
        return changed
