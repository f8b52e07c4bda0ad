"""Another output that shares the table's own connection to its broker."""

from collections.abc import Collection, Sequence
from typing import Protocol

from hub.mqtt.connection import Incoming
from hub.mqtt.outbox import Outgoing
from hub.table.views import PublicView


class Companion(Protocol):
    """Subscribes to further topics, and publishes after the table's messages."""

    def connected(self) -> Sequence[str]:
        """Begin a new connection: the broker's state is unknown. Return the topics to subscribe
        to.

        Their retained messages are wanted too.
        """
        ...

    def heard(self, message: Incoming) -> bool:
        """Whether ``message`` was for it; if so, :meth:`due` may have something new."""
        ...

    def due(self, view: PublicView) -> Sequence[Outgoing]:
        """The messages to publish now, in order. They count as sent."""
        ...

    def published(self) -> None:
        """The broker has acknowledged everything that :meth:`due` returned."""
        ...

    def keeps(self, topic: str) -> bool:
        """Whether it retains that topic."""
        ...

    def refused(self, topics: Collection[str]) -> None:
        """The broker has rejected the newest messages on ``topics``: the companion's are due
        again."""
        ...

    @property
    def pending(self) -> bool:
        """Whether :meth:`due` is holding a message back for a moment."""
        ...
