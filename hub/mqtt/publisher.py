"""The table on a broker: its changes are announced for as long as the hub runs.

The hub's health is published from time to time, independent of the table.

The order of all other messages is fixed. On a new connection: the retained messages (state, moment,
seats in the table's order, countdowns, said, timer), then ``online``. From then on, for each
announcement: its events in the order of ``seq``, then the retained topics that it changed, then
replies to commands. Announcements that come faster than the broker accepts them are merged; all
their events are published.
"""

import logging
import math
from collections import deque
from collections.abc import Callable

from hub.kernel.reasons import Reason
from hub.mqtt.commands import CommandDesk
from hub.mqtt.connection import Link
from hub.mqtt.echo import SILENT_S, another_table, told_on
from hub.mqtt.failures import Broke, ConnectionFailed
from hub.mqtt.homeassistant import HomeAssistant
from hub.mqtt.keeper import PUT_RIGHT_S, Keeper
from hub.mqtt.outbox import EVENT_EXPIRY_S, EventCursor, LinesAfter, Outgoing, Retained
from hub.mqtt.own import AGAIN_S, Fares, OwnConnection, now_s, until_one_ends, wait_for
from hub.mqtt.probe import Probe
from hub.mqtt.settings import MqttSettings, MqttSettingsError
from hub.ports import Announcement, CommandSink, Hindrance, JournalError
from hub.wire.payloads import OFFLINE, ONLINE, events_payload
from hub.wire.replies import Code
from hub.wire.topics import TopicFault, Topics
from hub.world import MACHINE

MOST_REPLIES = 32
"""How many answers may wait for the broker; the oldest are dropped first."""
HEALTH_S = 30.0
STOP_S = 0.3
"""How long a stop goes on publishing events; the next start publishes the remaining ones."""

_CHECKING = Reason("commands-checked"), Code.BUSY
_ANYBODY = Reason("commands-open"), Code.ILLEGAL


class MqttPublisher(OwnConnection):
    """Publishes the table (a :class:`hub.ports.Publisher`), in its own task from ``async with`` on.

    ``lines_after`` reads the log; ``cursor`` is the number of the last event announced in earlier
    runs, and ``save_cursor`` is called with the new one whenever the broker has acknowledged
    events. After a lost acknowledgement an event is sent again, with the same ``seq`` and bytes. An
    event that the broker refuses is sent again every :data:`AGAIN_S`; everything else goes on
    meanwhile. ``sink`` carries out commands.

    Raises :class:`MqttSettingsError` for settings that cannot work. While the broker is
    unreachable, the publisher keeps trying.
    """

    leave_s = 0.6

    def __init__(
        self,
        settings: MqttSettings,
        lines_after: LinesAfter,
        save_cursor: Callable[[int], None],
        cursor: int = 0,
        sink: CommandSink | None = None,
        *,
        now_ms: Callable[[], int] = lambda: MACHINE.wall_ns() // 1_000_000,
        hinder: Callable[[Hindrance | None, str], None] = lambda _hindrance, _why: None,
        health: Callable[[], bytes] | None = None,
        linked: Callable[[bool], None] = lambda _: None,
        companion: HomeAssistant | None = None,
        companion_fares: Fares = lambda _up, _why, _words: None,
    ) -> None:
        """``now_ms`` returns the table's time, in ms.

        ``hinder`` is called with each hindrance and its reason, and with None when the hindrance is
        gone. ``health`` returns the document for the topic ``health``. ``linked`` is called with
        True for each connection made, and False when it is lost. ``companion`` shares the
        connection; its state goes to ``companion_fares``, as to ``fares`` in
        :class:`hub.mqtt.own.OwnConnection`.
        """
        super().__init__(settings, f"mqtt {settings.broker}")
        self._companion, self._companion_fares = companion, companion_fares
        self._topics = Topics(settings.table)
        self._events = EventCursor(lines_after, cursor, save_cursor, settings.most_behind)
        self._replies: deque[Outgoing] = deque(maxlen=MOST_REPLIES)
        self._desk: CommandDesk | None = None
        if settings.commands:
            if sink is None:
                raise MqttSettingsError("commands over MQTT are on, but nothing carries them out")
            self._desk = CommandDesk(sink, self._topics, self._reply)
        self._hinder = hinder
        self._hindered: tuple[Hindrance | None, str] | None = None
        self._events_at_s = self._again_at_s = -math.inf
        self._health, self._linked = health, linked
        self._health_told, self._health_at_s = b"", math.inf
        self._now_ms = now_ms
        self._latest: Announcement | None = None
        self._told: tuple[Link, Retained] | None = None
        """The connection and the topics that it retains, once these are up to date; before that
        None.
        """
        self._upto = 0
        """The number of the newest event that may be published."""
        self._early: int | None = None
        """The number of the last event sent, until the state after it is sent as well."""
        self._fault: Exception | None = None
        self._stop_by_s = math.inf
        self._keeper = Keeper(self._say, self._topics.retained, self._status(OFFLINE))
        self._probe: Probe | None = None
        self._word = b""
        self._has_told = False

    async def __aexit__(self, *_: object) -> None:
        """Publish due events and ``offline``, within ``leave_s``; otherwise hang up, so that the
        broker publishes the last will, ``offline``.
        """
        self._stop_by_s = now_s() + STOP_S
        await super().__aexit__()
        if self._desk is not None:
            await self._desk.close()

    def announce(self, announcement: Announcement) -> None:
        """Publish the announcement now if the broker keeps up; otherwise it replaces the
        unpublished one.
        """
        self._latest = announcement
        self._upto = max(self._upto, announcement.view.seq)
        self._at_once(self._put_out)

    def stored(self, seq: int) -> None:
        """Publish the events up to ``seq`` now if the broker keeps up."""
        self._upto = seq
        self._at_once(self._put_out_events)

    def _at_once(self, put_out: Callable[[], object]) -> None:
        try:
            put_out()
        except Exception as fault:  # ends the connection, in its own task
            self._fault = fault
        self._due.set()

    def _reply(self, reply: Outgoing) -> None:
        self._replies.append(reply)
        self._due.set()

    def _failure(self, error: Exception) -> tuple[int, str]:
        broker = self._broker.broker
        if isinstance(error, ConnectionFailed):
            if self._up_since_s == math.inf:  # a lost connection may be back at once
                self._note_hindrance(error.hindrance, str(error))
            if error.of_a_message:
                self._keeper.echo.refuse_largest()
                self._keeper.say_refused(self._denied)
            words = f"no connection to the broker {broker}: {error}"
            suspect = self._keeper.echo.suspect
            if isinstance(error, Broke) and self._up_since_s == math.inf and suspect is not None:
                words += (
                    f" while it was told {suspect.topic}, of {-(-len(suspect.payload) // 1024)} "
                    "KiB: perhaps more than it takes (mosquitto: max_packet_size)"
                )
            return logging.WARNING, words
        told = isinstance(error, JournalError | TopicFault)
        why = str(error) if told else type(error).__name__
        return logging.ERROR, f"nothing is announced to the broker {broker}: {why}"

    async def _connection(self) -> None:
        self._keeper.connected()
        self._fault = None
        self._events_at_s, self._again_at_s = -math.inf, now_s() + AGAIN_S
        async with self._connect(self._status(OFFLINE)) as link:
            try:
                await until_one_ends(self._listen(link), self._serve(link))
            finally:
                if self._up_since_s < math.inf:
                    self._linked(False)
                    self._companion_fares(False, None, "")
                self._told = None
                self._events.lost()

    def _answered(self, message: Outgoing, why: str | None) -> None:
        if why is None:
            if message.topic in self._denied:
                self._keeper.echo.take(message.topic)
        elif message.topic == self._topics.event:
            self._events.lost()
            self._events_at_s = now_s() + AGAIN_S
        elif message.retain:
            self._keeper.echo.refuse(message)
        super()._answered(message, why)
        if self._companion and self._companion.keeps(message.topic):
            self._tell_companion_fares()

    def _tell_companion_fares(self) -> None:
        companion = self._companion
        denied = [t for t in self._denied if companion is not None and companion.keeps(t)]
        why = f"{denied[0]}: {self._denied[denied[0]]}" if denied else ""
        self._companion_fares(True, Hindrance.BROKER_DENIES if denied else None, why)

    async def _listen(self, link: Link) -> None:
        async for message in link.received():
            if self._companion and self._companion.heard(message):
                self._due.set()
                continue
            if message.topic != self._topics.command:
                if self._keeper.heard(message) and message.topic == self._topics.state:
                    self._compare(message.payload)
                self._due.set()
            elif message.retained or self._stop.is_set():
                continue
            elif self._desk is not None and not (
                self._probe and self._probe.takes(message.payload)
            ):
                self._desk.take(message)

    def _compare(self, payload: bytes) -> None:
        """Warn if the retained ``state`` is ahead of the journal, or another table's."""
        if (latest := self._latest) is None:
            return
        if self._has_told and (line := another_table(payload, latest.view)):
            self._say(logging.WARNING, line)
        if line := told_on(payload, latest.view):
            self._say(logging.WARNING, line)

    async def _serve(self, link: Link) -> None:
        await self._take_back_large(link)
        await self._open_desk(link)
        own = self._companion.connected() if self._companion else ()
        for topic in (*own, *self._topics.retained):
            if not await self._subscribe(link, topic, with_retained=True):
                self._keeper.echo.miss(topic)
        retained = Retained(self._topics, self._now_ms)
        if self._latest is not None:
            await self._publish(link, retained.changed(self._latest))
            await self._come_back(link)
            self._has_told = True
            await self._tell_companion(link)
        self._word = b""
        await self._tell_status(link)
        self._is_up()
        self._tell_hindrance()
        self._linked(True)
        self._tell_companion_fares()
        self._health_told, self._health_at_s = b"", self._up_since_s
        await self._tell_health(link)
        self._say(logging.INFO, f"connected to the broker {self._broker.broker}")
        self._told = link, retained
        await self._tell(link)
        self._told = None
        await link.publish([self._status(OFFLINE)])

    async def _open_desk(self, link: Link) -> None:
        """Subscribe to commands, and accept them unless strangers could give them."""
        if self._desk is None:
            return
        self._desk.closed = _CHECKING
        if not await self._subscribe(link, self._topics.command):
            self._say(logging.WARNING, "the broker does not let the hub read commands")
        self._probe = Probe(self._broker, self._topics.command)
        if await self._probe.anybody_is_heard(link):
            self._desk.closed = _ANYBODY
            self._say(logging.ERROR, f"commands over MQTT stay off: {_ANYBODY[0]}")
        else:
            self._desk.closed = None

    def _tell_hindrance(self) -> None:
        denied = {**dict.fromkeys(self._keeper.echo.refused, ""), **self._denied}
        if denied:
            topics = [f"{topic}: {why}" if why else topic for topic, why in denied.items()]
            more = len(topics) - 1
            why = topics[0] + (f", and {more} more" if more else "")
            self._note_hindrance(Hindrance.BROKER_DENIES, why)
        elif self._desk is not None and self._desk.closed is _ANYBODY:
            self._note_hindrance(Hindrance.OPEN_BROKER, "")
        else:
            self._note_hindrance(None, "")

    def _note_hindrance(self, hindrance: Hindrance | None, why: str) -> None:
        if self._hindered != (hindrance, why):
            self._hindered = hindrance, why
            self._hinder(hindrance, why)

    def _belongs(self, topic: str) -> Outgoing | None:
        if topic == self._topics.status:
            return self._status(OFFLINE)
        told = Retained(self._topics, self._now_ms).changed(self._latest) if self._latest else ()
        right = {message.topic: message for message in told}
        own = self._topics.owns(topic) or (self._companion and self._companion.keeps(topic))
        return right.get(topic, Outgoing(topic, b"", retain=True)) if own else None

    async def _come_back(self, link: Link) -> None:
        """Wait until the published messages have come back, or the broker evidently lets the hub
        read none.
        """
        silent_at_s = now_s() + SILENT_S
        while not self._keeper.echo.settled and not self._stop.is_set():
            self._due.clear()
            left_s = self._keeper.echo.look(now_s()) or 0
            if not self._keeper.echo.heard_any:
                left_s = silent_at_s - now_s()
                if left_s <= 0:
                    self._keeper.echo.stop_listening()
                    why = "the broker does not show the hub what it publishes; see to its ACL"
                    self._say(logging.INFO, why)
                    return
            await wait_for(self._due, left_s)
            await self._publish(link, self._keeper.echo.sent_again())

    def _put_out_events(self) -> bool:
        """Send the next events, unless the broker still owes an acknowledgement. Returns whether
        the retained topics may follow.
        """
        if self._told is None:
            return True
        (link, _), upto = self._told, self._upto
        if not link.idle:
            return self._early == upto
        self._events.acknowledged()
        telling = self._events_at_s <= now_s() < self._stop_by_s
        rows = self._events.due(upto) if telling else ()
        if rows:
            events = events_payload([row.line for row in rows])
            link.send([Outgoing(self._topics.event, events, expiry_s=EVENT_EXPIRY_S)])
            if rows[-1].seq < upto:
                return False
            self._early = upto
        return True

    def _put_out(self) -> bool:
        """Send the next events and, if no more are due, the changed retained topics.

        Nothing is sent while the broker still owes an acknowledgement. Returns whether all is sent.
        """
        if self._told is None or self._latest is None:
            return True
        link, retained = self._told
        if not self._put_out_events():
            return False
        self._early = None
        changed = retained.changed(self._latest)
        link.send(self._keeper.sent(changed, now_s()))
        return True

    async def _tell(self, link: Link) -> None:
        """Publish everything due, until the hub stops and nothing is left."""
        while True:
            self._due.clear()
            if self._fault is not None:
                raise self._fault
            while not self._put_out():
                await link.settled()
            await link.settled()
            self._events.acknowledged()
            await self._put_right(link)
            await self._tell_companion(link)
            again_s = await self._try_again(link)
            left_s = self._keeper.echo.look(now_s())
            self._keeper.say_refused(self._denied)
            self._tell_hindrance()
            await self._tell_status(link)
            replies = tuple(self._replies)
            self._replies.clear()
            await link.publish(replies)
            if self._stop.is_set():
                return
            if self._keeper.echo.foreign or (self._companion and self._companion.pending):
                left_s = PUT_RIGHT_S
            left_s = math.inf if left_s is None else left_s
            left_s = min(await self._tell_health(link), again_s, left_s)
            await wait_for(self._due, None if left_s == math.inf else left_s)

    async def _try_again(self, link: Link) -> float:
        """Send refused retained messages again if it is time. Returns the seconds until the next
        try.
        """
        refused = self._keeper.echo.refused
        if not self._denied and not refused:
            return math.inf
        here_s = now_s()
        if here_s >= self._again_at_s:
            self._again_at_s = here_s + AGAIN_S
            await self._publish(link, tuple(refused.values()))
            if self._companion:
                self._companion.refused(self._denied)
                await self._tell_companion(link)
        due = (self._again_at_s, self._events_at_s)
        return min(at_s for at_s in due if at_s > here_s) - here_s

    async def _tell_companion(self, link: Link) -> None:
        if self._companion and self._latest is not None:
            await link.publish(self._companion.due(self._latest.view))
            self._companion.published()

    async def _tell_health(self, link: Link) -> float:
        """Publish the hub's health if it is time. Returns the seconds until the next time."""
        if self._health is None:
            return math.inf
        here_s = now_s()
        if here_s >= self._health_at_s:
            self._health_at_s = here_s + HEALTH_S
            told, self._health_told = self._health_told, self._health()
            if told != self._health_told:
                health = Outgoing(self._topics.health, self._health_told, retain=True)
                await self._publish(link, [health])
        return self._health_at_s - here_s

    async def _tell_status(self, link: Link) -> None:
        """Publish a changed status: ``offline`` while the table is stalled or the broker lacks a
        retained message, otherwise ``online``.
        """
        stalled = self._latest is not None and self._latest.stalled
        word = OFFLINE if stalled or self._keeper.echo.behind else ONLINE
        if word != self._word:
            self._word = word
            await self._publish(link, [self._status(word)])

    def _status(self, word: bytes) -> Outgoing:
        return Outgoing(self._topics.status, word, retain=True)
