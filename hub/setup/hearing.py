"""Finds out which reader belongs to which seat: a person lays a card on the reader of each seat.

Every serial device is opened by the hub's own driver, in the background, while the person answers
questions. It counts as a reader if it answers as a PN532, whatever its name is.
"""

import asyncio
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Self

from msgspec import Struct

from hub.kernel.reasons import Reason, put
from hub.ports import FieldSeen, Reader, ReaderDown, ReaderEvent, ReaderUp
from hub.readers.address import Pn532Address
from hub.readers.devices import serial_devices
from hub.readers.kinds import open_reader
from hub.readers.presence import DwellDeadlines
from hub.setup.draft import SIMULATED, Draft
from hub.setup.questions import SetupReason
from hub.table.spots import Sight

_RESTS_S = 0.5


class Heard(Struct, frozen=True):
    """The present state of one serial device. ``address``: as a configuration names it."""

    address: str
    answers: bool | None = None
    """Whether the device is a working reader; None: not known yet."""
    why: Reason | None = None
    """Why the device does not work, and how to fix it; None if it works or is not known."""
    tags: tuple[str, ...] | None = None
    """The tags on the device; None: not known, for example before it was first polled."""
    rested: bool = False
    """Whether the tags have lain on the device for half a second."""


class Hearing:
    """Watches the serial devices at ``paths``. ``news`` is called after each change, from the
    readers' threads."""

    def __init__(self, paths: Iterable[str], news: Callable[[], None] = lambda: None) -> None:
        self._news = news
        self._changed = threading.Condition()
        self._heard = {path: Heard(f"pn532:{path}") for path in paths}
        together = DwellDeadlines()
        self._readers: list[Reader] = [
            open_reader(path, Pn532Address(path), dwell_s=_RESTS_S, dwell_deadlines=together)
            for path in self._heard
        ]

    def __enter__(self) -> Self:
        for reader in self._readers:
            reader.open(self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        closing = [threading.Thread(target=each.close) for each in self._readers]
        for thread in closing:
            thread.start()
        for thread in closing:
            thread.join()

    def all(self) -> list[Heard]:
        """The present state of every device."""
        with self._changed:
            return [*self._heard.values()]

    def wait(self, seconds: float) -> bool:
        """Wait for a change, for at most ``seconds``. Returns whether there was one."""
        with self._changed:
            return self._changed.wait(seconds)

    def _hear(self, event: ReaderEvent) -> None:
        with self._changed:
            before = self._heard[event.reader]
            match event:
                case ReaderUp():
                    now = Heard(before.address, True)
                case ReaderDown():
                    now = Heard(before.address, False, put(event.why))
                case FieldSeen():
                    rested = bool(event.tags) and event.sight is Sight.RESTED
                    now = Heard(before.address, True, None, tuple(event.tags), rested)
                case _:
                    return
            self._heard[event.reader] = now
            self._changed.notify_all()
        if now != before:
            self._news()


class Asked:
    """A request to lay a card on a seat's reader. ``before``: the devices' states at the time of
    the request; the cards on them do not count."""

    def __init__(self, seat: str, before: Iterable[Heard]) -> None:
        self.seat = seat
        self._lay = {each.address: each.tags or () for each in before}

    def answer(
        self, now: Iterable[Heard], taken: dict[str, str]
    ) -> tuple[str | None, Reason | None]:
        """Return the address of the reader on which a card was laid and has rested; else None. With
        None comes a reason if cards were laid on several readers, or on one that is ``taken``.

        ``now``: the devices' present states; ``taken``: readers already found → their seats.
        """
        struck = []
        for each in now:
            if each.tags == ():
                self._lay[each.address] = ()  # any tag from now on is new
            elif each.tags and each.tags != self._lay.get(each.address, ()):
                struck.append(each)
        if len(struck) > 1:
            return None, SetupReason("heard-twice")
        if not struck or not struck[0].rested:
            return None, None
        address = struck[0].address
        if address in taken:
            return None, SetupReason("heard-at-taken", seat=taken[address], wanted=self.seat)
        return address, None


class RollCall:
    """Asks for the reader of each seat in turn, and writes the addresses into ``draft``.

    To be used in an event loop only. ``news`` is called there after each change.
    """

    def __init__(self, draft: Draft, news: Callable[[], None]) -> None:
        self._draft, self._news = draft, news
        self._hearing: Hearing | None = None
        self._asked: Asked | None = None
        self._to_ask: list[tuple[str, str]] = []
        self._taken: dict[str, str] = {}

    @property
    def seat(self) -> str:
        """The seat whose reader is asked for now; empty if none is."""
        return self._asked.seat if self._asked else ""

    def devices(self) -> list[dict[str, Any]]:
        """The state of each device that is watched, as the page shows it."""
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
        """Watch all devices that are plugged in now."""
        await self.deafen()
        loop = asyncio.get_running_loop()

        def news() -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._news)

        self._hearing = Hearing(serial_devices(), news).__enter__()
        self._draft.devices = [each.address for each in self._hearing.all()]

    async def deafen(self) -> None:
        """Stop watching, and release all devices."""
        hearing, self._hearing = self._hearing, None
        if hearing is not None:
            await asyncio.to_thread(hearing.__exit__)

    def begin(self) -> None:
        """Ask for the reader of the first seat. All readers are simulated until they are found."""
        self._taken = {}
        self._to_ask = [*self._draft.reader_keys().items()]
        for key, _ in self._to_ask:
            self._draft.answer(key, SIMULATED)
        self._ask()

    def skip(self) -> None:
        """Leave this seat's reader as it is, and ask for that of the next seat."""
        self._to_ask = self._to_ask[1:]
        self._ask()

    def stop(self) -> None:
        """Stop asking for readers. Those found so far stay in the draft."""
        self._asked, self._to_ask = None, []

    def _ask(self) -> None:
        heard = self._hearing.all() if self._hearing else []
        works = sum(each.answers is True for each in heard)
        if self._to_ask and len(self._taken) < works:
            self._asked = Asked(self._to_ask[0][1], heard)
        else:
            self.stop()

    def notice(self) -> tuple[bool, Reason | None]:
        """Check whether the reader that is asked for was found; if so, ask for the next one.
        Returns whether it was found, and the reason from :meth:`Asked.answer`."""
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
