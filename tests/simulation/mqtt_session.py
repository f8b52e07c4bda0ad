"""One client's connection to the broker of :mod:`tests.simulation.mqtt_broker`, and its session.

Ref: MQTT 3.1.1 §3, §4; MQTT 5 §3, §4; mosquitto 2.0 ``src/handle_*.c``, ``src/database.c``.
"""

import math
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from tests.simulation import mqtt_packets as mqtt
from tests.simulation.mqtt_message import Message, OtherVersion, describe, read_connect
from tests.simulation.mqtt_packets import Malformed
from tests.simulation.mqtt_topics import covers, rank, sound

if TYPE_CHECKING:
    from tests.simulation.mqtt_broker import Broker

DENIED, TOO_LARGE, NO_LISTENER, NOT_SUBSCRIBED = 0x87, 0x95, 0x10, 0x11
TAKEN_OVER, PROTOCOL, WITH_WILL = 0x8E, 0x82, 0x04
_MOST_ALIASES = 10
_MOST_KEEPALIVE_S = 0xFFFF
"""An MQTT 5 client that names none gets this one (mosquitto: max_keepalive)."""

Acks = Callable[[int], Iterable[float]]
"""Called with the kind of an acknowledgement (of :data:`mqtt_packets.NAMES`; CONNACK and PINGRESP
count) when it is due. Returns after how many seconds it is sent, once for each copy: ``()`` drops
it, ``(0,)`` changes nothing, ``(0, 0)`` doubles it, ``(2.5,)`` delays it."""


class _Subscription(Struct):
    levels: list[str]
    options: int
    rank: tuple[int, ...]


class Connection:
    """A client's connection: :meth:`receive` its bytes, or :meth:`lost`."""

    def __init__(
        self, broker: "Broker", send: Callable[[bytes], object], hang_up: Callable[[], object]
    ) -> None:
        self.client = ""
        """The client id; empty before CONNECT."""
        self.v5 = self.over = False
        self.acks: Acks | None = None
        """Replaces the broker's."""
        self.hangs = False
        """Set it: bytes are taken and nothing is answered, until :meth:`go_on`."""
        self._broker, self._send, self._hang_up = broker, send, hang_up
        self._rest, self._gone = b"", False
        self._heard_s, self._keepalive_s = broker.now(), 60
        self._late_s = broker.late_s()
        self._will: Message | None = None
        self._filters: dict[str, _Subscription] = {}
        self._incoming: dict[int, Message] = {}
        self._outgoing: dict[int, None] = {}
        self._queued: deque[tuple[Message, int, int, bool]] = deque()
        self._aliases: dict[int, str] = {}
        self._last_mid = 0
        self._quota = self._most_outgoing = broker.most_outgoing
        self._most_packet = math.inf

    def receive(self, data: bytes) -> None:
        """Bytes from the client."""
        if self.over:
            return
        if self._rest:
            data = self._rest + data
        if self.hangs or self._broker.hangs:
            self._rest = data
            return
        self._rest = b""
        at = 0
        try:
            while not self.over:
                size, begin = mqtt.read_length(data, at + 1)
                if size >= self._broker.most_packet:
                    raise Malformed(TOO_LARGE)
                end = begin + size
                if size < 0 or end > len(data):
                    self._rest = data[at:]
                    break
                self._heard_s = self._broker.now()
                self._take(data[at], data[begin:end])
                at = end
        except Malformed as error:
            self.end(error.reason)
        except (IndexError, UnicodeDecodeError):
            self.end(0x81)

    def lost(self) -> None:
        """The connection is gone; the will is published."""
        if self.hangs or self._broker.hangs:
            self._gone = True
        else:
            self.end()

    def go_on(self) -> None:
        """Stop to hang, and answer everything that has come meanwhile."""
        self.hangs = False
        data, self._rest = self._rest, b""
        self.receive(data)
        if self._gone:
            self.lost()
        self._broker.sooner()

    def end(self, reason: int = 0, *, will: bool = True) -> None:
        """Hang up. An MQTT 5 client is told the reason, if there is one. Idempotent."""
        if self.over:
            return
        self.over = True
        if reason and self.v5 and self.client:
            self._send(mqtt.packet(mqtt.DISCONNECT << 4, bytes((reason,))))
        self._hang_up()
        self._broker.forget_connection(self)
        if will:
            self.publish_will()

    def publish_will(self) -> None:
        """Publish it now, and only once, if the client may write its topic."""
        will, self._will = self._will, None
        if will is not None and self._broker.may(self.client, will.topic, False):
            self._broker.publish(will, self)

    def due_s(self) -> float:
        """When the client counts as lost unless it says something before."""
        if not self._keepalive_s:
            return math.inf
        return self._heard_s + 1.5 * self._keepalive_s + self._late_s

    def options(self, topic: list[str]) -> list[int]:
        """The options of each subscription that matches ``topic``, in mosquitto's order."""
        found = [each for each in self._filters.values() if covers(each.levels, topic)]
        found.sort(key=lambda each: each.rank)
        return [each.options for each in found]

    def deliver(self, message: Message, qos: int, retain: bool) -> None:
        """Send ``message`` to the client as soon as enough others are acknowledged."""
        if not qos:
            self._publish_to(message, 0, 0, retain)
            return
        self._last_mid = mid = self._last_mid % 0xFFFF + 1
        if self._quota:
            self._send_numbered(message, qos, mid, retain)
            while self._queued and self._quota:
                self._send_numbered(*self._queued.popleft())
        elif len(self._queued) < self._broker.most_queued:
            self._queued.append((message, qos, mid, retain))

    def leave_out(self, qos: int) -> None:
        """A message that has reached the client by another subscription. MQTT 3.1.1 gets it once
        (mosquitto: allow_duplicate_messages), but it uses up a packet identifier."""
        if qos:
            self._last_mid = self._last_mid % 0xFFFF + 1

    def _send_numbered(self, message: Message, qos: int, mid: int, retain: bool) -> None:
        self._quota = max(self._quota - 1, 0)
        if self._publish_to(message, qos, mid, retain):
            self._outgoing[mid] = None

    def _publish_to(self, message: Message, qos: int, mid: int, retain: bool) -> bool:
        about = b""
        if self.v5:
            about = message.about
            if message.until_s != math.inf:
                left_s = math.ceil(message.until_s - self._broker.now())
                if left_s <= 0:
                    return False
                about += b"\2" + left_s.to_bytes(4, "big")
            about = mqtt.length(len(about)) + about
        number = mid.to_bytes(2, "big") if qos else b""
        body = mqtt.text(message.topic) + number + about + message.payload
        packet = mqtt.packet(0x30 | qos << 1 | retain, body)
        if len(packet) - 1 > self._most_packet:  # mosquitto leaves out the first byte
            return False
        self._send(packet)
        return True

    def _settled(self, mid: int) -> None:
        # As mosquitto 2.0.11 counts: it may send more than the Receive Maximum.
        self._quota = min(self._quota + 1, self._most_outgoing)
        if mid not in self._outgoing:
            return
        if self._queued:
            before = list(self._outgoing).index(mid)
            for _ in range(min(len(self._queued), self._most_outgoing - before)):
                self._send_numbered(*self._queued.popleft())
        del self._outgoing[mid]

    def _answer(self, kind: int, packet: bytes) -> None:
        acks = self.acks or self._broker.acks
        if acks is None:
            self._send(packet)
            return
        for delay_s in acks(kind):
            if delay_s <= 0:
                self._send(packet)
            else:
                self._broker.send_later(delay_s, self, packet)

    def send_now(self, packet: bytes) -> None:
        """Send a packet that was delayed."""
        if not self.over:
            self._send(packet)

    def _take(self, first: int, body: bytes) -> None:
        kind, flags = first >> 4, first & 0xF
        if not self.client:
            if kind != mqtt.CONNECT:
                raise Malformed
            self._connect(body)
            return
        if kind == mqtt.PUBLISH:
            self._publish(flags, body)
            return
        if mqtt.PUBACK <= kind <= mqtt.PUBCOMP and (flags != 2 * (kind == mqtt.PUBREL)):
            raise Malformed(0)
        handle = _HANDLERS.get(kind)
        if handle is None:
            raise Malformed(PROTOCOL)
        handle(self, body)

    def _acknowledged(self, body: bytes) -> None:
        self._settled(_mid(body))

    def _received(self, body: bytes) -> None:
        mid = _mid(body)
        if len(body) > 2 and body[2] >= 0x80:
            self._settled(mid)
        else:
            self._send(b"\x62\2" + body[:2])

    def _release(self, body: bytes) -> None:
        message = self._incoming.pop(_mid(body), None)
        if message is not None:
            self._broker.publish(message, self)
        self._answer(mqtt.PUBCOMP, b"\x70\2" + body[:2])

    def _ping(self, _body: bytes) -> None:
        self._answer(mqtt.PINGRESP, b"\xd0\0")

    def _disconnect(self, body: bytes) -> None:
        # MQTT 3.1.1 allows nothing after the header.
        self.end(will=bool(body) and (not self.v5 or body[0] == WITH_WILL))

    def _connect(self, body: bytes) -> None:
        broker = self._broker
        try:
            said = read_connect(body, broker.now())
        except OtherVersion:
            self._refuse(b"\1")
            return
        self.v5, self._keepalive_s = said.v5, said.keepalive_s
        if broker.login is not None and said.login != broker.login:
            self._refuse(bytes((DENIED,)) if self.v5 else b"\5")
            return
        self.client, self._will = said.client or broker.new_id(), said.will
        self._quota = self._most_outgoing = min(self._most_outgoing, said.receive_maximum)
        self._most_packet = said.most_packet
        broker.admit(self)
        broker.sooner()
        answer = b"\0\0"
        if self.v5:
            found = [mqtt.number(mqtt.ALIAS_MAXIMUM, _MOST_ALIASES)]
            if not self._keepalive_s:
                self._keepalive_s = _MOST_KEEPALIVE_S
                found.append(mqtt.number(mqtt.SERVER_KEEP_ALIVE, _MOST_KEEPALIVE_S))
            if not said.client:
                found.append(mqtt.string(mqtt.ASSIGNED_ID, self.client))
            if broker.most_packet != math.inf:
                found.append(mqtt.number(mqtt.MAXIMUM_PACKET, int(broker.most_packet)))
            found.append(mqtt.number(mqtt.RECEIVE_MAXIMUM, broker.most_outgoing))
            answer += mqtt.properties(found)
        self._answer(mqtt.CONNACK, mqtt.packet(mqtt.CONNACK << 4, answer))

    def _refuse(self, code: bytes) -> None:
        about = b"\0" if self.v5 else b""
        self._send(mqtt.packet(mqtt.CONNACK << 4, b"\0" + code + about))
        self.end()

    def _publish(self, flags: int, body: bytes) -> None:
        broker = self._broker
        qos = flags >> 1 & 3
        at = 2 + (body[0] << 8 | body[1])
        if qos == 3:
            raise Malformed
        message = Message(body[2:at].decode(), b"", qos, bool(flags & 1))
        mid = b""
        if qos:
            mid = body[at : at + 2]
            at += 2
            if mid == b"\0\0":
                raise Malformed(PROTOCOL)
        if self.v5:
            if body[at]:
                found, at = mqtt.read_properties(body, at)
                describe(message, found, broker.now())
                self._resolve(message, found)
            else:
                at += 1
        topic = message.topic
        if not topic or "+" in topic or "#" in topic:
            raise Malformed(PROTOCOL)
        message.payload = body[at:]
        if len(message.payload) > broker.most_bytes:
            self._acknowledge(qos, mid, TOO_LARGE)
        elif not broker.may(self.client, topic, False):
            self._acknowledge(qos, mid, DENIED)
        elif qos == 2:
            self._incoming[int.from_bytes(mid, "big")] = message
            self._acknowledge(2, mid, 0)
        else:
            reached = broker.publish(message, self)
            self._acknowledge(qos, mid, 0 if reached else NO_LISTENER)

    def _resolve(self, message: Message, found: mqtt.Properties) -> None:
        for kind, value in found:
            if kind == mqtt.ALIAS:
                alias = int.from_bytes(value, "big")
                if not 0 < alias <= _MOST_ALIASES:
                    raise Malformed(0x94)
                if message.topic:
                    self._aliases[alias] = message.topic
                elif alias in self._aliases:
                    message.topic = self._aliases[alias]
                else:
                    raise Malformed(PROTOCOL)

    def _acknowledge(self, qos: int, mid: bytes, reason: int) -> None:
        if not qos:
            return
        first, kind = (b"\x40", mqtt.PUBACK) if qos == 1 else (b"\x50", mqtt.PUBREC)
        if reason and self.v5:
            self._answer(kind, first + b"\3" + mid + bytes((reason,)))
        else:
            self._answer(kind, first + b"\2" + mid)

    def _subscribe(self, body: bytes) -> None:
        at = mqtt.read_properties(body, 2)[1] if self.v5 else 2
        granted, sent = bytearray(), []
        if at >= len(body):
            raise Malformed
        while at < len(body):
            name, at = mqtt.read_text(body, at)
            wanted, options = name.decode(), body[at]
            at += 1
            if not sound(wanted) or options & 3 == 3 or options & (0xC0 if self.v5 else 0xFC):
                raise Malformed
            levels = wanted.split("/")
            handling = options >> 4 & 3
            if not handling or (handling == 1 and wanted not in self._filters):
                sent.append((levels, options & 3))
            self._filters[wanted] = _Subscription(levels, options, rank(levels))
            granted.append(options & 3)
        self._broker.filters_changed()
        about = b"\0" if self.v5 else b""
        self._answer(mqtt.SUBACK, mqtt.packet(mqtt.SUBACK << 4, body[:2] + about + bytes(granted)))
        for levels, qos in sent:
            self._broker.send_retained(self, levels, qos)

    def _unsubscribe(self, body: bytes) -> None:
        at = mqtt.read_properties(body, 2)[1] if self.v5 else 2
        reasons = bytearray()
        if at >= len(body):
            raise Malformed
        while at < len(body):
            name, at = mqtt.read_text(body, at)
            known = self._filters.pop(name.decode(), None)
            reasons.append(NOT_SUBSCRIBED if known is None else 0)
        self._broker.filters_changed()
        codes = b"\0" + bytes(reasons) if self.v5 else b""
        self._answer(mqtt.UNSUBACK, mqtt.packet(mqtt.UNSUBACK << 4, body[:2] + codes))


def _mid(body: bytes) -> int:
    """The packet identifier of an acknowledgement."""
    if len(body) < 2:
        raise Malformed(0)
    return body[0] << 8 | body[1]


_HANDLERS: dict[int, Callable[[Connection, bytes], None]] = {
    mqtt.CONNECT: lambda connection, _body: connection.end(will=False),
    mqtt.CONNACK: lambda connection, _body: connection.end(),
    mqtt.PUBACK: Connection._acknowledged,
    mqtt.PUBREC: Connection._received,
    mqtt.PUBREL: Connection._release,
    mqtt.PUBCOMP: Connection._acknowledged,
    mqtt.SUBSCRIBE: Connection._subscribe,
    mqtt.UNSUBSCRIBE: Connection._unsubscribe,
    mqtt.PINGREQ: Connection._ping,
    mqtt.PINGRESP: lambda _connection, _body: None,  # mosquitto takes it, because a bridge sends it
    mqtt.DISCONNECT: Connection._disconnect,
    mqtt.AUTH: lambda connection, _body: connection.end(),
}
