"""The surface of the virtual table: simulated readers, and the deck's cards as hands beside
them."""

from collections.abc import Callable, Collection, Mapping, Sequence

from hub.cards.deck import Deck
from hub.games.dealing import BLANK
from hub.games.game import Choice
from hub.ports import VirtualField
from hub.web.tabletop import HandCard


class SimulatedTabletop:
    """Implements :class:`hub.web.tabletop.VirtualTable`. A seat's hand consists of the deck's sets
    that belong to it, or else the set of its name. Cards without a set are at every other seat, or
    in the middle of the table if they have two ends."""

    def __init__(
        self,
        fields: Mapping[str, VirtualField],
        deck: Deck,
        sets: Mapping[str, Collection[str]],
        label: Callable[[Choice], str],
    ) -> None:
        """``fields``: seat → its simulated reader; ``sets``: seat → the sets that belong to it;
        ``label``: the name of a card."""
        self._label = label
        self.readers = fields
        groups = {card.group for card in deck.cards}
        named = {seat: [seat] if seat in groups else [""] for seat in fields}
        held = {seat: sets.get(seat) or named[seat] for seat in fields}
        self.hands: Mapping[str, Mapping[str, Choice]] = {
            seat: {
                card.tag: card.choice
                for card in deck.cards
                if card.group in held[seat] and card.in_play and card.choice != BLANK
                if not (card.of and not card.group)
            }
            for seat in fields
        }
        """Seat → tag → card."""
        self._deck = [
            HandCard(end.tag, label(end.choice), end.choice.kind, end.choice.value, other.tag)
            for end in deck.cards
            if end.of and not end.group and end.in_play and (other := deck.other_end(end))
        ]

    def deck(self) -> Sequence[HandCard]:
        """The cards in the middle."""
        return self._deck

    def hand(self, seat: str) -> Sequence[HandCard]:
        """A seat's cards with their printed texts."""
        return [
            HandCard(tag, self._label(choice), choice.kind, choice.value)
            for tag, choice in self.hands[seat].items()
        ]
