"""``step()``: what an input leads to. It judges, and writes records; it changes nothing itself."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hub.rules.game import GM, Choice, IllegalChoice, Kind, RulesError, SetupError
from hub.rules.registry import game_of
from hub.table import inputs as i
from hub.table import records as r
from hub.table.desk import Signal, Tell, forget, single
from hub.table.fold import undo_target
from hub.table.phases import NOT_NOW, TRANSITIONS
from hub.table.state import (
    PASS,
    AtZero,
    Desk,
    HubMisuse,
    Phase,
    Scene,
    SeatFault,
    Settings,
    Spot,
    TableState,
    phase_of,
)
from hub.table.story import begin_story, staged_scene, tell_story
from hub.table.views import refusal
from hub.table.work import BESIDE_ALREADY, Work

TAPPED_ONTO = 2
"""A sealed card and one that is held onto it."""


class Step(Struct, frozen=True):
    """What came of an input: make ``records`` durable, then take ``state`` and ``desk`` over."""

    records: tuple[r.Record, ...]
    state: TableState
    desk: Desk
    tells: tuple[Tell, ...]
    """Signals for single seats: their lamp and their page, nobody else."""


def step(
    state: TableState,
    desk: Desk,
    given: i.Input,
    *,
    settings: Settings,
    now_ms: int,
    entropy: bytes,
) -> Step:
    """What follows from ``given``, judged on ``state`` and ``desk``, which stay as they are.

    ``now_ms`` is the time (ms since the Unix epoch), ``entropy`` 32 fresh random bytes, from which
    the nonces of this step's seals are drawn. Raises :class:`SeatFault` for a wish that is not
    possible now, :class:`HubMisuse` for a seat that the table does not have.
    """
    phase = phase_of(state)
    if (phase, type(given)) not in TRANSITIONS:
        raise SeatFault(f"not possible now: {NOT_NOW[phase]}")
    work = Work(state, desk, settings, now_ms, entropy)
    _HANDLERS[type(given)](work, given)
    return Step(tuple(work.records), work.state, work.desk, tuple(work.tells))


def _check_seat(work: Work, seat: str) -> None:
    if seat not in work.settings.seats:
        raise HubMisuse(f"the table has no seat {seat}")


def _field_changed(work: Work, given: i.FieldChanged) -> None:
    _check_seat(work, given.seat)
    seat = given.seat
    before = work.spot(seat)
    cards = given.cards.unseal()
    hears = work.phase in {Phase.SEALED, Phase.OPEN, Phase.DECISION}
    work.desk[seat] = Spot(
        cards=given.cards,
        since_ms=work.now_ms,
        fresh=hears and bool(cards) and not before.baseline,
        baseline=False,
        bound=before.bound if work.phase is Phase.PAUSED else None,
        lifted=_lifted_in_pause(work, before, cards),
    )
    if work.phase is Phase.SEALED:
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
    same is nobody's business.
    """
    awaited = work.scene.awaited_at(seat)
    if len(awaited) != 1 or awaited[0] not in work.scene.seals:
        return
    seal = work.scene.seals[awaited[0]]
    if seal.choice() not in cards:
        if before.bound == seal.actor:
            _take_card_back(work, seal.actor, seat)
    elif before.baseline or before.bound == seal.actor:
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


def _reader_found(work: Work, given: i.ReaderFound) -> None:
    _check_seat(work, given.seat)
    work.desk[given.seat] = Spot()
    if given.seat in work.state.lost:
        work.emit(r.ReaderReturned(seat=given.seat))


def _reader_missing(work: Work, given: i.ReaderMissing) -> None:
    _check_seat(work, given.seat)
    work.desk[given.seat] = Spot()
    if given.seat not in work.state.lost:
        work.emit(r.ReaderLost(seat=given.seat))


def _tick(work: Work, _: i.Tick) -> None:
    if work.phase is Phase.LOCKED:
        work.reveal_if_due()
        return
    if work.phase in {Phase.SEALED, Phase.OPEN, Phase.DECISION}:
        for seat in work.settings.seats:
            _read_card(work, seat)
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
    elif work.now_ms + scene.deadline_s * 1000 < scene.deadline_ms:
        work.start_timer()  # the clock was set back while the hub was down


def _read_card(work: Work, seat: str) -> None:
    """A card that has rested for the dwell time is read, once: sealed, played or refused."""
    spot = work.spot(seat)
    if not spot.fresh or work.now_ms < spot.since_ms + work.settings.dwell_ms:
        return
    card = _tapped(work, seat)
    if card is None and len(spot.cards.unseal()) > 1:
        work.desk[seat] = replace(spot, fresh=False)
        return
    work.forget(seat)
    if card is not None and card.kind in work.scene.pending.beside:
        work.desk[seat] = replace(spot, fresh=False)
        _read_beside(work, seat, card)
        return
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
    work.set_beside(actor, seat, card)
    work.lock_if_complete()


def _start_scene(work: Work, given: i.StartScene) -> None:
    setup = given.setup
    try:
        game = game_of(setup.ruleset)
        actors = game.actors(game.begin(setup.game))
    except SetupError as error:
        # Who hears this may not know the GM's characters, whom it may be about.
        raise SeatFault(
            f"the scene cannot begin: its setup has {len(error.problems)} faults"
        ) from None
    except RulesError as error:
        raise SeatFault(f"the scene cannot begin: {error}") from None
    seated = [actor for playing in work.settings.seats.values() for actor in playing]
    homeless = [actor for actor in actors if seated.count(actor) != 1]
    if homeless:
        raise SeatFault(
            f"the scene cannot begin: {', '.join(homeless)} must be played by exactly one seat; "
            "name them under 'characters' of a [[seat]] in the configuration"
        )
    seats = {
        seat: tuple(actor for actor in playing if actor in actors)
        for seat, playing in work.settings.seats.items()
    }
    work.emit(
        r.SceneStarted(
            scene=work.state.scenes + 1, ruleset=setup.ruleset, title=given.title, seats=seats
        ),
        setup,
    )


def _stage_scene(work: Work, given: i.StageScene) -> None:
    _start_scene(work, staged_scene(work, given))


def _end_scene(work: Work, _: i.EndScene) -> None:
    work.emit(r.SceneEnded())
    work.unbind()


def _playing_seat(work: Work, actor: str, by: str) -> str:
    """The seat that plays ``actor``, if ``by`` may speak for it. Raises :class:`SeatFault`."""
    seat = work.scene.seat_of(actor)
    if seat is None:
        raise SeatFault(f"nobody here plays {actor}")
    if by not in {seat, GM}:
        raise SeatFault(f"{actor} is played at seat {seat}, not at {by}")
    return seat


def _commit(work: Work, given: i.Commit) -> None:
    seat = _playing_seat(work, given.actor, given.by)
    scene = work.scene
    if given.by == GM != seat and not (
        scene.deadline_passed and work.settings.at_zero is AtZero.GM_DECIDES
    ):
        raise SeatFault("the GM chooses for a seat only after the commit timer has run out")
    card = given.choice.unseal()
    if card.kind in scene.pending.beside:
        _commit_beside(work, given.actor, seat, card)
        return
    if given.actor not in scene.pending.must:
        raise SeatFault(f"nothing is awaited from {given.actor} now")
    if given.actor in scene.seals:
        raise SeatFault("a choice is sealed already; take it back first")
    reason = refusal(work.state, given.actor, card)
    if reason is not None:
        raise SeatFault(reason)
    work.seal(given.actor, seat, card)
    work.lock_if_complete()


def _commit_beside(work: Work, actor: str, seat: str, card: Choice) -> None:
    reason = refusal(work.state, actor, card)
    lies = work.scene.beside.get(actor)
    if reason is None and lies is not None and lies.choice() != card:
        reason = BESIDE_ALREADY.format(actor=actor)
    if reason is not None:
        raise SeatFault(reason)
    work.set_beside(actor, seat, card)
    work.lock_if_complete()


def _take_back(work: Work, given: i.TakeBack) -> None:
    seat = _playing_seat(work, given.actor, given.by)
    if given.actor not in work.scene.seals:
        raise SeatFault(f"{given.actor} has no sealed choice")
    work.emit(r.TakenBack(actor=given.actor, seat=seat))
    work.forget(seat)
    work.tell(seat, Signal.TAKEN_BACK)


def _drop_seal(work: Work, given: i.DropSeal) -> None:
    beside = work.scene.beside.get(given.actor)
    seal = work.scene.seals.get(given.actor)
    if seal is None and beside is not None:
        work.emit(r.Withdrawn(actor=beside.actor, seat=beside.seat))
        work.tell(beside.seat, Signal.TAKEN_BACK)
        work.lock_if_complete()
        return
    if seal is None:
        raise SeatFault(f"{given.actor} has no sealed choice")
    work.emit(r.SealDropped(actor=seal.actor, seat=seal.seat))
    work.forget(seal.seat)
    work.tell(seal.seat, Signal.TAKEN_BACK)


def _decide(work: Work, given: i.Decide) -> None:
    scene = work.scene
    if given.actor != GM:
        _playing_seat(work, given.actor, given.by)
    elif given.by != GM:
        raise SeatFault("this is for the GM to decide")
    if given.choice.kind in scene.pending.asides:
        if given.actor in scene.seals:
            raise SeatFault("take the sealed card back first")
        try:
            game_of(scene.ruleset).aside(scene.game, given.actor, given.choice)
        except IllegalChoice as error:
            raise SeatFault(str(error)) from None
        work.emit(r.Declared(actor=given.actor, choice=str(given.choice), by=given.by))
        return
    if given.choice == Choice(PASS) and given.actor in scene.answers:
        work.emit(r.Passed(actor=given.actor, by=given.by))
        work.lock_if_complete()
        return
    if scene.pending.kind is Kind.SEALED:
        raise SeatFault("a sealed card is awaited; it is laid on the reader")
    if given.actor not in scene.pending.must:
        raise SeatFault(f"nothing is awaited from {given.actor} now")
    reason = refusal(work.state, given.actor, given.choice)
    if reason is not None:
        raise SeatFault(reason)
    if scene.decided.get(given.actor) != given.choice:  # a second press says nothing new
        work.decided(given.actor, given.choice, given.by)


def _pause(work: Work, _: i.Pause) -> None:
    work.emit(r.Paused())
    for seat, spot in work.desk.items():
        work.desk[seat] = replace(spot, fresh=False)


def _resume(work: Work, _: i.Resume) -> None:
    work.emit(r.Resumed())
    work.start_timer()
    for seat, spot in work.desk.items():
        was_lifted = work.phase is Phase.SEALED and spot.lifted in work.scene.seals
        if was_lifted:
            _take_card_back(work, str(spot.lifted), seat)
        work.desk[seat] = replace(forget(spot) if was_lifted else spot, lifted=None)


def _undo(work: Work, _: i.Undo) -> None:
    if undo_target(work.scene) is None:
        raise SeatFault("nothing has happened since the scene began")
    work.emit(r.Undone(to_phase=undo_to(work.scene)))


def undo_to(scene: Scene) -> int:
    """The number of the phase that an undo would return to; 0 when there is none."""
    back = undo_target(scene)
    return back.phase_no if back else 0


_HANDLERS: dict[type, Callable[[Work, Any], None]] = {
    i.FieldChanged: _field_changed,
    i.ReaderFound: _reader_found,
    i.ReaderMissing: _reader_missing,
    i.Tick: _tick,
    i.StartScene: _start_scene,
    i.EndScene: _end_scene,
    i.Commit: _commit,
    i.TakeBack: _take_back,
    i.DropSeal: _drop_seal,
    i.Decide: _decide,
    i.Pause: _pause,
    i.Resume: _resume,
    i.Undo: _undo,
    i.BeginStory: begin_story,
    i.TellStory: tell_story,
    i.StageScene: _stage_scene,
}
