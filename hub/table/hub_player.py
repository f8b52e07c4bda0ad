"""The hub as a player: the GM starts and stops it, and each seat can stop it for its own
characters."""

from hub.games.game import GM
from hub.kernel.reasons import Reason
from hub.table import inputs as i
from hub.table import records as r
from hub.table.naming import people
from hub.table.sealed import from_hub
from hub.table.seating import seated
from hub.table.signals import Signal
from hub.table.state import HUB_PLAYER, Phase, SeatFault
from hub.table.transaction import Transaction
from hub.table.views import cast


def let_hub_play(transaction: Transaction, given: i.LetHubPlay) -> None:
    """Start or stop the hub playing for these actors, and record the changes. Raises
    :class:`SeatFault`."""
    for actor in given.actors:
        _check(transaction, actor, given)
    for actor in dict.fromkeys(given.actors):
        if (actor in transaction.state.hub_plays) != given.on:
            if given.on and actor in transaction.state.gm_plays:
                transaction.emit(r.PlayedByGm(actor=actor, on=False))
            transaction.emit(r.PlayedByHub(actor=actor, on=given.on))
            if not given.on:
                _take_up_cards(transaction, actor)
    if transaction.phase is Phase.SEALED:
        transaction.lock_if_complete()


def _check(transaction: Transaction, actor: str, given: i.LetHubPlay) -> None:
    if given.by == GM:
        if actor not in _known(transaction):
            raise SeatFault(Reason("nobody-plays", who=ascii(actor)))
        return
    if given.on:
        raise SeatFault(Reason("for-the-gm"))
    settings = seated(transaction.settings, transaction.state)
    scene = transaction.state.scene
    playing = scene.seats if scene and scene.seat_of(actor) else settings.seating([actor])
    seat = next((seat for seat, actors in playing.items() if actor in actors), None)
    if seat is None or actor == GM:
        raise SeatFault(Reason("nobody-plays", who=ascii(actor)))
    if seat != given.by:
        raise SeatFault(Reason("played-elsewhere", who=actor, seat=seat, asked=given.by))


def _known(transaction: Transaction) -> set[str]:
    """Every actor that the hub could play, plus departed ones that it still plays."""
    state, scene = transaction.state, transaction.state.scene
    playing = scene.rules.actors(scene.game) if scene else ()
    return {GM, *people(state, transaction.settings), *cast(state), *playing, *state.hub_plays}


def _take_up_cards(transaction: Transaction, actor: str) -> None:
    """Take back the hub's seals for an actor whose player chooses again, as far as still possible.
    Seals made by a page or a card remain."""
    scene = transaction.state.scene
    if scene is None or transaction.phase is not Phase.SEALED:
        return
    for each in scene.beside.get(actor, ()):
        if each.browser == HUB_PLAYER:
            transaction.withdraw(each)
    seal = scene.seals.get(actor)
    if seal is not None and seal.origin == from_hub(seal.seat):
        transaction.emit(r.TakenBack(actor=actor, seat=seal.seat))
        transaction.forget(seal.seat, Signal.ENDED)
        transaction.tell(seal.seat, Signal.TAKEN_BACK)
