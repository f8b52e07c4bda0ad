"""A broker that does one thing wrong to each connection, until it is told to behave.

It speaks as much of MQTT 3.1.1 and 5 as a hub needs, for one client at a time: the client's
messages come back to it on the topics to which it subscribes.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import Self

from msgspec import Struct
from paho.mqtt.client import topic_matches_sub

CONNECT, CONNACK, PUBLISH, PUBACK, PUBREC, PUBREL, PUBCOMP = range(1, 8)
SUBSCRIBE, SUBACK, PINGREQ, PINGRESP, DISCONNECT = 8, 9, 12, 13, 14
V5 = 5


def length(size: int) -> bytes:
    """A remaining length (MQTT 3.1.1 §2.2.3)."""
    found = bytearray()
    while True:
        size, low = divmod(size, 128)
        found.append(low | 0x80 if size else low)
        if not size:
            return bytes(found)


def packet(kind: int, body: bytes = b"", flags: int = 0) -> bytes:
    return bytes([kind << 4 | flags]) + length(len(body)) + body


def text(said: str) -> bytes:
    return len(said.encode()).to_bytes(2, "big") + said.encode()


class Seen(Struct, frozen=True):
    """A packet from the client. ``number``: its packet identifier; ``topic``: if it has one."""

    kind: int
    flags: int
    body: bytes
    v5: bool

    @property
    def number(self) -> bytes:
        if self.kind == PUBLISH:
            at = 2 + int.from_bytes(self.body[:2], "big")
            return self.body[at : at + 2]
        return self.body[:2]

    @property
    def topic(self) -> str:
        at = 0 if self.kind == PUBLISH else 3 if self.v5 else 2
        size = int.from_bytes(self.body[at : at + 2], "big")
        return self.body[at + 2 : at + 2 + size].decode()

    @property
    def payload(self) -> bytes:
        """The payload of a PUBLISH."""
        at = 2 + int.from_bytes(self.body[:2], "big") + (2 if self.qos else 0)
        return self.body[at + 1 + self.body[at] :] if self.v5 else self.body[at:]

    @property
    def qos(self) -> int:
        return self.flags >> 1 & 3


def published(topic: str, payload: bytes, *, v5: bool, flags: int = 0, number: int = 1) -> bytes:
    """A PUBLISH to the client."""
    numbered = number.to_bytes(2, "big") if flags & 6 else b""
    return packet(PUBLISH, text(topic) + numbered + (b"\0" if v5 else b"") + payload, flags)


class Wrong(Struct, frozen=True):
    """A fault: what the broker sends instead of its answer, and whether it hangs up then.

    It applies to the first packet of kind ``at`` whose topic ends in ``topic``. ``says``: bytes, or
    a function of the packet. ``beside``: send the correct answer first.
    """

    at: int = CONNECT
    says: bytes | Callable[[Seen], bytes] = b""
    hangs_up: bool = False
    topic: str = ""
    beside: bool = False
    swallows: int = 0
    """How many of the client's next messages do not come back to it."""


class OddBroker:
    """Listens on ``port`` of the loopback address."""

    def __init__(self, wrong: Wrong | None) -> None:
        self.port = 0
        self.wrong = wrong
        """The fault applied to each connection."""
        self.done = 0
        """How often the fault was applied."""
        self.seen: list[Seen] = []
        self._more = asyncio.Condition()
        self._server: asyncio.Server | None = None
        self._callers: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._called, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.hang_up()

    def behave(self) -> None:
        """Do nothing wrong from now on; starts with a new connection."""
        self.wrong = None
        self.hang_up()

    def hang_up(self) -> None:
        for caller in self._callers:
            caller.transport.abort()

    async def until(self, held: Callable[[], object]) -> None:
        """Wait until ``held()`` holds for what was seen. Raises TimeoutError."""
        async with asyncio.timeout(60), self._more:
            await self._more.wait_for(held)

    def newest(self) -> dict[str, bytes]:
        """Topic → the client's latest payload."""
        return {each.topic: each.payload for each in self.seen if each.kind == PUBLISH}

    async def _called(self, hears: asyncio.StreamReader, says: asyncio.StreamWriter) -> None:
        self._callers.add(says)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                await self._talk(hears, says)
        finally:
            self._callers.discard(says)
            says.transport.abort()

    async def _talk(self, hears: asyncio.StreamReader, says: asyncio.StreamWriter) -> None:
        v5, wrong, swallows = False, self.wrong, 0
        filters: set[str] = set()
        while True:
            seen = await self._packet(hears, v5)
            if seen.kind == CONNECT:
                v5 = seen.body[6] == V5
                seen = Seen(seen.kind, seen.flags, seen.body, v5)
            self.seen.append(seen)
            odd = wrong is not None and seen.kind == wrong.at and self._meant(wrong, seen)
            if not odd or (wrong and wrong.beside):
                says.write(b"".join(answers(seen)))  # writelines([]) fails on Python 3.13
                if seen.kind == SUBSCRIBE:
                    filters.add(seen.topic)
                elif seen.kind == PUBLISH and swallows > 0:
                    swallows -= 1
                elif seen.kind == PUBLISH and listens(filters, seen.topic):
                    says.write(published(seen.topic, seen.payload, v5=v5))
            if odd and wrong is not None:
                says.write(wrong.says(seen) if callable(wrong.says) else wrong.says)
            with suppress(ConnectionError):
                await says.drain()
            if odd and wrong is not None:
                self.done += 1
                swallows = wrong.swallows
                if wrong.hangs_up:
                    says.close()
                    await self._tell()
                    return
                wrong = None
            await self._tell()

    @staticmethod
    def _meant(wrong: Wrong, seen: Seen) -> bool:
        return not wrong.topic or seen.topic.endswith(wrong.topic)

    async def _tell(self) -> None:
        async with self._more:
            self._more.notify_all()

    @staticmethod
    async def _packet(hears: asyncio.StreamReader, v5: bool) -> Seen:
        first = (await hears.readexactly(1))[0]
        size = shift = 0
        while True:
            each = (await hears.readexactly(1))[0]
            size |= (each & 0x7F) << shift
            shift += 7
            if each < 0x80:
                break
        return Seen(first >> 4, first & 0xF, await hears.readexactly(size), v5)


def listens(filters: Iterable[str], topic: str) -> bool:
    return any(topic_matches_sub(each, topic) for each in filters)


def answers(seen: Seen) -> Iterator[bytes]:
    """A correct broker's answer to this packet."""
    match seen.kind:
        case 1:
            yield packet(CONNACK, b"\0\0\0" if seen.v5 else b"\0\0")
        case 3:
            if seen.qos:
                yield packet(PUBACK if seen.qos == 1 else PUBREC, seen.number)
        case 6:
            yield packet(PUBCOMP, seen.number)
        case 8:
            yield packet(SUBACK, seen.number + (b"\0" if seen.v5 else b"") + b"\1")
        case 12:
            yield packet(PINGRESP)
