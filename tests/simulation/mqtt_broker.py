"""A model of mosquitto 2.0 that speaks MQTT 3.1.1 and 5 in bytes, without I/O or a clock.

``test_broker`` compares it with a real one, packet by packet. Every session is clean. Missing:
will delay, subscription identifiers, shared subscriptions, AUTH, ``$SYS``.

Ref: mosquitto 2.0 ``src/subs.c``, ``src/context.c``; mosquitto.conf(5).
"""

import heapq
import math
from collections.abc import Callable

from tests.simulation.mqtt_message import Message
from tests.simulation.mqtt_session import TAKEN_OVER, Acks, Connection
from tests.simulation.mqtt_topics import Retained

_NO_LOCAL, _AS_PUBLISHED = 0x04, 0x08
_MOST_TOPICS = 4096
"""For how many topics the broker remembers who listens."""

May = Callable[[str, str, bool], bool]
"""Whether the client with this id may read (True) or write (False) this topic."""


class Broker:
    """``now``: the time in seconds. ``login``: the only user name and password; None: no login.

    ``most_bytes``: the longest payload (mosquitto: message_size_limit). ``most_packet``
    (max_packet_size): a packet must be shorter, its fixed header left out. ``says_taken_over``:
    tell an MQTT 5 client that another one has its id (§3.1.4); mosquitto 2.0.11 does not.
    ``late_s`` draws how much too late it notices a silent client; mosquitto looks only every 5 s.
    """

    def __init__(
        self,
        now: Callable[[], float],
        login: tuple[str, str] | None = None,
        *,
        may: May | None = None,
        most_bytes: float = math.inf,
        most_packet: float = math.inf,
        says_taken_over: bool = True,
        most_outgoing: int = 20,
        most_queued: int = 1000,
        late_s: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.now = now
        self.login = None if login is None else (login[0].encode(), login[1].encode())
        self.may: May = may or (lambda _client, _topic, _reading: True)
        self.late_s = late_s
        self.most_bytes, self.most_packet = most_bytes, most_packet
        self.most_outgoing, self.most_queued = most_outgoing, most_queued
        self.acks: Acks | None = None
        """A fault in all acknowledgements; None: none."""
        self.hangs = False
        """Whether the process is suspended; see :meth:`freeze`."""
        self.running = True
        self.due_sooner: Callable[[], None] | None = None
        """Called when :meth:`next_due` may be earlier than it was."""
        self.clients: dict[str, Connection] = {}
        """Client id → connection."""
        self._says_taken_over = says_taken_over
        self._connections: dict[Connection, None] = {}
        self._retained: Retained[Message] = Retained()
        self._listeners: dict[str, list[tuple[Connection, int]]] = {}
        self._later: list[tuple[float, int, Connection, bytes]] = []
        self._ids = self._serial = 0

    # The process

    def accept(self, send: Callable[[bytes], object], hang_up: Callable[[], object]) -> Connection:
        """A new TCP connection. Raises :class:`ConnectionRefusedError` while the broker is down."""
        if not self.running:
            raise ConnectionRefusedError(111, "Connection refused")
        connection = Connection(self, send, hang_up)
        self._connections[connection] = None
        self.sooner()
        return connection

    def kill(self) -> None:
        """End it, as a power cut would: no will is published."""
        self.running = False
        for connection in list(self._connections):
            connection.end(will=False)
        self._later.clear()
        self.hangs = False

    def stop(self) -> None:
        """End it as ``systemctl stop`` does: the wills of all clients are published."""
        for connection in list(self._connections):
            connection.publish_will()
        self.kill()

    def start(self) -> None:
        self.running = True

    def restart(self) -> None:
        """Kill it and start it again; it has kept the retained messages."""
        self.kill()
        self.start()

    def forget(self) -> None:
        """Kill it and start it again without its retained messages."""
        self.restart()
        self._retained = Retained()

    def freeze(self) -> None:
        """Suspend it: connections stay open, new ones can be made, and nothing is answered."""
        self.hangs = True

    def thaw(self) -> None:
        """Let it go on, with everything that has come meanwhile."""
        self.hangs = False
        for connection in list(self._connections):
            if not connection.hangs:
                connection.go_on()
        self.sooner()

    # Time

    def sooner(self) -> None:
        if self.due_sooner is not None:
            self.due_sooner()

    def next_due(self) -> float:
        """When :meth:`tick` has something to do if nothing comes before; infinity: never."""
        if self.hangs:
            return math.inf
        due_s = self._later[0][0] if self._later else math.inf
        for connection in self._connections:
            if not connection.hangs:
                due_s = min(due_s, connection.due_s())
        return due_s

    def tick(self) -> None:
        """Send what was delayed until now, and hang up on clients that are silent too long."""
        if self.hangs:
            return
        now_s = self.now()
        while self._later and self._later[0][0] <= now_s:
            _, _, connection, packet = heapq.heappop(self._later)
            connection.send_now(packet)
        for connection in list(self._connections):
            if connection.due_s() <= now_s and not connection.hangs:
                connection.end()

    # Messages

    def publish(self, message: Message, by: Connection | None = None) -> bool:
        """Hand a message to every client that listens. Returns whether one does."""
        topic = message.topic
        if message.retain:
            self._retained.keep(topic, message if message.payload else None)
        listeners = self._listeners.get(topic)
        if listeners is None:
            listeners = self._find_listeners(topic)
        last: Connection | None = None
        for connection, options in listeners:
            if options & _NO_LOCAL and connection is by:
                continue
            if self.may(connection.client, topic, True):
                qos = min(message.qos, options & 3)
                if connection is last and not connection.v5:
                    connection.leave_out(qos)
                else:
                    connection.deliver(
                        message, qos, bool(message.retain and options & _AS_PUBLISHED)
                    )
                last = connection
        return bool(listeners)

    def retained(self, wanted: str = "#") -> dict[str, bytes]:
        """Topic → payload of the messages that the broker keeps for later subscribers."""
        found = self._retained.matching(wanted.split("/"))
        return {each.topic: each.payload for each in found if each.until_s > self.now()}

    def _find_listeners(self, topic: str) -> list[tuple[Connection, int]]:
        if len(self._listeners) >= _MOST_TOPICS:
            self._listeners.clear()
        levels = topic.split("/")
        found = [
            (connection, options)
            for connection in self.clients.values()
            for options in connection.options(levels)
        ]
        self._listeners[topic] = found
        return found

    # For the connections

    def admit(self, connection: Connection) -> None:
        """Let a client in; another one of the same id goes."""
        former = self.clients.get(connection.client)
        if former is not None:
            former.end(TAKEN_OVER if self._says_taken_over else 0)
        self.clients[connection.client] = connection

    def forget_connection(self, connection: Connection) -> None:
        self._connections.pop(connection, None)
        if self.clients.get(connection.client) is connection:
            del self.clients[connection.client]
            self.filters_changed()

    def filters_changed(self) -> None:
        self._listeners.clear()

    def send_retained(self, connection: Connection, wanted: list[str], qos: int) -> None:
        for message in self._retained.matching(wanted):
            if self.may(connection.client, message.topic, True):
                connection.deliver(message, min(message.qos, qos), True)

    def send_later(self, delay_s: float, connection: Connection, packet: bytes) -> None:
        self._serial += 1
        heapq.heappush(self._later, (self.now() + delay_s, self._serial, connection, packet))
        self.sooner()

    def new_id(self) -> str:
        """An id for a client that has none."""
        self._ids += 1
        return f"auto-00000000-0000-0000-0000-{self._ids:012X}"
