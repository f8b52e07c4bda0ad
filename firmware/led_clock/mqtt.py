"""The part of an MQTT 3.1.1 client that a clock needs: subscribe, and publish whether it is there.

QoS 0 both ways; everything important is retained. Oversized messages are skipped, never stored.

Ref: MQTT 3.1.1 §2.2 (fixed header), §3.1 CONNECT, §3.3 PUBLISH, §3.8 SUBSCRIBE, §3.12 PINGREQ.
"""

import asyncio
import struct

KEEPALIVE_S = 10
"""A broker silent for one and a half times this long counts as lost."""
ANSWER_S = 5
_MOST_TOPIC = 128
_CHUNK = 128
_REFUSED = (
    "",
    "it speaks another version of MQTT",
    "it refuses the client's name",
    "it is not ready",
    "it refuses the login: see username and password",
    "it refuses the login: see username and password",
)


class Lost(Exception):
    """The broker cannot be used (any more); the message says why."""


def _text(said: str) -> bytes:
    data = said.encode()
    return struct.pack(">H", len(data)) + data


def _packet(kind: int, body: bytes) -> bytes:
    left, length = len(body), b""
    while True:
        part, left = left & 0x7F, left >> 7
        length += bytes([part | 0x80 if left else part])
        if not left:
            return bytes([kind]) + length + body


class Broker:
    """A connection to a broker. ``most``: the longest message that is passed on."""

    def __init__(self, host: str, port: int, tls: object, most: int) -> None:
        self._host, self._port, self._tls = host, port, tls
        self._most = most
        self._reader = self._writer = None

    async def connect(self, address: str, name: str, login: tuple, status: str) -> None:
        """Connect to the host's ``address``, because looking up a name would block everything.

        The last will is ``offline`` on ``status``, retained. Raises :class:`Lost`.
        """
        try:
            named = self._host if self._tls else None
            opening = asyncio.open_connection(address, self._port, self._tls, named)
            self._reader, self._writer = await asyncio.wait_for(opening, ANSWER_S)
            flags = 0x02 | 0x04 | 0x20
            body = _text(name) + _text(status) + _text("offline")
            for flag, said in zip((0x80, 0x40), login):
                if said:
                    flags |= flag
                    body += _text(said)
            head = _text("MQTT") + struct.pack(">BBH", 4, flags, KEEPALIVE_S)
            await self._send(_packet(0x10, head + body))
            answer = await asyncio.wait_for(self._reader.readexactly(4), ANSWER_S)
        except (OSError, EOFError, ValueError, asyncio.TimeoutError) as error:
            await self.close()
            raise Lost("no answer from %s:%d (%s)" % (self._host, self._port, _why(error)))
        if answer[:2] != b"\x20\x02" or answer[3]:
            await self.close()
            code = answer[3] if answer[3] < len(_REFUSED) else 0
            raise Lost(_REFUSED[code] or "%s:%d is no MQTT broker" % (self._host, self._port))

    async def listen(self, topics: list, hear: object) -> None:
        """Subscribe, then call ``hear(topic, payload, retained)`` for each message, for ever.

        Raises :class:`Lost`.
        """
        try:
            for number, topic in enumerate(topics, 1):
                body = struct.pack(">H", number) + _text(topic) + b"\0"
                await self._send(_packet(0x82, body))
            while True:
                await self._take(hear)
        except (OSError, EOFError, ValueError, asyncio.TimeoutError) as error:
            raise Lost("the connection broke (%s)" % _why(error))

    async def publish(self, topic: str, payload: bytes) -> None:
        """Publish a retained message. Raises :class:`Lost`."""
        try:
            await self._send(_packet(0x31, _text(topic) + payload))
        except (OSError, EOFError) as error:
            raise Lost(_why(error))

    async def ping(self) -> None:
        """Show the broker that the clock is alive. The broker answers. Raises :class:`Lost`."""
        try:
            await self._send(b"\xc0\0")
        except (OSError, EOFError) as error:
            raise Lost(_why(error))

    async def close(self) -> None:
        """Close without a DISCONNECT, so that the broker publishes the last will. Idempotent."""
        writer, self._reader, self._writer = self._writer, None, None
        if writer is not None:
            try:
                writer.close()
                await writer.wait_closed()
            except OSError:
                pass

    async def _send(self, data: bytes) -> None:
        if self._writer is None:
            raise OSError("closed")
        self._writer.write(data)
        await asyncio.wait_for(self._writer.drain(), ANSWER_S)

    async def _read(self, size: int) -> bytes:
        if self._reader is None:
            raise OSError("closed")
        return await asyncio.wait_for(self._reader.readexactly(size), KEEPALIVE_S * 3 / 2)

    async def _skip(self, size: int) -> None:
        while size:
            size -= len(await self._read(min(size, _CHUNK)))

    async def _take(self, hear: object) -> None:
        kind = (await self._read(1))[0]
        size = shift = 0
        while True:
            part = (await self._read(1))[0]
            size |= (part & 0x7F) << shift
            shift += 7
            if part < 0x80:
                break
            if shift > 21:
                raise ValueError("no MQTT")
        if kind >> 4 != 3 or size < 2:
            await self._skip(size)
            return
        length = struct.unpack(">H", await self._read(2))[0]
        left = size - 2 - length
        extra = 2 if kind & 0x06 else 0
        if left < extra or length > _MOST_TOPIC or left - extra > self._most:
            await self._skip(size - 2)
            return
        topic = await self._read(length)
        await self._skip(extra)
        payload = await self._read(left - extra) if left - extra else b""
        try:
            hear(topic.decode(), payload, bool(kind & 1))
        except UnicodeError:
            pass


def _why(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def authorities(file: str) -> object:
    """A TLS context that trusts the authority in ``file`` (one certificate, DER).

    If ``file`` is empty, it trusts any server, and prevents only eavesdropping. Raises OSError and
    ValueError.
    """
    import tls

    context = tls.SSLContext(tls.PROTOCOL_TLS_CLIENT)
    if file:
        with open(file, "rb") as opened:
            context.load_verify_locations(opened.read(8192))
        context.verify_mode = tls.CERT_REQUIRED
    else:
        context.verify_mode = tls.CERT_NONE
    return context
