"""Checks each packet from a broker before paho handles it, and explains a broker's violations.

paho reads a packet of any size into memory, and keeps any number of QoS 2 messages that are never
released. It hides a broker's reason for refusing a message (PUBREC), and hangs up if it does not
know the reason code (PUBACK: mosquitto refuses an oversized message with a code that MQTT 5
defines for other packets). aiomqtt does not notice a connection that ends before it is set up.

Ref: MQTT 3.1.1 §2.2 (fixed header); MQTT 5 §3.1.2.11.4 (maximum packet size), §3.4.2.1 (PUBACK
reason code), §3.5.2.1 (PUBREC), §4.3.3 (a refusing PUBREC ends the exchange).
"""

import math
import struct
from typing import Any

import aiomqtt
from paho.mqtt.client import Client
from paho.mqtt.enums import MessageType, MQTTErrorCode
from paho.mqtt.exception import MQTTException
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
from hub.mqtt.settings import MqttSettings, Protocol

MAX_PACKET_BYTES = 512 * 1024
"""Larger packets are not read, and with MQTT 5 not sent to the hub (§3.1.2.11.4).

Twice the limit that ``docs/mqtt.md`` advises for the broker, because the state comes back to the
hub.
"""
MOST_UNFINISHED = 32
"""Most QoS 2 messages that may be unreleased; the hub itself subscribes with QoS 1."""
MOST_UNFINISHED_BYTES = 4 * MAX_PACKET_BYTES

_HEAD_BYTES = 512
"""How many bytes of an oversized packet are searched for its topic."""
_TOPIC_CHARS = 120
_REFUSES = 0x80
"""This reason code and all higher ones are refusals (MQTT 5 §4.13)."""
_ANSWERS = frozenset({MessageType.PUBACK, MessageType.PUBREC, MessageType.PUBCOMP})
_QOS, _QOS_2 = 0x06, 0x04
_TOO_LARGE = b"\xe0\x02\x95\x00"
"""DISCONNECT of MQTT 5, with the reason *packet too large*."""
_KEEP_ALIVE, _PROTOCOL = 0x8D, 0x82
"""Reason codes that paho sets for errors it detects itself."""
_OTHER_VERSION = b"\1"
"""Return code of a CONNACK of MQTT 3.1.1."""
_UNREADABLE = (MQTTException, struct.error, IndexError, KeyError, ValueError)
_KIB, _MIB = 1024, 1024 * 1024


class Guard:
    """Guards one client that has not connected yet."""

    def __init__(self, client: aiomqtt.Client, settings: MqttSettings) -> None:
        self.fault: ConnectionFailed | None = None
        """The broker's fault that ended the connection."""
        self.most_bytes = math.inf
        """The largest packet that the broker accepts, if it says so (MQTT 5 §3.2.2.3.6)."""
        self._above, self._client, self._settings = client, client._client, settings
        self._v5 = settings.protocol is Protocol.V5
        self._packets = 0
        self._refusals: dict[int, str] = {}
        paho = self._client
        self._handle, self._read = paho._packet_handle, paho._sock_recv
        self._end, self._let_in = paho.on_disconnect, paho.on_connect
        paho._packet_handle = self._look  # type: ignore[method-assign]
        paho._sock_recv = self._receive  # type: ignore[method-assign]
        paho.on_disconnect, paho.on_connect = self._ended, self._connected

    @property
    def babbles(self) -> bool:
        """Whether bytes have come that are neither an answer to CONNECT nor a whole packet."""
        return not self._packets and self._client._in_packet["command"] != 0

    def refusal(self, number: int) -> str | None:
        """Why the broker refused the message with that packet identifier, which is now done.

        None: the broker has accepted it.
        """
        return self._refusals.pop(number, None)

    def _receive(self, bufsize: int) -> bytes:
        """Read up to ``bufsize`` bytes; paho asks for the whole rest of a packet."""
        if bufsize <= MAX_PACKET_BYTES:
            return self._read(bufsize)
        if head := self._read(_HEAD_BYTES):
            if self._v5:
                self._client._sock_send(_TOO_LARGE)
            self.fault = _too_large(self._client._in_packet["command"], bufsize, head)
            raise ConnectionAbortedError  # paho closes the socket
        return head

    def _look(self) -> MQTTErrorCode:
        packet = self._client._in_packet
        kind, body = packet["command"] & 0xF0, packet["packet"]
        self._packets += 1
        if self.fault is None:
            self.fault = self._out_of_order(kind, body)
        if self.fault is not None:
            return MQTTErrorCode.MQTT_ERR_PROTOCOL
        if kind in _ANSWERS and len(body) > 2 and body[2] >= _REFUSES:  # noqa: PLR2004
            number = int.from_bytes(body[:2], "big")
            if kind != MessageType.PUBCOMP and number in self._client._out_messages:
                self._refusals[number] = named(body[2])
            # At any QoS the exchange of that message ends here.
            packet["command"], packet["packet"] = MessageType.PUBACK, body[:2]
        try:
            result = self._handle()
        except _UNREADABLE:  # from paho, or from aiomqtt for an invalid topic
            result = MQTTErrorCode.MQTT_ERR_PROTOCOL
        if result == MQTTErrorCode.MQTT_ERR_PROTOCOL:
            self.fault = self.fault or self._malformed(kind)
        elif kind == MessageType.PUBLISH and packet["command"] & _QOS == _QOS_2 and self._hoards():
            self.fault = ConnectionFailed(
                "it sends messages of QoS 2, which the hub has not asked for, and never releases "
                "them (PUBREL)"
            )
            result = MQTTErrorCode.MQTT_ERR_PROTOCOL
        return result

    def _out_of_order(self, kind: int, body: bytes | bytearray) -> ConnectionFailed | None:
        """The violation if a packet of that kind is not allowed now; None if it is."""
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
        """Note the broker's answer to CONNECT."""
        self.most_bytes = getattr(properties, "MaximumPacketSize", math.inf)
        if self._let_in is not None:
            self._let_in(client, data, flags, code, properties)  # type: ignore[call-arg, arg-type]

    def _ended(
        self, client: Client, data: Any, flags: Any, code: ReasonCode, properties: Any
    ) -> None:
        """Note the end of the connection, by either side."""
        if self.fault is None:
            self.fault = self._why(code, by_broker=flags.is_disconnect_packet_from_server)
        if self._end is not None:
            self._end(client, data, flags, code, properties)  # type: ignore[call-arg, arg-type]
        forget(self._above)
        waiting = self._above._connected
        if not waiting.done():  # aiomqtt would wait for an answer that cannot come
            waiting.set_exception(aiomqtt.MqttError("ended"))

    def _why(self, code: ReasonCode, *, by_broker: bool) -> ConnectionFailed | None:
        if by_broker:
            return ended(code, self._settings)
        if code.value == 0:
            return None  # the hub disconnected
        if code.value == _KEEP_ALIVE:
            return ConnectionFailed("it does not answer any more (keep alive)")
        if code.value == _PROTOCOL:
            return ConnectionFailed(NOT_MQTT) if self._packets == 0 else self._malformed(0)
        if self._packets == 0:
            return ConnectionFailed(NOT_MQTT) if self.babbles else hung_up_first(self._settings)
        if self._packets == 1:
            return ConnectionFailed("it hung up as soon as it had let the hub in")
        return Broke()

    def _hoards(self) -> bool:
        """Whether the hub holds too many unreleased messages from the broker."""
        kept = self._client._in_messages.values()
        size = sum(len(message.payload) for message in kept)
        return len(kept) > MOST_UNFINISHED or size > MOST_UNFINISHED_BYTES


def forget(client: aiomqtt.Client) -> None:
    """Retrieve the exceptions that ended its connection: asyncio warns about unretrieved ones."""
    for end in (client._connected, client._disconnected):
        if end.done() and not end.cancelled():
            end.exception()


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
    """On one line, with unprintable characters escaped."""
    return ascii(topic)[1:-1].replace("\\udc", "\\x")


def named(code: int) -> str:
    """The standard's name for an MQTT 5 reason code."""
    return next(iter(ReasonCode.names.get(code, ())), f"reason code 0x{code:02x}")
