"""Where every card is: in exactly one place, or in the deck (``RULES.md`` T4)."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from hub.games.tourists.rules.conflict import Conflict, Round


class Where(StrEnum):
    """The places of a card that is not in the deck."""

    BEFORE = "before"
    """Before a party in this round."""
    LOSS = "loss"
    """It marks a party's Loss."""
    RESERVE = "reserve"
    """In a character's Reserve."""
    ASIDE = "aside"
    """It was on the table earlier in this round, or was laid on another party's card in this
    Conflict."""


class Spot(Struct, frozen=True):
    """A place of a card and its owner; no owner if the card is set aside."""

    where: Where
    whose: str = ""


def still_lies(conflict: Conflict) -> Round | None:
    """The round whose cards still count; None once its Losses have been counted."""
    now = conflict.round
    return None if now is None or now.narrate else now


def places(conflict: Conflict) -> Mapping[int, Spot]:
    """The cards that are not in the deck, by number."""
    now = still_lies(conflict)
    found = dict.fromkeys(conflict.kept | (now.seen if now else frozenset()), Spot(Where.ASIDE))
    if now:
        found |= dict.fromkeys(now.held, Spot(Where.ASIDE))
    for who, cards in conflict.reserves.items():
        found |= {card.number: Spot(Where.RESERVE, who) for card in cards}
    for name in conflict.parties_in():
        found |= dict.fromkeys(conflict.losses[name].marks(), Spot(Where.LOSS, name))
    for name, laid in now.laid.items() if now else ():
        found |= {each.card.number: Spot(Where.BEFORE, name) for each in laid}
    return found
