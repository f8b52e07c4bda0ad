"""The virtual table: readers and hands of cards that a page may move, and the lights that it shows.

The daemon's wiring builds a virtual table from simulated readers; the pages know only these
protocols. While a page asks for the lights, they are polled several times a second and sent when
they have changed.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from msgspec.structs import asdict

from hub.ports import VirtualField
from hub.web.frames import Frame, frame

if TYPE_CHECKING:  # a hub without pages needs the virtual table's types, but no web server
    from hub.web.client import Client


class HandCard(Struct, frozen=True, omit_defaults=True):
    """A card in a seat's hand, or one end of a card, as the seat's player sees it."""

    tag: str
    label: str
    kind: str
    """The kind of choice that the card makes; see :class:`hub.games.game.Choice`."""
    value: str
    end: str = ""
    """The id of the tag at the card's other end; empty if the card has one tag."""


class VirtualTable(Protocol):
    """Simulated readers and the cards beside them, for :class:`Tabletop`."""

    @property
    def readers(self) -> Mapping[str, VirtualField]:
        """Seat → its reader, in the table's order."""
        ...

    def hand(self, seat: str) -> Sequence[HandCard]:
        """The cards of a seat, in the order of its hand."""
        ...

    def deck(self) -> Sequence[HandCard]:
        """The shared cards in the middle, which any seat may lay; empty at most tables."""
        ...


class Tabletop:
    """Moves cards and cables on behalf of pages."""

    def __init__(self, table: VirtualTable) -> None:
        self._table = table
        self._seats = {field.name: seat for seat, field in table.readers.items()}
        self._unplugged: set[str] = set()

    def has(self, reader: str, tag: str | None = None) -> bool:
        """Whether there is this reader and, if ``tag`` is given, a card with that tag at the
        reader's seat or in the middle.
        """
        seat = self._seats.get(reader)
        if seat is None:
            return False
        cards = (*self._table.hand(seat), *self._table.deck())
        return tag is None or any(card.tag == tag for card in cards)

    def has_seat(self, seat: str) -> bool:
        """Whether this seat has a simulated reader."""
        return seat in self._table.readers

    def do(self, gesture: str, reader: str, tag: str | None) -> None:
        """Do ``place``, ``lift``, ``unplug`` or ``replug``. This may block, so call it outside the
        event loop.

        ``tag``: the tag to place or lift; None lifts all.
        """
        field = self._table.readers[self._seats[reader]]
        match gesture:
            case "place":
                self._take_from_elsewhere(tag or "", reader)
                field.place(tag or "")
            case "lift":
                field.lift(tag)
            case "unplug":
                field.unplug()
                self._unplugged.add(reader)
            case "replug":
                field.replug()
                self._unplugged.discard(reader)

    def _take_from_elsewhere(self, tag: str, reader: str) -> None:
        """Lift a shared card, with both of its ends, from every other reader."""
        card = next((card for card in self._table.deck() if card.tag == tag), None)
        for field in self._table.readers.values() if card else ():
            for lying in {*field.tags()} & {tag, card.end if card else ""}:
                if field.name != reader:
                    field.lift(lying)

    def picture(self) -> dict[str, object]:
        """The content of the ``tabletop`` frame."""
        return {
            "type": "tabletop",
            "readers": [
                {
                    "name": field.name,
                    "seat": seat,
                    "tags": list(field.tags()),
                    "plugged": field.name not in self._unplugged,
                }
                for seat, field in self._table.readers.items()
            ],
            "hands": [
                {"seat": seat, "cards": list(self._table.hand(seat))}
                for seat in self._table.readers
            ],
            "deck": list(self._table.deck()),
        }


class SeatLights(Struct, frozen=True):
    """What a seat's lamps show."""

    seat: str
    word: str
    """The name of the pattern: one of ``NAMES`` of the firmware's ``common/lamps.py``."""
    colours: str
    """Six hexadecimal digits for each lamp: red, green, blue as driven. Empty without power."""


class ClockLights(Struct, frozen=True):
    """What the clock, a ring of lights, shows."""

    shows: str
    """What the clock is about: one of ``SHOWS`` of the firmware's ``common/faces.py``."""
    mood: str
    """The condition of that thing: one of its ``MOODS`` in the same file, or one of ``ALWAYS``."""
    colours: str
    """Six hexadecimal digits for each light, as for a seat's lamps. The first light is at the top,
    and they run clockwise.
    """


class Lights(Struct, frozen=True):
    """All lights of the virtual table at one moment; ``clock``: None if there is no clock."""

    seats: Sequence[SeatLights] = ()
    clock: ClockLights | None = None


class LightSource(Protocol):
    """Knows what the lamps and the clock of the virtual table show. :class:`LightShow` polls it."""

    def look(self) -> Lights:
        """The current lights. Called in the event loop, and must not block."""
        ...


log = logging.getLogger(__name__)

LOOK_S = 0.08
"""The polling interval, in seconds; the shortest flash lasts 100 ms."""


class LightShow:
    """Sends the lights to the pages that follow them. It must be used in the event loop only."""

    def __init__(self, source: LightSource | None) -> None:
        """``source``: where the lights come from; None: there are no lights."""
        self._source = source
        self._watching: set[Client] = set()
        self._newest: Frame | None = None
        self._task: asyncio.Task[None] | None = None
        self._said: set[str] = set()

    def show(self, client: "Client", *, on: bool) -> Frame:
        """Start (``on``) or stop sending the lights to a page; return their current frame."""
        newest = self._tell()
        if not on:
            self.forget(client)
        elif self._source is not None:
            self._watching.add(client)
            if self._task is None:
                self._task = asyncio.create_task(self._run(), name="lights")
        return newest

    def forget(self, client: "Client") -> None:
        """Stop sending to a page that has left."""
        self._watching.discard(client)
        if not self._watching and self._task is not None:
            self._task.cancel()
            self._task = None

    async def close(self) -> None:
        """Stop polling. Idempotent."""
        self._watching.clear()
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            self._tell()

    def _tell(self) -> Frame:
        """Send the lights to the followers if they have changed. Returns the current frame."""
        made = self._made()
        if made != self._newest:
            self._newest = made
            for client in self._watching:
                client.put([made])
        return made

    def _made(self) -> Frame:
        try:
            lights = self._source.look() if self._source is not None else Lights()
        except Exception as error:  # its text stays out of the log
            why, lights = type(error).__name__, Lights()
            level = logging.DEBUG if why in self._said else logging.ERROR
            log.log(level, "the lights cannot be shown on web pages: %s", why)
            self._said.add(why)
        return frame("lights", asdict(lights))
