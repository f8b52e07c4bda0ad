"""The name and address under which phones reach the pages now: both can change during play."""

from collections.abc import Callable, Collection


class PageAddresses:
    """Looked up whenever an address is shown. Event loop only."""

    def __init__(
        self, address: Callable[[], str] = lambda: "", names: Collection[str] = ()
    ) -> None:
        """``address`` returns the number that phones can call, empty for none; ``names``: names
        that are always accepted, even if another machine may have them now."""
        self._address = address
        self._names = frozenset(names)
        self.name = ""
        """A name that phones can call, such as ``facedown.local``; empty while there is none."""
        self.on_change: Callable[[], None] = lambda: None
        """Called when the name or the number has changed."""
        self._was = ("", "")

    @property
    def address(self) -> str:
        """The number, formatted for a URL; empty while there is none."""
        number = self._address()
        return f"[{number}]" if ":" in number else number

    @property
    def host(self) -> str:
        """The host for URLs given to phones: the name, else the number; empty if there is no
        number."""
        number = self.address
        return (self.name or number) if number else ""

    @property
    def names(self) -> frozenset[str]:
        """The names by which the pages may be called."""
        return self._names | {self.name} if self.name else self._names

    def look(self, name: str | None = None) -> bool:
        """Set the name, if given, and check the address; return whether either has changed."""
        if name is not None:
            self.name = name
        now = self.name, self.address
        changed, self._was = now != self._was, now
        if changed:
            self.on_change()
        return changed
