"""Reasons why the three books do not allow something; the catalogues beside this file word them."""

from typing import TYPE_CHECKING

from hub.kernel import reasons

__all__ = ["Reason"]

if TYPE_CHECKING:
    from hub.kernel.reasons import Reason
else:

    class Reason(reasons.Reason):
        """A reason whose sentence is first looked for in this package's catalogues."""

        __slots__ = ()
        package = __package__
