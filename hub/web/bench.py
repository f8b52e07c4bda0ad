"""The bench on which the page *Cards* has cards written. A hub without pages needs no more of it
than this.
"""

from typing import Any, Protocol

from msgspec import Struct

from hub.kernel.reasons import Reason


class Order(Struct, frozen=True, kw_only=True):
    """An order to write a set, or one card of it, at a seat's reader."""

    seat: str = ""
    set: str = ""
    card: str = ""
    learn: bool = False
    """Whether tags are registered by their UIDs instead of being written."""
    lock: bool = False
    """Whether each tag is made read-only, permanently."""
    password: str = ""
    """A password that protects each tag from being rewritten, permanently; empty: none."""
    overwrite: bool = False
    """Whether tags that hold something else are overwritten."""

    @property
    def is_final(self) -> bool:
        """Whether the order has a permanent effect."""
        return bool(self.lock or self.password) and not self.learn

    def __repr__(self) -> str:
        return "Order(…)"


class CardBench(Protocol):
    """Writes cards; see :class:`hub.daemon.workbench.Workbench`. The page *Cards* calls it."""

    def picture(self) -> dict[str, Any]:
        """The sets, the seats, and the work in progress, as the page shows them."""
        ...

    async def wait(self, turn: int, seconds: float) -> None:
        """Wait until the picture has changed since version ``turn``, for at most ``seconds``."""
        ...

    async def begin(self, order: Order) -> Reason | None:
        """Start writing; return the reason if that is impossible."""
        ...

    def skip(self) -> None:
        """Move the current card to the end of the order."""
        ...

    def end(self, why: Reason | None = None) -> None:
        """Stop writing. ``why``: the reason to show, if there is one."""
        ...

    def hand(self, *, lays: bool) -> None:
        """At a simulated reader, lay an empty tag (``lays``) or take it away."""
        ...
