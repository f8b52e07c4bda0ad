"""Invariants of every Conflict, checked after every word."""

from collections import Counter
from random import Random

from hub.games.game import GM
from hub.games.tourists.rules import bidding
from hub.games.tourists.rules.conflict import Conflict
from hub.games.tourists.rules.table import Stage, Table
from tests.rules.tourists.scripts import Json, sheet
from tests.rules.tourists.talk import Talk

ALL = frozenset(range(4, 87))


class Watched:
    """Checks each state, alone and against the state before it."""

    def __init__(self) -> None:
        self.before: Table | None = None
        self.reached: Counter[str] = Counter()

    def __call__(self, state: Table) -> None:
        conserved(state)
        control_is_positive(state)
        five_reversed_end_it(state)
        who_is_out_draws_nothing(state)
        if self.before is not None:
            never_back(self.before, state)
        self.before = state


def places(conflict: Conflict) -> dict[str, list[int]]:
    """The numbers of all cards outside the deck, by place."""
    now = conflict.round
    return {
        "before a party": [
            card.number for name in now.laid for card in now.cards(name)
        ] if now and now.outcome is None else [],
        "in a Reserve": [card.number for cards in conflict.reserves.values() for card in cards],
        "marking a Loss": [
            mark for name in conflict.parties_in() for mark in conflict.losses[name].marks()
        ],
    }  # fmt: skip


def conserved(state: Table) -> None:
    """No card is in two places, and none is lost.

    A card in no place has been used up or discarded in this round, or is kept by the party against
    which it was laid.
    """
    conflict = state.conflict
    found = places(conflict)
    if state.stage in (Stage.PARTING, Stage.OVER):
        found["marking a Loss"] = []  # they are back in the deck
    where = Counter(number for numbers in found.values() for number in numbers)
    assert not [number for number, times in where.items() if times > 1], found
    assert {*where} <= ALL, "a card that the deck has not"
    now = conflict.round
    if state.stage is Stage.ROUND and now is not None and now.outcome is None:
        deck = {*bidding.in_the_deck(conflict)}
        assert not deck & {*where}, "what lies somewhere could be drawn"
        nowhere = ALL - deck - {*where}
        discarded = {card.number for card in state.discarded}
        was = now.held | now.seen
        assert nowhere <= was, "a card is lost"
        assert discarded - conflict.kept <= nowhere, "what was discarded could be drawn"
    elif state.stage not in (Stage.PARTING, Stage.OVER):
        gone = conflict.kept | {*found["in a Reserve"], *found["marking a Loss"]}
        assert conflict.not_in_deck() == gone, "a card is lost between rounds"


def control_is_positive(state: Table) -> None:
    """The Control has at least one rank and belongs to a party that is in; no Token is owed."""
    conflict = state.conflict
    if conflict.control is not None:
        assert conflict.control.ranks >= 1, "the Control is below a rank"
        assert conflict.control.party in conflict.parties_in(), "who has left has the Control"
    if conflict.round is not None:
        assert 0 <= conflict.round.spent <= conflict.round.tokens, "a Token is owed"


def five_reversed_end_it(state: Table) -> None:
    """A party with five reversed cards is out when the answers are over.

    The exception is a card in an Excuse's place.
    """
    now = state.conflict.round
    if now is None or state.stage is not Stage.ROUND:
        return
    for name in now.laid:
        if len(now.reversed(name)) >= 5 and name != now.answerable and now.dominant:
            assert state.conflict.out.get(name) == "wiped-out", f"{name} has five, and is in"


def who_is_out_draws_nothing(state: Table) -> None:
    """Players who have left are neither asked nor able to speak.

    The exception is the end, for those who have conceded.
    """
    conflict = state.conflict
    talk = Talk.of(state)
    asked = {*talk.pending.must} - {GM}
    if talk.step in ("parting-draw", "reserve"):
        return
    for who in conflict.party_of:
        if not conflict.is_in(who):
            assert who not in asked, f"{who} is asked"
            assert not talk.offers(who), f"{who} could say {talk.offers(who)} in {talk.step}"


def never_back(before: Table, state: Table) -> None:
    """Stops and rounds only increase; a party that is out stays out; spent Tokens stay spent.

    The Control changes by one rank at a time, or leaves with its party.
    """
    assert state.stops >= before.stops, "a stop is taken back"
    assert state.number >= before.number, "a round is taken back"
    assert state.conflict.out.items() >= before.conflict.out.items(), "a party comes back"
    assert state.conflict.conceded >= before.conflict.conceded, "a character comes back"
    old, new = before.conflict.round, state.conflict.round
    if old and new and before.number == state.number:
        assert new.spent >= old.spent, "a Token comes back"
        assert new.seen >= old.seen, "a card that was drawn is drawn no more"
    ranks, were = (each.conflict.control for each in (state, before))
    if ranks and were and ranks.party == were.party:
        assert abs(ranks.ranks - were.ranks) <= 1, "the Control changes by more than a rank"
    elif ranks:
        assert ranks.ranks == 1 and were is None, "the Control goes to nobody by itself"


def parties_by(chance: Random) -> Json:
    pool = chance.sample(sorted(ALL), 83)

    def one(who: str) -> Json:
        ways = ("upright", "reversed")
        reserve = [f"{pool.pop()} {chance.choice(ways)}" for _ in range(chance.randrange(3))]
        more = {"reserve": reserve, "reserve_max": len(reserve) + chance.randrange(2)}
        found = sheet(chance.randrange(3, 7), chance.randrange(3), chance.randrange(2), **more)
        if chance.random() < 0.3:
            del found["reserve"]
        return found

    found: Json = {}
    for name in ("P", "Q", "R", "S")[: chance.randrange(2, 5)]:
        if chance.random() < 0.4:
            names = [f"{name}{n}" for n in range(1, chance.randrange(2, 4))]
            found[name] = {"characters": {who: one(who) for who in names}}
        else:
            found[name] = one(name)
        found[name]["gm"] = chance.random() < 0.3
    return found


class Chance:
    """A player who makes any legal choice at random."""

    def __init__(self, talk: Talk, chance: Random) -> None:
        self.talk, self.chance = talk, chance
        self.down = chance.choice((0.2, 0.5, 0.85))
        self.bold = chance.choice((0.3, 0.6, 0.85))

    def word(self) -> str:
        """Say one more word; return the step in which it was said."""
        talk, chance = self.talk, self.chance
        step = talk.step
        if chance.random() < 0.25 and (declared := self.declaration()):
            talk.say(*declared)
            return declared[1].split()[0]
        talk.all(**{self.one_of_its_group(who): self.choice(who) for who in talk.awaited()})
        return step

    def one_of_its_group(self, who: str) -> str:
        group = next((each for each in self.talk.pending.one_of if who in each), (who,))
        return self.chance.choice(group) if self.talk.step != "answers" else who

    def declaration(self) -> tuple[str, str] | None:
        """A random declaration by a player; the GM rarely ends the Conflict."""
        talk = self.talk
        words = {*talk.pending.declarations} - {"order", "drawn", "reframe"}
        able = [
            (who, offer)
            for who in (*talk.conflict.party_of, GM)
            for offer in talk.offers(who)
            if offer.split()[0] in words
        ]
        if "reframe" in talk.pending.declarations and self.chance.random() < 0.05:
            if talk.view.wish:
                return GM, self.chance.choice(("reframe yes", "reframe no"))
            left = [who for who in talk.conflict.party_of if talk.conflict.is_in(who)]
            return (self.chance.choice(left), "reframe otherwise") if left else None
        cards = [
            (who, f"drawn {card}")
            for who, cards in talk.conflict.reserves.items()
            for card in cards
            if talk.step == "answers" and who in talk.pending.must
        ]
        if cards and self.chance.random() < 0.3:
            return self.chance.choice(cards)
        return self.chance.choice(able) if able else None

    def choice(self, who: str) -> str:
        talk, chance = self.talk, self.chance
        kinds = talk.pending.kinds
        if "drawn" in kinds:
            return "pass" if "pass" in kinds and chance.random() > self.bold else self.drawn()
        if talk.step == "answers":
            return chance.choice(("let-be", "let-be", "let-be-all"))
        return chance.choice(talk.offers(who)[:6] or ["pass"])

    def drawn(self) -> str:
        """A card of the deck; parties that draw at once draw different ones."""
        state = self.talk.state
        gone = state.conflict.not_in_deck()
        able = sorted(ALL - gone)
        if state.stage is Stage.ROUND:
            able = [*bidding.in_the_deck(state.conflict)]
        if not able:
            return "pass"
        number = 4 if 4 in able and self.chance.random() < 0.05 else self.chance.choice(able)
        return f"drawn {number} {'reversed' if self.chance.random() < self.down else 'upright'}"
