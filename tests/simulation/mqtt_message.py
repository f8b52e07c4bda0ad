"""The contents of PUBLISH and CONNECT packets.

Ref: MQTT 3.1.1 §3.1, §3.3; MQTT 5 §3.1, §3.3.2.3.
"""

import math

from msgspec import Struct

from tests.simulation import mqtt_packets as mqtt
from tests.simulation.mqtt_packets import Malformed

_PASSED_ON = frozenset({0x01, 0x03, 0x08, 0x09, 0x26})
"""The properties of a PUBLISH that are forwarded unchanged (MQTT 5 §3.3.2.3)."""
_WILL, _WILL_RETAIN, _PASSWORD, _USER = 0x04, 0x20, 0x40, 0x80


class OtherVersion(ValueError):
    """A version of MQTT that the broker does not speak."""


class Message(Struct):
    """A published message. ``about``: its MQTT 5 properties in bytes, without the expiry."""

    topic: str
    payload: bytes
    qos: int = 0
    retain: bool = False
    about: bytes = b""
    until_s: float = math.inf
    """When it expires, by the broker's clock."""


class Connect(Struct):
    """A CONNECT. ``login``: None for what the client leaves out."""

    client: str
    v5: bool
    keepalive_s: int
    login: tuple[bytes | None, bytes | None] = (None, None)
    will: Message | None = None
    receive_maximum: int = 0xFFFF
    most_packet: float = math.inf


def describe(message: Message, found: mqtt.Properties, now_s: float) -> None:
    """Set the properties of a message."""
    for kind, value in found:
        if kind == mqtt.MESSAGE_EXPIRY:
            message.until_s = now_s + int.from_bytes(value, "big")
    kept = [bytes((kind,)) + value for kind, value in found if kind in _PASSED_ON]
    message.about = b"".join(kept)


def read_connect(body: bytes, now_s: float) -> Connect:
    """Raises :class:`OtherVersion`, and :class:`Malformed`, :class:`IndexError` or
    :class:`UnicodeDecodeError` if it is no CONNECT."""
    name, at = mqtt.read_text(body, 0)
    if name != b"MQTT":
        raise Malformed
    level, flags = body[at], body[at + 1]
    if level not in (4, 5):
        raise OtherVersion
    said = Connect("", level == 5, body[at + 2] << 8 | body[at + 3])
    at += 4
    if flags & 1:
        raise Malformed
    if said.v5:
        about, at = mqtt.read_properties(body, at)
        for kind, value in about:
            if kind == mqtt.RECEIVE_MAXIMUM:
                said.receive_maximum = int.from_bytes(value, "big")
            elif kind == mqtt.MAXIMUM_PACKET:
                said.most_packet = int.from_bytes(value, "big")
    client, at = mqtt.read_text(body, at)
    said.client = client.decode()
    if flags & _WILL:
        will = said.will = Message("", b"", flags >> 3 & 3, bool(flags & _WILL_RETAIN))
        if said.v5:
            found, at = mqtt.read_properties(body, at)
            describe(will, found, now_s)
        topic, at = mqtt.read_text(body, at)
        will.topic = topic.decode()
        will.payload, at = mqtt.read_text(body, at)
    user = password = None
    if flags & _USER:
        user, at = mqtt.read_text(body, at)
    if flags & _PASSWORD:
        password, at = mqtt.read_text(body, at)
    said.login = user, password
    return said
