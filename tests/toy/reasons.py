"""The toy's reasons; their sentences are in the catalogues beside this file."""

from hub.kernel import reasons


class Reason(reasons.Reason):
    __slots__ = ()
    package = __package__
