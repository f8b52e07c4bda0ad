"""``step()``: what an input leads to. It judges, and writes records; it changes nothing itself."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hub.rules.game import GM, Choice, IllegalChoice, Kind, RulesError
from hub.rules.registry import game_of
from hub.table import inputs as i
from hub.table import records as r
from hub.table.desk import Signal, Tell, single
from hub.table.fold import undo_target
from hub.table.phases import NOT_NOW, TRANSITIONS
from hub.table.state import (
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
from hub.table.work import Work


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
    )
    if len(cards) > 1:
        work.tell(seat, Signal.TWO_CARDS, "two cards lie on the reader; leave one")
    if work.phase is Phase.SEALED:
        _follow_seal(work, seat, before, cards)
    if not cards:
        work.tell(seat, Signal.EMPTY)


def _follow_seal(work: Work, seat: str, before: Spot, cards: tuple[Choice | None, ...]) -> None:
    """A lifted card takes its seal back; a sealed card that is found again is bound again.

    A seal whose card nobody saw leaving (its reader was lost, or the hub was down) stands.
    """
    awaited = work.scene.awaited_at(seat)
    if len(awaited) != 1 or awaited[0] not in work.scene.seals:
        return
    seal = work.scene.seals[awaited[0]]
    if seal.choice() in cards:
        work.desk[seat] = replace(work.desk[seat], fresh=False, bound=seal.actor)
    elif before.bound == seal.actor:
        work.emit(r.TakenBack(actor=seal.actor, seat=seat))
        work.tell(seat, Signal.TAKEN_BACK)


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
        scene is not None
        and work.phase is Phase.SEALED
        and scene.deadline_ms is not None
        and not scene.deadline_passed
        and work.now_ms >= scene.deadline_ms
    ):
        work.emit(r.DeadlinePassed())


def _read_card(work: Work, seat: str) -> None:
    """A card that has rested for the dwell time is read, once: sealed, played or refused."""
    spot = work.spot(seat)
    if not spot.fresh or work.now_ms < spot.since_ms + work.settings.dwell_ms:
        return
    card = single(spot)
    if card is None and len(spot.cards.unseal()) > 1:
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
        work.emit(r.Decided(actor=actor, choice=str(card), by=seat))


def _start_scene(work: Work, given: i.StartScene) -> None:
    setup = given.setup
    try:
        game = game_of(setup.ruleset)
        actors = game.actors(game.begin(setup.game))
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
    if given.actor not in scene.pending.must:
        raise SeatFault(f"nothing is awaited from {given.actor} now")
    if given.actor in scene.seals:
        raise SeatFault("a choice is sealed already; take it back first")
    reason = refusal(work.state, given.actor, given.choice.unseal())
    if reason is not None:
        raise SeatFault(reason)
    work.seal(given.actor, seat, given.choice.unseal())
    work.lock_if_complete()


def _take_back(work: Work, given: i.TakeBack) -> None:
    seat = _playing_seat(work, given.actor, given.by)
    if given.actor not in work.scene.seals:
        raise SeatFault(f"{given.actor} has no sealed choice")
    work.emit(r.TakenBack(actor=given.actor, seat=seat))
    work.forget(seat)
    work.tell(seat, Signal.TAKEN_BACK)


def _drop_seal(work: Work, given: i.DropSeal) -> None:
    seal = work.scene.seals.get(given.actor)
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
    if scene.pending.kind is Kind.SEALED:
        raise SeatFault("a sealed card is awaited; it is laid on the reader")
    if given.actor not in scene.pending.must:
        raise SeatFault(f"nothing is awaited from {given.actor} now")
    reason = refusal(work.state, given.actor, given.choice)
    if reason is not None:
        raise SeatFault(reason)
    if scene.decided.get(given.actor) != given.choice:  # a second press says nothing new
        work.emit(r.Decided(actor=given.actor, choice=str(given.choice), by=given.by))


def _pause(work: Work, _: i.Pause) -> None:
    work.emit(r.Paused())
    for seat, spot in work.desk.items():
        work.desk[seat] = replace(spot, fresh=False)


def _resume(work: Work, _: i.Resume) -> None:
    work.emit(r.Resumed())
    work.start_timer()
    for seat, spot in work.desk.items():
        if work.phase is Phase.SEALED:
            _follow_seal(work, seat, Spot(), spot.cards.unseal())


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
