"""Reasons for refusals in a Conflict; the catalogues beside this file have the sentences."""

from typing import TYPE_CHECKING

from hub.games.game import RulesError
from hub.kernel import reasons

__all__ = ["Reason", "Refused"]

if TYPE_CHECKING:
    from hub.kernel.reasons import Reason
else:

    class Reason(reasons.Reason):
        """A reason whose sentence is first looked up in this package's catalogue."""

        __slots__ = ()
        package = __package__


class Refused(RulesError):
    """A word that cannot be said now; nothing has changed.

    ``part`` is the wrong part of it, by its keys (``("draw",)``); empty for the word as a whole.
    """

    def __init__(self, part: str | tuple[str, ...], why: Reason) -> None:
        super().__init__(why)
        self.part = (part,) if isinstance(part, str) and part else tuple(part)
