"""The meaning of a tag on a reader."""

from collections.abc import Mapping

from hub.cards.deck import Deck
from hub.config.settings import Config
from hub.games.dealing import BLANK
from hub.table.signals import Signal
from hub.table.spots import Laid
from hub.wire.strangers import Strange

_STRANGE = {strange: Signal(strange.value.removeprefix("?")) for strange in Strange}


def laid(deck: Deck, owners: Mapping[str, str], tag: str) -> Laid:
    """The tag's card in ``deck``, or a signal if it has none; ``owners``: set of the deck → its
    seat."""
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
