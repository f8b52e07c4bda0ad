"""The packets of MQTT 3.1.1 and 5 in bytes: parts that both sides need, and what a client sends.

Ref: MQTT 3.1.1 §2.2, §3; MQTT 5 §2.2.2 (properties).
"""

from collections.abc import Sequence

from tests.support.odd_broker import length

CONNECT, CONNACK, PUBLISH, PUBACK, PUBREC, PUBREL, PUBCOMP = range(1, 8)
SUBSCRIBE, SUBACK, UNSUBSCRIBE, UNSUBACK, PINGREQ, PINGRESP, DISCONNECT, AUTH = range(8, 16)
_ASKED = ("SUBSCRIBE", "SUBACK", "UNSUBSCRIBE", "UNSUBACK", "PINGREQ", "PINGRESP")
_PUBLISHED = ("PUBLISH", "PUBACK", "PUBREC", "PUBREL", "PUBCOMP")
NAMES = ("0", "CONNECT", "CONNACK", *_PUBLISHED, *_ASKED, "DISCONNECT", "AUTH")

MESSAGE_EXPIRY, RESPONSE_TOPIC, CORRELATION = 0x02, 0x08, 0x09
SUBSCRIPTION, SESSION_EXPIRY, ASSIGNED_ID, SERVER_KEEP_ALIVE = 0x0B, 0x11, 0x12, 0x13
RECEIVE_MAXIMUM, ALIAS_MAXIMUM, ALIAS, MAXIMUM_PACKET = 0x21, 0x22, 0x23, 0x27

_SIZES = {
    **dict.fromkeys((0x01, 0x17, 0x19, 0x24, 0x25, 0x28, 0x29, 0x2A), 1),
    **dict.fromkeys((0x13, 0x21, 0x22, 0x23), 2),
    **dict.fromkeys((0x02, 0x11, 0x18, 0x27), 4),
}
_STRINGS = frozenset({0x03, 0x08, 0x09, 0x12, 0x15, 0x16, 0x1A, 0x1C, 0x1F})
_PAIR = 0x26

Properties = list[tuple[int, bytes]]
"""Identifiers and undecoded values, in the order of the packet."""


class Malformed(ValueError):
    """Bytes that are no packet, or not allowed there. ``reason``: the code of MQTT 5; 0: none."""

    def __init__(self, reason: int = 0x81) -> None:
        super().__init__(f"0x{reason:02x}")
        self.reason = reason


def read_length(data: bytes, at: int) -> tuple[int, int]:
    """A variable byte integer and where it ends; (-1, at) if it is not complete.

    Raises :class:`Malformed`.
    """
    size = shift = 0
    for here in range(at, min(at + 4, len(data))):
        byte = data[here]
        size |= (byte & 0x7F) << shift
        if byte < 0x80:
            return size, here + 1
        shift += 7
    if len(data) - at >= 4:
        raise Malformed(0)
    return -1, at


def packet(first: int, body: bytes = b"") -> bytes:
    """``first``: kind and flags."""
    return bytes((first,)) + length(len(body)) + body


def text(said: str | bytes) -> bytes:
    data = said.encode() if isinstance(said, str) else said
    return len(data).to_bytes(2, "big") + data


def read_text(data: bytes, at: int) -> tuple[bytes, int]:
    """A string or binary data, and where it ends. Raises :class:`Malformed`."""
    end = at + 2 + int.from_bytes(data[at : at + 2], "big")
    if len(data) < end or len(data) < at + 2:
        raise Malformed
    return data[at + 2 : end], end


def properties(found: Properties) -> bytes:
    body = b"".join(bytes((kind,)) + value for kind, value in found)
    return length(len(body)) + body


def read_properties(data: bytes, at: int) -> tuple[Properties, int]:
    """Properties and where they end. Raises :class:`Malformed`."""
    size, at = read_length(data, at)
    end = at + size
    if size < 0 or end > len(data):
        raise Malformed
    found: Properties = []
    while at < end:
        kind, begin = data[at], at + 1
        if kind in _SIZES:
            at = begin + _SIZES[kind]
        elif kind in _STRINGS:
            _, at = read_text(data, begin)
        elif kind == _PAIR:
            _, at = read_text(data, begin)
            _, at = read_text(data, at)
        elif kind == SUBSCRIPTION:
            _, at = read_length(data, begin)
        else:
            raise Malformed
        if at > end:
            raise Malformed
        found.append((kind, data[begin:at]))
    return found, end


def number(kind: int, value: int) -> tuple[int, bytes]:
    """A property that is a number."""
    return kind, value.to_bytes(_SIZES[kind], "big")


def string(kind: int, value: str | bytes) -> tuple[int, bytes]:
    """A property that is a string or binary data."""
    return kind, text(value)


def connect(
    client: str,
    *,
    v5: bool,
    login: tuple[str, str] | None = None,
    will: tuple[str, bytes, int, bool] | None = None,
    keepalive: int = 60,
    clean: bool = True,
    about: Properties = [],  # noqa: B006
) -> bytes:
    """``will``: topic, payload, QoS, retain."""
    flags = 2 * clean
    body = text(client)
    if will is not None:
        topic, payload, qos, retain = will
        flags |= 4 | qos << 3 | retain << 5
        body += (b"\0" if v5 else b"") + text(topic) + text(payload)
    if login is not None:
        flags |= 0xC0
        body += text(login[0]) + text(login[1])
    head = text("MQTT") + bytes((5 if v5 else 4, flags)) + keepalive.to_bytes(2, "big")
    return packet(CONNECT << 4, head + (properties(about) if v5 else b"") + body)


def publish(
    topic: str,
    payload: bytes,
    *,
    v5: bool,
    qos: int = 0,
    retain: bool = False,
    mid: int = 1,
    dup: bool = False,
    about: Properties = [],  # noqa: B006
) -> bytes:
    body = text(topic) + (mid.to_bytes(2, "big") if qos else b"")
    body += (properties(about) if v5 else b"") + payload
    return packet(PUBLISH << 4 | dup << 3 | qos << 1 | retain, body)


def subscribe(*filters: tuple[str, int], v5: bool, mid: int = 1) -> bytes:
    """``filters``: each with its QoS, or with all its options in MQTT 5."""
    body = mid.to_bytes(2, "big") + (b"\0" if v5 else b"")
    body += b"".join(text(name) + bytes((options,)) for name, options in filters)
    return packet(SUBSCRIBE << 4 | 2, body)


def unsubscribe(*filters: str, v5: bool, mid: int = 1) -> bytes:
    body = mid.to_bytes(2, "big") + (b"\0" if v5 else b"")
    return packet(UNSUBSCRIBE << 4 | 2, body + b"".join(text(name) for name in filters))


def answer(kind: int, mid: int, body: bytes = b"") -> bytes:
    """An acknowledgement, of either side."""
    return packet(kind << 4 | 2 * (kind == PUBREL), mid.to_bytes(2, "big") + body)


PING = packet(PINGREQ << 4)


def disconnect(reason: int | None = None) -> bytes:
    return packet(DISCONNECT << 4, b"" if reason is None else bytes((reason,)))


def split(data: bytes) -> tuple[Sequence[bytes], bytes]:
    """Whole packets, and the rest."""
    found, at = [], 0
    while at + 1 < len(data):
        size, begin = read_length(data, at + 1)
        if size < 0 or begin + size > len(data):
            break
        found.append(data[at : begin + size])
        at = begin + size
    return found, data[at:]


def described(data: bytes) -> str:
    """A packet for a transcript."""
    return f"{NAMES[data[0] >> 4]} {data[0] & 0xF:x} {data[1:].hex()}"
