"""What the cards of a table's own deck are, for whoever makes and prints them."""

from collections.abc import Mapping
from typing import Any

from hub.rules.documents import Document
from hub.rules.tourists.deck import Deck
from hub.rules.tourists.setup import read_deck

_DECK = "deck"


def deck_of_game(game: Mapping[str, Any]) -> Deck:
    """The deck that a scene's description names, the usual one where it names none. Raises
    :class:`hub.rules.faults.Faulty`."""
    document = Document(None)
    deck = read_deck(document, game.get(_DECK, {}), (_DECK,))
    document.check()
    return deck
