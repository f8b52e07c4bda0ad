"""WLED devices as clocks: the hub sends them the colour of each light.

Each device has its own connection, so that its last will can show that the hub is gone. Nothing is
retained: a returning device is sent everything again. A device says ``online`` at each change of
its state, so only the first ``online`` after an ``offline`` means that it has returned.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from hub.firmware.common import faces
from hub.firmware.common.faces import Facts
from hub.mqtt.connection import Link
from hub.mqtt.outbox import Outgoing
from hub.mqtt.own import Fares, OwnConnection, until_one_ends, wait_for
from hub.mqtt.settings import MqttSettings
from hub.ports import Announcement
from hub.table.views import PublicView, count_awaited
from hub.wire import wled
from hub.wire.payloads import OFFLINE, ONLINE


def learn(facts: Facts, shows: str, of: str, told: Announcement, now_ms: int) -> None:
    """Copy from the announcement ``told`` to ``facts`` everything that the clock shows.

    ``shows``, ``of``: as in :class:`WledSettings`; ``now_ms``: the table's time.
    """
    view = told.view
    facts.online = not told.stalled
    facts.phase = str(view.phase)
    facts.awaited, facts.committed = count_awaited(view), len(view.committed)
    facts.reveal_at = None if view.reveal_at is None else _ms(view.reveal_at)
    facts.revealed_at = told.revealed_at_ms
    timer = view.timer
    facts.deadline = None if timer is None else _ms(timer.deadline)
    facts.total = 0 if timer is None else round(timer.seconds * 1000)
    facts.warnings = () if timer is None else tuple(round(each * 1000) for each in timer.warnings)
    if shows == faces.COUNTDOWN:
        facts.count(*_countdown(view, of), now_ms)
    for seat in view.seats:
        if seat.seat == of:
            facts.seat_lost = seat.reader == "lost"
            facts.seat_awaited, facts.seat_committed = seat.awaited, seat.committed


def _countdown(view: PublicView, of: str) -> tuple[int, int]:
    for each in view.story.countdowns if view.story else ():
        if of in ("", each.id, each.name):
            return each.boxes, each.marked
    return 0, 0


def _ms(utc: str) -> int:
    return round(datetime.fromisoformat(utc).timestamp() * 1000)


FRAME_S = 0.25
"""The shortest interval between frames of moving lights, because the device has other work to do.
"""
REPAINT_S = 60.0
"""How often everything is sent again, because a message to a device may get lost (QoS 0)."""


class WledSettings(Struct, frozen=True, kw_only=True):
    """One device, and what it shows. ``lights``: how many lights it has, in its segment number
    ``segment``; ``brightness``: 1 to 255.
    """

    topic: str
    """The device's topic, as in its own MQTT settings."""
    shows: str
    """The name of what is shown, one of :data:`hub.firmware.common.faces.SHOWS`."""
    of: str = ""
    """The countdown's name or id (empty: the first countdown), or the seat's name."""
    lights: int
    segment: int = 0
    brightness: int = 128
    presets: Mapping[str, int] = {}
    """Mood → the number of the device's preset that shows it, instead of single lights."""


class WledClock(OwnConnection):
    """Shows one thing on one device (a :class:`hub.ports.Publisher`).

    ``now_ms`` returns the table's time; ``fares``: see :class:`hub.mqtt.own.OwnConnection`.
    """

    least_qos = 0

    def __init__(
        self,
        broker: MqttSettings,
        settings: WledSettings,
        now_ms: Callable[[], int],
        fares: Fares = lambda _up, _why, _words: None,
    ) -> None:
        super().__init__(broker, f"the clock {settings.topic}", fares)
        self._settings = settings
        self._now_ms = now_ms
        self._facts = Facts()
        self._shown: list[wled.Colour | None] | int = []
        """The lights that the device is believed to show, or the number of the preset; empty:
        unknown.
        """
        self._awake = False
        self._there = False
        self._was_dark = False

    def announce(self, announcement: Announcement) -> None:
        """Take in an announcement; the newest one is shown."""
        settings = self._settings
        learn(self._facts, settings.shows, settings.of, announcement, self._now_ms())
        self._due.set()

    async def _connection(self) -> None:
        device = self._settings.topic
        gone = self._gone()
        self._there = self._was_dark = False
        self._forget()
        async with self._connect(gone[-1]) as link:
            for topic in (wled.status_topic(device), wled.brightness_topic(device)):
                await self._subscribe(link, topic, with_retained=True)
            self._is_up()
            await until_one_ends(self._listen(link), self._show(link))
            await link.publish(gone)

    async def _listen(self, link: Link) -> None:
        async for message in link.received():
            if message.topic == wled.brightness_topic(self._settings.topic):
                dark = message.payload == b"0"
                if self._was_dark and not dark:  # the device has its own lights again
                    self._shown = []
                    self._due.set()
                self._was_dark = dark
            elif message.payload == OFFLINE:
                self._there = False
            elif message.payload == ONLINE and not self._there:
                self._there = True
                self._forget()
                self._due.set()

    def _forget(self) -> None:
        self._shown, self._awake = [], False

    async def _show(self, link: Link) -> None:
        time_s = asyncio.get_running_loop().time
        repaint_s = time_s() + REPAINT_S
        while not self._stop.is_set():
            self._due.clear()
            if time_s() >= repaint_s:
                repaint_s = time_s() + REPAINT_S
                self._shown = []
            now_ms = self._now_ms()
            await link.publish(self._messages(now_ms))
            if faces.rests(self._settings.shows, self._facts, now_ms):
                await wait_for(self._due, repaint_s - time_s())
            else:
                await wait_for(self._stop, FRAME_S)

    def _messages(self, now_ms: int) -> Sequence[Outgoing]:
        settings = self._settings
        number = settings.presets.get(faces.mood(settings.shows, self._facts, now_ms))
        if number is not None and self._shown == number:
            return ()
        payloads: list[bytes] = []
        if not self._awake or isinstance(self._shown, int) or number is not None:
            payloads.append(wled.wake(settings.brightness))
            self._awake = True
        if number is not None:
            payloads.append(wled.preset(number))
            self._shown = number
        else:
            lights = self._painted(self._facts, now_ms)
            known = [] if isinstance(self._shown, int) else self._shown
            payloads += wled.pixels(settings.segment, known or [None] * len(lights), lights)
            self._shown = [*lights]
        return [self._to_device(payload) for payload in payloads]

    def _painted(self, facts: Facts, now_ms: int) -> list[wled.Colour]:
        lights: list[wled.Colour] = [faces.DARK] * self._settings.lights
        faces.paint(lights, self._settings.shows, facts, now_ms)
        return lights

    def _gone(self) -> Sequence[Outgoing]:
        """The messages that show that the hub is gone; the last one is the last will."""
        settings = self._settings
        number = settings.presets.get("offline")
        if number is not None:
            return [self._to_device(wled.preset(number))]
        lights = self._painted(Facts(), 0)
        dark: list[wled.Colour | None] = [None] * settings.lights
        return [self._to_device(each) for each in wled.pixels(settings.segment, dark, lights)]

    def _to_device(self, payload: bytes) -> Outgoing:
        return Outgoing(wled.api_topic(self._settings.topic), payload)
