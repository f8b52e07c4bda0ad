"""Reasons for refusals in a tale; the catalogues beside this file have the sentences."""

from typing import TYPE_CHECKING

from hub.games.game import Refused
from hub.kernel import reasons

__all__ = ["Reason", "Refused"]

if TYPE_CHECKING:
    from hub.kernel.reasons import Reason
else:

    class Reason(reasons.Reason):
        """A reason whose sentence is first looked up in this package's catalogue."""

        __slots__ = ()
        package = __package__
