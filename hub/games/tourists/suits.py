"""The suits of a custom deck, for making and printing cards."""

from collections.abc import Mapping
from typing import Any

from hub.games.tourists.rules.deck import Deck
from hub.games.tourists.rules.setup import read_deck
from hub.kernel.documents import Document

_DECK = "deck"


def deck_of_game(game: Mapping[str, Any]) -> Deck:
    """The deck named by a scene's description, else the standard one. Raises
    :class:`hub.kernel.faults.Faulty`."""
    document = Document(None)
    deck = read_deck(document, game.get(_DECK, {}), (_DECK,))
    document.check()
    return deck
