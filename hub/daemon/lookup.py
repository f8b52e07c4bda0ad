"""What a tag that a reader reports is to the table."""

from collections.abc import Mapping

from hub.cards.deck import Deck
from hub.daemon.settings import Config
from hub.table.signals import Signal
from hub.table.state import Laid
from hub.wire.strangers import Strange

_STRANGE = {strange: Signal(strange.value.removeprefix("?")) for strange in Strange}


class Lookup:
    """Finds cards in ``deck``; ``owners``: a set of it → the seat that it belongs to."""

    def __init__(self, deck: Deck, owners: Mapping[str, str]) -> None:
        self._deck = deck
        self._owners = owners

    def __call__(self, tag: str) -> Laid:
        """What lies there: a card, or what to say of it."""
        if tag in _STRANGE:
            return Laid(strange=_STRANGE[Strange(tag)])
        card = self._deck.card(tag)
        if card is None:
            return Laid(tag, strange=Signal.UNKNOWN if self._deck.cards else Signal.NO_DECK)
        return Laid(tag, card.choice, owner=self._owners.get(card.group, ""))


def owners(config: Config) -> dict[str, str]:
    """Set of the deck → the seat that it belongs to."""
    return {name: seat.name for seat in config.seats for name in seat.cards}
