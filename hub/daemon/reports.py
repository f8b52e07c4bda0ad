"""Turns readers' reports into inputs of the table."""

import logging
from collections.abc import Callable, Mapping

from hub.cards.deck import Deck
from hub.config.settings import Config
from hub.games.dealing import BLANK
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
from hub.table.signals import Signal
from hub.table.spots import Laid, Sight
from hub.wire.strangers import Strange

log = logging.getLogger(__name__)


class Reports:
    """Makes inputs from reports; ``look_up`` returns the meaning of a tag."""

    def __init__(self, look_up: Callable[[str], Laid]) -> None:
        self._look_up = look_up
        self._blind: set[str] = set()

    def input_of(self, event: ReaderEvent) -> Fact:
        """The table's input for a report. Tag ids in it are sealed, and never logged."""
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


_STRANGE = {strange: Signal(strange.value.removeprefix("?")) for strange in Strange}


def laid(deck: Deck, owners: Mapping[str, str], tag: str) -> Laid:
    """The tag's card in ``deck``, or a signal if it has none; ``owners``: set → its seat."""
    if tag in _STRANGE:
        return Laid(strange=_STRANGE[Strange(tag)])
    card = deck.card(tag)
    if card is None:
        return Laid(tag, strange=Signal.UNKNOWN if deck.cards else Signal.NO_DECK)
    end = deck.other_end(card)
    other = end.tag if end else ""
    if not card.in_play:
        return Laid(tag, strange=Signal.STRUCK_OFF, other=other)
    if card.choice == BLANK:
        return Laid(tag, strange=Signal.UNNAMED, other=other)
    return Laid(tag, card.choice, owner=owners.get(card.group, ""), other=other)


def owners(config: Config) -> dict[str, str]:
    """Set of the deck → the seat that it belongs to."""
    return {name: seat.name for seat in config.seats for name in seat.cards}
