"""Sealing a card, for the step or beside it, and taking it back: from a page or by the GM.

:mod:`hub.table.acts.field` does the same for cards on readers.
"""

from typing import Any, ClassVar

from msgspec.structs import replace

from hub.games.game import GM, Choice
from hub.kernel.reasons import Reason
from hub.table.acts import decide, reveal
from hub.table.fold import scene_of, with_scene
from hub.table.inputs import PHASE, SCENE, Command, Request, SeatPage
from hub.table.records import Event, Record, secret_of
from hub.table.sealed import Kept, Sealed, SealKind, SealPlace, from_hub, from_page, from_reader
from hub.table.seating import playing_seat
from hub.table.signals import Signal
from hub.table.state import HUB_PLAYER, AtZero, Phase, Seal, SeatFault, TableState
from hub.table.transaction import Transaction
from hub.table.views import refusal

MOST_BESIDE = 4
"""Cards of one actor that may be set beside a step; more than any book allows."""
NO_LONGER = Reason("no-longer-beside")


class SealCommand(Command, frozen=True):
    """A page's command about the sealed cards of ``actor``."""

    actor: str

    gm_only: ClassVar[bool] = False
    page_only: ClassVar[bool] = True
    stale_by: ClassVar[tuple[str, ...]] = (SCENE, PHASE)

    def is_for(self, page: SeatPage) -> bool:
        return self.actor in (page.held() if self.actor == GM else page.actors)


class Commit(SealCommand, frozen=True, tag="commit"):
    """Seal a card for ``actor``, or set one beside the step. Accepted from pages only."""

    choice: Sealed[Choice]

    def judge(self, transaction: Transaction, request: Request) -> None:
        scene, actor = transaction.scene, self.actor
        seat = playing_seat(scene, actor, request.by)
        card = self.choice.unseal()
        if request.browser == HUB_PLAYER and actor not in transaction.state.hub_plays:
            raise SeatFault(Reason("hub-plays-not", who=actor))
        _see_that_it_may_stand_in(transaction, actor, seat, card, request.by)
        origin = from_hub(seat) if request.browser == HUB_PLAYER else from_page(request.by)
        if card.kind in scene.pending.beside:
            _commit_beside(transaction, self, request, seat, origin)
            return
        if actor not in scene.pending.must:
            raise SeatFault(Reason("not-awaited", who=actor))
        if actor in scene.seals:
            raise SeatFault(Reason("sealed-already"))
        reason = refusal(transaction.state, actor, card)
        if reason is not None:
            raise SeatFault(reason)
        # The card on the reader is a different one: reading or lifting it must not undo the page's
        # choice.
        transaction.forget(seat, Signal.ENDED)
        seal(transaction, actor, seat, card, origin=origin)
        reveal.lock_if_complete(transaction)


class TakeBack(SealCommand, frozen=True, tag="take-back"):
    """Take back the sealed card of ``actor`` or the newest counted point. Accepted from pages
    only."""

    def judge(self, transaction: Transaction, request: Request) -> None:
        scene, actor = transaction.scene, self.actor
        if transaction.phase is not Phase.SEALED:
            playing_seat(scene, actor, request.by)
            decide.take_back(transaction, actor, request.by)
            return
        sealed = scene.seals.get(actor)
        _to_take(transaction, actor, request.by, (sealed,) if sealed else ())
        if sealed is None:
            raise SeatFault(Reason("nothing-sealed", who=actor))
        take_seal_back(transaction, sealed)


class Withdraw(SealCommand, frozen=True, tag="withdraw"):
    """Take back cards of ``actor`` beside the step. Accepted from pages only."""

    choice: Sealed[Choice] | None = None
    """The card to take back, which must have been set from the same browser; if left out, all of
    the actor's cards beside the step."""

    def is_for(self, page: SeatPage) -> bool:
        return self.actor in page.actors

    def judge(self, transaction: Transaction, request: Request) -> None:
        lie = transaction.scene.beside.get(self.actor, ())
        seat, lie = _to_take(transaction, self.actor, request.by, lie)
        if self.choice is not None:
            card = self.choice.unseal()
            lie = tuple(s for s in lie if s.browser == request.browser and s.choice() == card)
            if not lie:
                raise SeatFault(Reason("not-set-here"))
        elif not lie:
            raise SeatFault(Reason("nothing-beside", who=self.actor))
        transaction.leave_unread(seat)
        for each in lie:
            withdraw(transaction, each)
        reveal.lock_if_complete(transaction)


class DropSeal(Command, frozen=True, tag="drop-seal"):
    """Drop an actor's sealed choice, unopened."""

    actor: str
    beside: bool = False
    """Whether to drop the actor's last card beside the step, not its choice."""

    stale_by: ClassVar[tuple[str, ...]] = (SCENE, PHASE)

    def judge(self, transaction: Transaction, request: Request) -> None:
        if self.beside:
            lie = transaction.scene.beside.get(self.actor)
            if not lie:
                raise SeatFault(Reason("nothing-beside", who=self.actor))
            transaction.leave_unread(lie[-1].seat)
            withdraw(transaction, lie[-1], None)
            reveal.lock_if_complete(transaction)
            return
        if self.actor not in transaction.scene.seals:
            raise SeatFault(Reason("nothing-sealed", who=self.actor))
        drop_seal(transaction, self.actor)


class CardSealed(reveal.SealMade, frozen=True, kw_only=True):
    """An actor's card was sealed. Its secret is :class:`Kept`."""

    actor: str
    seat: str
    origin: str = ""
    """Source of the choice: ``reader:SEAT``, ``page:SEAT``, ``page:gm`` for the GM's page, or
    ``hub:SEAT`` if the hub plays the actor."""

    secret_type: ClassVar[Any] = Kept
    named: ClassVar[tuple[str, ...]] = ("actor",)

    def place(self, log: str, table: str) -> SealPlace:
        return replace(super().place(log, table), actor=self.actor, origin=self.origin)

    @property
    def page(self) -> bool:
        """Whether the choice came from a page or the hub, not from a card on a reader."""
        return self.origin.startswith(("page:", "hub:"))


class Committed(CardSealed, frozen=True, kw_only=True, tag="committed"):
    """An actor's choice was sealed."""

    kind: ClassVar[SealKind] = SealKind.COMMIT
    awaits_reveal: ClassVar[bool] = True

    def fold(self, state: TableState, record: Record) -> TableState:
        kept = secret_of(record, Kept)
        made = Seal(self.actor, self.seat, self.digest, kept, page=self.page, origin=self.origin)
        return with_scene(state, seals={**scene_of(state).seals, self.actor: made})


class SetBeside(CardSealed, frozen=True, kw_only=True, tag="set-beside"):
    """A card was sealed beside the step (a special)."""

    kind: ClassVar[SealKind] = SealKind.BESIDE
    awaits_reveal: ClassVar[bool] = True

    def fold(self, state: TableState, record: Record) -> TableState:
        """The table with the seal added. Actors that have already chosen and may set something
        beside get the chance to answer it (R11)."""
        scene, kept = scene_of(state), secret_of(record, Kept)
        browser = kept.unseal().browser
        made = Seal(self.actor, self.seat, self.digest, kept, browser=browser, origin=self.origin)
        beside = {**scene.beside, self.actor: (*scene.beside.get(self.actor, ()), made)}
        chosen = (actor for actor in scene.seals if actor in scene.pending.may)
        answers = (scene.answers | set(chosen)) - beside.keys()
        return with_scene(state, beside=beside, answers=answers)


class Withdrawn(Event, frozen=True, kw_only=True, tag="withdrawn"):
    """A card beside the step was taken back by its player or by the GM."""

    actor: str
    seat: str
    digest: str
    """The digest in the card's :class:`SetBeside`. It says which card, because an actor may have
    several beside the step."""

    named: ClassVar[tuple[str, ...]] = ("actor",)

    def fold(self, state: TableState, record: Record) -> TableState:
        scene = scene_of(state)
        stay = tuple(s for s in scene.beside[self.actor] if s.digest != self.digest)
        beside = {a: lie for a, lie in {**scene.beside, self.actor: stay}.items() if lie}
        answers = scene.answers if beside else frozenset()
        if self.actor in scene.seals or self.actor not in scene.pending.must:
            answers |= {self.actor}
        return with_scene(state, beside=beside, answers=answers)


class SealGone(Event, frozen=True, kw_only=True):
    """An actor's seal was removed unopened."""

    actor: str
    seat: str

    named: ClassVar[tuple[str, ...]] = ("actor",)

    def fold(self, state: TableState, record: Record) -> TableState:
        scene = scene_of(state)
        stay = {a: each for a, each in scene.seals.items() if a != self.actor}
        return with_scene(state, seals=stay, answers=scene.answers - {self.actor})


class TakenBack(SealGone, frozen=True, kw_only=True, tag="taken-back"):
    """A seal was taken back by its player, before all had committed."""


class SealDropped(SealGone, frozen=True, kw_only=True, tag="seal-dropped"):
    """The GM dropped a seal, for instance because its reader is lost."""


def seal(
    transaction: Transaction,
    actor: str,
    seat: str,
    choice: Choice,
    *,
    beside: bool = False,
    origin: str = "",
    tag: str = "",
    browser: str | None = None,
) -> None:
    """Seal a choice that was found legal; ``beside``: as a card beside the step. ``origin``: its
    source, by default the seat's reader; ``tag``: the card's tag, if a reader read it; ``browser``:
    the browser of the page that sets a card beside the step, None for a reader."""
    scene = transaction.scene
    sealed = (SetBeside if beside else Committed)(
        actor=actor,
        seat=seat,
        scene=scene.number,
        turn=scene.turn,
        phase=scene.phase_no,
        digest="",
        origin=origin or from_reader(seat),
    )
    kept = Kept(transaction.nonce(), str(choice), tag, browser)
    reveal.emit_sealed(transaction, sealed, kept.opening(), kept)
    transaction.tell(seat, Signal.SEALED, Reason("lies-beside") if beside else None)


def why_not_beside(transaction: Transaction, actor: str, choice: Choice) -> Reason | None:
    """Why ``actor`` may neither set this card beside the step nor withdraw it; None if one of the
    two is possible."""
    scene = transaction.scene
    lie = [each.choice() for each in scene.beside.get(actor, ())]
    if reason := refusal(transaction.state, actor, choice):
        return reason
    if choice in lie:
        return None
    reason = scene.rules.why_not(scene.game, actor, choice, lie)
    if len(lie) >= MOST_BESIDE:
        reason = Reason("beside-full", n=len(lie), who=actor)
    return reason and Reason("tap-to-withdraw", why=reason)


def lying(transaction: Transaction, actor: str, choice: Choice) -> Seal | None:
    """The seal of this choice beside the step, if there is one."""
    lie = transaction.scene.beside.get(actor, ())
    return next((each for each in lie if each.choice() == choice), None)


def withdraw(transaction: Transaction, lies: Seal, why: Reason | None = NO_LONGER) -> None:
    """Take back the card ``lies`` beside the step. ``why``: the reason shown at its seat."""
    transaction.emit(Withdrawn(actor=lies.actor, seat=lies.seat, digest=lies.digest))
    transaction.tell(lies.seat, Signal.TAKEN_BACK, why)


def take_seal_back(transaction: Transaction, sealed: Seal) -> None:
    """Take back a seal that was made on a page or by the hub."""
    transaction.emit(TakenBack(actor=sealed.actor, seat=sealed.seat))
    transaction.forget(sealed.seat, Signal.ENDED)
    transaction.tell(sealed.seat, Signal.TAKEN_BACK)


def take_card_back(transaction: Transaction, actor: str, seat: str) -> None:
    """Take back a seal whose card was lifted."""
    transaction.emit(TakenBack(actor=actor, seat=seat))
    spot = transaction.spot(seat)
    in_the_dark = spot.blind and not spot.laid.unseal()
    transaction.tell(seat, Signal.TAKEN_BACK, Reason("radio-dead") if in_the_dark else None)


def drop_seal(transaction: Transaction, actor: str) -> None:
    """Drop an actor's sealed choice, if there is one. Cards beside the step remain."""
    if dropped := transaction.scene.seals.get(actor):
        transaction.emit(SealDropped(actor=actor, seat=dropped.seat))
        transaction.forget(dropped.seat, Signal.ENDED)
        transaction.tell(dropped.seat, Signal.TAKEN_BACK)


def _holds(transaction: Transaction, seat: str, by: str) -> bool:
    """Whether ``by``, who may speak for the seat, holds its cards."""
    return by != GM or seat in {GM, transaction.settings.gm_seat}


def _to_take(
    transaction: Transaction, actor: str, by: str, lie: tuple[Seal, ...]
) -> tuple[str, tuple[Seal, ...]]:
    """The seat that plays the actor, and the seals among ``lie`` that ``by`` may take back: for a
    character that the GM plays for its player, only the GM's own. Raises :class:`SeatFault`."""
    seat = playing_seat(transaction.scene, actor, by)
    if _holds(transaction, seat, by):
        return seat, lie
    mine = tuple(each for each in lie if each.origin == from_page(GM))
    if actor not in transaction.state.gm_plays or (lie and not mine):
        raise SeatFault(Reason("not-gms-to-take"))
    return seat, mine


def _see_that_it_may_stand_in(
    transaction: Transaction, actor: str, seat: str, card: Choice, by: str
) -> None:
    """Check that a GM who does not play the actor may choose for it. Raises :class:`SeatFault`."""
    if actor in transaction.state.gm_plays or _holds(transaction, seat, by):
        return
    scene, settings = transaction.scene, transaction.settings
    if not (scene.deadline_passed and settings.at_zero is AtZero.GM_DECIDES):
        raise SeatFault(Reason("gm-waits-for-timer"))
    if card.kind in scene.pending.beside:
        # Whether such a card is legal depends on the cards already sealed beside the step.
        raise SeatFault(Reason("gm-sets-no-beside"))


def _commit_beside(
    transaction: Transaction, given: Commit, request: Request, seat: str, origin: str
) -> None:
    """Set a card beside the step from a page. All cards of the actor there must be from the same
    browser: whether two cards may lie together reveals what the other one is, and a holder of the
    seat's key need not hold its cards."""
    actor, card, browser = given.actor, given.choice.unseal(), request.browser
    if any(each.browser != browser for each in transaction.scene.beside.get(actor, ())):
        raise SeatFault(Reason("others-set-beside"))
    if lying(transaction, actor, card):
        raise SeatFault(Reason("beside-already"))
    reason = why_not_beside(transaction, actor, card)
    if reason is not None:
        raise SeatFault(reason)
    transaction.leave_unread(seat)
    seal(transaction, actor, seat, card, beside=True, origin=origin, browser=browser)
    reveal.lock_if_complete(transaction)
