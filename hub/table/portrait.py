"""Portraits at the table: check and record them."""

from hub.games.game import GM
from hub.kernel.reasons import Reason
from hub.table import inputs as i
from hub.table import records as r
from hub.table.looks import Colour, Portrait
from hub.table.seating import seated
from hub.table.state import SeatFault, Settings, TableState
from hub.table.transaction import Transaction


def portray(transaction: Transaction, given: i.Portray) -> None:
    """Record a character's portrait if it is allowed and new. Raises :class:`SeatFault`."""
    state, wanted = transaction.state, given.portrait
    playing = _playing(transaction.settings, state)
    if given.name not in playing:
        # A portrait is public, so an NPC not yet shown must not have one.
        raise SeatFault(Reason("nobody-to-portray", who=ascii(given.name)))
    if given.by not in {GM, playing[given.name]}:
        seat = playing[given.name]
        raise SeatFault(Reason("played-elsewhere", who=given.name, seat=seat, asked=given.by))
    others = {name: state.portraits[name] for name in playing if name in state.portraits}
    others.pop(given.name, None)
    holder = next((name for name, each in others.items() if each.colour is wanted.colour), None)
    if wanted.colour is not None and holder is not None and len(playing) <= len(Colour):
        raise SeatFault(Reason("colour-taken", who=holder))
    if wanted != state.portraits.get(given.name, Portrait()):
        transaction.emit(r.Portrayed(name=given.name, portrait=wanted))


def _playing(settings: Settings, state: TableState) -> dict[str, str]:
    """Every character already shown at this table → the seat that plays it."""
    now = seated(settings, state).seats
    found = {actor: seat for seat, actors in now.items() for actor in actors}
    if state.scene is not None:
        found |= {actor: seat for seat, actors in state.scene.seats.items() for actor in actors}
    return found
