"""Reads and checks the written forms of choices: cards, parties, and the cards that mark a Loss."""

import re

from hub.games.game import MAX_WORD_CHARS
from hub.games.tourists.reasons import Reason, Refused
from hub.games.tourists.rules.answers import answerable
from hub.games.tourists.rules.conflict import Conflict
from hub.games.tourists.rules.deck import Card
from hub.games.tourists.rules.ending import Telling
from hub.kernel.faults import shown

_CARD = re.compile(r"(0|[1-9][0-9]{0,3}) (upright|reversed)(?: (.+))?")
_LOSSES = re.compile(r"([0-9]{1,4}(?:,[0-9]{1,4})*)(?: (.*))?")


def card_of(conflict: Conflict, value: str) -> Card:
    """Read a card: ``39 upright``. Raises :class:`Refused`."""
    card, more = _card(conflict, value)
    if more:
        raise Refused("", Reason("no-card-text", value=shown(value)))
    return card


def card_and_party(conflict: Conflict, value: str) -> tuple[Card, str | None]:
    """Read a card and the party whose card it covers: ``33 upright News Crew``. Without a party it
    is the only possible one, or None if there are several. Raises :class:`Refused`."""
    card, more = _card(conflict, value)
    return card, party_of(conflict, more) if more else sole(conflict)


def _card(conflict: Conflict, value: str) -> tuple[Card, str]:
    found = _CARD.fullmatch(value)
    if found is None:
        raise Refused("", Reason("no-card-text", value=shown(value)))
    number = int(found[1])
    if number not in conflict.deck:
        raise Refused("", Reason("no-card-of-deck", number=number))
    return Card(number, found[2] == "reversed"), found[3] or ""


def sole(conflict: Conflict) -> str | None:
    """The party whose card can be answered, if there is only one."""
    able = answerable(conflict)
    return able[0] if len(able) == 1 else None


def party_of(conflict: Conflict, value: str) -> str:
    """The party whose card is meant. An empty value means the only one that can be answered. Raises
    :class:`Refused`."""
    able = answerable(conflict)
    if not able:
        raise Refused("", Reason("nothing-to-answer"))
    if not value:
        if len(able) > 1:
            raise Refused("", Reason("say-whose-card", names=able))
        return able[0]
    if value not in able:
        raise Refused("", Reason("not-one-of", text=shown(value), names=able))
    return value


def telling_of(value: str) -> Telling:
    """Read the cards that mark a Loss, and its text: ``48,13,21 limps``. Empty: the defaults.
    Raises :class:`Refused`."""
    if not value:
        return Telling()
    found = _LOSSES.fullmatch(value)
    if found is None:
        raise Refused("", Reason("no-losses-text", value=shown(value)))
    text = (found[2] or "").strip()
    if len(text) > MAX_WORD_CHARS:
        raise Refused("", Reason("text-too-long", most=MAX_WORD_CHARS))
    return Telling(tuple(map(int, found[1].split(","))), text)


# book: t4.said
def page_addresses(conflict: Conflict, card: Card) -> Reason | None:
    """A reason that says where the card is; None if it is in the deck (T4)."""
    number, now = card.number, conflict.round
    for party in conflict.parties_in():
        if number in conflict.losses[party].marks():
            return Reason("card-marks-loss", number=number, who=party)
    if why := lies_in_reserve(conflict, card):
        return why
    if number in conflict.kept:
        return Reason("card-kept", number=number)
    if now is None or now.outcome is not None:
        return None
    for party, laid in now.laid.items():
        for each in laid:
            if each.card.number == number:
                if each.card == card:
                    return Reason("card-lies-there", number=number, who=party)
                return Reason("card-lies-other-way", number=number, who=party)
    return Reason("card-was-drawn", number=number) if number in now.seen else None


def lies_in_reserve(conflict: Conflict, card: Card) -> Reason | None:
    """A reason that names the Reserve with this card; None if no Reserve has it."""
    for who, cards in conflict.reserves.items():
        if any(each.number == card.number for each in cards):
            return Reason("card-in-reserve", number=card.number, who=who)
    return None
