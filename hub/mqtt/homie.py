"""The table as a Homie device, on its own connection, whose last will sets ``$state`` to ``lost``.

Ref: Homie convention 5.0 (device lifecycle, property command topic, alerts).
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from hub.games.game import GM
from hub.games.registry import stage_of, texts
from hub.kernel.bucket import Bucket
from hub.kernel.catalogues import ENGLISH, catalogue
from hub.mqtt.commands import BURST, PER_SECOND
from hub.mqtt.connection import Incoming, Link
from hub.mqtt.keeper import PUT_RIGHT_S, Keeper
from hub.mqtt.outbox import Outgoing
from hub.mqtt.own import AGAIN_S, Fares, OwnConnection, now_s, until_one_ends, wait_for
from hub.mqtt.probe import Probe
from hub.mqtt.settings import MqttSettings
from hub.ports import Announcement, CommandSink
from hub.table.inputs import Command
from hub.wire.homie import DeviceState, command_of, device, device_topic, settable
from hub.wire.payloads import CLEARED
from hub.wire.said import said_text

_QOS = 2
"""The convention recommends QoS 2; because everything is retained, QoS 1 works as well."""

_log = logging.getLogger(__name__)


class HomieDevice(OwnConnection):
    """Publishes the table as a Homie device (a :class:`hub.ports.Publisher`).

    Properties can be set, through ``sink``, only if ``broker.commands`` is on and the broker keeps
    strangers from setting them. ``domain``: the first level of the topics. ``language``: that of
    names, and of what the stage says. ``fares``: see :class:`hub.mqtt.own.OwnConnection`.
    """

    most_qos = _QOS

    def __init__(
        self,
        broker: MqttSettings,
        domain: str,
        language: str = ENGLISH,
        sink: CommandSink | None = None,
        fares: Fares = lambda _up, _why, _words: None,
    ) -> None:
        self._base = device_topic(domain, broker.table)
        super().__init__(broker, self._base, fares)
        self._words, self._texts = catalogue("devices", language), texts(language)
        self._sink = sink if broker.commands else None
        self._latest: Announcement | None = None
        self._probe: Probe | None = None
        self._hears = False
        self._bucket = Bucket(PER_SECOND, BURST)
        self._asking: set[asyncio.Task[None]] = set()
        self._filters = f"{self._base}/+", f"{self._base}/+/+"
        self._keeper = Keeper(self._say, self._filters, self._state(DeviceState.LOST))

    async def __aexit__(self, *_: object) -> None:
        """Publish the state ``disconnected``, if connected, and end the connection."""
        await super().__aexit__()
        for asking in self._asking:
            asking.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)

    def announce(self, announcement: Announcement) -> None:
        """Take in an announcement; the newest one is published."""
        self._latest = announcement
        self._due.set()

    async def _connection(self) -> None:
        self._hears = False
        self._keeper.connected()
        async with self._connect(self._state(DeviceState.LOST)) as link:
            await until_one_ends(self._listen(link), self._tell(link))

    async def _tell(self, link: Link) -> None:
        await self._take_back_large(link)
        for filters in self._filters:
            if not await self._subscribe(link, filters, with_retained=True):
                self._keeper.echo.miss(filters)
        await self._open(link)
        self._is_up()
        described = b""
        told: dict[str, bytes] = {}
        again_s = now_s() + AGAIN_S
        while not self._stop.is_set():
            self._due.clear()
            if self._denied and now_s() >= again_s:
                described, again_s = b"", now_s() + AGAIN_S
                told.clear()
            if self._latest is not None:
                view = self._latest.view
                said = said_text(stage_of(view), self._texts)
                now = device(view, self._words, said, commands=self._hears)
                if now.description != described:
                    described = now.description
                    await self._publish(
                        link, [self._state(DeviceState.INIT), self._kept("$description", described)]
                    )
                    await self._publish(link, self._changes(now.values, told))
                    await self._publish(link, [self._state(DeviceState.READY)])
                await self._publish(link, self._changes(now.values, told))
                await self._put_right(link)
            await wait_for(self._due, self._wait_s())
        await link.publish([self._state(DeviceState.DISCONNECTED)])

    def _wait_s(self) -> float | None:
        """Seconds until the next message is due, unless something happens before; None:
        no limit.
        """
        left_s = self._keeper.echo.look(now_s())
        if self._denied:
            left_s = min(AGAIN_S, AGAIN_S if left_s is None else left_s)
        return PUT_RIGHT_S if self._keeper.echo.foreign else left_s

    def _changes(self, values: Mapping[str, bytes], told: dict[str, bytes]) -> Sequence[Outgoing]:
        wanted = dict(values)
        if self._latest is not None and self._latest.stalled:
            wanted["$alert/journal"] = self._words["stalled"].encode()
        gone = [place for place in told if place not in wanted]
        changed = {place: value for place, value in wanted.items() if told.get(place) != value}
        changed |= dict.fromkeys(gone, CLEARED)
        told.clear()
        told.update(wanted)
        return [self._kept(place, value) for place, value in changed.items()]

    async def _open(self, link: Link) -> None:
        """Subscribe to settable properties, unless strangers could set them."""
        if self._sink is None:
            return
        topics = [f"{self._base}/{place}/set" for place in settable()]
        for topic in topics:
            await self._subscribe(link, topic)
        self._probe = Probe(replace(self._broker, client_id=""), topics[0])
        if await self._probe.anybody_is_heard(link):
            self._say(logging.ERROR, f"nothing below {self._base} can be set: anybody could do it")
        else:
            self._hears = True

    async def _listen(self, link: Link) -> None:
        async for message in link.received():
            place = message.topic.removeprefix(f"{self._base}/")
            if place.endswith("/set"):
                self._take(place.removesuffix("/set"), message)
            else:
                self._keeper.heard(message)
                self._due.set()

    def _take(self, place: str, message: Incoming) -> None:
        if message.retained or (self._probe and self._probe.takes(message.payload)):
            return
        if not self._hears or self._sink is None or self._stop.is_set():
            return
        if not self._bucket.take(asyncio.get_running_loop().time()):
            self._say(logging.WARNING, f"too much is set below {self._base}: the rest is dropped")
            return
        command = command_of(place, message.payload, f"homie-{self._broker.world.hex_token(16)}")
        if command is None:
            self._say(logging.WARNING, f"{self._base}/{place} cannot be set to that")
            return
        asking = asyncio.ensure_future(self._ask(self._sink, command))
        self._asking.add(asking)
        asking.add_done_callback(self._asking.discard)

    @staticmethod
    async def _ask(sink: CommandSink, command: Command) -> None:
        reply = await sink(command, GM)
        if not reply.ok:
            _log.info("what was set was refused: %s", reply.reason)

    def _belongs(self, topic: str) -> Outgoing | None:
        place = topic.removeprefix(f"{self._base}/")
        if place == topic:
            return None
        return self._state(DeviceState.INIT) if place == "$state" else self._kept(place, CLEARED)

    def _kept(self, place: str, payload: bytes) -> Outgoing:
        return Outgoing(f"{self._base}/{place}", payload, retain=True, qos=_QOS)

    def _state(self, state: DeviceState) -> Outgoing:
        return self._kept("$state", state.encode())
