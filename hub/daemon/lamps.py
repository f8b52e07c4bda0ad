"""The lamps of seats that have a board: they follow the table's announcements."""

import asyncio

from hub.ports import Announcement, Publisher
from hub.readers.lamp import REVEAL_S, SeatLamps
from hub.table.desk import SeatSignal


class LampKeeper(Publisher):
    """A :class:`hub.ports.Publisher` that updates ``lamps``."""

    def __init__(self, lamps: SeatLamps) -> None:
        self._lamps = lamps
        self._reveal: asyncio.TimerHandle | None = None

    async def __aexit__(self, *_: object) -> None:
        if self._reveal is not None:
            self._reveal.cancel()

    def announce(self, announcement: Announcement) -> None:
        """Update the lamps. If they show a reveal, they settle after :data:`REVEAL_S` seconds."""
        if self._lamps.see(announcement.view):
            if self._reveal is not None:
                self._reveal.cancel()
            loop = asyncio.get_running_loop()
            self._reveal = loop.call_later(REVEAL_S, self._lamps.settle)

    def hear(self, tell: SeatSignal) -> None:
        """Show a seat's private signal on its lamp."""
        self._lamps.hear(tell.seat, tell.signal)
