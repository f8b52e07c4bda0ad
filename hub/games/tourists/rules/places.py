"""Where every card is: each in one place, or in the deck (``RULES.md`` T4)."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from hub.games.tourists.rules.conflict import Conflict, Round


class Where(StrEnum):
    """What a card is doing while it is not in the deck."""

    BEFORE = "before"
    """It lies before a party in this round."""
    LOSS = "loss"
    """It marks a Loss of a party."""
    RESERVE = "reserve"
    """It lies in the Reserve of a character."""
    ASIDE = "aside"
    """It lay on the table in this round, or was laid on another party's card in this Conflict."""


class Spot(Struct, frozen=True):
    """A place on the table; ``whose`` it is, empty for what lies aside."""

    where: Where
    whose: str = ""


def still_lies(conflict: Conflict) -> Round | None:
    """The round whose cards still count: until its Losses have been counted."""
    now = conflict.round
    return None if now is None or now.narrate else now


def places(conflict: Conflict) -> Mapping[int, Spot]:
    """The cards that are not in the deck, by their numbers."""
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
