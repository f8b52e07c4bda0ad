"""Looks at each packet of a broker before paho takes it.

paho reads a packet of any size into memory, and keeps any number of messages of QoS 2 that are
never released. It hides the reason with which a broker refuses a message (PUBREC), and hangs up
where it does not know the reason's number (PUBACK: mosquitto refuses what is too large by one that
MQTT 5 has for other packets).

Ref: MQTT 3.1.1 §2.2 (fixed header); MQTT 5 §3.1.2.11.4 (maximum packet size), §3.4.2.1 (PUBACK
reason code), §3.5.2.1 (PUBREC), §4.3.3 (one that refuses ends it).
"""

from paho.mqtt.client import Client
from paho.mqtt.enums import MessageType, MQTTErrorCode
from paho.mqtt.reasoncodes import ReasonCode

from hub.mqtt.failures import ConnectionFailed, TooLarge

MAX_PACKET_BYTES = 512 * 1024
"""What is larger is not read, and with MQTT 5 not sent to us (§3.1.2.11.4). Twice what
``docs/mqtt.md`` advises as the broker's own limit, since the state comes back to the hub."""
MOST_UNFINISHED = 32
"""Messages of QoS 2 that the broker has not released yet; the hub subscribes with QoS 1."""
MOST_UNFINISHED_BYTES = 4 * MAX_PACKET_BYTES

_HEAD_BYTES = 512
"""So much of what is too large is looked at for its topic."""
_TOPIC_CHARS = 120
_REFUSES = 0x80
"""This reason code and those above say no (MQTT 5 §4.13)."""
_ANSWERS = frozenset({MessageType.PUBACK, MessageType.PUBREC, MessageType.PUBCOMP})
_QOS, _QOS_2 = 0x06, 0x04
_TOO_LARGE = b"\xe0\x02\x95\x00"
"""DISCONNECT of MQTT 5, with the reason *packet too large*."""
_KIB, _MIB = 1024, 1024 * 1024


class Guard:
    """Of one client."""

    def __init__(self, client: Client, *, v5: bool) -> None:
        self.fault: ConnectionFailed | None = None
        """What the broker has done, where the hub hangs up because of it."""
        self._client, self._v5 = client, v5
        self._refusals: dict[int, str] = {}
        self._handle, self._read = client._packet_handle, client._sock_recv
        client._packet_handle = self._look  # type: ignore[method-assign]
        client._sock_recv = self._receive  # type: ignore[method-assign]

    def refusal(self, number: int) -> str | None:
        """Why the broker has refused the message of that packet identifier, which is done now;
        None: it has taken it."""
        return self._refusals.pop(number, None)

    def _receive(self, bufsize: int) -> bytes:
        """Up to ``bufsize`` bytes: of a packet paho asks for all that is left of it."""
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
        if kind in _ANSWERS and len(body) > 2 and body[2] >= _REFUSES:  # noqa: PLR2004
            number = int.from_bytes(body[:2], "big")
            if kind != MessageType.PUBCOMP and number in self._client._out_messages:
                self._refusals[number] = named(body[2])
            # Whatever its QoS, that message is done: nothing more is said of it.
            packet["command"], packet["packet"] = MessageType.PUBACK, body[:2]
        result = self._handle()
        if kind == MessageType.PUBLISH and packet["command"] & _QOS == _QOS_2 and self._hoards():
            self.fault = ConnectionFailed(
                "it sends messages of QoS 2, which the hub has not asked for, and never releases "
                "them (PUBREL)"
            )
            return MQTTErrorCode.MQTT_ERR_PROTOCOL
        return result

    def _hoards(self) -> bool:
        """Whether the broker lets the hub keep too much that is not released."""
        kept = self._client._in_messages.values()
        size = sum(len(message.payload) for message in kept)
        return len(kept) > MOST_UNFINISHED or size > MOST_UNFINISHED_BYTES


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
    """On one line, whatever stands in it."""
    return ascii(topic)[1:-1].replace("\\udc", "\\x")


def named(code: int) -> str:
    """A reason code of MQTT 5, as the standard names it."""
    return next(iter(ReasonCode.names.get(code, ())), f"reason code 0x{code:02x}")
