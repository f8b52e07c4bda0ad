"""Checks each packet from a broker before paho handles it, and explains a broker's violations.

paho reads a packet of any size into memory, and keeps any number of QoS 2 messages that are never
released. It hides a broker's reason for refusing a message (PUBREC), and hangs up if it does not
know the reason code (PUBACK: mosquitto refuses an oversized message with a code that MQTT 5 defines
for other packets). aiomqtt does not notice a connection that ends before it is set up. So the
packets come through a :class:`hub.mqtt.line.Line`, and paho's callbacks pass this module first.

Ref: MQTT 3.1.1 §2.2 (fixed header); MQTT 5 §3.1.2.11.4 (maximum packet size), §3.4.2.1 (PUBACK
reason code), §3.5.2.1 (PUBREC), §4.3.3 (a refusing PUBREC ends the exchange).
"""

import asyncio
import math
import ssl
import struct
from collections.abc import Container
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import MessageType
from paho.mqtt.exception import MQTTException
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from hub.mqtt.failures import (
    NOT_MQTT,
    Broke,
    ConnectionFailed,
    TooLarge,
    ended,
    hung_up_first,
    other_version,
)
from hub.mqtt.line import Line, LineContext
from hub.mqtt.settings import MqttSettings, Protocol

MAX_PACKET_BYTES = 512 * 1024
"""The largest packet that the hub reads; an MQTT 5 broker is told not to send more (§3.1.2.11.4).

It is twice the limit that ``docs/connect/broker.md`` advises for the broker, because the state
comes back to the hub.
"""
MOST_UNFINISHED = 32
"""How many QoS 2 messages may be unreleased; the hub itself subscribes with QoS 1."""
MOST_UNFINISHED_BYTES = 4 * MAX_PACKET_BYTES

_HEAD_BYTES = 512
"""How many bytes of an oversized packet are searched for its topic."""
_TOPIC_CHARS = 120
_REFUSES = 0x80
"""This reason code and all higher ones are refusals (MQTT 5 §4.13)."""
_ANSWERS = frozenset({MessageType.PUBACK, MessageType.PUBREC, MessageType.PUBCOMP})
_QOS, _QOS_2 = 0x06, 0x04
_TOO_LARGE = b"\xe0\x02\x95\x00"
"""The packet DISCONNECT of MQTT 5, with the reason *packet too large*."""
_KEEP_ALIVE, _PROTOCOL = 0x8D, 0x82
"""The reason codes that paho sets for errors that it detects itself: a broker silent for too long,
and a packet that breaks the protocol.
"""
_OTHER_VERSION = b"\1"
"""The return code in a CONNACK of MQTT 3.1.1 for a protocol version that the broker does not know.
"""
_UNREADABLE = (MQTTException, struct.error, IndexError, KeyError, ValueError)
_KIB, _MIB = 1024, 1024 * 1024


_NO_ANSWER = ReasonCode(PacketTypes.CONNACK, "Unspecified error")
"""Passed to aiomqtt in place of an answer that cannot come any more."""
_NORMAL = ReasonCode(PacketTypes.DISCONNECT, "Normal disconnection")
"""Passed to aiomqtt whenever a connection ends, because aiomqtt would keep a failure as an
exception that is never retrieved.
"""


class Guard:
    """Checks the packets for one client (:class:`hub.mqtt.line.Check`). It is made before the
    client connects.
    """

    most_received = MAX_PACKET_BYTES

    def __init__(self, settings: MqttSettings) -> None:
        self.fault: ConnectionFailed | None = None
        """The broker's fault that ended the connection; None while there is none."""
        self.most_bytes = math.inf
        """The largest packet that the broker accepts, in bytes; infinity unless it names a limit
        (MQTT 5 §3.2.2.3.6).
        """
        self.under_way: Container[int] = ()
        """The packet identifiers of messages that wait for the broker's answer."""
        self._settings = settings
        self._v5 = settings.protocol is Protocol.V5
        self._packets = self._kind = 0
        self._entered = False
        """Whether aiomqtt no longer waits for an answer to CONNECT."""
        self._refusals: dict[int, str] = {}
        self._unreleased: dict[bytes, int] = {}
        """QoS 2 messages from the broker: packet identifier → size in bytes."""
        self._line: Line | None = None
        self._reads_on = False
        self._loop = asyncio.get_running_loop()

    def context(self, tls: ssl.SSLContext | None) -> ssl.SSLContext:
        """The context that gives the client a guarded socket, encrypted by ``tls`` if given."""
        return LineContext(tls, self, self._guard)

    def watch(self, client: Client) -> None:
        """Read for paho's ``client`` in place of aiomqtt, and receive its callbacks before aiomqtt
        does.
        """
        self._client = client
        self._end, self._let_in = client.on_disconnect, client.on_connect
        self._open = client.on_socket_open
        client.on_disconnect, client.on_connect = self._ended, self._connected
        client.on_socket_open = self._opened

    @property
    def babbles(self) -> bool:
        """Whether bytes have come from the broker, but no whole packet."""
        return not self._packets and self._line is not None and self._line.begun

    def refusal(self, number: int) -> str | None:
        """Why the broker refused the message with the packet identifier ``number``; None if it did
        not. The reason is then forgotten.
        """
        return self._refusals.pop(number, None)

    def hang_up(self) -> None:
        """Close the socket without a DISCONNECT."""
        self._entered = True
        if self._line is not None:
            self._line.cut()
        self._client.on_socket_register_write = None  # paho then writes at once
        self._client.disconnect()  # fails to write to the line, and closes the socket

    def passed(self, command: int, body: bytes) -> bytes | None:
        """Check a packet; see :meth:`hub.mqtt.line.Check.passed`."""
        kind = self._kind = command & 0xF0
        self._packets += 1
        self.fault = self.fault or self._out_of_order(kind, body) or self._hoards(command, body)
        if self.fault is not None:
            return None
        if kind in _ANSWERS and len(body) > 2 and body[2] >= _REFUSES:  # noqa: PLR2004
            number = int.from_bytes(body[:2], "big")
            if kind != MessageType.PUBCOMP and number in self.under_way:
                self._refusals[number] = named(body[2])
            # At any QoS the exchange of that message ends here.
            command, body = MessageType.PUBACK, body[:2]
        return bytes([command]) + _length(len(body)) + body

    def too_large(self, command: int, size: int, head: bytes) -> bytes:
        """Note an oversized packet; see :meth:`hub.mqtt.line.Check.too_large`."""
        self.fault = _too_large(command, size, head[:_HEAD_BYTES])
        return _TOO_LARGE if self._v5 else b""

    def no_header(self) -> None:
        """Note bytes that are no packet; see :meth:`hub.mqtt.line.Check.no_header`."""
        self.fault = self._malformed(0) if self._packets else ConnectionFailed(NOT_MQTT)

    def _guard(self, line: Line) -> None:
        self._line = line

    def _opened(self, client: Client, data: Any, line: Any) -> None:
        """Take over the open socket. paho calls this in the thread that connects."""
        if self._open is not None:
            self._open(client, data, line)
        self._loop.call_soon_threadsafe(self._take_over)

    def _take_over(self) -> None:
        """Read in place of aiomqtt, which does not close the socket after an exception."""
        line = self._client.socket()
        if line is not None and self._line is not None:
            self._line.opened = True
            self._loop.add_reader(line.fileno(), self._read)

    def _read(self) -> None:
        """Read one packet, and schedule the next one for the next turn of the loop."""
        try:
            self._client.loop_read()
        except _UNREADABLE:  # from paho, or from aiomqtt for an invalid topic
            self.fault = self.fault or self._malformed(self._kind)
            self.hang_up()
        closed = self._client.socket() is None
        if not (closed or self._reads_on) and self._line is not None and self._line.pending():
            self._reads_on = True
            self._loop.call_soon(self._read_on)

    def _read_on(self) -> None:
        self._reads_on = False
        self._read()

    def _out_of_order(self, kind: int, body: bytes) -> ConnectionFailed | None:
        """The violation if a packet of this kind is not allowed now; None if it is allowed."""
        if self._packets == 1:
            if kind == MessageType.CONNACK:
                other = not self._v5 and body[1:] == _OTHER_VERSION
                return other_version(self._settings) if other else None
            first = {MessageType.DISCONNECT, MessageType.AUTH} if self._v5 else set()
            return None if kind in first else ConnectionFailed(NOT_MQTT)
        return self._malformed(kind) if kind == MessageType.CONNACK else None

    def _malformed(self, kind: int) -> ConnectionFailed:
        what = MessageType(kind).name if kind else "packet of no kind"
        return ConnectionFailed(
            f"it sends what MQTT {self._settings.protocol} does not allow there ({what}); it may "
            "be faulty, or something between changes what it sends"
        )

    def _connected(
        self, client: Client, data: Any, flags: Any, code: ReasonCode, properties: Any
    ) -> None:
        self.most_bytes = getattr(properties, "MaximumPacketSize", math.inf)
        self._entered = True
        if self._let_in is not None:
            self._let_in(client, data, flags, code, properties)  # type: ignore[call-arg, arg-type]

    def _ended(
        self, client: Client, data: Any, flags: Any, code: ReasonCode, properties: Any
    ) -> None:
        if self.fault is None:
            self.fault = self._why(code, by_broker=flags.is_disconnect_packet_from_server)
        if not self._entered:
            self._connected(client, data, flags, _NO_ANSWER, None)
        if self._end is not None:
            self._end(client, data, flags, _NORMAL, properties)  # type: ignore[call-arg, arg-type]

    def _why(self, code: ReasonCode, *, by_broker: bool) -> ConnectionFailed | None:
        if by_broker:
            return ended(code, self._settings)
        if code.value == 0:
            return None  # the hub disconnected
        if code.value == _KEEP_ALIVE:
            return ConnectionFailed("it does not answer any more (keep alive)")
        if code.value == _PROTOCOL:
            return self._malformed(self._kind)
        if self._packets == 0:
            return ConnectionFailed(NOT_MQTT) if self.babbles else hung_up_first(self._settings)
        if self._packets == 1:
            return ConnectionFailed("it hung up as soon as it had let the hub in")
        return Broke()

    def _hoards(self, command: int, body: bytes) -> ConnectionFailed | None:
        """The violation if the hub now holds too many unreleased messages from the broker;
        otherwise None.
        """
        kind = command & 0xF0
        if kind == MessageType.PUBREL:
            self._unreleased.pop(body[:2], None)
        elif kind == MessageType.PUBLISH and command & _QOS == _QOS_2:
            at = 2 + int.from_bytes(body[:2], "big")
            self._unreleased[body[at : at + 2]] = len(body)
        size = sum(self._unreleased.values())
        if len(self._unreleased) <= MOST_UNFINISHED and size <= MOST_UNFINISHED_BYTES:
            return None
        return ConnectionFailed(
            "it sends messages of QoS 2, which the hub has not asked for, and never releases "
            "them (PUBREL)"
        )


def is_no_answer(code: ReasonCode) -> bool:
    """Whether ``code`` stands for a connection that ended before the broker answered."""
    return code is _NO_ANSWER


def _length(size: int) -> bytes:
    """The remaining length, encoded for a fixed header (MQTT 3.1.1 §2.2.3)."""
    found = bytearray()
    while True:
        size, low = divmod(size, 128)
        found.append(low | 128 * (size > 0))
        if not size:
            return bytes(found)


def _too_large(command: int, size: int, head: bytes) -> TooLarge:
    kind, topic = command & 0xF0, ""
    what = f"a {MessageType(kind).name if kind else 'packet'}"
    if kind == MessageType.PUBLISH and len(head) > 2:  # noqa: PLR2004
        whole = int.from_bytes(head[:2], "big")
        topic = head[2:][:whole].decode(errors="surrogateescape")
        cut = "…" if len(head) - 2 < whole or len(topic) > _TOPIC_CHARS else ""
        what = f"a message on {_printed(topic[:_TOPIC_CHARS])}{cut}"
    large = f"{size / _MIB:.1f} MiB" if size >= _MIB else f"{size / _KIB:.0f} KiB"
    return TooLarge(
        f"{what} of {large} comes from it, and the hub reads {MAX_PACKET_BYTES // _KIB} KiB at "
        "most (mosquitto: message_size_limit)",
        topic,
    )


def _printed(topic: str) -> str:
    """The topic with unprintable characters escaped, so that it stays on one line."""
    return ascii(topic)[1:-1].replace("\\udc", "\\x")


def named(code: int) -> str:
    """The name that MQTT 5 gives to a reason code, or its number if it has none."""
    return next(iter(ReasonCode.names.get(code, ())), f"reason code 0x{code:02x}")
