"""How the hub's players play a Conflict, and how much text each consequence takes.

They use only public information: the cards on the table, which party would win with them, and how
many of their party's cards are reversed.
"""

from collections.abc import Collection, Iterator
from random import Random

from hub.games.family import Playing
from hub.games.game import Choice, GameView
from hub.games.tourists.rules import consequences as q
from hub.games.tourists.rules.bidding import WIPED_OUT_BY
from hub.games.tourists.rules.conflict import RoundOutcome
from hub.games.tourists.rules.deck import ATTRIBUTES, EXCUSES, TRIUMPHS, Card
from hub.games.tourists.rules.ending import LASTING_FROM
from hub.games.tourists.rules.view import LaidView, PartyView, RoundView, TouristsView

_WORDS: dict[type[q.AnyConsequence], int] = {
    q.ControlChanged: 5,
    q.CardDrawn: 3,
    q.CardTurned: 4,
    q.CardRejected: 7,
    q.CardCovered: 7,
    q.RoundOver: 6,
    q.WonAndLost: 5,
    q.LossSuffered: 8,
    q.WipedOut: 4,
    q.Conceded: 5,
    q.Refilled: 4,
    q.ConflictEnded: 8,
}
_PART = "part"
_DRAWN = "drawn"
_HALF = 0.5
_DECK = (*EXCUSES, *TRIUMPHS, *(card for cards in ATTRIBUTES.values() for card in cards))
_ENOUGH = 2
"""How many Lasting Losses a party bears before it tries to leave."""
_LONG = 6
"""The round in which the weakest party concedes; the next party concedes one round later."""
_MANY = 8
"""The number of a party's cards from which it hardly draws any more."""
_SELDOM, _RATHER, _GLADLY, _SURELY = 0.05, 0.4, 2.0, 8.0


class TouristsPlaying(Playing):
    """Plays a member of a party. It usually passes while its party would win, and draws less
    readily the more reversed cards its party has."""

    weighs = ("draw", "drawn", "pass", "let-be", "let-be-all", "turn", "reject", "cover")
    last_resort = (Choice("because", "no"), Choice("whose", "no"), Choice("let-be-all"))

    def liking(self, view: GameView | None, actor: str, choice: Choice) -> float:
        """The weight of drawing, passing or answering a card; 1 for any other choice."""
        if not isinstance(view, TouristsView) or actor not in view.members or view.round is None:
            return 1
        party = view.members[actor].party
        match choice.kind:
            case "draw" | "drawn":
                return _draws(view, party)
            case "pass":
                return _passes(view, party)
            case "turn":
                return _turns(view, party, choice.value)
            case "reject":
                return _rejects(view, party, choice.value)
            case "cover":
                return _covers(view, party, choice.value)
        return 1

    def made(
        self, view: GameView | None, kinds: Collection[str], actor: str, chance: Random
    ) -> Choice | None:
        """A card of the book's deck that is not on the table, in a random orientation. None if no
        card is to be drawn, or none is left."""
        if not isinstance(view, TouristsView) or _DRAWN not in kinds:
            return None
        able = [number for number in _DECK if number not in {*_lying(view)}]
        if not able:
            return None
        return Choice(_DRAWN, str(Card(chance.choice(able), chance.random() < _HALF)))

    def unasked(self, step: str, view: GameView | None, actor: str) -> Choice | None:
        """A concession at the end of a round, if the party has had enough; otherwise None."""
        if step != _PART or not isinstance(view, TouristsView) or actor not in view.members:
            return None
        member = view.members[actor]
        gone = member.conceded or view.parties[member.party].out is not None
        return None if gone or not _has_enough(view, member.party) else Choice("concede")

    def words(self, before: GameView | None, after: GameView | None) -> int:
        """The number of words for all consequences between the two views."""
        if not isinstance(after, TouristsView):
            return 0
        earlier = before if isinstance(before, TouristsView) else None
        return sum(_WORDS[type(came)] for came in q.of_conflict(earlier, after))

    def shown(self, view: GameView | None) -> set[tuple[int, str, int]]:
        """The cards before each party, each as round number, party and card number."""
        if not isinstance(view, TouristsView) or view.round is None:
            return set()
        number = view.round.number
        return {
            (number, name, each.card.number)
            for name, party in view.parties.items()
            for each in party.laid
        }


PLAYING = TouristsPlaying()


def _lying(view: TouristsView) -> Iterator[int]:
    """The numbers of all visible cards."""
    now = view.round
    for party in view.parties.values():
        yield from (each.card.number for each in party.laid)
        if party.out is None:
            yield from (card.number for card in party.temporary)
            yield from (card.number for loss in party.lasting for card in loss.cards)
    for member in view.members.values():
        yield from (card.number for card in member.reserve)
    yield from (card.number for card in now.discarded) if now else ()


def _is_content(view: TouristsView, now: RoundView, party: str) -> bool:
    """Whether the cards on the table favour the party. If nothing can be judged yet, only the
    Dominant is content, because the Control grows."""
    would = now.would
    if would is None:
        return party == now.dominant
    if would.outcome is RoundOutcome.HELD:
        return party == now.dominant
    return party in (would.winners or would.by)


def _draws(view: TouristsView, party: str) -> float:
    """The weight of drawing. The weight falls with each reversed card, because the next card is
    reversed half of the time."""
    now, own = view.round, view.parties[party]
    if now is None or now.winners or now.dominant is None:
        return 1  # a refill, or a Balance Breaker
    if own.reversed >= WIPED_OUT_BY - 1:
        return 0
    risk = 1 / (1 + own.reversed)
    if len(own.laid) >= _MANY:
        risk *= _SELDOM
    return risk * (_SELDOM if _is_content(view, now, party) else _GLADLY)


def _passes(view: TouristsView, party: str) -> float:
    now = view.round
    if now is None or now.winners:
        return 0  # a Reserve Card costs nothing
    return _SURELY if _is_content(view, now, party) else _RATHER


def _answered(view: TouristsView, on: str) -> tuple[str, LaidView] | None:
    """The party and the card that an answer refers to. ``on`` is the party named; if it is empty,
    the only party whose card can be answered. None if there is no such card."""
    able = view.round.answered if view.round else ()
    name = on or (able[0] if len(able) == 1 else "")
    laid = view.parties[name].laid if name in able else ()
    return (name, laid[-1]) if laid else None


def _turns(view: TouristsView, party: str, on: str) -> float:
    found = _answered(view, on)
    if found is None:
        return 0
    name, last = found
    count = view.parties[name].reversed
    if name == party:
        return _worth(count) if last.card.reversed else 0
    return 0 if last.card.reversed else _worth(count + 1) / _GLADLY


def _worth(count: int) -> float:
    """How much it is worth to have one fewer than ``count`` reversed cards."""
    if count >= WIPED_OUT_BY:
        return 5 * _SURELY
    return _GLADLY if count in (1, LASTING_FROM) else _RATHER


def _rejects(view: TouristsView, party: str, on: str) -> float:
    """The weight of rejecting another party's last card: high if that party would win with the
    card, very low if the card is reversed or ``party`` would win; 0 for a card of ``party``."""
    now, found = view.round, _answered(view, on)
    if now is None or found is None or found[0] == party:
        return 0
    if found[1].card.reversed or _is_content(view, now, party):
        return _SELDOM
    return _GLADLY if _is_content(view, now, found[0]) else _RATHER


def _covers(view: TouristsView, party: str, value: str) -> float:
    """The weight of covering a card: high for an upright Reserve Card over a reversed card of
    ``party``, and for a reversed Reserve Card over a card with which another party would win."""
    number, _, rest = value.partition(" ")
    way, _, on = rest.partition(" ")
    now, found = view.round, _answered(view, on)
    if now is None or found is None or not number:
        return 0
    name, last = found
    upright = way == "upright"
    if name == party:
        saves = upright and last.card.reversed
        return _worth(view.parties[party].reversed) if saves else 0
    stands = _is_content(view, now, name) and not _is_content(view, now, party)
    return (_RATHER if upright else _GLADLY) if stands else 0


def _has_enough(view: TouristsView, party: str) -> bool:
    """Whether a party gives up. The strongest never does, so that there is a victor."""
    still_in = [name for name, each in view.parties.items() if each.out is None]
    around = sorted(still_in, key=lambda name: tuple(_strength(view, name)))
    if party not in around[:-1] or view.round is None:
        return False
    if len(view.parties[party].lasting) >= _ENOUGH:
        return True
    if view.foregone and _losses(view.parties[party]):
        return True
    left = len(view.parties) - len(still_in)
    return view.round.number >= _LONG + left and party == around[0]


def _strength(view: TouristsView, name: str) -> Iterator[int]:
    party = view.parties[name]
    yield view.control.ranks if view.control and view.control.party == name else 0
    yield -_losses(party)
    yield party.total


def _losses(party: PartyView) -> int:
    return len(party.temporary) + LASTING_FROM * len(party.lasting)
