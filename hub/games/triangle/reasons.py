"""Why something is not possible by the three books: the catalogues beside this file say it."""

from typing import TYPE_CHECKING

from hub.kernel import reasons

__all__ = ["Reason"]

if TYPE_CHECKING:
    from hub.kernel.reasons import Reason
else:

    class Reason(reasons.Reason):
        """As any other, but for where its sentence is looked up first."""

        __slots__ = ()
        package = __package__
