"""Overrules of where a card is and how it lies. A moved card first leaves its old place."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.overrules import Clause, Holds, HoldsOf, Name, of_some
from hub.games.tourists.reasons import Reason
from hub.games.tourists.rules.conflict import Conflict, Laid, Round
from hub.games.tourists.rules.deck import Card
from hub.kernel.faults import shown
from hub.kernel.forms import Field, each_of, flag, one


class Where(StrEnum):
    """The kinds of places of a card that is not in the deck."""

    BEFORE = "before"
    """Before a party in this round."""
    LOSS = "loss"
    """Marking a party's Loss."""
    RESERVE = "reserve"
    """In a character's Reserve."""
    ASIDE = "aside"
    """Set aside: on the table earlier in this round, or laid on another party's card in this
    Conflict."""


class Spot(Struct, frozen=True):
    """A card's place, and its owner: a party, a character, or empty if the card is set aside."""

    where: Where
    whose: str = ""


def still_lies(conflict: Conflict) -> Round | None:
    """The round whose cards still count; None once its Losses have been counted."""
    now = conflict.round
    return None if now is None or now.narrate else now


def places(conflict: Conflict) -> Mapping[int, Spot]:
    """Card number → the card's place, for each card that is not in the deck."""
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


MOST_NUMBER = 9_999
"""The highest card number in a custom deck."""
MOST_COUNT = 99
MOST_NAMES = 64
Number = Annotated[int, Meta(ge=0, le=MOST_NUMBER)]
Count = Annotated[int, Meta(ge=0, le=MOST_COUNT)]


class To(StrEnum):
    """The kinds of places where the GM can put a card."""

    DECK = "deck"
    BEFORE = "before"
    """Before a party, as if drawn in this round."""
    RESERVE = "reserve"
    LOSS = "loss"
    """Marking a Temporary Loss of a party."""


class CardIs(Holds, frozen=True, kw_only=True, tag="card"):
    """The GM puts a card somewhere. ``name`` is the party, or the character with the Reserve.
    ``who`` is the character that drew it; required if the party has several."""

    number: Number
    to: To
    name: Name = ""
    who: Name = ""
    reversed: bool = False


class CardLies(HoldsOf, frozen=True, kw_only=True, tag="turned"):
    """The GM changes the orientation of a card before a party. This costs no Token."""

    number: Number
    reversed: bool


def _card(conflict: Conflict, holds: CardIs) -> Conflict:
    number = in_this_deck(conflict, holds.number)
    lies = Card(number, holds.reversed)
    free = taken_away(conflict, number)
    match holds.to:
        case To.DECK:
            if number not in places(conflict):
                raise IllegalChoice(Reason("in-deck-already", number=number))
            return free
        case To.BEFORE:
            return _before(free, holds, lies)
        case To.RESERVE:
            if holds.name not in free.reserves:
                names = [*free.reserves]
                raise IllegalChoice(Reason("not-one-of", text=shown(holds.name), names=names))
            cards = (*free.reserves[holds.name], lies)
            return accounted(replace(free, reserves=free.reserves | {holds.name: cards}))
        case To.LOSS:
            losses = free.losses[party_in(free, holds.name)]
            marked = replace(losses, temporary=(*losses.temporary, number))
            return accounted(replace(free, losses=free.losses | {holds.name: marked}))


def _turned(conflict: Conflict, holds: CardLies) -> Conflict:
    now = lying(conflict)
    laid = now.laid.get(holds.name, ())
    found = next((each for each in laid if each.card.number == holds.number), None)
    if found is None:
        raise IllegalChoice(Reason("not-before", number=holds.number, who=shown(holds.name)))
    if found.card.reversed == holds.reversed:
        raise IllegalChoice(Reason("lies-so-already", number=holds.number))
    other = replace(found, card=found.card.turned())
    cards = tuple(other if each is found else each for each in laid)
    return replace(conflict, round=replace(now, laid=now.laid | {holds.name: cards}))


def in_this_deck(conflict: Conflict, number: int) -> int:
    """The number, if it is in the deck. Raises :class:`IllegalChoice` otherwise."""
    if number not in conflict.deck:
        raise IllegalChoice(Reason("no-card-of-deck", number=number))
    return number


def party_in(conflict: Conflict, name: str) -> str:
    """The party, if it is still in. Raises :class:`IllegalChoice` otherwise."""
    if name not in conflict.parties_in():
        raise IllegalChoice(Reason("party-not-in", who=shown(name)))
    return name


def lying(conflict: Conflict) -> Round:
    """The round whose cards still count. Raises :class:`IllegalChoice` if there is none."""
    now = still_lies(conflict)
    if now is None:
        raise IllegalChoice(Reason("no-cards-lie"))
    return now


def taken_away(conflict: Conflict, number: int) -> Conflict:
    """The Conflict with a card returned to the deck from its present place. Raises
    :class:`IllegalChoice` for one of the three cards that mark a Lasting Loss."""
    spot = places(conflict).get(number)
    if spot and spot.where is Where.LOSS:
        losses = conflict.losses[spot.whose]
        if number not in losses.temporary:
            raise IllegalChoice(Reason("marks-lasting", number=number, who=spot.whose))
        rest = replace(losses, temporary=tuple(c for c in losses.temporary if c != number))
        conflict = replace(conflict, losses=conflict.losses | {spot.whose: rest})
    elif spot and spot.where is Where.RESERVE:
        cards = tuple(c for c in conflict.reserves[spot.whose] if c.number != number)
        conflict = replace(conflict, reserves=conflict.reserves | {spot.whose: cards})
    elif spot and spot.where is Where.BEFORE:
        conflict = _lifted(conflict, spot.whose, number)
    conflict = replace(conflict, kept=conflict.kept - {number})
    if now := still_lies(conflict):
        now = replace(now, held=now.held - {number}, seen=now.seen - {number})
        conflict = replace(conflict, round=now)
    return conflict


def accounted(conflict: Conflict) -> Conflict:
    """The Conflict with its round changed so that no card in use can be drawn again."""
    now = still_lies(conflict)
    if now is None:
        return conflict
    lies = {each.card.number for laid in now.laid.values() for each in laid}
    held = now.held | (conflict.not_in_deck() - lies)
    return replace(conflict, round=replace(now, held=held, seen=now.seen | lies))


def _lifted(conflict: Conflict, party: str, number: int) -> Conflict:
    """The Conflict without this card before the party. If the card was being answered, its bid is
    undone and the party speaks again."""
    now = conflict.playing()
    laid = now.laid[party]
    answered = now.answerable == party and laid[-1].card.number == number
    cards = tuple(each for each in laid if each.card.number != number)
    now = replace(now, laid=now.laid | {party: cards})
    if answered:
        now = replace(now, answerable=None, turn=now.speakers.index(party))
    return replace(conflict, round=now)


def _before(conflict: Conflict, holds: CardIs, lies: Card) -> Conflict:
    now = lying(conflict)
    party = party_in(conflict, holds.name)
    able = conflict.characters_in(party)
    who = holds.who or (able[0] if len(able) == 1 else "")
    if who not in able:
        raise IllegalChoice(Reason("not-one-of", text=shown(who), names=[*able]))
    laid = now.laid[party]
    if now.dominant is None and laid:
        raise IllegalChoice(Reason("one-card-each", who=party))
    if now.dominant is not None and conflict.deck.is_excuse(lies):
        raise IllegalChoice(Reason("excuse-is-drawn"))
    # The card being answered stays last.
    last = laid[-1:] if now.answerable == party else ()
    cards = (*laid[: len(laid) - len(last)], Laid(lies, who), *last)
    return accounted(replace(conflict, round=replace(now, laid=now.laid | {party: cards})))


def _card_form(conflict: Conflict) -> tuple[Field, ...]:
    up = flag("reversed", first=False)
    parties = conflict.parties_in()
    to: dict[str, tuple[Field, ...]] = {To.DECK: ()}
    if still_lies(conflict):
        drew = each_of(parties, lambda name: (who_of(conflict, name), up))
        to[To.BEFORE] = drew
    to[To.RESERVE] = each_of(conflict.reserves, lambda _: (up,))
    to[To.LOSS] = each_of(parties, lambda _: ())
    return (one("number", "card", sorted(conflict.deck)), one("to", "place", to))


def who_of(conflict: Conflict, name: str, first: str | None = None) -> Field:
    """The field for the character of a party that drew a card or bears a Loss. ``first`` is
    selected at first; with it, characters that have left can be chosen, too."""
    able = [*conflict.parties[name].sheets] if first else conflict.characters_in(name)
    return one("who", "who", able, first=first)


def _turned_form(conflict: Conflict, name: str) -> tuple[Field, ...]:
    cards = {
        each.card.number: (flag("reversed", first=not each.card.reversed),)
        for each in _laid(conflict)[name]
    }
    return (one("number", "card", cards),) if cards else ()


def _laid(conflict: Conflict) -> Mapping[str, tuple[Laid, ...]]:
    now = still_lies(conflict)
    return now.laid if now else {}


CLAUSES: tuple[Clause[Conflict], ...] = (
    Clause(CardLies, _turned, of_some(_laid, _turned_form)),
    Clause(CardIs, _card, _card_form),
)
