"""The consequences in a Conflict, derived from two successive public views."""

from collections.abc import Iterator

from hub.games.game import Consequence
from hub.games.tourists.rules.conflict import Left, RoundOutcome
from hub.games.tourists.rules.view import EXCUSE, CardView, LaidView, RoundView, TouristsView


class ControlChanged(Consequence, frozen=True, kw_only=True, tag="control-changed"):
    """``party`` now has the Control, with these ``ranks``. None and 0 mean that the Conflict is
    Balanced."""

    party: str | None
    ranks: int


class CardDrawn(Consequence, frozen=True, kw_only=True, tag="card-drawn"):
    """The hub drew a card for the character ``who``. Cards that players draw are not reported,
    because the players lay them openly."""

    party: str
    who: str
    card: CardView


class CardTurned(Consequence, frozen=True, kw_only=True, tag="card-turned"):
    """A card before a party was turned from upright to reversed, or back."""

    party: str
    card: CardView


class CardRejected(Consequence, frozen=True, kw_only=True, tag="card-rejected"):
    """The card ``gone`` of a party was rejected, and ``card`` was drawn in its place."""

    party: str
    gone: CardView
    card: CardView


class CardCovered(Consequence, frozen=True, kw_only=True, tag="card-covered"):
    """The Reserve Card ``card`` covered the card ``gone`` of a party."""

    party: str
    gone: CardView
    card: CardView


class RoundOver(Consequence, frozen=True, kw_only=True, tag="round-over"):
    """The bidding of a round is over, with the outcome and the parties that took or broke the
    Control. ``dominant`` is None after a Balance Breaker."""

    outcome: RoundOutcome
    by: tuple[str, ...]
    dominant: str | None


class WonAndLost(Consequence, frozen=True, kw_only=True, tag="won-and-lost"):
    """The winners and losers of a round are known. A party may be neither (T9)."""

    winners: tuple[str, ...]
    losers: tuple[str, ...]


class LossSuffered(Consequence, frozen=True, kw_only=True, tag="loss-suffered"):
    """A party suffers a Loss, which the character ``who`` bears. ``gravity`` is from 1 to 5, None
    for a Temporary Loss."""

    party: str
    who: str
    gravity: int | None
    cards: tuple[CardView, ...]
    text: str


class WipedOut(Consequence, frozen=True, kw_only=True, tag="wiped-out"):
    """A party has left the Conflict because it is Wiped Out."""

    party: str


class Conceded(Consequence, frozen=True, kw_only=True, tag="conceded"):
    """``name``, a character or a whole party, has conceded and left the Conflict."""

    name: str
    draws: int
    """How many Reserve Cards were earned by leaving; for a party, those of all its characters that
    leave now."""


class Refilled(Consequence, frozen=True, kw_only=True, tag="refilled"):
    """A card was added to a character's Reserve, for example for winning a round."""

    who: str
    card: CardView


class ConflictEnded(Consequence, frozen=True, kw_only=True, tag="conflict-ended"):
    """The Conflict is over. ``reason`` is ``last-standing`` or, if there is no ``winner``,
    ``all-conceded`` or ``reframed``."""

    winner: str | None
    reason: str


AnyConsequence = (
    ControlChanged
    | CardDrawn
    | CardTurned
    | CardRejected
    | CardCovered
    | RoundOver
    | WonAndLost
    | LossSuffered
    | WipedOut
    | Conceded
    | Refilled
    | ConflictEnded
)


def of_conflict(before: TouristsView | None, after: TouristsView) -> list[AnyConsequence]:
    """All consequences that lead from the view ``before`` to ``after``. ``before`` is None at the
    start."""
    found = [*_of_cards(before, after), *_of_round(before, after), *_of_parties(before, after)]
    if after.control != (before.control if before else None):
        control = after.control
        ranks = control.ranks if control else 0
        found.append(ControlChanged(party=control.party if control else None, ranks=ranks))
    found += _of_reserves(before, after)
    if after.result and not (before and before.result == after.result):
        result = after.result
        found.append(ConflictEnded(winner=result.winner, reason=result.reason))
    return found


def _same_round(before: TouristsView | None, after: TouristsView) -> RoundView | None:
    """The round of ``before``, if it is the same as that of ``after``; otherwise None."""
    then, now = before.round if before else None, after.round
    return then if then and now and then.number == now.number else None


def _of_cards(before: TouristsView | None, after: TouristsView) -> Iterator[AnyConsequence]:
    """The consequences for cards that were turned, rejected, covered, or drawn by the hub."""
    if before is None:
        return
    same = _same_round(before, after)
    for name, party in after.parties.items():
        then = before.parties[name].laid if same else ()
        for old, new in zip(then, party.laid, strict=False):
            yield from _in_place(name, old.card, new, after)
        if after.draws == "hub":
            for each in party.laid[len(then) :]:
                yield CardDrawn(party=name, who=each.who, card=each.card)


def _in_place(
    party: str, gone: CardView, laid: LaidView, after: TouristsView
) -> Iterator[AnyConsequence]:
    """What happened to one card in front of ``party``, if anything. ``gone``: the card in that
    place in the earlier view; ``laid``: the one there now."""
    card = laid.card
    discarded = after.round.discarded if after.round else ()
    if gone.number == card.number:
        if gone.reversed != card.reversed:
            yield CardTurned(party=party, card=card)
    elif gone not in discarded:
        return  # the GM moved it
    elif laid.reserve:
        yield CardCovered(party=party, gone=gone, card=card)
    elif gone.suit != EXCUSE or after.round is None or after.round.outcome is None:
        yield CardRejected(party=party, gone=gone, card=card)
    elif after.draws == "hub":
        yield CardDrawn(party=party, who=laid.who, card=card)


def _of_round(before: TouristsView | None, after: TouristsView) -> Iterator[AnyConsequence]:
    then, now = _same_round(before, after), after.round
    if now is None:
        return
    if now.outcome and (then is None or (then.outcome, then.by) != (now.outcome, now.by)):
        yield RoundOver(outcome=now.outcome, by=now.by, dominant=now.dominant)
    for name, loss in now.suffered.items():
        if then is None or name not in then.suffered:
            yield LossSuffered(
                party=name, who=loss.who, gravity=loss.gravity, cards=loss.cards, text=loss.text
            )
    if now.narrate and not (then and then.narrate) and (now.winners or now.losers):
        yield WonAndLost(winners=now.winners, losers=now.losers)


def _of_parties(before: TouristsView | None, after: TouristsView) -> Iterator[AnyConsequence]:
    if before is None:
        return
    for name, party in after.parties.items():
        left = party.out if before.parties[name].out is None else None
        if left is Left.WIPED_OUT:
            yield WipedOut(party=name)
        leaving = [who for who in party.characters if _leaves(before, after, who)]
        draws = {who: after.members[who].draws for who in leaving}
        if left is Left.CONCEDED:
            yield Conceded(name=name, draws=sum(draws.values()))
        else:
            yield from (Conceded(name=who, draws=draws[who]) for who in leaving)


def _leaves(before: TouristsView, after: TouristsView, who: str) -> bool:
    return after.members[who].conceded and not before.members[who].conceded


def _of_reserves(before: TouristsView | None, after: TouristsView) -> Iterator[AnyConsequence]:
    if before is None:
        return
    for who, character in after.members.items():
        had = {card.number for card in before.members[who].reserve}
        for card in character.reserve:
            if card.number not in had:
                yield Refilled(who=who, card=card)
