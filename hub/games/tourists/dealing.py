"""The cards that a Conflict needs: one deck for the table, word cards for each seat."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hub.games.game import Choice
from hub.games.tourists.reasons import Reason
from hub.games.tourists.rules.deck import Card, Deck
from hub.games.tourists.rules.setup import read_deck
from hub.kernel.documents import Document

SAID = ("pass", "turn", "reject", "let-be", "let-be-all", "concede")
"""Words that every seat has a card for."""
MORE = ("draw", "ask-again", "go-on")
"""Words that a seat may also have a card for."""
DRAWN = "drawn"
_ENDS = re.compile(r"(?:0|[1-9][0-9]{0,3}) (?:upright|reversed)")


def now(ruleset: str, playing: Sequence[Any]) -> Iterator[tuple[Choice, Reason, int]]:
    """The word cards that a seat needs: card, reason, copies. They are the same for every
    character, because the deck belongs to the table."""
    for kind in SAID:
        yield Choice(kind), Reason("card-said"), 1


later = now


def of_table(ruleset: str, game: Mapping[str, Any]) -> Iterable[tuple[str, Choice, Choice, Reason]]:
    """The cards of a Conflict's deck in order of their numbers: name, upright meaning, reversed
    meaning, reason. Empty if the hub draws."""
    if game.get("draws") == "hub":
        return
    for number in sorted(deck_of_game(game)):
        ends = (Card(number), Card(number, reversed=True))
        up, down = (Choice(DRAWN, str(end)) for end in ends)
        yield str(number), up, down, Reason("card-of-deck")


def of_scene(ruleset: str, game: Mapping[str, Any]) -> Iterable[Any]:
    """The characters with cards of their own: none, because all characters use the same cards."""
    return ()


def unknown(ruleset: str, choice: Choice, playing: Sequence[Any]) -> Reason | None:
    """Why there is no card for ``choice``; None if there is. Any number counts as a card, because
    only a scene knows the table's deck."""
    if choice.kind == DRAWN:
        sound = _ENDS.fullmatch(choice.value)
        return None if sound else Reason("card-lies", what=str(choice))
    kinds = (*SAID, *MORE)
    if choice.kind not in kinds or choice.value:
        return Reason("card-not-said", what=str(choice), kinds=[DRAWN, *kinds])
    return None


_DECK = "deck"


def deck_of_game(game: Mapping[str, Any]) -> Deck:
    """The deck that a scene's description gives; parts that it lacks are those of the book's deck.
    Raises :class:`hub.kernel.faults.Faulty`."""
    document = Document(None)
    deck = read_deck(document, game.get(_DECK, {}), (_DECK,))
    document.check()
    return deck
