"""The readers of a table's seats: opened together, and taken out of play one at a time."""

import asyncio
from collections.abc import Callable, Mapping

from hub.ports import Reader, ReaderEvent, ReaderTaken
from hub.readers.address import Address


class SeatReaders:
    """The readers of all seats. ``make`` makes a new one for a seat at each call; ``sink`` receives
    their reports."""

    def __init__(
        self,
        addresses: Mapping[str, Address],
        make: Callable[[str, Address], Reader],
        sink: Callable[[ReaderEvent], None],
    ) -> None:
        self.addresses = addresses
        self._make, self._sink = make, sink
        self._readers: dict[str, Reader] = {}
        self._closed = False

    def open(self) -> None:
        """Begin to watch the readers of all seats."""
        for seat in self.addresses:
            self.put_back(seat)

    def watched(self) -> list[Reader]:
        """The readers in play."""
        return [*self._readers.values()]

    async def take_out(self, seat: str) -> Address:
        """Release a seat's reader, so that cards can be written on it. Returns its address. Until
        it is put back its cards are not seen, and the seat shows that."""
        reader = self._readers.pop(seat)
        await asyncio.to_thread(reader.close)
        self._sink(ReaderTaken(seat))
        return self.addresses[seat]

    def put_back(self, seat: str) -> None:
        """Watch the seat's reader again. No effect after :meth:`close`."""
        if not self._closed:
            self._readers[seat] = self._make(seat, self.addresses[seat])
            self._readers[seat].open(self._sink)

    async def close(self) -> None:
        """Release all readers, for good."""
        self._closed = True
        await asyncio.gather(*(asyncio.to_thread(each.close) for each in self.watched()))
