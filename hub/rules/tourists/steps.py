"""The steps of a round as a table plays them: who lays or says what, and what follows."""

# ruff: noqa: D102  (what each method of a step means is said once, on Step)

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from hub.rules import steps
from hub.rules.faults import shown
from hub.rules.game import GM, MAX_WORD_CHARS, IllegalChoice, Kind
from hub.rules.tourists import answers, bidding, ending
from hub.rules.tourists.conflict import Conflict
from hub.rules.tourists.deck import Card
from hub.rules.tourists.declarations import (
    ASK_AGAIN,
    CONCEDE,
    COVER,
    LAID,
    ORDER,
    REFRAME,
    REJECT,
    TURN,
    Declaration,
)
from hub.rules.tourists.drawing import drawn_card
from hub.rules.tourists.reasons import Reason, Refused
from hub.rules.tourists.table import (
    Stage,
    Table,
    asked,
    ended,
    groups_asked,
    open_round,
    parted,
    suffering,
)
from hub.rules.tourists.written import card_of, lies_in_reserve, telling_of, whereabouts

PASS = "pass"  # noqa: S105  (a word said at the table)
LET_BE = "let-be"
LET_BE_ALL = "let-be-all"
NO = "no"
HUB_DRAWS = "draw"
EARLY = ("drawn", HUB_DRAWS, PASS)
"""Cards for the next word: until the answers to the one before are over they wait."""


class Step(steps.Step[Table]):
    """A step. What is refused by the rules of a round is refused here."""

    def why_not(self, state: Table, actor: str, value: str) -> Reason | None:
        try:
            self.take(state, actor, value, b"\0" * 32)
        except Refused as no:
            return no.reason
        return None

    def follow(self, state: Table, values: Mapping[str, str], chance: bytes) -> Table:
        try:
            for actor, value in values.items():
                state = self.take(state, actor, value, chance)
            return self.all_taken(state)
        except Refused as no:
            raise IllegalChoice(no.reason) from None

    @abstractmethod
    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        """What follows from the choice of one. Raises :class:`Refused`."""

    def all_taken(self, state: Table) -> Table:
        """What follows once all have chosen."""
        return state

    def one_of(self, state: Table) -> tuple[tuple[str, ...], ...]:
        """By default one of each party."""
        conflict, must = state.conflict, self.must(state)
        parties = dict.fromkeys(conflict.party_of[who] for who in must)
        groups = (tuple(w for w in must if conflict.party_of[w] == name) for name in parties)
        return tuple(group for group in groups if len(group) > 1)


def _characters(conflict: Conflict, parties: Sequence[str]) -> tuple[str, ...]:
    return tuple(who for name in parties for who in conflict.characters_in(name))


class Laying(Step):
    """Somebody draws a card, and lays it openly."""

    kind = Kind.OPEN
    word = "drawn"

    def values(self, state: Table, actor: str) -> Iterator[str]:
        yield from self.others

    def default(self, state: Table, actor: str) -> str | None:
        return None

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        if value in self.others:
            return self.leave_it(state, actor)
        card = card_of(state.conflict, value)
        if why := self.elsewhere(state, card):
            raise Refused("", why)
        return self.lay(state, actor, card)

    def elsewhere(self, state: Table, card: Card) -> Reason | None:
        """Where the card should be, if it is not in the deck."""
        return whereabouts(state.conflict, card)

    @abstractmethod
    def lay(self, state: Table, actor: str, card: Card) -> Table:
        """What follows from the card. Raises :class:`Refused`."""

    def leave_it(self, state: Table, actor: str) -> Table:
        """What follows from drawing none."""
        raise Refused("", Reason("has-to-draw"))

    def open_to(self, state: Table) -> Iterator[int]:
        """What can be drawn, in ascending order."""
        return bidding.in_the_deck(state.conflict)


class ByHub(Laying):
    """The same where the hub draws."""

    word = HUB_DRAWS
    chance: ClassVar[bool] = True

    def values(self, state: Table, actor: str) -> Iterator[str]:
        yield ""
        yield from super().values(state, actor)

    def default(self, state: Table, actor: str) -> str | None:
        return None if self.others else ""

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        if value in self.others:
            return self.leave_it(state, actor)
        if value:
            raise Refused("", Reason("hub-draws"))
        numbers = tuple(self.open_to(state))
        if not numbers:
            raise Refused("", Reason("deck-is-empty"))
        return self.lay(state, actor, drawn_card(chance, actor, numbers))

    def falls_on(self, state: Table, values: Mapping[str, str]) -> dict[str, Any]:
        return {
            "deck": [*self.open_to(state)],
            "who": [who for who, value in values.items() if value not in self.others],
        }


# book: npc-reserve.before, parties-and-goals.established
class ReserveStep(Laying):
    """A Reserve that was drawn before is laid, card by card (T14)."""

    name = "reserve"
    others = (PASS,)

    def must(self, state: Table) -> tuple[str, ...]:
        return state.registering

    def one_of(self, state: Table) -> tuple[tuple[str, ...], ...]:
        return ()

    def lay(self, state: Table, actor: str, card: Card) -> Table:
        conflict = state.conflict
        lie = (*conflict.reserves[actor], card)
        conflict = replace(conflict, reserves=conflict.reserves | {actor: lie})
        laid = replace(state, conflict=conflict)
        return self.leave_it(laid, actor) if ending.is_full(conflict, actor) else laid

    def leave_it(self, state: Table, actor: str) -> Table:
        left = tuple(who for who in state.registering if who != actor)
        return replace(state, registering=left)

    def all_taken(self, state: Table) -> Table:
        return state.stopped()


class Telling(Step):
    """Somebody tells something: aloud, or written down."""

    is_text = True

    def values(self, state: Table, actor: str) -> Iterator[str]:
        yield ""

    def default(self, state: Table, actor: str) -> str | None:
        return ""

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        if len(value) > MAX_WORD_CHARS:
            raise Refused("", Reason("text-too-long", most=MAX_WORD_CHARS))
        return self.tell(state, state.conflict.party_of[actor], value)

    @abstractmethod
    def tell(self, state: Table, party: str, text: str) -> Table:
        """What follows."""


# book: tactics.before, tactics.fiction, tactics.change, t15.before
class TacticsStep(Telling):
    """Each party says what it is about to do (T15)."""

    name = word = "tactics"
    declarations: Sequence[Declaration] = (ORDER, REFRAME)

    def must(self, state: Table) -> tuple[str, ...]:
        return _characters(state.conflict, state.conflict.parties_in())

    def tell(self, state: Table, party: str, text: str) -> Table:
        return replace(state, tactics={**state.tactics, party: text})

    def all_taken(self, state: Table) -> Table:
        return open_round(state)


class DrawStep(Laying):
    """In a Balance Breaker each party lays a card, in any order."""

    name = "draw"
    declarations: Sequence[Declaration] = (REFRAME,)

    def must(self, state: Table) -> tuple[str, ...]:
        laid = state.conflict.playing().laid
        return _characters(state.conflict, tuple(name for name in laid if not laid[name]))

    def lay(self, state: Table, actor: str, card: Card) -> Table:
        conflict = state.conflict
        party = conflict.party_of[actor]
        return replace(state, conflict=bidding.draw(conflict, party, card, actor))


class HubDrawStep(ByHub, DrawStep):
    """The same where the hub draws."""


class BidStep(Laying):
    """One of the party whose word it is lays a card, or passes (T7)."""

    name = "bid"
    others = (PASS,)
    declarations: Sequence[Declaration] = (ORDER, ASK_AGAIN, REFRAME)

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


class HubBidStep(ByHub, BidStep):
    """The same where the hub draws."""


# book: t6.settled, t15.first
class AnswersStep(Step):
    """Whoever could answer a card does, or lets it be (T6)."""

    name = "answers"
    kind = Kind.OPEN
    word = LET_BE
    others = (LET_BE_ALL,)
    early = EARLY
    declarations: Sequence[Declaration] = (TURN, REJECT, COVER, LAID, ASK_AGAIN, REFRAME)

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

    def all_taken(self, state: Table) -> Table:
        return replace(state, quiet=True)


class WhoseStep(Step):
    """Whoever has laid a Reserve Card in a Balance Breaker says whose card it covers."""

    name = word = "whose"
    early = EARLY
    declarations: Sequence[Declaration] = (REFRAME,)

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
    """Whoever has laid a Reserve Card says which Aspect, Weakness or Loss it is for (T14)."""

    name = word = "because"
    is_text = True
    early = EARLY
    declarations: Sequence[Declaration] = (REFRAME,)

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
    """What allows the Reserve Card that was laid, by how it is written."""
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
    """A party whose card is rejected says which of its Losses is used up for it."""

    name = word = "loss"
    early = EARLY
    declarations: Sequence[Declaration] = (REFRAME,)

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
    """The hand whose card was rejected draws another one."""

    name = "redraw"
    early = EARLY
    declarations: Sequence[Declaration] = (ASK_AGAIN, REFRAME)

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


class HubRedrawStep(ByHub, RedrawStep):
    """The same where the hub draws."""


# book: bidding.excuse-story, t5.story
class StoryStep(Laying):
    """The hand that drew the Excuse draws a card in its place, for the story (T5)."""

    name = "story"
    declarations: Sequence[Declaration] = (REFRAME,)

    def must(self, state: Table) -> tuple[str, ...]:
        now = state.conflict.playing()
        return (now.laid[now.answerable or ""][-1].who,)

    def lay(self, state: Table, actor: str, card: Card) -> Table:
        now = state.conflict.playing()
        gone = now.laid[now.answerable or ""][-1].card
        told = bidding.settle(state.conflict, card)
        return replace(state, conflict=told, discarded=(*state.discarded, gone))


class HubStoryStep(ByHub, StoryStep):
    """The same where the hub draws."""


# book: counting-losses.own-words, t10.choice, t15.before
class LossesStep(Step):
    """Each party that suffers a Loss says which cards mark it, and what it is (T10)."""

    name = word = "losses"
    is_text = True

    def must(self, state: Table) -> tuple[str, ...]:
        return _characters(state.conflict, suffering(state.conflict))

    def values(self, state: Table, actor: str) -> Iterator[str]:
        yield ""

    def default(self, state: Table, actor: str) -> str | None:
        return ""

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        ended(state, {state.conflict.party_of[actor]: telling_of(value)})
        return state

    def follow(self, state: Table, values: Mapping[str, str], chance: bytes) -> Table:
        told = {state.conflict.party_of[who]: telling_of(value) for who, value in values.items()}
        return ended(state, told)


# book: narration.order, conceding.wiped-out, t9.telling
class TellStep(Telling):
    """One party after the other tells how the round went for it: those who have won, those who have
    lost, the others."""

    name = "tell"
    word = "told"
    declarations: Sequence[Declaration] = (REFRAME,)

    def must(self, state: Table) -> tuple[str, ...]:
        narrate = state.conflict.playing().narrate
        return state.conflict.characters_in(narrate[len(state.told)])

    def tell(self, state: Table, party: str, text: str) -> Table:
        return replace(state, told={**state.told, party: text}).stopped()


# book: conceding.moment
class PartStep(Step):
    """Whoever concedes says so; then the GM goes on (T11)."""

    name = "part"
    word = "go-on"
    declarations: Sequence[Declaration] = (CONCEDE, REFRAME)

    def must(self, state: Table) -> tuple[str, ...]:
        return (GM,)

    def one_of(self, state: Table) -> tuple[tuple[str, ...], ...]:
        return ()

    def values(self, state: Table, actor: str) -> Iterator[str]:
        yield ""

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        if value:
            raise Refused("", Reason("alone-without", what=self.word, more=shown(value)))
        return parted(state)


# book: using-reserve.refill
class RefillStep(Laying):
    """Whoever has won may draw a Reserve Card (T12)."""

    name = "refill"
    others = (PASS,)
    declarations: Sequence[Declaration] = (REFRAME,)

    def must(self, state: Table) -> tuple[str, ...]:
        return state.refilling

    def one_of(self, state: Table) -> tuple[tuple[str, ...], ...]:
        return ()

    def lay(self, state: Table, actor: str, card: Card) -> Table:
        drawn = ending.refill(state.conflict, actor, card)
        return self.leave_it(replace(state, conflict=drawn), actor)

    def leave_it(self, state: Table, actor: str) -> Table:
        left = tuple(who for who in state.refilling if who != actor)
        return replace(state, refilling=left)

    def all_taken(self, state: Table) -> Table:
        return state.stopped()

    def open_to(self, state: Table) -> Iterator[int]:
        conflict = state.conflict
        gone = conflict.not_in_deck()
        return (number for number in sorted(conflict.deck) if number not in gone)


class HubRefillStep(ByHub, RefillStep):
    """The same where the hub draws."""


# book: using-reserve.concede, t11.draw
class PartingStep(RefillStep):
    """The Conflict has ended: who has conceded draws for its Reserve (T11)."""

    name = "parting-draw"
    declarations: Sequence[Declaration] = ()

    def must(self, state: Table) -> tuple[str, ...]:
        return tuple(state.leaving)

    def elsewhere(self, state: Table, card: Card) -> Reason | None:
        return lies_in_reserve(state.conflict, card)

    def open_to(self, state: Table) -> Iterator[int]:
        gone = state.conflict.in_reserves()
        return (number for number in sorted(state.conflict.deck) if number not in gone)

    def lay(self, state: Table, actor: str, card: Card) -> Table:
        drawn = replace(state, conflict=ending.draw_for_leaving(state.conflict, actor, card))
        more = {**state.leaving, actor: state.leaving[actor] - 1}
        return replace(drawn, leaving={who: n for who, n in more.items() if n})

    def leave_it(self, state: Table, actor: str) -> Table:
        return replace(state, leaving={w: n for w, n in state.leaving.items() if w != actor})


class HubPartingStep(ByHub, PartingStep):
    """The same where the hub draws."""


RESERVE = ReserveStep()
TACTICS = TacticsStep()
ANSWERS = AnswersStep()
WHOSE = WhoseStep()
BECAUSE = BecauseStep()
LOSS = LossStep()
LOSSES = LossesStep()
TELL = TellStep()
PART = PartStep()
# Each as people draw, and as the hub does.
DRAW = DrawStep(), HubDrawStep()
BID = BidStep(), HubBidStep()
REDRAW = RedrawStep(), HubRedrawStep()
STORY = StoryStep(), HubStoryStep()
REFILL = RefillStep(), HubRefillStep()
PARTING = PartingStep(), HubPartingStep()
_OF_STAGE: Mapping[Stage, Step] = {
    Stage.RESERVE: RESERVE,
    Stage.TACTICS: TACTICS,
    Stage.LOSSES: LOSSES,
    Stage.TELL: TELL,
    Stage.PART: PART,
}


def step_of(state: Table) -> Step | None:
    """The step that a Conflict is at; None when it is over."""
    hub = state.hub_draws
    match state.stage:
        case Stage.ROUND:
            return _of_round(state)
        case Stage.REFILL:
            return REFILL[hub]
        case Stage.PARTING:
            return PARTING[hub]
        case stage:
            return _OF_STAGE.get(stage)


def _of_round(state: Table) -> Step:
    now, hub = state.conflict.playing(), state.hub_draws
    if state.cover is not None:
        return WHOSE if state.cover.on is None else BECAUSE
    if state.rejection is not None:
        return LOSS if state.rejection.loss is None else REDRAW[hub]
    if not answers.answerable(state.conflict):
        return DRAW[hub] if now.dominant is None else BID[hub]
    return ANSWERS if asked(state) else STORY[hub]
