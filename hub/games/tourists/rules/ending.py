"""The end of a round: Losses, winners, concessions, refills (T9 to T13)."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from hub.games.tourists.reasons import Reason, Refused
from hub.games.tourists.rules.conflict import (
    FEWEST,
    Conflict,
    Lasting,
    Left,
    Losses,
    RoundOutcome,
    Suffered,
)
from hub.games.tourists.rules.deck import Card
from hub.kernel.faults import shown

# book: counting-losses.none, counting-losses.temporary, counting-losses.lasting
LASTING_FROM = 3
"""How many reversed cards make a Lasting Loss, and how many of them mark it."""
# book: counting-losses.gravity
PERMANENT = 5
"""The gravity of a party's fifth Lasting Loss and all later ones."""


class Telling(Struct, frozen=True):
    """A party's words on its Loss: the cards that mark it (None: the first drawn) and the text."""

    cards: tuple[int, ...] | None = None
    text: str = ""


# book: agendas.outcome, order-of-the-end.order, narration.example-one, narration.example-two
# book: victory.last, victory.goes-on, t9.telling
def end_round(conflict: Conflict, told: Mapping[str, Telling]) -> Conflict:
    """The Conflict with its round's Losses counted and its winners and losers named. If at most
    one party is left, the Conflict is over. ``told``: party → its words on its Loss. Raises
    :class:`Refused`; its part names the party, if a party's words are refused."""
    now = conflict.playing()
    if now.outcome is None:
        raise Refused("", Reason("bidding-not-over"))
    parties = conflict.parties_in()
    for name in told:
        if name not in parties or not now.reversed(name):
            raise Refused(name, Reason("suffers-no-loss", who=shown(name)))
    losses = dict(conflict.losses)
    suffered = {}
    for name in parties:
        if reversed_ := now.reversed(name):
            found = _suffered(conflict, name, reversed_, told.get(name, Telling()))
            suffered[name] = found
            losses[name] = _marked(losses[name], found)
    winners, losers = won_and_lost(conflict)
    rest = (name for name in parties if name not in winners and name not in losers)
    ended = replace(
        now, suffered=suffered, winners=winners, losers=losers, narrate=(*winners, *losers, *rest)
    )
    return replace(conflict, round=ended, losses=losses, over=len(parties) < FEWEST)


# book: reframing.stops, t13.middle
def break_off(conflict: Conflict) -> Conflict:
    """The Conflict with its round ended early by a Reframing (T13)."""
    now = replace(conflict.playing(), outcome=RoundOutcome.REFRAMED, by=())
    return replace(conflict, round=now)


# book: conceding.no-return, conceding.example-concede, one-leaves.one, one-leaves.party
# book: overview.ends, t11.who, t11.dominant
def concede(conflict: Conflict, name: str) -> Conflict:
    """The Conflict after ``name``, a party or a single character, conceded (T11). Raises
    :class:`Refused`."""
    party = name if name in conflict.parties else conflict.party_of.get(name, "")
    leaving = conflict.characters_in(party) if name in conflict.parties else (name,)
    if not leaving or not all(map(conflict.is_in, leaving)):
        raise Refused("", Reason("not-in", who=shown(name)))
    found = replace(conflict, conceded=conflict.conceded.union(leaving))
    if found.characters_in(party):
        return found
    control = None if found.control and found.control.party == party else found.control
    return replace(found, out=found.out | {party: Left.CONCEDED}, control=control)


# book: victory.last, t11.all
def after_concessions(conflict: Conflict) -> Conflict:
    """The Conflict after concessions: it is over if fewer than two parties are left."""
    return replace(conflict, over=len(conflict.parties_in()) < FEWEST)


# book: using-reserve.refill, own-reserve.refill, t12.who, t12.last-round
def refill(conflict: Conflict, who: str, card: Card) -> Conflict:
    """The Conflict after the winner ``who`` drew ``card`` for its Reserve from the shuffled deck
    (T12). Raises :class:`Refused`."""
    party = conflict.party_of.get(who)
    if party is None or who != _refills(conflict, party):
        raise Refused("", Reason("refills-not", who=shown(who)))
    if is_full(conflict, who):
        most = conflict.parties[party].sheets[who].reserve_max
        raise Refused("", Reason("reserve-is-full", who=who, most=most))
    if card.number not in conflict.deck or card.number in conflict.not_in_deck():
        raise Refused("", Reason("card-not-in-deck", number=card.number))
    return replace(conflict, reserves=conflict.reserves | {who: (*conflict.reserves[who], card)})


def may_refill(conflict: Conflict) -> tuple[str, ...]:
    """The characters that may draw a Reserve Card for winning the round (T12)."""
    found = (_refills(conflict, party) for party in conflict.playing().winners)
    return tuple(who for who in found if who and not is_full(conflict, who))


def is_full(conflict: Conflict, who: str) -> bool:
    """Whether a character's Reserve has at least as many cards as the sheet allows."""
    sheet = conflict.parties[conflict.party_of[who]].sheets[who]
    return len(conflict.reserves[who]) >= sheet.reserve_max


# book: using-reserve.concede, conceding.restores, own-reserve.against, t11.draw
def earned(conflict: Conflict) -> dict[str, int]:
    """How many Reserve Cards each character that conceded draws when the Conflict ends (T11)."""
    against, left = conflict.against, conflict.conceded
    return {who: 1 + against.get(who, 0) for who in conflict.reserves if who in left}


def draw_for_leaving(conflict: Conflict, who: str, card: Card) -> Conflict:
    """The Conflict after ``who``, a character that conceded, drew ``card`` for its Reserve at the
    end, even beyond the number on the sheet (T11). By then all cards but those in a Reserve are
    back in the deck. Raises :class:`Refused`."""
    if card.number not in conflict.deck or card.number in conflict.in_reserves():
        raise Refused("", Reason("card-not-in-deck", number=card.number))
    reserves = conflict.reserves | {who: (*conflict.reserves[who], card)}
    return replace(conflict, reserves=reserves)


# book: t12.who, who-draws.last
def _refills(conflict: Conflict, party: str) -> str | None:
    """The character whose Reserve a party's victory refills; None if there is none."""
    now, able = conflict.playing(), conflict.characters_in(party)
    if party not in now.winners or not able:
        return None
    laid = now.laid[party]
    who = laid[-1].who if laid else able[0]
    return who if who in able else None


# book: counting-losses.example-two, counting-losses.example-four, shared-losses.gravity
# book: who-draws.last, t10.choice, t10.bears
def _suffered(conflict: Conflict, name: str, able: list[int], told: Telling) -> Suffered:
    count = LASTING_FROM if len(able) >= LASTING_FROM else 1
    cards = tuple(able[:count]) if told.cards is None else told.cards
    if len(cards) != count or len({*cards}) != count or not {*cards} <= {*able}:
        raise Refused((name, "cards"), Reason("marks-of-a-loss", count=count, who=name))
    gravity = min(len(conflict.losses[name].lasting) + 1, PERMANENT) if count > 1 else None
    return Suffered(conflict.playing().laid[name][-1].who, cards, gravity, told.text)


def _marked(losses: Losses, found: Suffered) -> Losses:
    if found.gravity is None:
        return replace(losses, temporary=losses.temporary + found.cards)
    lasting = Lasting(found.cards, found.who, found.gravity, found.text)
    return replace(losses, lasting=(*losses.lasting, lasting))


# book: t9.taken, t9.held, t9.broken, t9.nobody
def won_and_lost(conflict: Conflict) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The winners and losers of the round among the parties still in (T9)."""
    now, parties = conflict.playing(), conflict.parties_in()
    match now.outcome:
        case RoundOutcome.TAKEN:
            return now.by, tuple(name for name in parties if name not in now.by)
        case RoundOutcome.HELD:
            dominant = now.dominant or ""
            return (dominant,), tuple(name for name in parties if name != dominant)
        case RoundOutcome.BROKEN:
            able = [name for name in now.by if name in parties]
            cards = {name: now.cards(name) for name in able}
            won = (
                name
                for name in able
                if all(
                    conflict.deck.beats_all(cards[name], cards[other])
                    for other in able
                    if other != name
                )
            )
            return tuple(won), (now.dominant or "",)
        case _:
            return (), ()
