"""Reasons for refusals in a tale; the catalogues beside this file have the sentences."""

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

    ``part`` is the wrong part of it, by its keys (``("fate", "fatal")``); empty for the word as a
    whole.
    """

    def __init__(self, part: str | tuple[str | int, ...], why: Reason) -> None:
        super().__init__(why)
        self.part = (part,) if isinstance(part, str) and part else tuple(part)

    def within(self, *around: str | int) -> "Refused":
        """The same refusal for an enclosing word: ``around`` is put in front of its part."""
        return Refused((*around, *self.part), self.reason)
