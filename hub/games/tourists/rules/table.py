"""A Conflict at the table: the state that the steps work on, and automatic transitions.

``bidding``, ``answers`` and ``ending`` have the rules. This module adds which characters have yet
to choose, and which card waits for a decision.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from hub.games.tourists.rules import answers, bidding, ending
from hub.games.tourists.rules.conflict import Conflict
from hub.games.tourists.rules.deck import Card

RULINGS = 2
"""The newest version of the rulings, by which a new Conflict is played."""


class Stage(StrEnum):
    """The stages of a Conflict, in their order. ``REFILL`` leads back to ``TACTICS`` while the
    Conflict goes on."""

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
    """A Reserve Card that was laid by the character ``who`` but not yet justified. ``on`` is the
    party whose card it covers, None until ``who`` names that party."""

    who: str
    card: Card
    on: str | None


class Rejection(Struct, frozen=True):
    """A rejected card of the party ``on``, whose replacement is not yet drawn. ``by`` is the party
    that rejected the card; ``loss`` is the Loss card of ``on`` that is used up, None until chosen.
    """

    by: str
    on: str
    loss: int | None


class Wish(Struct, frozen=True):
    """A player's request for a Reframing: the player's character, ``who``, and the player's
    words."""

    who: str
    text: str


class Table(Struct, frozen=True, kw_only=True):
    """The state of a Conflict at the table. It is immutable; each step makes a new one."""

    conflict: Conflict
    hub_draws: bool = False
    """Whether the hub draws the cards; otherwise players draw from a real deck."""
    rulings: int = RULINGS
    """The version of the rulings that applies."""
    stage: Stage = Stage.RESERVE
    number: int = 0
    """The number of the round, from 1; 0 before the first."""
    registering: tuple[str, ...] = ()
    """Characters whose Reserve is not yet complete."""
    tactics: Mapping[str, str] = {}
    """Party → its tactics for this round; empty if told aloud."""
    order: tuple[str, ...] | None = None
    """The order of the Contenders that the GM has set for this round or the coming one, if any."""
    quiet: bool = False
    """Whether every character that was asked lets the present card be."""
    let_all: frozenset[str] = frozenset()
    """Characters that let every card be until the round is over."""
    cover: Cover | None = None
    rejection: Rejection | None = None
    discarded: tuple[Card, ...] = ()
    """Cards rejected, covered or (Excuses) replaced in this round, oldest first."""
    told: Mapping[str, str] = {}
    """Party → its narration of the round; empty if told aloud."""
    refilling: tuple[str, ...] = ()
    """Characters that may still draw a Reserve Card for having won."""
    leaving: Mapping[str, int] = {}
    """Character that conceded → number of Reserve Cards still to draw."""
    wish: Wish | None = None
    reframed: bool = False
    stops: int = 0
    anew: int = 0

    def stopped(self) -> "Table":
        """The same table with one more stop for undo."""
        return replace(self, stops=self.stops + 1)

    def answered(self, conflict: Conflict) -> "Table":
        """The table after an answer: all characters are asked again."""
        return replace(self, conflict=conflict, quiet=False, anew=self.anew + 1)


def covers(conflict: Conflict, who: str) -> bool:
    """Whether the character ``who`` has a Reserve Card that could be justified now."""
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
    """The characters that could answer a card and have not let it be (T6)."""
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
    """The groups of which one character answers for all: a party's characters that are asked but
    have no card to lay. A single such character is no group."""
    conflict = state.conflict
    without = [who for who in asked(state) if not covers(conflict, who)]
    for party in conflict.parties_in():
        group = tuple(who for who in without if conflict.party_of[who] == party)
        if len(group) > 1:
            yield group


def suffering(conflict: Conflict) -> tuple[str, ...]:
    """The parties that have not left and have a Loss to describe."""
    now = conflict.playing()
    return tuple(name for name in conflict.parties_in() if now.reversed(name))


def flow(state: Table) -> Table:
    """The table once all stages that need no choice are skipped."""
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
    """The table after the next automatic change in a round, such as the effect of a card that has
    been answered; None if the round waits for a choice."""
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
    """The table at the beginning of the next round."""
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
    """The table after ``losses`` (party → its words) are told and counted. Raises
    :class:`hub.games.tourists.reasons.Refused`."""
    counted = ending.end_round(state.conflict, losses)
    return replace(state, conflict=counted, stage=Stage.TELL, order=None).stopped()


def parted(state: Table) -> Table:
    """The table after the concessions of a round; next, winners refill their Reserves."""
    after = ending.after_concessions(state.conflict)
    return _refilling(replace(state, conflict=after)).stopped()


def _refilling(state: Table) -> Table:
    return replace(state, stage=Stage.REFILL, refilling=ending.may_refill(state.conflict))


def leave(state: Table) -> Table:
    """The table at the Conflict's end, when characters that conceded draw Reserve Cards (T11)."""
    return replace(state, stage=Stage.PARTING, leaving=ending.earned(state.conflict)).stopped()


# book: one-leaves.reframe, overview.ends, reframing.stops
def reframe(state: Table) -> Table:
    """The table after a Reframing stopped the Conflict; a round in progress is broken off (T13)."""
    conflict = state.conflict
    if state.stage is Stage.ROUND:
        conflict = ending.break_off(conflict)
    stopped = replace(state, conflict=conflict, reframed=True, wish=None)
    return leave(replace(stopped, cover=None, rejection=None))
