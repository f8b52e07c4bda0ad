"""Reader inputs: the cards on a reader, which of them are read, and what lifting them takes
back."""

from msgspec.structs import replace

from hub.games.game import TAKE_BACK, Choice, Kind
from hub.kernel.reasons import Reason
from hub.table import counting
from hub.table import inputs as i
from hub.table import records as r
from hub.table.crosstalk import departed, is_heard_elsewhere, swings
from hub.table.desk import forget, quiet, quiet_from, single
from hub.table.sealed import Sealed
from hub.table.side_cards import read_side_card
from hub.table.signals import Signal
from hub.table.spots import Desk, Laid, Spot, are_ends
from hub.table.state import ASKING, Phase, Trouble
from hub.table.transaction import Transaction
from hub.table.views import refusal

NOT_TOGETHER = Reason("not-together")
NOT_LIFTED = Reason("radio-dead")
_MOST_LOSSES = 3
_MOST_DISTURBANCES = 10
"""A reader with this many in five minutes is called unreliable."""


def is_known(desk: Desk, given: i.Input) -> bool:
    """Whether the input only repeats that an already handled card is still on the reader, so that
    nothing would change."""
    if not isinstance(given, i.FieldChanged) or given.sight is not i.Sight.RESTED:
        return False
    spot = desk.get(given.seat)
    if spot is None or spot.baseline is not None or spot.fresh or spot.doubtful:
        return False
    return spot.laid.unseal() == given.laid.unseal()


def field_changed(transaction: Transaction, given: i.FieldChanged) -> None:
    """Handle a change of what is on a reader, or of how certain that is.

    A card is read when a look has seen it at rest, never because time has passed: a hand may have
    lifted it since the reader's last look.
    """
    seat = given.seat
    before = transaction.spot(seat)
    laid = given.laid.unseal()
    if given.sight is i.Sight.NEW or before.baseline or laid != before.laid.unseal():
        _content_changed(transaction, given, before, laid)
    doubtful = given.sight is i.Sight.DOUBTFUL
    transaction.desk[seat] = replace(transaction.desk[seat], doubtful=doubtful)
    if given.sight is i.Sight.RESTED and transaction.phase in ASKING:
        _read_card(transaction, seat)
    transaction.lock_if_complete()


def _content_changed(
    transaction: Transaction, given: i.FieldChanged, before: Spot, laid: tuple[Laid, ...]
) -> None:
    seat = given.seat
    arrived = {each.tag for each in laid} - {each.tag for each in before.laid.unseal()}
    dead = _dead(transaction, seat, before, laid, arrived)
    transaction.desk[seat] = Spot(
        laid=given.laid,
        fresh=any(each.tag not in dead for each in laid),
        dead=Sealed(dead),
        notice=dead.get(laid[0].tag) if len(laid) == 1 else None,
        baseline=None,
        bound=before.bound if transaction.phase is Phase.PAUSED else None,
        lifted=_lifted_in_pause(transaction, before, laid),
        left=departed(before, laid, transaction.now_ms),
        answers=True,
        blind=before.blind,
        seen_ms=transaction.now_ms if laid or before.laid.unseal() else before.seen_ms,
    )
    new = [each for each in laid if each.tag in arrived]
    to_and_fro = swings(transaction.desk, seat, new, transaction.now_ms)
    transaction.desk[seat] = replace(transaction.desk[seat], swings=to_and_fro)
    if transaction.phase is Phase.SEALED or (transaction.phase is Phase.PAUSED and before.baseline):
        _follow_seal(transaction, seat, before, laid)
    if len(laid) > 1 and not _taps_beside(transaction, seat):
        signal, why = _too_many(transaction, seat)
        transaction.desk[seat] = replace(transaction.desk[seat], notice=signal)
        transaction.tell(seat, signal, why)
    if not laid:
        transaction.tell(seat, Signal.EMPTY)


def _too_many(transaction: Transaction, seat: str) -> tuple[Signal, Reason | None]:
    """The signal for several tags: a card with both ends on the reader is still one card."""
    laid = transaction.spot(seat).laid.unseal()
    if not (are_ends(laid) or are_ends(_beside_seal(transaction, seat))):
        return Signal.TWO_CARDS, Reason("two-cards")
    if all(each.card is None for each in laid):
        return laid[0].strange, None
    return Signal.BOTH_ENDS, Reason("both-ends")


def _beside_seal(transaction: Transaction, seat: str) -> tuple[Laid, ...]:
    """The tags on the reader besides the sealed card; empty if no sealed card is there."""
    spot = transaction.spot(seat)
    if spot.bound is None:
        return ()
    sealed = transaction.scene.seals[spot.bound].tag()
    return tuple(each for each in spot.laid.unseal() if sealed not in each.tags)


def _dead(
    transaction: Transaction, seat: str, before: Spot, laid: tuple[Laid, ...], arrived: set[str]
) -> dict[str, Signal]:
    """The tags of ``laid`` that must be lifted before they can mean anything, with the reason."""
    dead = {tag: why for tag, why in before.dead.unseal().items() if tag not in arrived}
    if before.baseline is not None:
        why, seen = before.baseline, {each.tag for each in laid}
    elif transaction.phase not in ASKING:
        why, seen = Signal.PAUSED if transaction.phase is Phase.PAUSED else Signal.LEFT, arrived
    else:
        why, seen = Signal.LEFT, set()
    scene = transaction.state.scene
    sealed = {seal.tag() for seal in scene.seals.values() if seal.seat == seat} if scene else set()
    dead |= {tag: Signal.SEALED if before.baseline and tag in sealed else why for tag in seen}
    return {tag: why for tag, why in dead.items() if any(each.tag == tag for each in laid)}


def _lifted_in_pause(transaction: Transaction, before: Spot, laid: tuple[Laid, ...]) -> str | None:
    """The actor whose sealed card was lifted since the table was paused."""
    if transaction.phase is not Phase.PAUSED:
        return None
    seal = transaction.scene.seals.get(before.bound or "")
    here = seal is not None and any(each.tag == seal.tag() for each in laid)
    return before.lifted if seal is None or here else seal.actor


def _follow_seal(transaction: Transaction, seat: str, before: Spot, laid: tuple[Laid, ...]) -> None:
    """Take a seal back when its card is lifted; bind a sealed card that is still there after an
    outage to its seal again.

    The card is recognised by its tag, never by its content: whether another card says the same must
    not show. If a card left unobserved (its reader was lost, or the hub was down), its seal
    remains, and a card laid afterwards is sealed as a new one. A page's seal is bound to no card.
    """
    awaited = transaction.scene.awaited_at(seat)
    if len(awaited) != 1 or awaited[0] not in transaction.scene.seals:
        return
    seal = transaction.scene.seals[awaited[0]]
    here = bool(seal.tag()) and any(each.tag == seal.tag() for each in laid)
    if here and (before.baseline or before.bound == seal.actor):
        transaction.desk[seat] = replace(transaction.desk[seat], bound=seal.actor)
    elif before.bound == seal.actor:
        _take_card_back(transaction, seal.actor, seat)


def _take_card_back(transaction: Transaction, actor: str, seat: str) -> None:
    transaction.emit(r.TakenBack(actor=actor, seat=seat))
    spot = transaction.spot(seat)
    in_the_dark = spot.blind and not spot.laid.unseal()
    transaction.tell(seat, Signal.TAKEN_BACK, NOT_LIFTED if in_the_dark else None)


def _taps_beside(transaction: Transaction, seat: str) -> bool:
    """Whether one more card, of a kind that may be set beside, is on the sealed one."""
    return transaction.spot(seat).bound is not None and _tapped(transaction, seat) is not None


def _tapped(transaction: Transaction, seat: str) -> Laid | None:
    """The tag to read: the only one, or the one tapped onto a sealed card."""
    spot = transaction.spot(seat)
    if spot.bound is None:
        return single(spot)
    others = _beside_seal(transaction, seat)
    tapped = others[0] if len(others) == 1 else None
    beside = transaction.scene.pending.beside
    return tapped if tapped and tapped.card and tapped.card.kind in beside else None


def reader_found(transaction: Transaction, given: i.ReaderFound) -> None:
    """A reader answers again. Cards in its first report were laid unobserved."""
    before = transaction.spot(given.seat)
    was_lost = before.answers or before.writes_cards or given.seat in transaction.state.lost
    baseline = Signal.UNSEEN if was_lost else Signal.MISSED
    transaction.desk[given.seat] = replace(
        _out_of_sight(transaction, given.seat, baseline), answers=True
    )
    if given.seat in transaction.state.lost:
        transaction.emit(r.ReaderReturned(seat=given.seat))
    transaction.lock_if_complete()


def reader_missing(transaction: Transaction, given: i.ReaderMissing) -> None:
    """A reader is lost, or was taken out of play. Its seat shows that; seals remain."""
    spot = _out_of_sight(transaction, given.seat, Signal.UNSEEN)
    transaction.desk[given.seat] = replace(spot, writes_cards=given.writes_cards)
    if given.seat not in transaction.state.lost and not given.writes_cards:
        transaction.emit(r.ReaderLost(seat=given.seat))
    transaction.lock_if_complete()


def reader_troubled(transaction: Transaction, given: i.ReaderTroubled) -> None:
    """Report a reader that fails again and again as unreliable, until it has been quiet for a
    while."""
    transaction.desk[given.seat] = replace(transaction.spot(given.seat), blind=given.blind)
    told = transaction.state.unreliable.get(given.seat, Trouble(0, 0))
    losses, disturbances = given.losses, given.disturbances
    more = losses >= max(_MOST_LOSSES, 2 * told.losses)
    more |= disturbances >= max(_MOST_DISTURBANCES, 2 * told.disturbances)
    if more:
        transaction.emit(
            r.ReaderUnreliable(seat=given.seat, losses=losses, disturbances=disturbances)
        )
    elif given.seat in transaction.state.unreliable and not losses + disturbances:
        transaction.emit(r.ReaderReliable(seat=given.seat))


def _out_of_sight(transaction: Transaction, seat: str, baseline: Signal) -> Spot:
    before = transaction.spot(seat)
    return Spot(
        baseline=baseline,
        left=departed(before, (), transaction.now_ms),
        blind=before.blind,
        seen_ms=transaction.now_ms if before.laid.unseal() else before.seen_ms,
    )


def tick(transaction: Transaction, _: i.Tick) -> None:
    """Do what is due: a lock that was pending when the hub was killed, the reveal, the timer's
    end."""
    if transaction.phase is Phase.LOCKED:
        transaction.reveal_if_due()
        return
    transaction.lock_if_complete()
    _note_quiet(transaction)
    scene = transaction.state.scene
    if (
        scene is None
        or transaction.phase is not Phase.SEALED
        or scene.deadline_ms is None
        or scene.deadline_passed
    ):
        return
    if transaction.now_ms >= scene.deadline_ms:
        transaction.emit(r.DeadlinePassed())


def _note_quiet(transaction: Transaction) -> None:
    """Mark the readers that see nothing once they are due to be reported."""
    if transaction.now_ms >= quiet_from(transaction.state):
        for seat in quiet(transaction.state, transaction.desk):
            transaction.desk[seat] = replace(transaction.desk[seat], nothing_seen=True)


def _readable(transaction: Transaction, seat: str) -> Laid | None:
    """The tag to read now, if there is one."""
    spot = transaction.spot(seat)
    tapped = _tapped(transaction, seat) if spot.fresh else None
    if tapped is None:
        transaction.desk[seat] = replace(spot, fresh=False)
        return None
    if tapped.tag in spot.dead.unseal() or tapped.owner not in {"", seat}:
        return None
    # A tag that another reader hears is read once it has been heard only here for a while.
    elsewhere = is_heard_elsewhere(
        transaction.state, transaction.desk, seat, tapped, transaction.now_ms
    )
    return None if elsewhere else tapped


def _read_card(transaction: Transaction, seat: str) -> None:
    """Read a card at rest, once: seal, play or refuse it."""
    tapped = _readable(transaction, seat)
    if tapped is None:
        return
    card = tapped.card
    if card is None:
        transaction.forget(seat, tapped.strange)
        unknown = tapped.strange is Signal.UNKNOWN
        why = Reason("tag-unknown") if unknown else None
        transaction.tell(seat, tapped.strange, why)
        return
    if card.kind in transaction.scene.pending.beside:
        transaction.leave_unread(seat, Signal.SEALED)
        _read_beside(transaction, seat, tapped.tag, card)
        return
    scene = transaction.scene
    awaited = scene.awaited_at(seat)
    actor = next((a for a in awaited if a not in scene.chosen()), None)
    if _is_no_choice(transaction, seat, actor, card):
        return
    if actor is None and len(awaited) == 1 and transaction.phase is Phase.SEALED:
        actor = awaited[0]  # its seal outlived its card; the new card replaces it
    if actor is None:
        transaction.forget(seat, Signal.LEFT)
        transaction.tell(seat, Signal.NOT_AWAITED, Reason("seat-not-awaited"))
        return
    reason = refusal(transaction.state, actor, card)
    if scene.pending.kind is not Kind.SEALED:
        reason = reason or transaction.why_not_together(actor, card)
    if reason is not None:
        transaction.refuse(seat, reason)
    elif scene.pending.kind is Kind.SEALED:
        if actor in scene.seals:
            transaction.emit(r.TakenBack(actor=actor, seat=seat))
        transaction.seal(actor, seat, card, tag=tapped.tag)
        if len(transaction.scene.awaited_at(seat)) == 1:
            transaction.desk[seat] = replace(transaction.spot(seat), bound=actor)
        transaction.lock_if_complete()
    else:
        transaction.decided(actor, card, seat)


def _is_no_choice(transaction: Transaction, seat: str, actor: str | None, card: Choice) -> bool:
    """Whether the card was read as something other than the choice of ``actor``."""
    if transaction.phase is not Phase.SEALED and read_side_card(transaction, seat, actor, card):
        return True
    transaction.forget(seat, Signal.SEALED)
    return _counts(transaction, seat, card)


def _counts(transaction: Transaction, seat: str, card: Choice) -> bool:
    """Whether the card counts points or takes one back; if so, it was handled or refused."""
    if card == TAKE_BACK:
        why = counting.take_back_at(transaction, seat)
    elif transaction.phase is Phase.DECISION and (
        counter := counting.counter_at(transaction, seat, card)
    ):
        why = counting.count(transaction, seat, counter, card)
    else:
        return False
    if why:
        transaction.refuse(seat, why)
    return True


def _read_beside(transaction: Transaction, seat: str, tag: str, card: Choice) -> None:
    """Set a tapped card beside the step, for the first actor of the seat that may."""
    scene = transaction.scene
    playing = scene.seats.get(seat, ())
    awaited = scene.awaited_at(seat)
    actors = [*awaited, *(a for a in playing if a not in awaited)]
    reasons = {actor: refusal(transaction.state, actor, card) for actor in actors}
    actor = next((actor for actor, reason in reasons.items() if reason is None), None)
    if actor is None:
        transaction.refuse(seat, next(filter(None, reasons.values()), None))
        return
    if scene.pending.kind is not Kind.SEALED:
        transaction.declare(actor, card, seat)
        return
    same = transaction.lying(actor, card)
    copied = same is not None and not same.is_of(tag)
    if copied or transaction.why_not_beside(actor, card):
        # Every page of the seat shows this refusal, even one that does not know the sealed cards;
        # and any player can lay a card with the same content as a sealed one. So the text must not
        # tell which.
        transaction.refuse(seat, NOT_TOGETHER)
        return
    if same:
        transaction.withdraw(same)
    else:
        transaction.seal(actor, seat, card, beside=True, tag=tag)
    transaction.lock_if_complete()


def pause(transaction: Transaction, _: i.Pause) -> None:
    """Pause: cards are not read until the table resumes."""
    transaction.emit(r.Paused())
    for seat, spot in transaction.desk.items():
        if spot.fresh:
            transaction.leave_unread(seat, Signal.PAUSED)


def button_pressed(transaction: Transaction, given: i.ButtonPressed) -> None:
    """Handle a seat's button: it pauses play. During a pause, only the GM's seat can resume;
    between scenes the button does nothing."""
    if transaction.phase in ASKING or transaction.phase is Phase.LOCKED:
        pause(transaction, i.Pause())
    elif transaction.phase is Phase.PAUSED and given.seat == transaction.settings.gm_seat:
        resume(transaction, i.Resume())


def resume(transaction: Transaction, _: i.Resume) -> None:
    """Resume play; take back the seals of cards that were lifted during the pause."""
    transaction.emit(r.Resumed())
    transaction.start_timer()
    for seat, spot in transaction.desk.items():
        was_lifted = transaction.phase is Phase.SEALED and spot.lifted in transaction.scene.seals
        if was_lifted:
            _take_card_back(transaction, str(spot.lifted), seat)
        after = forget(spot, Signal.PAUSED) if was_lifted else spot
        transaction.desk[seat] = replace(after, lifted=None)
    transaction.lock_if_complete()
