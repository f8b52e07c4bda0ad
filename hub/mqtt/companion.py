"""What else goes over the table's own connection to its broker."""

from collections.abc import Collection, Sequence
from typing import Protocol

from hub.mqtt.connection import Incoming
from hub.mqtt.outbox import Outgoing
from hub.table.views import PublicView


class Companion(Protocol):
    """Hears topics of its own, and has messages of its own, behind those of the table."""

    def connected(self) -> Sequence[str]:
        """A new connection: nothing is known of what the broker has. The topics to listen to, with
        what lies there already."""
        ...

    def heard(self, message: Incoming) -> bool:
        """Whether ``message`` was for it; :meth:`due` may be asked again then."""
        ...

    def due(self, view: PublicView) -> Sequence[Outgoing]:
        """What is to be published now, in order. It counts as sent."""
        ...

    def published(self) -> None:
        """The broker has acknowledged all that :meth:`due` gave."""
        ...

    def keeps(self, topic: str) -> bool:
        """Whether it retains that topic."""
        ...

    def refused(self, topics: Collection[str]) -> None:
        """The broker has not taken the newest messages of ``topics``: those of the companion's are
        due again."""
        ...

    @property
    def pending(self) -> bool:
        """Whether :meth:`due` has something that it holds back for a moment."""
        ...
