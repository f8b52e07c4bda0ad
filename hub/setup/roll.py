"""Assigns readers to seats: opens every device plugged in, and asks seat by seat."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from hub.kernel.reasons import Reason
from hub.readers.devices import serial_devices
from hub.setup.draft import SIMULATED, Draft
from hub.setup.hearing import Asked, Hearing


class RollCall:
    """Writes the readers' addresses into ``draft``. Event loop only.

    ``news`` is called in the loop after each change.
    """

    def __init__(self, draft: Draft, news: Callable[[], None]) -> None:
        self._draft, self._news = draft, news
        self._hearing: Hearing | None = None
        self._asked: Asked | None = None
        self._to_ask: list[tuple[str, str]] = []
        self._taken: dict[str, str] = {}

    @property
    def seat(self) -> str:
        """The seat on whose reader a card should be laid now; empty if none is asked for."""
        return self._asked.seat if self._asked else ""

    def devices(self) -> list[dict[str, Any]]:
        """The devices plugged in, as a page shows them."""
        return [
            {
                "name": each.address.rpartition("/")[2],
                "answers": each.answers,
                "why": each.why.told(self._draft.language) if each.why else "",
                "lies": bool(each.tags),
            }
            for each in (self._hearing.all() if self._hearing else [])
        ]

    async def listen(self) -> None:
        """Open all devices that are plugged in now."""
        await self.deafen()
        loop = asyncio.get_running_loop()

        def news() -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._news)

        self._hearing = Hearing(serial_devices(), news).__enter__()
        self._draft.devices = [each.address for each in self._hearing.all()]

    async def deafen(self) -> None:
        """Release all devices."""
        hearing, self._hearing = self._hearing, None
        if hearing is not None:
            await asyncio.to_thread(hearing.__exit__)

    def begin(self) -> None:
        """Ask for the reader of every seat, beginning with the first."""
        self._taken = {}
        self._to_ask = [*self._draft.reader_keys().items()]
        for key, _ in self._to_ask:
            self._draft.answer(key, SIMULATED)
        self._ask()

    def skip(self) -> None:
        """Go on to the next seat: this one has no reader."""
        self._to_ask = self._to_ask[1:]
        self._ask()

    def stop(self) -> None:
        """Stop asking."""
        self._asked, self._to_ask = None, []

    def _ask(self) -> None:
        heard = self._hearing.all() if self._hearing else []
        works = sum(each.answers is True for each in heard)
        if self._to_ask and len(self._taken) < works:
            self._asked = Asked(self._to_ask[0][1], heard)
        else:
            self.stop()

    def notice(self) -> tuple[bool, Reason | None]:
        """Whether the requested reader was found just now; or why that is unclear."""
        if self._asked is None or self._hearing is None:
            return False, None
        address, why = self._asked.answer(self._hearing.all(), self._taken)
        if address is None:
            return False, why
        key, seat = self._to_ask[0]
        self._taken[address] = seat
        self._draft.answer(key, address)
        self.skip()
        return True, None
