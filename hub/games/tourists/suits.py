"""What the cards of a table's own deck are, for whoever makes and prints them."""

from collections.abc import Mapping
from typing import Any

from hub.games.tourists.rules.deck import Deck
from hub.games.tourists.rules.setup import read_deck
from hub.kernel.documents import Document

_DECK = "deck"


def deck_of_game(game: Mapping[str, Any]) -> Deck:
    """The deck that a scene's description names, the usual one where it names none. Raises
    :class:`hub.kernel.faults.Faulty`."""
    document = Document(None)
    deck = read_deck(document, game.get(_DECK, {}), (_DECK,))
    document.check()
    return deck
