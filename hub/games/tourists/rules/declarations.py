"""The declarations in a Conflict: answers to a card, and those about the whole Conflict."""

# ruff: noqa: D102  (the base class Declaration documents the methods)

from collections.abc import Iterator

from msgspec.structs import replace

from hub.games.game import GM, MAX_WORD_CHARS
from hub.games.step import SaidDeclaration
from hub.games.tourists.reasons import Reason, Refused
from hub.games.tourists.rules import answers, bidding, ending
from hub.games.tourists.rules.step import card_and_party, card_of, elsewhere, party_of
from hub.games.tourists.rules.table import Cover, Rejection, Stage, Table, Wish, flow, reframe
from hub.kernel.faults import shown

YES, NO = "yes", "no"


class Declaration(SaidDeclaration[Table]):
    """The base class of declarations in a Conflict. After each, stages that need no choice are
    skipped."""

    def go_on(self, state: Table) -> Table:
        return flow(state)


def _party(state: Table, actor: str) -> str:
    """The actor's party. Raises :class:`Refused` if the character has left."""
    if not state.conflict.is_in(actor):
        raise Refused("", Reason("character-not-in", who=shown(actor)))
    return state.conflict.party_of[actor]


class _OfCard(Declaration):
    """An answer to a card. The value names the card's party if several parties' cards can be
    answered."""

    by_card = True

    def values(self, state: Table) -> Iterator[str]:
        able = answers.answerable(state.conflict)
        yield from able if len(able) > 1 else ("",)


class Turn(_OfCard):
    """The Dominant turns a card for a Token."""

    word = "turn"

    def said(self, state: Table, actor: str, value: str) -> Table:
        by = _party(state, actor)
        on = party_of(state.conflict, value)
        return state.answered(answers.turn(state.conflict, by, on))


class Reject(_OfCard):
    """Another party rejects a card, using a face-up Loss card of the card's party."""

    word = "reject"

    def said(self, state: Table, actor: str, value: str) -> Table:
        conflict, by = state.conflict, _party(state, actor)
        on = party_of(conflict, value)
        if by == on:
            raise Refused("", Reason("only-others-reject", who=by))
        if conflict.playing().laid[on][-1].reserve:
            raise Refused("", Reason("reserve-card-stays"))
        able = [*conflict.losses[on].face_up()]
        if not able:
            raise Refused("", Reason("no-loss-face-up", who=on))
        if not answers.may_reject(conflict, by, on):
            raise Refused("", Reason("deck-is-empty"))
        rejected = Rejection(by, on, able[0] if len(able) == 1 else None)
        return replace(state, rejection=rejected)


class LayCover(Declaration):
    """A character covers a card with a Reserve Card."""

    word = "cover"

    def values(self, state: Table) -> Iterator[str]:
        able = answers.answerable(state.conflict)
        for cards in state.conflict.reserves.values():
            for card in cards:
                yield from (f"{card} {on}" for on in able) if len(able) > 1 else (str(card),)

    def said(self, state: Table, actor: str, value: str) -> Table:
        conflict = state.conflict
        _party(state, actor)
        card, on = card_and_party(conflict, value)
        if card not in conflict.reserves[actor]:
            raise Refused("", Reason("lies-in-no-reserve", who=actor))
        able = [on] if on else answers.answerable(conflict)
        if not any(any(answers.becauses(conflict, actor, each)) for each in able):
            raise Refused("", Reason("nothing-allows-it", names=[*able]))
        return replace(state, cover=Cover(actor, card, on))


class LayCard(Declaration):
    """A card laid while a card is being answered. A card from the actor's Reserve is a cover; the
    answered card itself, the other way up, is a turn."""

    word = "drawn"
    by_card = True

    def values(self, state: Table) -> Iterator[str]:
        yield from ()

    def said(self, state: Table, actor: str, value: str) -> Table:
        conflict = state.conflict
        party = _party(state, actor)
        card = card_of(conflict, value)
        if card in conflict.reserves[actor]:
            return COVER.said(state, actor, value)
        now = conflict.playing()
        for on in answers.answerable(conflict):
            if now.laid[on][-1].card == card.turned() and party == now.dominant:
                return TURN.said(state, actor, on)
        raise Refused("", elsewhere(conflict, card) or Reason("first-the-answers"))


class AskAgain(Declaration):
    """A player who lets every card be wants to be asked again."""

    word = "ask-again"

    def said(self, state: Table, actor: str, value: str) -> Table:
        _party(state, actor)
        if actor not in state.let_all or value:
            raise Refused("", Reason("is-asked-anyway", who=shown(actor)))
        return replace(state, let_all=state.let_all - {actor}, quiet=False)


# book: bidding.order, t7.order
class Order(Declaration):
    """The GM sets the order in which the Contenders speak in this round (T7)."""

    word = "order"

    def values(self, state: Table) -> Iterator[str]:
        yield from ()

    def said(self, state: Table, actor: str, value: str) -> Table:
        if actor != GM:
            raise Refused("", Reason("gm-says-order"))
        order = tuple(name.strip() for name in value.split(","))
        opened = bidding.open_round(state.conflict, order)
        if state.stage is Stage.TACTICS:
            return replace(state, order=order)
        now = state.conflict.playing()
        if now.seen or now.passed:
            raise Refused("", Reason("round-has-begun"))
        return replace(state, conflict=opened, order=order)


# book: reframing.validated, one-leaves.reframe, t15.yes
class Reframe(Declaration):
    """A player asks for other goals and other means; the GM says yes or no (T13, T15)."""

    word = "reframe"
    is_text = True

    def values(self, state: Table) -> Iterator[str]:
        yield from (YES, NO)

    def said(self, state: Table, actor: str, value: str) -> Table:
        if state.conflict.over or ending.after_concessions(state.conflict).over:
            raise Refused("", Reason("conflict-is-over"))
        if actor == GM:
            if value == YES:
                return reframe(state)
            if value != NO or state.wish is None:
                raise Refused("", Reason("yes-or-no"))
            return replace(state, wish=None)
        _party(state, actor)
        if not value or len(value) > MAX_WORD_CHARS or value in {YES, NO}:
            raise Refused("", Reason("says-what-reframes", most=MAX_WORD_CHARS))
        return replace(state, wish=Wish(actor, value))


# book: conceding.moment, one-leaves.one
class Concede(Declaration):
    """A character leaves the Conflict (T11)."""

    word = "concede"
    by_card = True

    def said(self, state: Table, actor: str, value: str) -> Table:
        _party(state, actor)
        if value:
            raise Refused("", Reason("alone-without", what=self.word, more=shown(value)))
        return replace(state, conflict=ending.concede(state.conflict, actor))


TURN = Turn()
REJECT = Reject()
COVER = LayCover()
LAID = LayCard()
ANSWERS = (TURN, REJECT, COVER, LAID)
ASK_AGAIN = AskAgain()
ORDER = Order()
REFRAME = Reframe()
CONCEDE = Concede()
