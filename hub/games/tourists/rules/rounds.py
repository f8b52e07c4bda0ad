"""The steps of a round: tactics, draws and passes, and the answers to a card."""

# ruff: noqa: D102  (the base class Step documents the methods)

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from hub.games.game import GM, Kind
from hub.games.tourists.reasons import Reason, Refused
from hub.games.tourists.rules import answers, bidding
from hub.games.tourists.rules import declarations as d
from hub.games.tourists.rules.deck import Card
from hub.games.tourists.rules.declarations import NO, Declaration
from hub.games.tourists.rules.step import EARLY, PASS, Laying, Step, Telling, characters_of
from hub.games.tourists.rules.table import Table, asked, groups_asked, open_round, reframe
from hub.kernel.faults import shown

LET_BE, LET_BE_ALL = "let-be", "let-be-all"


# book: tactics.before, tactics.fiction, tactics.change, t15.before
class TacticsStep(Telling):
    """Each party announces its tactics (T15)."""

    name = word = "tactics"
    declarations: Sequence[Declaration] = (d.ORDER, d.REFRAME)

    def must(self, state: Table) -> tuple[str, ...]:
        return characters_of(state.conflict, state.conflict.parties_in())

    def tell(self, state: Table, party: str, text: str) -> Table:
        return replace(state, tactics={**state.tactics, party: text})

    def all_taken(self, state: Table, chance: bytes) -> Table:
        return open_round(state)


class DrawStep(Laying):
    """Each party draws a card in a Balance Breaker, in any order."""

    name = "draw"
    declarations: Sequence[Declaration] = (d.REFRAME,)

    def must(self, state: Table) -> tuple[str, ...]:
        laid = state.conflict.playing().laid
        return characters_of(state.conflict, tuple(name for name in laid if not laid[name]))

    def lay(self, state: Table, actor: str, card: Card) -> Table:
        conflict = state.conflict
        party = conflict.party_of[actor]
        return replace(state, conflict=bidding.draw(conflict, party, card, actor))


class BidStep(Laying):
    """One character of the speaking party draws a card, or passes (T7)."""

    name = "bid"
    others = (PASS,)
    declarations: Sequence[Declaration] = (d.ORDER, d.ASK_AGAIN, d.REFRAME)

    def must(self, state: Table) -> tuple[str, ...]:
        now = state.conflict.playing()
        return state.conflict.characters_in(now.speakers[now.turn])

    def lay(self, state: Table, actor: str, card: Card) -> Table:
        conflict = state.conflict
        party = conflict.party_of[actor]
        return replace(state, conflict=bidding.bid(conflict, party, card, actor), quiet=False)

    def leave_it(self, state: Table, actor: str) -> Table:
        conflict = state.conflict
        said = bidding.say_pass(conflict, conflict.party_of[actor])
        return replace(state, conflict=said).stopped()


# book: t6.settled, t15.first
class AnswersStep(Step):
    """Characters that could answer a card do so, or let it be (T6)."""

    name = "answers"
    kind = Kind.OPEN
    word = LET_BE
    others = (LET_BE_ALL,)
    early = EARLY
    declarations: Sequence[Declaration] = (*d.ANSWERS, d.ASK_AGAIN, d.REFRAME)

    def must(self, state: Table) -> tuple[str, ...]:
        return asked(state)

    def one_of(self, state: Table) -> tuple[tuple[str, ...], ...]:
        return tuple(groups_asked(state))

    def values(self, state: Table, actor: str) -> Iterator[str]:
        yield ""
        yield LET_BE_ALL

    def default(self, state: Table, actor: str) -> str | None:
        return ""

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        if value == LET_BE_ALL:
            return replace(state, let_all=state.let_all | {actor})
        if value:
            raise Refused("", Reason("alone-without", what=LET_BE, more=shown(value)))
        return state

    def all_taken(self, state: Table, chance: bytes) -> Table:
        return replace(state, quiet=True)


class WhoseStep(Step):
    """The character that laid a Reserve Card in a Balance Breaker says whose card it covers."""

    name = word = "whose"
    early = EARLY
    declarations: Sequence[Declaration] = (d.REFRAME,)

    def must(self, state: Table) -> tuple[str, ...]:
        return (state.cover.who,) if state.cover else ()

    def values(self, state: Table, actor: str) -> Iterator[str]:
        conflict = state.conflict
        for on in answers.answerable(conflict):
            if any(answers.becauses(conflict, actor, on)):
                yield on
        yield NO

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        if value == NO and NO not in state.conflict.parties:
            return replace(state, cover=None, anew=state.anew + 1)
        able = [*self.values(state, actor)][:-1]
        if value not in able or state.cover is None:
            raise Refused("", Reason("not-one-of", text=shown(value), names=able))
        return replace(state, cover=replace(state.cover, on=value))


# book: t14.because
class BecauseStep(Step):
    """The character that laid a Reserve Card says what justifies it (T14)."""

    name = word = "because"
    is_text = True
    early = EARLY
    declarations: Sequence[Declaration] = (d.REFRAME,)

    def must(self, state: Table) -> tuple[str, ...]:
        return (state.cover.who,) if state.cover else ()

    def values(self, state: Table, actor: str) -> Iterator[str]:
        yield from _becauses(state)
        yield NO

    def default(self, state: Table, actor: str) -> str | None:
        able = [*_becauses(state)]
        return able[0] if len(able) == 1 else None

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        cover, able = state.cover, _becauses(state)
        if value == NO or cover is None:
            return replace(state, cover=None, anew=state.anew + 1)
        if value not in able:
            raise Refused("", Reason("not-one-of", text=shown(value), names=[*able]))
        conflict = state.conflict
        covered = conflict.playing().laid[cover.on or ""][-1].card
        found = answers.cover(conflict, actor, cover.card, able[value], cover.on)
        laid = replace(state, cover=None, discarded=(*state.discarded, covered))
        return laid.answered(found)


def _becauses(state: Table) -> dict[str, answers.Because]:
    """The possible justifications for the Reserve Card that was laid: written form → meaning."""
    cover, conflict = state.cover, state.conflict
    if cover is None or cover.on is None:
        return {}
    own = conflict.party_of[cover.who] == cover.on
    sheets = conflict.parties[cover.on].sheets
    texts = {
        text: kind
        for sheet in ([sheets[cover.who]] if own else sheets.values())
        for kind, all_ in (("aspect", sheet.aspects), ("weakness", sheet.weaknesses))
        for text in all_
    }
    return {
        f"loss {each}" if isinstance(each, int) else f"{texts[each]} {each}": each
        for each in answers.becauses(conflict, cover.who, cover.on)
    }


# book: t6.reject
class LossStep(Step):
    """A party whose card is rejected chooses the Loss card that is used up."""

    name = word = "loss"
    early = EARLY
    declarations: Sequence[Declaration] = (d.REFRAME,)

    def must(self, state: Table) -> tuple[str, ...]:
        rejection = state.rejection
        return state.conflict.characters_in(rejection.on) if rejection else ()

    def values(self, state: Table, actor: str) -> Iterator[str]:
        return map(str, state.conflict.losses[state.conflict.party_of[actor]].face_up())

    def default(self, state: Table, actor: str) -> str | None:
        return next(self.values(state, actor), None)

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        able = [*self.values(state, actor)]
        if value not in able or state.rejection is None:
            raise Refused("", Reason("not-one-of", text=shown(value), names=able))
        return replace(state, rejection=replace(state.rejection, loss=int(value)))


# book: t6.same-hand
class RedrawStep(Laying):
    """The character whose card was rejected draws another card."""

    name = "redraw"
    early = EARLY
    declarations: Sequence[Declaration] = (d.ASK_AGAIN, d.REFRAME)

    def must(self, state: Table) -> tuple[str, ...]:
        rejection = state.rejection
        return (state.conflict.playing().laid[rejection.on][-1].who,) if rejection else ()

    def lay(self, state: Table, actor: str, card: Card) -> Table:
        conflict, rejection = state.conflict, state.rejection
        if rejection is None:
            raise Refused("", Reason("nothing-to-answer"))
        gone = conflict.playing().laid[rejection.on][-1].card
        found = answers.reject(conflict, rejection.by, card, rejection.loss, rejection.on)
        laid = replace(state, rejection=None, discarded=(*state.discarded, gone))
        return laid.answered(found)


# book: bidding.excuse-story, t5.story
class StoryStep(Laying):
    """The character that drew the Excuse draws a card in its place, for the story (T5)."""

    name = "story"
    declarations: Sequence[Declaration] = (d.REFRAME,)

    def must(self, state: Table) -> tuple[str, ...]:
        now = state.conflict.playing()
        return (now.laid[now.answerable or ""][-1].who,)

    def lay(self, state: Table, actor: str, card: Card) -> Table:
        now = state.conflict.playing()
        gone = now.laid[now.answerable or ""][-1].card
        told = bidding.settle(state.conflict, card)
        return replace(state, conflict=told, discarded=(*state.discarded, gone))


class DeckEmptyStep(Step):
    """The deck is empty when a card must be drawn: the round is broken off and the table reframes
    the Conflict (T4, T13). The book does not cover this, but a small custom deck can run out."""

    name = "deck-empty"
    word = "break-off"
    declarations: Sequence[Declaration] = (d.REFRAME,)

    def must(self, state: Table) -> tuple[str, ...]:
        return (GM,)

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        if value:
            raise Refused("", Reason("alone-without", what=self.word, more=shown(value)))
        return reframe(state)
