"""The cards on a reader: which of them are read, and what lifting them takes back."""

from msgspec.structs import replace

from hub.games.game import TAKE_BACK, Choice, Kind
from hub.kernel.reasons import Reason
from hub.table.acts import commit, decide, reveal
from hub.table.desk import departed, is_heard_elsewhere, single, swings
from hub.table.inputs import Fact
from hub.table.sealed import Sealed
from hub.table.signals import Signal
from hub.table.spots import Desk, Laid, Sight, Spot, are_ends
from hub.table.state import ASKING, Phase
from hub.table.transaction import Transaction
from hub.table.views import refusal


class FieldChanged(Fact, frozen=True):
    """The tags on a seat's reader, or the certainty about them, changed. The tags are unordered.

    Each report is complete, so that the next one makes up for a lost one.
    """

    seat: str
    laid: Sealed[tuple[Laid, ...]]
    sight: Sight = Sight.NEW

    def judge(self, transaction: Transaction) -> None:
        """Follow what is on the reader.

        A card is read when a look has seen it at rest, never because time has passed: a hand may
        have lifted it since the reader's last look.
        """
        seat, sight = self.seat, self.sight
        before = transaction.spot(seat)
        laid = self.laid.unseal()
        if sight is Sight.NEW or before.baseline or laid != before.laid.unseal():
            _content_changed(transaction, seat, before, self.laid)
        spot, doubtful = transaction.desk[seat], sight is Sight.DOUBTFUL
        if spot.doubtful is not doubtful:
            transaction.desk[seat] = replace(spot, doubtful=doubtful)
        if sight is Sight.RESTED and transaction.phase in ASKING:
            _read_card(transaction, seat)
        reveal.lock_if_complete(transaction)

    def is_known(self, desk: Desk) -> bool:
        """Whether this report changes nothing: a card that was already handled is still on the
        reader."""
        if self.sight is not Sight.RESTED:
            return False
        spot = desk.get(self.seat)
        if spot is None or spot.baseline is not None or spot.fresh or spot.doubtful:
            return False
        return spot.laid.unseal() == self.laid.unseal()


def _content_changed(
    transaction: Transaction, seat: str, before: Spot, on_reader: Sealed[tuple[Laid, ...]]
) -> None:
    laid = on_reader.unseal()
    arrived = {each.tag for each in laid} - {each.tag for each in before.laid.unseal()}
    dead = _dead(transaction, seat, before, laid, arrived)
    transaction.desk[seat] = Spot(
        laid=on_reader,
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
    if len(laid) > 1 and _tapped(transaction, seat) is None:
        signal, why = _too_many(transaction, seat)
        transaction.desk[seat] = replace(transaction.desk[seat], notice=signal)
        transaction.tell(seat, signal, why)
    if not laid:
        transaction.tell(seat, Signal.EMPTY)


def _too_many(transaction: Transaction, seat: str) -> tuple[Signal, Reason | None]:
    """The signal and the reason for several tags on a reader. A card with both of its ends on the
    reader is still one card."""
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
    """Tag → the reason, for each tag of ``laid`` that must be lifted before it can mean
    anything."""
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
    """The actor whose sealed card was lifted since the table was paused, if any."""
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
        commit.take_card_back(transaction, seal.actor, seat)


def _tapped(transaction: Transaction, seat: str) -> Laid | None:
    """The tag to read: the only one, or the one tapped onto a sealed card; None if there is no such
    tag."""
    spot = transaction.spot(seat)
    if spot.bound is None:
        return single(spot)
    others = _beside_seal(transaction, seat)
    tapped = others[0] if len(others) == 1 else None
    beside = transaction.scene.pending.beside
    return tapped if tapped and tapped.card and tapped.card.kind in beside else None


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
        why = Reason("tag-unknown") if tapped.strange is Signal.UNKNOWN else None
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
        reason = reason or decide.why_not_together(transaction, actor, card)
    if reason is not None:
        transaction.refuse(seat, reason)
    elif scene.pending.kind is Kind.SEALED:
        if actor in scene.seals:
            transaction.emit(commit.TakenBack(actor=actor, seat=seat))
        commit.seal(transaction, actor, seat, card, tag=tapped.tag)
        if len(transaction.scene.awaited_at(seat)) == 1:
            transaction.desk[seat] = replace(transaction.spot(seat), bound=actor)
        reveal.lock_if_complete(transaction)
    else:
        decide.write_decision(transaction, actor, card, seat)


def _is_no_choice(transaction: Transaction, seat: str, actor: str | None, card: Choice) -> bool:
    """Whether the card was read as something other than the choice of ``actor``."""
    if transaction.phase is not Phase.SEALED and _read_side_card(transaction, seat, actor, card):
        return True
    transaction.forget(seat, Signal.SEALED)
    return _counts(transaction, seat, card)


def _counts(transaction: Transaction, seat: str, card: Choice) -> bool:
    """Whether the card counts points or takes one back; if so, it was handled or refused."""
    if card == TAKE_BACK:
        why = decide.take_back_at(transaction, seat)
    elif transaction.phase is Phase.DECISION and (
        counter := decide.counter_at(transaction, seat, card)
    ):
        why = decide.count(transaction, seat, counter, card)
    else:
        return False
    if why:
        transaction.refuse(seat, why)
    return True


def _read_beside(transaction: Transaction, seat: str, tag: str, card: Choice) -> None:
    """Set a tapped card beside the step, for the first actor of the seat that may. If the card's
    own seal is already there, take it back."""
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
        decide.write_declaration(transaction, actor, card, seat)
        return
    same = commit.lying(transaction, actor, card)
    copied = same is not None and not same.is_of(tag)
    if copied or commit.why_not_beside(transaction, actor, card):
        # Every page of the seat shows this refusal, even one that does not know the sealed cards;
        # and any player can lay a card with the same content as a sealed one. So the text must not
        # tell which.
        transaction.refuse(seat, Reason("not-together"))
        return
    if same:
        commit.withdraw(transaction, same)
    else:
        commit.seal(transaction, actor, seat, card, beside=True, tag=tag)
    reveal.lock_if_complete(transaction)


def _read_side_card(transaction: Transaction, seat: str, actor: str | None, card: Choice) -> bool:
    """Whether the card was read as something other than the choice of ``actor``: it was declared,
    waits for a later step, or was refused.

    ``actor`` is the next actor at the seat to choose, if any; its choice takes precedence.
    Otherwise the first actor of the seat that may declare the card does so, awaited or not.
    """
    state, scene = transaction.state, transaction.scene
    pending, playing = scene.pending, scene.seats.get(seat, ())
    if card.kind not in {*pending.asides, *pending.early} or not playing:
        return False
    fits = actor is not None and card.kind in pending.kinds
    why = refusal(state, actor, card) if actor is not None and fits else None
    if fits and why is None:
        return False
    able = playing if card.kind in pending.asides else ()
    reasons = {name: refusal(state, name, card) for name in able}
    declares = next((name for name, reason in reasons.items() if reason is None), None)
    if declares is None and not fits and card.kind in pending.early:
        _let_wait(transaction, seat)
        return True
    transaction.forget(seat, Signal.SEALED)
    if declares is None:
        known = why or next(filter(None, reasons.values()), None)
        transaction.refuse(seat, known or Reason("seat-not-awaited"))
    else:
        decide.write_declaration(transaction, declares, card, seat)
    return True


def _let_wait(transaction: Transaction, seat: str) -> None:
    """Keep a card that was laid early: the reader reads it after this step, unless it is lifted."""
    spot = transaction.spot(seat)
    if spot.notice is not Signal.WAITS:
        transaction.desk[seat] = replace(spot, notice=Signal.WAITS)
        transaction.tell(seat, Signal.WAITS, Reason("read-when-answered"))
