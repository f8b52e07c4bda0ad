"""Open choices and declarations, from a page or by a card laid face up.

A player who spreads points over several types, lost or regained, may count them out card by card:
tap a card for each, setting it down and lifting it. A ``take-back`` card takes the newest back. The
count so far is public, as is the resulting decision.
"""

from typing import ClassVar, Self

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from hub.games.game import GM, MAX_TOLD_CHARS, Choice, Fall, IllegalChoice, Kind
from hub.games.telling import Words
from hub.kernel.reasons import Reason
from hub.kernel.texts import Said, name, said
from hub.table.acts import reveal
from hub.table.fold import as_said, beside_step, next_phase, scene_of, with_scene
from hub.table.inputs import PHASE, SCENE, Command, CommandFault, Request, SeatPage
from hub.table.records import Event, Groups, Record, some_groups
from hub.table.sealed import NONCE_BYTES
from hub.table.seating import playing_seat
from hub.table.signals import Signal
from hub.table.state import PASS, SeatFault, TableState
from hub.table.transaction import Transaction
from hub.table.views import refusal

_NO_CHANCE = bytes(NONCE_BYTES)


class Decide(Command, frozen=True, tag="decide"):
    """Make an open choice or declaration for ``actor`` (``gm``: as referee)."""

    actor: str
    choice: str

    gm_only: ClassVar[bool] = False
    stale_by: ClassVar[tuple[str, ...]] = (SCENE, PHASE)

    def plain(self) -> Self:
        try:
            return replace(self, choice=str(Choice.parse(self.choice, MAX_TOLD_CHARS)))
        except IllegalChoice as illegal:
            raise CommandFault(illegal.reason) from None

    def is_for(self, page: SeatPage) -> bool:
        return self.actor in page.actors

    def judge(self, transaction: Transaction, request: Request) -> None:
        """Write the choice, the declaration or the pass. Raises :class:`SeatFault`."""
        scene, actor = transaction.scene, self.actor
        try:
            choice = Choice.parse(self.choice, MAX_TOLD_CHARS)
        except IllegalChoice as illegal:
            raise SeatFault(illegal.reason) from None
        most = scene.pending.most_chars(choice.kind)
        if len(str(choice)) > most:
            raise SeatFault(Reason("choice-form", most=most))
        if actor != GM:
            playing_seat(scene, actor, request.by)
        elif request.by != GM:
            raise SeatFault(Reason("gm-decides"))
        openly = scene.pending.kind is not Kind.SEALED and choice.kind in scene.pending.beside
        if openly or choice.kind in scene.pending.declarations:
            _check_declaration(transaction, actor, choice)
            write_declaration(transaction, actor, choice, request.by)
        elif choice == Choice(PASS) and actor in scene.answers:
            transaction.emit(Passed(actor=actor, by=request.by))
            reveal.lock_if_complete(transaction)
        else:
            _check_awaited(transaction, actor, choice)
            if scene.decided.get(actor) != choice:  # ignore a repeated press
                write_decision(transaction, actor, choice, request.by)

    def told(self, words: Words) -> Said | None:
        return words.chosen(self.actor, Choice.written(self.choice))


class Passed(Event, frozen=True, kw_only=True, tag="passed"):
    """An actor that had already chosen declines to answer a card set beside the step since."""

    actor: str
    by: str

    awaits_reveal: ClassVar[bool] = True
    named: ClassVar[tuple[str, ...]] = ("actor",)

    def fold(self, state: TableState, record: Record) -> TableState:
        return with_scene(state, answers=scene_of(state).answers - {self.actor})

    def aside(self) -> Said | None:
        return _entered(self.actor, self.by)


class Decided(Event, frozen=True, kw_only=True, tag="decided"):
    """An open choice was made: a decision in words, or a card laid face up."""

    actor: str
    choice: str
    by: str
    """The seat that the choice came from, or ``gm``."""
    phase: int = 0
    awaited: tuple[str, ...] = ()
    """The actors that have to choose in this step, in the rules' order."""
    waits_for: tuple[str, ...] = ()
    """The awaited actors that have not decided yet; empty: this decision ends the step."""
    chance: str = ""
    """The sealed random bytes in hex, told with the last decision of a step that has chance; else
    empty."""
    one_of: Groups | UnsetType = UNSET
    """Groups of ``awaited`` in which one decides for all; left out if there are none."""
    fell: Fall | UnsetType = UNSET
    """The outcome of the bytes in ``chance``, if the rules tell it; left out otherwise."""

    keeps_early_cards: ClassVar[bool] = True

    def __post_init__(self) -> None:
        some_groups(self.one_of)

    def fold(self, state: TableState, record: Record) -> TableState:
        scene = scene_of(state)
        decided = {**scene.decided, self.actor: as_said(scene, self.choice)}
        if replace(scene, decided=decided).waits_for():
            counted = {a: tally for a, tally in scene.counted.items() if a != self.actor}
            return with_scene(state, decided=decided, counted=counted)
        advanced = scene.rules.advance(scene.game, decided, bytes.fromhex(self.chance))
        after = replace(next_phase(scene, advanced), step_seq=record.seq)
        return replace(state, scene=replace(after, step=after))

    def told(self, words: Words) -> list[Said]:
        return [words.chosen(self.actor, Choice.written(self.choice))]

    def aside(self) -> Said | None:
        return _entered(self.actor, self.by)


class Declared(Event, frozen=True, kw_only=True, tag="declared"):
    """An open declaration was made beside the step, such as ending a combo."""

    actor: str
    choice: str
    by: str
    phase: int = 0

    keeps_early_cards: ClassVar[bool] = True

    def fold(self, state: TableState, record: Record) -> TableState:
        scene = scene_of(state)
        choice = as_said(scene, self.choice)
        return beside_step(state, scene.rules.declare(scene.game, self.actor, choice))

    def told(self, words: Words) -> list[Said]:
        return [words.chosen(self.actor, Choice.written(self.choice))]

    def aside(self) -> Said | None:
        return _entered(self.actor, self.by)


def write_decision(transaction: Transaction, actor: str, choice: Choice, by: str) -> None:
    """Write a choice that is made openly. If it is the last that the step waits for, also reveal
    the step's random bytes, if any."""
    scene = transaction.scene
    waiting = replace(scene, decided={**scene.decided, actor: choice}).waits_for()
    transaction.emit(
        Decided(
            actor=actor,
            choice=str(choice),
            by=by,
            phase=scene.phase_no,
            awaited=scene.pending.must,
            waits_for=waiting,
            one_of=scene.pending.one_of or UNSET,
            chance="" if waiting else reveal.chance_of(transaction),
            fell=UNSET
            if waiting
            else reveal.fall_of(transaction, {**scene.decided, actor: choice}),
        )
    )


def write_declaration(transaction: Transaction, actor: str, choice: Choice, by: str) -> None:
    """Write a declaration, or a card laid openly beside the step, that was found legal."""
    phase = transaction.scene.phase_no
    transaction.emit(Declared(actor=actor, choice=str(choice), by=by, phase=phase))


def why_not_together(transaction: Transaction, actor: str, choice: Choice) -> Reason | None:
    """Why an open choice, possible on its own, does not fit the choices already made. Judged
    only for the last one, and never from sealed choices."""
    scene = transaction.scene
    decided = {**scene.decided, actor: choice}
    if not scene.decided or replace(scene, decided=decided).waits_for():
        return None
    try:
        scene.rules.advance(scene.game, decided, _NO_CHANCE)
    except IllegalChoice as illegal:
        return illegal.reason
    return None


def _check_awaited(transaction: Transaction, actor: str, choice: Choice) -> None:
    """Check that ``actor`` can make this open choice now. Raises :class:`SeatFault`."""
    scene = transaction.scene
    if scene.pending.kind is Kind.SEALED:
        raise SeatFault(Reason("sealed-card-awaited"))
    if choice.kind in scene.pending.early and choice.kind not in scene.pending.kinds:
        raise SeatFault(Reason("answers-first"))
    if actor not in scene.pending.must:
        raise SeatFault(Reason("not-awaited", who=actor))
    if scene.pending.stands and scene.decided.get(actor, choice) != choice:
        raise SeatFault(Reason("stands-already", who=actor))
    reason = refusal(transaction.state, actor, choice)
    if reason is not None:
        raise SeatFault(reason)
    if why := why_not_together(transaction, actor, choice):
        raise SeatFault(why)


def _check_declaration(transaction: Transaction, actor: str, choice: Choice) -> None:
    scene = transaction.scene
    if actor in scene.seals:
        raise SeatFault(Reason("take-back-first"))
    if scene.asks_nothing_of(actor):
        raise SeatFault(Reason("sits-out-already", who=actor))
    try:
        scene.rules.declare(scene.game, actor, choice)
    except IllegalChoice as error:
        raise SeatFault(error.reason) from None


class Counted(Event, frozen=True, kw_only=True, tag="counted"):
    """An actor's count of points changed, by cards tapped one after the other. The card that
    completes the count makes a :class:`Decided` instead."""

    actor: str
    points: tuple[str, ...]
    """The type of each point so far, in the order in which they were counted."""
    total: int
    """How many points are needed."""
    by: str
    """The seat where the point was counted or taken back, or ``gm``."""
    phase: int

    def fold(self, state: TableState, record: Record) -> TableState:
        scene = scene_of(state)
        counted = {a: tally for a, tally in scene.counted.items() if a != self.actor}
        if self.points:
            counted[self.actor] = scene.rules.tally(scene.game, self.actor, self.points)
        return with_scene(state, counted=counted)

    def told(self, words: Words) -> list[Said]:
        so_far = {"number": len(self.points), "total": self.total}
        return [said("gm.log.counted", actor=name(self.actor), **so_far)]

    def aside(self) -> Said | None:
        return _entered(self.actor, self.by)


def counter_at(transaction: Transaction, seat: str, card: Choice) -> str | None:
    """The actor of the seat that can count points with this card; None if none can."""
    scene = transaction.scene
    open_to = (actor for actor in scene.awaited_at(seat) if actor not in scene.chosen())
    return next((a for a in open_to if scene.rules.counts(scene.game, a, card)), None)


def count(transaction: Transaction, seat: str, actor: str, card: Choice) -> Reason | None:
    """Count the points of a tapped card: record the new count, or the decision if they are enough.
    Returns the reason if the card does not count."""
    scene = transaction.scene
    so_far = scene.counted.get(actor)
    points = (*(so_far.points if so_far else ()), *scene.rules.counts(scene.game, actor, card))
    try:
        tally = scene.rules.tally(scene.game, actor, points)
    except IllegalChoice as illegal:
        return illegal.reason
    if tally.choice is not None:
        if why := scene.rules.why_not(scene.game, actor, tally.choice):
            return why
        write_decision(transaction, actor, tally.choice, seat)
        return None
    _tell(transaction, actor, tally.points, tally.total, seat)
    transaction.tell(seat, Signal.COUNTED)
    return None


def take_back_at(transaction: Transaction, seat: str) -> Reason | None:
    """Handle a tap of the card that takes points back. Returns the reason if none is counted."""
    scene = transaction.scene
    actor = next((each for each in scene.awaited_at(seat) if each in scene.counted), None)
    if actor is None:
        return Reason("nothing-counted")
    take_back(transaction, actor, seat)
    transaction.tell(seat, Signal.TAKEN_BACK)
    return None


def take_back(transaction: Transaction, actor: str, by: str) -> None:
    """Take the newest point back. Raises :class:`SeatFault` if none is counted."""
    tally = transaction.scene.counted.get(actor)
    if tally is None:
        raise SeatFault(Reason("nothing-counted"))
    _tell(transaction, actor, tally.points[:-1], tally.total, by)


def _tell(
    transaction: Transaction, actor: str, points: tuple[str, ...], total: int, by: str
) -> None:
    phase = transaction.scene.phase_no
    transaction.emit(Counted(actor=actor, points=points, total=total, by=by, phase=phase))


def _entered(actor: str, by: str) -> Said | None:
    """A note on where a choice was entered; None if ``by`` is the actor itself."""
    if actor == by:
        return None
    return Said("told.entered.gm") if by == GM else said("told.entered", seat=name(by))
