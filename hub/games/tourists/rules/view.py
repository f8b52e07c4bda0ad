"""The public view of a Conflict: all of it, because its cards are open."""

from typing import Literal

from msgspec import Struct

from hub.games.game import GameView, view_of
from hub.games.tourists.rules import answers, bidding, ending
from hub.games.tourists.rules.conflict import FOREGONE, Conflict, Laid, Left, Round, RoundOutcome
from hub.games.tourists.rules.deck import Card, Deck
from hub.games.tourists.rules.table import Stage, Table

EXCUSE, TRIUMPH = "excuse", "triumph"


class CardView(Struct, frozen=True, kw_only=True):
    """A card of the deck, and whether it lies ``reversed``."""

    number: int
    reversed: bool
    suit: str
    """``excuse``, ``triumph`` or the name of the card's attribute."""
    rank: int | None
    """A Triumph's rank, from 0; None for any other card."""


class LaidView(Struct, frozen=True, kw_only=True):
    """A card before a party. ``turned`` says whether the Dominant has turned it, ``reserve``
    whether it is a Reserve Card."""

    card: CardView
    who: str
    """The character that drew this card, or the card that it covers."""
    turned: bool
    reserve: bool


class LastingView(Struct, frozen=True, kw_only=True):
    """A Lasting Loss, which the character ``who`` bears. ``gravity`` is from 1 to 5; ``face_down``
    has the numbers of the cards that were used."""

    cards: tuple[CardView, ...]
    face_down: tuple[int, ...]
    who: str
    gravity: int
    text: str


class PartyView(Struct, frozen=True, kw_only=True):
    """A party in the Conflict. ``gm`` says whether the GM plays it, ``out`` how it left (None while
    it is in)."""

    goal: str
    gm: bool
    characters: tuple[str, ...]
    total: int
    laid: tuple[LaidView, ...]
    """The party's cards in this round, in the order drawn."""
    reversed: int
    """How many cards in ``laid`` are reversed."""
    temporary: tuple[CardView, ...]
    lasting: tuple[LastingView, ...]
    out: Left | None
    passed: bool
    """Whether the party's last word in this round was a pass."""
    tactics: str | None
    """The party's tactics for this round, empty if told aloud; None before it has told them."""


class AttributeView(Struct, frozen=True, kw_only=True):
    """The Attribute that a character uses in this Conflict."""

    name: str
    value: int


class MemberView(Struct, frozen=True, kw_only=True):
    """A character in the Conflict, with what counts from its sheet."""

    party: str
    attribute: AttributeView | None
    aspects: tuple[str, ...]
    weaknesses: tuple[str, ...]
    reserve: tuple[CardView, ...]
    reserve_max: int
    conceded: bool
    draws: int
    """How many Reserve Cards the character draws at the end of the Conflict for conceding."""


class ControlView(Struct, frozen=True, kw_only=True):
    """The Dominant (``party``) and its ranks of Control, from 1."""

    party: str
    ranks: int


class WouldView(Struct, frozen=True, kw_only=True):
    """The outcome if the round were judged by the cards now on the table, and the winners. ``by``
    are the parties that would take or break the Control."""

    outcome: RoundOutcome
    by: tuple[str, ...]
    winners: tuple[str, ...]


class SufferedView(Struct, frozen=True, kw_only=True):
    """A party's Loss of this round, which the character ``who`` bears."""

    who: str
    cards: tuple[CardView, ...]
    gravity: int | None
    """The gravity, from 1 to 5; None for a Temporary Loss."""
    text: str


class RoundView(Struct, frozen=True, kw_only=True):
    """The current round, or the last one."""

    number: int
    kind: Literal["balance-breaker", "unbalanced"]
    dominant: str | None
    order: tuple[str, ...]
    """The parties in speaking order; empty in a Balance Breaker."""
    speaking: str | None
    had: int
    """The Dominant's Tokens when the round began."""
    spent: int
    answered: tuple[str, ...]
    """Parties whose last card can be answered now."""
    let_all: tuple[str, ...]
    """Characters that let every card be until the round is over."""
    cover: LaidView | None
    """A Reserve Card that was laid but not yet justified."""
    covers: str | None
    """The party whose card ``cover`` covers; None without a ``cover``, or until that is said."""
    rejected: str | None
    """The party whose card was rejected and not yet replaced."""
    discarded: tuple[CardView, ...]
    """The cards rejected, covered or discarded in this round, oldest first."""
    would: WouldView | None
    outcome: RoundOutcome | None
    by: tuple[str, ...]
    winners: tuple[str, ...]
    losers: tuple[str, ...]
    narrate: tuple[str, ...]
    narrator: str | None
    """The party whose turn it is to tell how the round went; None at other times."""
    told: dict[str, str]
    """Party → its narration of the round, empty if told aloud."""
    suffered: dict[str, SufferedView]


class CarriedView(Struct, frozen=True, kw_only=True):
    """A Lasting Loss carried over to the sheet of the character ``who``."""

    who: str
    gravity: int
    text: str


class WishView(Struct, frozen=True, kw_only=True):
    """A player's request for a Reframing, in the player's words."""

    who: str
    text: str


class ConflictResultView(Struct, frozen=True, kw_only=True):
    """How the Conflict ended. ``winner`` is None if all conceded or it was reframed; ``carried``
    has each party's Lasting Losses."""

    winner: str | None
    reason: Literal["last-standing", "all-conceded", "reframed"]
    carried: dict[str, tuple[CarriedView, ...]]
    draws: dict[str, int]
    """Character that conceded → number of Reserve Cards earned."""


class TouristsView(GameView, frozen=True, kw_only=True, tag="tourists"):
    """The public view of a Conflict of N-Dimensional Tourists, whose cards are all open."""

    draws: Literal["table", "hub"]
    """Whether players or the hub draw the cards."""
    around: tuple[str, ...]
    """The parties in order around the table. Object keys have no order."""
    parties: dict[str, PartyView]
    """The parties by name."""
    members: dict[str, MemberView]
    """All characters by name."""
    control: ControlView | None
    foregone: bool
    """Whether the Control is so high that the Conflict is practically decided."""
    typical_reserve: dict[str, int]
    round: RoundView | None
    wish: WishView | None
    result: ConflictResultView | None


# book: npc-reserve.typical, npc-reserve.example, t14.typical, t14.foregone
def public_view(state: Table) -> TouristsView:
    """The public view, which hides nothing of the state, because all cards are open."""
    conflict = state.conflict
    now = conflict.round
    control = conflict.control
    players = sum(len(each.sheets) for each in conflict.parties.values() if not each.gm)
    return TouristsView(
        draws="hub" if state.hub_draws else "table",
        around=tuple(conflict.parties),
        parties={name: _party(state, name) for name in conflict.parties},
        members={who: _character(conflict, who) for who in conflict.reserves},
        control=view_of(ControlView, control) if control else None,
        foregone=control is not None and control.ranks >= FOREGONE,
        typical_reserve={name: players for name, each in conflict.parties.items() if each.gm},
        round=_round(state, now) if now else None,
        wish=view_of(WishView, state.wish) if state.wish else None,
        result=_result(state),
    )


def card_view(deck: Deck, card: Card) -> CardView:
    """The card as it is shown, with its suit and rank."""
    number = card.number
    rank = deck.rank_of.get(number)
    other = EXCUSE if number in deck.excuses else deck.attribute_of.get(number, "")
    suit = other if rank is None else TRIUMPH
    return CardView(number=number, reversed=card.reversed, suit=suit, rank=rank)


def _laid(deck: Deck, laid: Laid) -> LaidView:
    return view_of(LaidView, laid, card=card_view(deck, laid.card))


def _party(state: Table, name: str) -> PartyView:
    conflict, party = state.conflict, state.conflict.parties[name]
    deck, losses, now = conflict.deck, conflict.losses[name], conflict.round
    laid = now.laid.get(name, ()) if now else ()

    def reversed_(number: int) -> CardView:
        return card_view(deck, Card(number, reversed=True))

    return view_of(
        PartyView,
        party,
        characters=tuple(party.sheets),
        laid=tuple(_laid(deck, each) for each in laid),
        reversed=sum(each.card.reversed for each in laid),
        temporary=tuple(map(reversed_, losses.temporary)),
        lasting=tuple(
            view_of(
                LastingView,
                each,
                cards=tuple(map(reversed_, each.cards)),
                face_down=tuple(card for card in each.cards if card in each.face_down),
            )
            for each in losses.lasting
        ),
        out=conflict.out.get(name),
        passed=now is not None and name in now.passed,
        tactics=state.tactics.get(name),
    )


def _character(conflict: Conflict, who: str) -> MemberView:
    party = conflict.party_of[who]
    sheet = conflict.parties[party].sheets[who]
    value = sheet.attribute
    return view_of(
        MemberView,
        sheet,
        party=party,
        attribute=None if value is None else AttributeView(name=sheet.attribute_name, value=value),
        reserve=tuple(card_view(conflict.deck, card) for card in conflict.reserves[who]),
        conceded=who in conflict.conceded,
        draws=ending.earned(conflict).get(who, 0),
    )


def _round(state: Table, now: Round) -> RoundView:
    conflict, deck, cover = state.conflict, state.conflict.deck, state.cover
    speaks = state.stage is Stage.ROUND and now.outcome is None and now.speakers
    told = len(state.told)
    return view_of(
        RoundView,
        now,
        number=state.number,
        kind="unbalanced" if now.dominant else "balance-breaker",
        order=now.speakers,
        speaking=now.speakers[now.turn] if speaks else None,
        had=now.tokens,
        answered=answers.answerable(conflict) if state.stage is Stage.ROUND else (),
        let_all=tuple(who for who in conflict.reserves if who in state.let_all),
        cover=_laid(deck, Laid(cover.card, cover.who, reserve=True)) if cover else None,
        covers=cover.on if cover else None,
        rejected=state.rejection.on if state.rejection else None,
        discarded=tuple(card_view(deck, card) for card in state.discarded),
        would=_would(conflict, now) if state.stage is Stage.ROUND else None,
        narrator=now.narrate[told] if state.stage is Stage.TELL else None,
        told=dict(state.told),
        suffered={
            name: view_of(
                SufferedView,
                each,
                cards=tuple(card_view(deck, Card(n, reversed=True)) for n in each.cards),
            )
            for name, each in now.suffered.items()
        },
    )


def _would(conflict: Conflict, now: Round) -> WouldView | None:
    """The outcome if the cards on the table were judged now. None if there are no cards or the
    round has its outcome; in a Balance Breaker, None before all have drawn."""
    if now.outcome is not None or not any(now.laid.values()):
        return None
    if now.dominant is None:
        if not all(now.laid.values()):
            return None
        after = bidding.judge_draws(conflict)
    else:
        after = bidding.judged(conflict)
    would = after.playing()
    if would.outcome is None:
        return None
    winners, _ = ending.won_and_lost(after)
    return WouldView(outcome=would.outcome, by=would.by, winners=winners)


# book: counting-losses.carried
def _result(state: Table) -> ConflictResultView | None:
    conflict = state.conflict
    if state.stage not in {Stage.PARTING, Stage.OVER}:
        return None
    winner = None if state.reframed else next(iter(conflict.parties_in()), None)
    if state.reframed:
        reason: Literal["last-standing", "all-conceded", "reframed"] = "reframed"
    else:
        reason = "all-conceded" if winner is None else "last-standing"
    return ConflictResultView(
        winner=winner,
        reason=reason,
        carried={
            name: tuple(view_of(CarriedView, each) for each in losses.lasting)
            for name, losses in conflict.losses.items()
            if losses.lasting
        },
        draws=ending.earned(conflict),
    )
