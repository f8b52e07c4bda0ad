"""Turns readers' reports into inputs of the table."""

import logging
from collections.abc import Callable

from hub.ports import (
    ButtonPressed,
    FieldSeen,
    ReaderDown,
    ReaderEvent,
    ReaderTaken,
    ReaderTroubled,
    ReaderUp,
)
from hub.table.acts.field import FieldChanged
from hub.table.acts.pause import ButtonPressed as SeatButtonPressed
from hub.table.acts.readers import ReaderFound, ReaderMissing
from hub.table.acts.readers import ReaderTroubled as SeatReaderTroubled
from hub.table.inputs import Fact
from hub.table.sealed import Sealed
from hub.table.spots import Laid, Sight

log = logging.getLogger(__name__)


class Reports:
    """Makes inputs from reports; ``look_up`` returns the meaning of a tag."""

    def __init__(self, look_up: Callable[[str], Laid]) -> None:
        self._look_up = look_up
        self._blind: set[str] = set()

    def input_of(self, event: ReaderEvent) -> Fact:
        """The table's input for a report. Tag ids end here and are never logged."""
        seat = event.reader
        match event:
            case ReaderUp():
                log.info("reader is ready", extra={"seat": seat})
                return ReaderFound(seat)
            case ReaderDown(reason=reason):
                log.warning("reader is lost: %s", reason, extra={"seat": seat})
                return ReaderMissing(seat)
            case ReaderTaken():
                log.info("reader is out of play: cards are written on it", extra={"seat": seat})
                return ReaderMissing(seat, writes_cards=True)
            case ReaderTroubled(losses=losses, disturbances=disturbances, blind=blind):
                if blind and seat not in self._blind:
                    self._blind.add(seat)
                    log.warning(
                        "this reader cannot tell a dead radio from an empty field: its antenna "
                        "test is not to be believed (docs/build/readers.md)",
                        extra={"seat": seat},
                    )
                return SeatReaderTroubled(seat, losses, disturbances, blind)
            case ButtonPressed():
                log.info("the seat's button was pressed", extra={"seat": seat})
                return SeatButtonPressed(seat)
            case FieldSeen(tags=tags, sight=sight):
                if sight is Sight.NEW:
                    log.debug("cards on the reader: %d", len(tags), extra={"seat": seat})
                return FieldChanged(seat, Sealed(tuple(map(self._look_up, tags))), sight)
