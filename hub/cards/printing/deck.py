"""A deck's cards as faces to draw, with texts from the ruleset and from the characters."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from hub.cards.deck import Deck
from hub.games import registry
from hub.games.faces import Face
from hub.games.game import Choice

MOST_CARDS = 2000


class Printed(Struct, frozen=True):
    """A card to print, without its tag id."""

    face: Face
    owner: str
    """Whose card it is, as printed on the card: the name of a character or of a set."""
    name: str
    """The card's part of a file name: a-z, 0-9 and -."""


def printed_cards(
    deck: Deck,
    ruleset: str,
    language: str,
    playing: Mapping[str, Sequence[Any]] | None = None,
    only: Iterable[str] = (),
    *,
    game: Mapping[str, Any] | None = None,
) -> list[Printed]:
    """The cards of a deck that are in play, in the deck's order. A card with two ends is one card.

    ``playing``: set → its characters. A card whose set has no characters gets the texts for the
    first characters given. ``only``: print only these sets; empty for all. ``game``: a scene's
    description, which may have cards of its own.
    """
    say, faces = registry.texts(language), registry.faces_of(ruleset).of_game(game or {})
    sets = {*only}
    found: list[Printed] = []
    names: dict[str, dict[Choice, str]] = {}
    anybody = next(filter(None, (playing or {}).values()), ())
    for card, *_ in deck.pieces:
        if not card.in_play or (sets and card.group not in sets):
            continue
        people = (playing or {}).get(card.group, ())
        if card.group not in names:
            names[card.group] = _names(people, faces.called)
        called = names[card.group].get(card.choice, "")
        face = faces.face(card.choice, ruleset, say, called, people or anybody)
        owner = people[0].name if len(people) == 1 else card.group
        number = f"{len(found) + 1:03}"
        called_so = f"{card.group} {card.of or card.choice}"
        slug = re.sub(r"[^a-z0-9]+", "-", called_so.lower()).strip("-")
        found.append(Printed(face, owner, f"{number}-{slug[:60]}"))
    return found


EMPTY = Printed(Face(title=""), "", "empty")
"""A card without texts, to write on by hand, for example when a card is lost or learnt."""


def ruleset_for(deck: Deck) -> str:
    """The first ruleset that knows every card; if none does, the default ruleset."""
    from hub.games.dealing import unknown

    cards = {card.choice for card in deck.cards}
    for ruleset in registry.rulebooks().games:
        if not any(unknown(ruleset, each) for each in cards):
            return ruleset
    return registry.default_ruleset()


def _names(people: Sequence[Any], called: Any) -> dict[Choice, str]:
    found: dict[Choice, set[str]] = {}
    for sheet in people:
        for choice, name in called(sheet).items():
            found.setdefault(choice, set()).add(name)
    return {choice: next(iter(names)) for choice, names in found.items() if len(names) == 1}
