"""The table as a Homie device, by a connection of its own: its last will is ``$state`` ``lost``.

Ref: Homie convention 5.0 (device lifecycle, property command topic, alerts).
"""

import asyncio
import logging
import secrets
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from hub.mqtt.commands import BURST, PER_SECOND, Bucket
from hub.mqtt.connection import Incoming, Link, connect
from hub.mqtt.outbox import Outgoing
from hub.mqtt.own import OwnConnection, until_one_ends
from hub.mqtt.probe import Probe
from hub.mqtt.settings import MqttSettings
from hub.ports import Announcement, CommandSink
from hub.rules.game import GM
from hub.wire.commands import AnyCommand
from hub.wire.homie import DeviceState, command_of, device, device_topic, settable
from hub.wire.parts import Words
from hub.wire.payloads import CLEARED

MOST_STALE = 256
"""Topics of before that are taken back."""
_QOS = 2
"""What the convention recommends."""

_log = logging.getLogger(__name__)


class HomieDevice(OwnConnection):
    """A :class:`hub.ports.Publisher`. With ``commands`` in ``broker`` and a ``sink``, and unless
    anybody could give them, what can be set is set by it."""

    def __init__(
        self, broker: MqttSettings, domain: str, words: Words, sink: CommandSink | None = None
    ) -> None:
        self._base = device_topic(domain, broker.table)
        super().__init__(broker, self._base)
        self._words = words
        self._sink = sink if broker.commands else None
        self._latest: Announcement | None = None
        self._probe: Probe | None = None
        self._hears = False
        self._bucket = Bucket(PER_SECOND, BURST)
        self._asking: set[asyncio.Task[None]] = set()
        self._stale: dict[str, None] = {}
        """Topics that the broker has kept, and that may be the table's no more."""

    async def __aexit__(self, *_: object) -> None:
        """Say ``disconnected``, if connected."""
        await super().__aexit__()
        for asking in self._asking:
            asking.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)

    def announce(self, announcement: Announcement) -> None:
        """Take note; the newest is told."""
        self._latest = announcement
        self._due.set()

    async def _connection(self) -> None:
        self._hears = False
        self._stale.clear()
        settings = replace(self._broker, commands=False)
        async with connect(settings, self._tls, self._state(DeviceState.LOST)) as link:
            await until_one_ends(self._listen(link), self._tell(link))

    async def _tell(self, link: Link) -> None:
        """Until stopped."""
        await link.subscribe(f"{self._base}/+/+", with_retained=True)
        await link.subscribe(f"{self._base}/$alert/+", with_retained=True)
        await self._open(link)
        self._is_up()
        described = b""
        told: dict[str, bytes] = {}
        while not self._stop.is_set():
            self._due.clear()
            if self._latest is not None:
                now = device(self._latest.view, self._words, commands=self._hears)
                if now.description != described:
                    described = now.description
                    await link.publish(
                        [self._state(DeviceState.INIT), self._kept("$description", described)]
                    )
                    await link.publish(self._changes(now.values, told))
                    await link.publish([self._state(DeviceState.READY)])
                await link.publish(self._changes(now.values, told))
            await self._due.wait()
        await link.publish([self._state(DeviceState.DISCONNECTED)])

    def _changes(self, values: Mapping[str, bytes], told: dict[str, bytes]) -> Sequence[Outgoing]:
        """What of them the broker does not have yet; what it has too much is taken back."""
        wanted = dict(values)
        if self._latest is not None and self._latest.stalled:
            wanted["$alert/journal"] = self._words["stalled"].encode()
        gone = [place for place in (*told, *self._stale) if place not in wanted]
        changed = {place: value for place, value in wanted.items() if told.get(place) != value}
        changed |= dict.fromkeys(gone, CLEARED)
        self._stale.clear()
        told.clear()
        told.update(wanted)
        return [self._kept(place, value) for place, value in changed.items()]

    async def _open(self, link: Link) -> None:
        """Listen to what is set, if that is wanted and not everybody may."""
        if self._sink is None:
            return
        topics = [f"{self._base}/{place}/set" for place in settable()]
        for topic in topics:
            await link.subscribe(topic)
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
            elif message.retained and message.payload and len(self._stale) < MOST_STALE:
                self._stale[place] = None
                self._due.set()

    def _take(self, place: str, message: Incoming) -> None:
        """Do what somebody has set."""
        if message.retained or (self._probe and self._probe.takes(message.payload)):
            return
        if not self._hears or self._sink is None or self._stop.is_set():
            return
        if not self._bucket.take(asyncio.get_running_loop().time()):
            self._say(logging.WARNING, f"too much is set below {self._base}: the rest is dropped")
            return
        command = command_of(place, message.payload, f"homie-{secrets.token_hex(16)}")
        if command is None:
            self._say(logging.WARNING, f"{self._base}/{place} cannot be set to that")
            return
        asking = asyncio.ensure_future(self._ask(self._sink, command))
        self._asking.add(asking)
        asking.add_done_callback(self._asking.discard)

    @staticmethod
    async def _ask(sink: CommandSink, command: AnyCommand) -> None:
        reply = await sink(command, GM)
        if not reply.ok:
            _log.info("what was set was refused: %s", reply.reason)

    def _kept(self, place: str, payload: bytes) -> Outgoing:
        return Outgoing(f"{self._base}/{place}", payload, retain=True, qos=_QOS)

    def _state(self, state: DeviceState) -> Outgoing:
        return self._kept("$state", state.encode())
