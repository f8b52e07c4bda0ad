"""A Conflict at the table: the state that the steps are played on, and what follows by itself.

What counts is judged by the words of a round (``bidding``, ``answers``, ``ending``). Here stands
what a table needs besides: who is still to be heard, and which card waits for what.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from hub.games.tourists.rules import answers, bidding, ending
from hub.games.tourists.rules.conflict import Conflict, RoundOutcome
from hub.games.tourists.rules.deck import Card

RULINGS = 2
"""The version of the rulings by which a Conflict that begins now is played. In version 1, of older
logs, whoever lays a Reserve before the Conflict names its cards, even where the hub draws (T14),
and Lasting Losses that were told in the same words are one Weakness on the sheet (T13)."""
HUB_DRAWS_RESERVES = 2
"""The rulings by which the hub draws these cards, too, where it draws at all."""
LOSSES_APART = 2
"""The rulings by which each Lasting Loss is a Weakness of its own."""


class Stage(StrEnum):
    """Where a Conflict is between its beginning and its end."""

    RESERVE = "reserve"
    TACTICS = "tactics"
    ROUND = "round"
    LOSSES = "losses"
    TELL = "tell"
    PART = "part"
    REFILL = "refill"
    PARTING = "parting"
    OVER = "over"


class Cover(Struct, frozen=True):
    """A Reserve Card that was laid and is not explained yet; ``on`` is the party whose card it is
    to cover, None as long as nobody has said."""

    who: str
    card: Card
    on: str | None


class Rejection(Struct, frozen=True):
    """A card that was rejected and is not drawn anew yet; ``loss`` is the Loss card that is used up
    for it, None as long as its party has to say which."""

    by: str
    on: str
    loss: int | None


class Wish(Struct, frozen=True):
    """A Reframing that somebody asks for."""

    who: str
    text: str


class Table(Struct, frozen=True, kw_only=True):
    """A state."""

    conflict: Conflict
    hub_draws: bool = False
    """Whether the hub draws the cards, and not people from a deck of theirs."""
    rulings: int = RULINGS
    """By which version of the rulings it is played."""
    stage: Stage = Stage.RESERVE
    number: int = 0
    """Of the round, from 1; 0 before the first."""
    registering: tuple[str, ...] = ()
    """Characters whose Reserve is still to be laid."""
    tactics: Mapping[str, str] = {}
    """Party → what it has told before this round; empty: aloud."""
    order: tuple[str, ...] | None = None
    """That of the Contenders, where the table has said one for the round that comes."""
    quiet: bool = False
    """Whether everybody who was asked lets the card be."""
    let_all: frozenset[str] = frozenset()
    """Characters that let every card be until the round is over."""
    cover: Cover | None = None
    rejection: Rejection | None = None
    discarded: tuple[Card, ...] = ()
    """Rejected, covered or Excuses that were discarded in this round, in that order."""
    told: Mapping[str, str] = {}
    """Party → what it has told of the round; empty: aloud."""
    refilling: tuple[str, ...] = ()
    """Characters that may still draw a Reserve Card for having won."""
    leaving: Mapping[str, int] = {}
    """Who conceded → how many Reserve Cards it has still to draw."""
    wish: Wish | None = None
    reframed: bool = False
    stops: int = 0
    anew: int = 0

    def stopped(self) -> "Table":
        """The same, where an undo may stop."""
        return replace(self, stops=self.stops + 1)

    def answered(self, conflict: Conflict) -> "Table":
        """After an answer: everybody is asked once more."""
        return replace(self, conflict=conflict, quiet=False, anew=self.anew + 1)


def covers(conflict: Conflict, who: str) -> bool:
    """Whether a character has a Reserve Card that something allows it to lay now."""
    if not conflict.is_in(who) or not conflict.reserves[who]:
        return False
    return any(any(answers.becauses(conflict, who, on)) for on in answers.answerable(conflict))


def party_answers(conflict: Conflict, party: str) -> bool:
    """Whether a party could turn or reject one of the cards that can be answered."""
    return any(
        answers.may_turn(conflict, party, on) or answers.may_reject(conflict, party, on)
        for on in answers.answerable(conflict)
    )


# book: t6.settled, t15.first
def asked(state: Table) -> tuple[str, ...]:
    """Who could answer, and has not let it be (T6)."""
    if state.quiet:
        return ()
    conflict = state.conflict
    return tuple(
        who
        for party in conflict.parties_in()
        for who in conflict.characters_in(party)
        if who not in state.let_all and (covers(conflict, who) or party_answers(conflict, party))
    )


def groups_asked(state: Table) -> Iterator[tuple[str, ...]]:
    """Of them those of whom one speaks for all: players of a party who have nothing of their own to
    answer with."""
    conflict = state.conflict
    for party in conflict.parties_in():
        group = tuple(
            who
            for who in asked(state)
            if conflict.party_of[who] == party and not covers(conflict, who)
        )
        if len(group) > 1:
            yield group


def suffering(conflict: Conflict) -> tuple[str, ...]:
    """The parties still in that have a Loss to tell of."""
    now = conflict.playing()
    return tuple(name for name in conflict.parties_in() if now.reversed(name))


def flow(state: Table) -> Table:
    """Past everything that nobody has to say anything to."""
    while (after := _next(state)) is not None:
        state = after
    return state


def _next(state: Table) -> Table | None:
    conflict = state.conflict
    match state.stage:
        case Stage.RESERVE if not state.registering:
            return replace(state, stage=Stage.TACTICS)
        case Stage.ROUND if state.cover is None and state.rejection is None:
            return _round(state)
        case Stage.LOSSES if not suffering(conflict):
            return ended(state, {})
        case Stage.TELL if len(state.told) >= len(conflict.playing().narrate):
            if not conflict.over:
                return replace(state, stage=Stage.PART)
            return _refilling(state)
        case Stage.REFILL if not state.refilling:
            if conflict.over:
                return leave(state)
            return replace(state, stage=Stage.TACTICS, tactics={}, let_all=frozenset())
        case Stage.PARTING if not state.leaving:
            return replace(state, stage=Stage.OVER)
    return None


def _round(state: Table) -> Table | None:
    """What a card does that nobody answers any more."""
    conflict, now = state.conflict, state.conflict.playing()
    if now.outcome is not None:
        return replace(state, stage=Stage.LOSSES).stopped()
    if not answers.answerable(conflict) or asked(state):
        return None
    if now.dominant is None:
        conflict = bidding.judge_draws(conflict)
    elif bidding.lies_excuse(conflict):
        return None
    else:
        conflict = bidding.settle(conflict)
    return replace(state, conflict=conflict, quiet=False).stopped()


def open_round(state: Table) -> Table:
    """The first word of the next round."""
    opened = bidding.open_round(state.conflict, state.order)
    return replace(
        state,
        conflict=opened,
        stage=Stage.ROUND,
        number=state.number + 1,
        quiet=False,
        discarded=(),
        told={},
    ).stopped()


def ended(state: Table, losses: Mapping[str, ending.Telling]) -> Table:
    """The round is counted. Raises :class:`hub.games.tourists.reasons.Refused`."""
    counted = ending.end_round(state.conflict, losses)
    return replace(state, conflict=counted, stage=Stage.TELL, order=None).stopped()


def parted(state: Table) -> Table:
    """Whoever concedes has said so."""
    after = ending.after_concessions(state.conflict)
    return _refilling(replace(state, conflict=after)).stopped()


def _refilling(state: Table) -> Table:
    return replace(state, stage=Stage.REFILL, refilling=ending.may_refill(state.conflict))


def leave(state: Table) -> Table:
    """The Conflict has ended: who has conceded draws (T11)."""
    return replace(state, stage=Stage.PARTING, leaving=ending.earned(state.conflict)).stopped()


# book: one-leaves.reframe, overview.ends, reframing.stops
def reframe(state: Table) -> Table:
    """The Conflict stops; a round that is being played is broken off (T13)."""
    conflict = state.conflict
    if state.stage is Stage.ROUND:
        conflict = ending.break_off(conflict)
    stopped = replace(state, conflict=conflict, reframed=True, wish=None)
    return leave(replace(stopped, cover=None, rejection=None))


def broken_off(conflict: Conflict) -> bool:
    """Whether the round that was played last was broken off."""
    return conflict.round is not None and conflict.round.outcome is RoundOutcome.REFRAMED
