"""Why something is not possible in the toy: the catalogues beside this file say it."""

from hub.kernel import reasons


class Reason(reasons.Reason):
    __slots__ = ()
    package = __package__
