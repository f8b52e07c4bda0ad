"""Sealed events: what has a digest now and an opening at the reveal."""

from typing import ClassVar

from msgspec.structs import replace

from hub.table.records import Event
from hub.table.sealed import HUB, Kept, Opening, SealKind, SealPlace, seal_digest
from hub.table.transaction import Transaction


class SealMade(Event, frozen=True, kw_only=True):
    """A seal was made in this phase. Its secret is the opening of ``digest``."""

    scene: int
    turn: int
    phase: int
    digest: str
    """See :func:`hub.table.sealed.seal_digest`."""

    kind: ClassVar[SealKind]

    def place(self, log: str, table: str) -> SealPlace:
        """Its place, in the log and at the table of these names."""
        return SealPlace(log, table, self.scene, self.turn, self.phase, "", self.kind, HUB)


def emit_sealed(
    transaction: Transaction, event: SealMade, opening: Opening, secret: Kept | Opening
) -> None:
    """Write a seal, with its digest."""
    place = event.place(transaction.state.log, transaction.state.table)
    transaction.emit(replace(event, digest=seal_digest(place, opening)), secret)
