"""The readers' side of a step: what lies there, what is read as a card, what a lift takes back."""

from msgspec.structs import replace

from hub.rules.game import Choice, Kind
from hub.table import inputs as i
from hub.table import records as r
from hub.table.desk import Signal, forget, single
from hub.table.state import HubMisuse, Phase, Spot, Trouble
from hub.table.views import refusal
from hub.table.work import Work

_ASKING = frozenset({Phase.SEALED, Phase.OPEN, Phase.DECISION})

NOT_TOGETHER = (
    "it cannot lie together with what lies beside already; a card that lies there is withdrawn by "
    "one more tap"
)
_MOST_LOSSES = 3
_MOST_DISTURBANCES = 10
"""In five minutes: a reader that has so many is called unreliable."""

TAPPED_ONTO = 2
"""A sealed card and one that is held onto it."""


def check_seat(work: Work, seat: str) -> None:
    """Raises :class:`HubMisuse` for a seat that the table does not have."""
    if seat not in work.settings.seats:
        raise HubMisuse(f"the table has no seat {seat}")


def field_changed(work: Work, given: i.FieldChanged) -> None:
    """What lies on a reader, or how sure that is, has changed.

    A card is read when a look has seen it rest, never because time has passed: the reader's last
    look but that one may be older than the hand that lifted it.
    """
    check_seat(work, given.seat)
    seat = given.seat
    before = work.spot(seat)
    cards = given.cards.unseal()
    if given.sight is i.Sight.NEW or before.baseline or cards != before.cards.unseal():
        _content_changed(work, given, before, cards)
    doubtful = given.sight is i.Sight.DOUBTFUL
    work.desk[seat] = replace(work.desk[seat], doubtful=doubtful)
    if given.sight is i.Sight.RESTED and work.phase in _ASKING:
        _read_card(work, seat)
    work.lock_if_complete()


def _content_changed(
    work: Work, given: i.FieldChanged, before: Spot, cards: tuple[Choice | None, ...]
) -> None:
    seat = given.seat
    work.desk[seat] = Spot(
        cards=given.cards,
        fresh=work.phase in _ASKING and bool(cards) and not before.baseline,
        baseline=False,
        bound=before.bound if work.phase is Phase.PAUSED else None,
        lifted=_lifted_in_pause(work, before, cards),
    )
    if work.phase is Phase.SEALED or (work.phase is Phase.PAUSED and before.baseline):
        _follow_seal(work, seat, before, cards)
    if len(cards) > 1 and not _taps_beside(work, seat):
        work.tell(seat, Signal.TWO_CARDS, "two cards lie on the reader; leave one")
    if not cards:
        work.tell(seat, Signal.EMPTY)


def _lifted_in_pause(work: Work, before: Spot, cards: tuple[Choice | None, ...]) -> str | None:
    """Whose sealed card has been seen leaving since the table was paused."""
    if work.phase is not Phase.PAUSED:
        return None
    seal = work.scene.seals.get(before.bound or "")
    return before.lifted if seal is None or seal.choice() in cards else seal.actor


def _follow_seal(work: Work, seat: str, before: Spot, cards: tuple[Choice | None, ...]) -> None:
    """A lifted card takes its seal back; a sealed card that lies there after an outage is bound
    to its seal again.

    A seal whose card nobody saw leaving (its reader was lost, or the hub was down) stands. What
    is laid down anew after that is sealed anew, even if it is the same card: whether it is the
    same is nobody's business. A page's seal is bound to no card, not even to an equal one.
    """
    awaited = work.scene.awaited_at(seat)
    if len(awaited) != 1 or awaited[0] not in work.scene.seals:
        return
    seal = work.scene.seals[awaited[0]]
    if seal.choice() not in cards:
        if before.bound == seal.actor:
            _take_card_back(work, seal.actor, seat)
    elif (before.baseline and not seal.page) or before.bound == seal.actor:
        spot = replace(work.desk[seat], bound=seal.actor)
        work.desk[seat] = replace(spot, fresh=spot.fresh and len(cards) == TAPPED_ONTO)


def _take_card_back(work: Work, actor: str, seat: str) -> None:
    work.emit(r.TakenBack(actor=actor, seat=seat))
    work.tell(seat, Signal.TAKEN_BACK)


def _taps_beside(work: Work, seat: str) -> bool:
    """Whether one more card lies on the sealed one, of a kind that may be set beside."""
    return work.spot(seat).bound is not None and _tapped(work, seat) is not None


def _tapped(work: Work, seat: str) -> Choice | None:
    """The card to be read: the only one, or the one that is tapped onto a sealed card."""
    spot = work.spot(seat)
    if spot.bound is None:
        return single(spot)
    sealed = work.scene.seals[spot.bound].choice()
    others = [card for card in spot.cards.unseal() if card != sealed]
    card = others[0] if len(others) == 1 else None
    return card if card and card.kind in work.scene.pending.beside else None


def reader_found(work: Work, given: i.ReaderFound) -> None:
    """A reader answers again; what it reports first was laid while nobody looked."""
    check_seat(work, given.seat)
    work.desk[given.seat] = Spot()
    if given.seat in work.state.lost:
        work.emit(r.ReaderReturned(seat=given.seat))
    work.lock_if_complete()


def reader_missing(work: Work, given: i.ReaderMissing) -> None:
    """A reader is lost: its seat shows it, and seals stand."""
    check_seat(work, given.seat)
    work.desk[given.seat] = Spot()
    if given.seat not in work.state.lost:
        work.emit(r.ReaderLost(seat=given.seat))
    work.lock_if_complete()


def reader_troubled(work: Work, given: i.ReaderTroubled) -> None:
    """A reader that fails again and again is called unreliable, until it rests from that."""
    check_seat(work, given.seat)
    told = work.state.unreliable.get(given.seat, Trouble(0, 0))
    losses, disturbances = given.losses, given.disturbances
    more = losses >= max(_MOST_LOSSES, 2 * told.losses)
    more |= disturbances >= max(_MOST_DISTURBANCES, 2 * told.disturbances)
    if more:
        work.emit(r.ReaderUnreliable(seat=given.seat, losses=losses, disturbances=disturbances))
    elif given.seat in work.state.unreliable and not losses + disturbances:
        work.emit(r.ReaderReliable(seat=given.seat))


def tick(work: Work, _: i.Tick) -> None:
    """Whatever is due: the lock that a killed hub left open, the reveal, the timer's end."""
    if work.phase is Phase.LOCKED:
        work.reveal_if_due()
        return
    work.lock_if_complete()
    scene = work.state.scene
    if (
        scene is None
        or work.phase is not Phase.SEALED
        or scene.deadline_ms is None
        or scene.deadline_passed
    ):
        return
    if work.now_ms >= scene.deadline_ms:
        work.emit(r.DeadlinePassed())


def _read_card(work: Work, seat: str) -> None:
    """A card that has rested is read, once: sealed, played or refused."""
    spot = work.spot(seat)
    if not spot.fresh:
        return
    card = _tapped(work, seat)
    if card is None and len(spot.cards.unseal()) > 1:
        work.leave_unread(seat)
        return
    if card is not None and card.kind in work.scene.pending.beside:
        work.leave_unread(seat)
        _read_beside(work, seat, card)
        return
    work.forget(seat)
    if card is None:
        work.tell(seat, Signal.UNKNOWN, "this tag is not in the deck file; learn it first")
        return
    scene = work.scene
    awaited = scene.awaited_at(seat)
    actor = next((a for a in awaited if a not in scene.chosen()), None)
    if actor is None and len(awaited) == 1 and work.phase is Phase.SEALED:
        actor = awaited[0]  # its seal outlived its card; the new card takes its place
    if actor is None:
        work.tell(seat, Signal.NOT_AWAITED, "nothing is awaited from this seat now")
        return
    reason = refusal(work.state, actor, card)
    if reason is not None:
        work.tell(seat, Signal.REFUSED, reason)
    elif scene.pending.kind is Kind.SEALED:
        if actor in scene.seals:
            work.emit(r.TakenBack(actor=actor, seat=seat))
        work.seal(actor, seat, card)
        if len(awaited) == 1:
            work.desk[seat] = replace(work.spot(seat), bound=actor)
        work.lock_if_complete()
    else:
        work.decided(actor, card, seat)


def _read_beside(work: Work, seat: str, card: Choice) -> None:
    """A card that may lie beside the step was tapped: for the first of the seat who may."""
    scene = work.scene
    playing = scene.seats.get(seat, ())
    actors = [*scene.awaited_at(seat), *(a for a in playing if a not in scene.pending.must)]
    reasons = {actor: refusal(work.state, actor, card) for actor in actors}
    actor = next((actor for actor, reason in reasons.items() if reason is None), None)
    if actor is None:
        why = next((reason for reason in reasons.values() if reason), "")
        work.tell(seat, Signal.REFUSED, why)
        return
    if work.beside_problem(actor, card):
        # Every page of the seat hears this, also one that has not set down what lies there.
        work.tell(seat, Signal.REFUSED, NOT_TOGETHER)
        return
    same = work.lying(actor, card)
    if same:
        work.withdraw(same)
    else:
        work.set_beside(actor, seat, card)
    work.lock_if_complete()


def pause(work: Work, _: i.Pause) -> None:
    """Cards are not read until play goes on."""
    work.emit(r.Paused())
    for seat, spot in work.desk.items():
        work.desk[seat] = replace(spot, fresh=False)


def resume(work: Work, _: i.Resume) -> None:
    """Play goes on; a sealed card that was lifted meanwhile is taken back."""
    work.emit(r.Resumed())
    work.start_timer()
    for seat, spot in work.desk.items():
        was_lifted = work.phase is Phase.SEALED and spot.lifted in work.scene.seals
        if was_lifted:
            _take_card_back(work, str(spot.lifted), seat)
        work.desk[seat] = replace(forget(spot) if was_lifted else spot, lifted=None)
    work.lock_if_complete()
