"""Players who leave: the GM plays their character, or the scene goes on without it."""

from typing import Any

from hub.games.game import GM, Game, IllegalChoice
from hub.kernel.reasons import Reason
from hub.table import inputs as i
from hub.table import records as r
from hub.table.hub_player import let_hub_play
from hub.table.seating import seated
from hub.table.signals import Signal
from hub.table.state import ASKING, Scene, SeatFault, TableState
from hub.table.transaction import Transaction
from hub.table.views import cast


def play_for(transaction: Transaction, given: i.PlayFor) -> None:
    """Let the GM play for a character, or give it back to its player. Raises :class:`SeatFault`."""
    actor, state = given.actor, transaction.state
    seat = _seat_of(transaction, actor)
    if given.by != GM and given.on:
        raise SeatFault(Reason("for-the-gm"))
    if given.by not in {GM, seat}:
        raise SeatFault(Reason("played-elsewhere", who=actor, seat=seat, asked=given.by))
    if seat in {GM, transaction.settings.gm_seat}:
        raise SeatFault(Reason("gm-plays-anyway", who=actor))
    if given.on == (actor in state.gm_plays):
        already, not_yet = Reason("gm-plays-already", who=actor), Reason("gm-plays-not", who=actor)
        raise SeatFault(already if given.on else not_yet)
    if given.on and actor in state.hub_plays:
        let_hub_play(transaction, i.LetHubPlay((actor,), on=False, by=GM))
    transaction.emit(r.PlayedByGm(actor=actor, on=given.on))


def sit_out(transaction: Transaction, given: i.SitOut) -> None:
    """Take a character out of the scene, or bring it back; with ``lasting``, out of later scenes
    too. Its seals in this step are dropped first and never shown. Raises :class:`SeatFault`."""
    actor, stays = given.actor, given.actor in transaction.state.away
    if given.lasting or (stays and not given.out):
        seat = _seat_of(transaction, actor)
        if seat in {GM, transaction.settings.gm_seat}:
            raise SeatFault(Reason("gm-plays-anyway", who=actor))
    scene = _scene_with(transaction, actor)
    if scene and given.out != (actor in scene.sits_out):
        try:
            _sit_out_now(transaction, given)
        except SeatFault:
            if given.out or not stays:
                raise
    elif reason := _why_no_change(transaction, given):
        raise SeatFault(reason)
    if stays != given.out and (given.lasting or stays):
        transaction.emit(r.StaysAway(actor=actor, on=given.out))


def _scene_with(transaction: Transaction, actor: str) -> Scene | None:
    """The scene, if it asks for choices and the character plays in it."""
    scene = transaction.state.scene
    if scene is None or transaction.phase not in ASKING or scene.seat_of(actor) is None:
        return None
    return scene


def _why_no_change(transaction: Transaction, given: i.SitOut) -> Reason | None:
    """Why nothing changes, for a character whose place in the scene stays as it is."""
    actor, state = given.actor, transaction.state
    stays = actor in state.away
    if (given.lasting or stays) and given.out != stays:
        return None
    if not (given.lasting or stays) and not _scene_with(transaction, actor):
        asked = state.scene is not None and transaction.phase in ASKING
        return Reason("nobody-plays", who=actor) if asked else Reason("no-scene")
    if given.out:
        return Reason("sits-out-already", who=actor)
    return Reason("sits-out-not", who=actor)


def missing(state: TableState, game: Game[Any], begun: Any) -> tuple[str, ...]:
    """The absent characters of a scene that begins in this state. Raises :class:`SeatFault` if it
    cannot begin without them."""
    away = tuple(actor for actor in game.actors(begun) if actor in state.away)
    try:
        for actor in away:
            begun = game.sit_out(begun, actor, out=True)
    except IllegalChoice as error:
        raise SeatFault(Reason("scene-cannot-begin", why=error.reason)) from None
    return away


def _sit_out_now(transaction: Transaction, given: i.SitOut) -> None:
    actor, scene = given.actor, transaction.scene
    try:
        scene.rules.sit_out(scene.game, actor, out=given.out)
    except IllegalChoice as error:
        raise SeatFault(error.reason) from None
    if seal := scene.seals.get(actor):
        transaction.emit(r.SealDropped(actor=actor, seat=seal.seat))
        transaction.forget(seal.seat, Signal.ENDED)
        transaction.tell(seal.seat, Signal.TAKEN_BACK)
    for lying in scene.beside.get(actor, ()):
        transaction.withdraw(lying, None)
    phase = transaction.scene.phase_no
    event = r.SatOut if given.out else r.CameBack
    transaction.emit(event(actor=actor, phase=phase))
    transaction.lock_if_complete()


def _seat_of(transaction: Transaction, actor: str) -> str:
    """The seat that plays a character, in the scene or between scenes. Raises
    :class:`SeatFault`."""
    state = transaction.state
    seat = state.scene.seat_of(actor) if state.scene else None
    if seat is None:
        seats = seated(transaction.settings, state)
        named = (*(each for playing in seats.seats.values() for each in playing), *cast(state))
        seat = next((s for s, a in seats.seating(named).items() if actor in a), None)
    if seat is None:
        raise SeatFault(Reason("nobody-plays", who=actor))
    return seat


def sitting(state: TableState, gm_seat: str | None) -> dict[str, Reason | None]:
    """For each player's character in the current scene: why the scene cannot go on without it or,
    if it sits out, why it cannot come back. None where it can."""
    scene = state.scene
    if scene is None:
        return {}
    found: dict[str, Reason | None] = {}
    for actor in scene.rules.actors(scene.game):
        if scene.seat_of(actor) in {None, gm_seat, GM}:
            continue
        try:
            scene.rules.sit_out(scene.game, actor, out=actor not in scene.sits_out)
            found[actor] = None
        except IllegalChoice as error:
            found[actor] = error.reason
    return found
