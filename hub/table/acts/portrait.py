"""Setting a character's portrait; :mod:`hub.table.looks` says what a portrait consists of."""

from typing import ClassVar

from msgspec.structs import replace

from hub.games.game import GM
from hub.kernel.reasons import Reason
from hub.table.inputs import Command, Files, Request, SeatPage
from hub.table.looks import Colour, Portrait
from hub.table.records import Record, TableEvent
from hub.table.seating import seated
from hub.table.state import SeatFault, Settings, TableState
from hub.table.transaction import Transaction

MOST_PORTRAITS = 100
"""How many chosen portraits the table remembers; beyond that, the oldest are forgotten."""


class Portray(Command, frozen=True, tag="portray"):
    """Set a character's portrait. A seat may do this for its own characters."""

    name: str
    portrait: Portrait
    """The whole portrait. A picture must be one that the hub already has."""

    gm_only: ClassVar[bool] = False

    def is_for(self, page: SeatPage) -> bool:
        return self.name in page.actors

    def prepared(self, request: Request, state: TableState, files: Files) -> Request:
        picture, now = self.portrait.picture, state.portraits.get(self.name)
        if picture and not (now and now.picture == picture) and not files.has_picture(picture):
            raise SeatFault(Reason("no-picture"))
        return request

    def judge(self, transaction: Transaction, request: Request) -> None:
        state, name, wanted = transaction.state, self.name, self.portrait
        playing = _playing(transaction.settings, state)
        if name not in playing:
            # A portrait is public, so an NPC not yet shown must not have one.
            raise SeatFault(Reason("nobody-to-portray", who=ascii(name)))
        if request.by not in {GM, playing[name]}:
            seat = playing[name]
            raise SeatFault(Reason("played-elsewhere", who=name, seat=seat, asked=request.by))
        others = {other: state.portraits[other] for other in playing if other in state.portraits}
        others.pop(name, None)
        holder = next((who for who, each in others.items() if each.colour is wanted.colour), None)
        if wanted.colour is not None and holder is not None and len(playing) <= len(Colour):
            raise SeatFault(Reason("colour-taken", who=holder))
        if wanted != state.portraits.get(name, Portrait()):
            transaction.emit(Portrayed(name=name, portrait=wanted))


class Portrayed(TableEvent, frozen=True, kw_only=True, tag="portrayed"):
    """A character's portrait changed."""

    name: str
    portrait: Portrait
    """The whole portrait; an empty one is drawn from the character's name."""

    named: ClassVar[tuple[str, ...]] = ("name",)

    def fold(self, state: TableState, record: Record) -> TableState:
        chosen = {name: each for name, each in state.portraits.items() if name != self.name}
        if self.portrait != Portrait():
            chosen[self.name] = self.portrait
        return replace(state, portraits=dict([*chosen.items()][-MOST_PORTRAITS:]))


def _playing(settings: Settings, state: TableState) -> dict[str, str]:
    """Character → the seat that plays it, for every character already shown at this table."""
    now = seated(settings, state).seats
    found = {actor: seat for seat, actors in now.items() for actor in actors}
    if state.scene is not None:
        found |= {actor: seat for seat, actors in state.scene.seats.items() for actor in actors}
    return found
