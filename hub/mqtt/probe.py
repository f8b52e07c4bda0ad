"""Questions about a broker that only a trial can answer: whom it lets in, which messages it takes
and keeps.

The hub's own login proves nothing: mosquitto with a password file and ``allow_anonymous true``
admits clients without a login. So a stranger connects and publishes a message, which can never be a
command, on the command topic; the hub watches whether it arrives.
"""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hub.mqtt.connection import Answered, Incoming, Link, connect
from hub.mqtt.failures import BrokerLacks, ConnectionFailed, HungUp
from hub.mqtt.outbox import Outgoing
from hub.mqtt.settings import MqttSettings, tls_context
from hub.wire.payloads import NO_EVENTS
from hub.wire.topics import Topics
from hub.world import MACHINE

_ANSWER_S = 3.0


ARRIVE_S = 1.0
_CONNECT_S = 2.0
_SAID = re.compile(rb"probed? [0-9a-f]{32}")


class Probe:
    """A test whether a stranger's message on ``topic``, where commands come, reaches the hub."""

    def __init__(self, settings: MqttSettings, topic: str) -> None:
        token = settings.world.hex_token(16)
        self._topic = topic
        self._strange, self._own = f"probe {token}".encode(), f"probed {token}".encode()
        self._heard: set[bytes] = set()
        self._news = asyncio.Event()
        self._stranger = replace(
            settings,
            username="",
            password="",
            commands=False,
            client_id=f"probe-{token[:16]}",
            timeout_s=min(settings.timeout_s, _CONNECT_S),
            tls=settings.tls and replace(settings.tls, cert="", key=""),
        )

    def takes(self, payload: bytes) -> bool:
        """Whether ``payload`` is a probe's message, of this probe or another, and so no command."""
        if payload in (self._strange, self._own):
            self._heard.add(payload)
            self._news.set()
        return _SAID.fullmatch(payload) is not None

    async def anybody_is_heard(self, link: Link) -> bool:
        """Whether a stranger's message reaches the hub, which listens on ``link``, in time."""
        if not await self._speak():
            return False
        # The broker keeps the order: the stranger's message would arrive before this one.
        await link.publish([Outgoing(self._topic, self._own)])
        with suppress(TimeoutError):
            async with asyncio.timeout(ARRIVE_S):
                while not self._heard:
                    await self._news.wait()
        return self._strange in self._heard

    async def _speak(self) -> bool:
        tls = tls_context(self._stranger.tls)
        try:
            async with asyncio.timeout(_CONNECT_S), connect(self._stranger, tls, None) as link:
                await link.publish([Outgoing(self._topic, self._strange)])
        except (ConnectionFailed, TimeoutError):
            return False
        return True


async def open_to_anybody(settings: MqttSettings) -> bool:
    """Whether a stranger's command would reach the hub. Raises :class:`ConnectionFailed`.

    A running hub is not disturbed, because the test has its own client id, and no hub takes the
    test's messages for commands.
    """
    topic = Topics(settings.table).command
    name = f"check-{settings.world.hex_token(6)}"
    asking = replace(settings, client_id=name, timeout_s=min(settings.timeout_s, _ANSWER_S))
    async with connect(asking, tls_context(settings.tls), None) as link:
        if not await link.subscribe(topic):
            raise ConnectionFailed(f"it does not let the hub read {topic}")
        probe = Probe(asking, topic)
        async with _meanwhile(_listen(link, probe)):
            return await probe.anybody_is_heard(link)


async def lacking(settings: MqttSettings, will: Outgoing) -> BrokerLacks | None:
    """The feature whose lack makes a broker with MQTT 3.1.1 hang up on ``will``; None if that is
    not the reason.

    MQTT 3.1.1 has no reason code for that, so plainer wills are tried.
    """
    qos = min(will.qos, settings.most_qos)
    for plainer, why in (
        (replace(will, qos=0), BrokerLacks(qos=qos)),
        (replace(will, retain=False), BrokerLacks()),
    ):
        # A broker that has just started accepts both.
        if (
            plainer != will
            and await _takes_will(settings, plainer)
            and not await _takes_will(settings, will)
        ):
            return why
    return None


async def _takes_will(settings: MqttSettings, will: Outgoing) -> bool:
    tls = tls_context(settings.tls)
    with suppress(ConnectionFailed):
        async with connect(settings, tls, will):
            return True
    return False


@asynccontextmanager
async def _meanwhile(listening: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(listening)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _listen(link: Link, probe: Probe) -> None:
    async for message in link.received():
        probe.takes(message.payload)


ENOUGH_BYTES, LEAST_BYTES = 200 * 1024, 32 * 1024
"""The sizes to test, both below the limit that docs/connect/broker.md advises. A table of sixteen
seats needs a tenth of that limit.
"""
_SMALL_BYTES = 64
_BACK_S = 1.0
_STANDING_S = 0.4  # retained messages come at once


class Tried(Struct, frozen=True):
    """What a test has found out about a broker."""

    heard: bool
    """Whether messages that the hub publishes on the table's topics come back to it."""
    largest: int
    """The largest tested message that came back, in bytes; 0 for none."""
    tried: int
    """The largest size that would have been tested, in bytes."""
    refused: dict[str, str]
    """Topic of the table → why the broker refuses the hub's message there.

    The reason is empty if the message did not come back and the broker gave none (MQTT 3.1.1).
    """
    open_to_anybody: bool
    """Whether a message from a client without a login arrives on the table's command topic."""
    kept: dict[str, bytes]
    """Retained topic → payload: the messages that the broker had kept, of this table and of the
    other topics asked for.
    """


async def try_out(
    settings: MqttSettings, others: Sequence[str] = (), *, events: bool = True
) -> Tried:
    """Test the broker. Raises :class:`ConnectionFailed`.

    ``others``: topics besides the table's whose retained messages are wanted. ``events``: whether
    to test the event topic, which is possible only while no hub publishes there.
    """
    asking = replace(
        settings,
        most_qos=1,
        client_id=f"doctor-{settings.world.hex_token(6)}",
        timeout_s=min(settings.timeout_s, _ANSWER_S),
    )
    tls = tls_context(asking.tls)
    topics = Topics(settings.table)
    own = topics.trial
    kept: dict[str, bytes] = {}
    refused: dict[str, str] = {}
    largest = 0

    def answered(message: Outgoing, why: str | None) -> None:
        if why and message.topic != own:
            refused[message.topic] = why

    async with _let_in(asking, tls, Outgoing(own, b"", retain=True), answered) as link:
        hears = await link.subscribe(own)
        collector = _Collector(link, own, kept)
        async with _meanwhile(collector.listen()):
            await link.publish([Outgoing(own, b"")])  # everything later comes after this one
            for topic in (*topics.retained, *others):
                await link.subscribe(topic, with_retained=True)
            await asyncio.sleep(_STANDING_S)
            if hears and await collector.comes_back(_SMALL_BYTES):
                largest = _SMALL_BYTES
                if events:
                    await link.subscribe(topics.event)
                    if not await collector.hears(topics.event, NO_EVENTS):
                        refused.setdefault(topics.event, "")
    if largest:
        for size in (LEAST_BYTES, ENOUGH_BYTES):
            if not await _takes(asking, own, size):
                break
            largest = size
    stranger = await open_to_anybody(replace(asking, commands=False))
    return Tried(bool(largest), largest, ENOUGH_BYTES, refused, stranger, kept)


@asynccontextmanager
async def _let_in(
    settings: MqttSettings, tls: ssl.SSLContext | None, will: Outgoing, answered: Answered
) -> AsyncIterator[Link]:
    """Connect with a last will, as a hub does, because a broker may hang up on account of
    the will.
    """
    try:
        async with connect(settings, tls, will, answered) as link:
            yield link
    except HungUp as error:
        raise await lacking(settings, will) or error from None


async def _takes(settings: MqttSettings, topic: str, size: int) -> bool:
    """Whether a message of ``size`` bytes comes back. An oversized one may end the connection."""
    tls = tls_context(settings.tls)
    with suppress(ConnectionFailed):
        async with connect(settings, tls, None) as link:
            if not await link.subscribe(topic):
                return False
            collector = _Collector(link, topic, {})
            async with _meanwhile(collector.listen()):
                return await collector.comes_back(size)
    return False


class _Collector:
    """Notes the test's messages that come back, and collects retained messages in ``kept``.
    ``own``: the topic for tests of size.
    """

    def __init__(self, link: Link, own: str, kept: dict[str, bytes]) -> None:
        self._link = link
        self._own = own
        self._kept = kept
        self._back: set[tuple[str, bytes]] = set()
        self._news = asyncio.Event()

    async def listen(self) -> None:
        with suppress(ConnectionFailed):
            async for message in self._link.received():
                self._note(message)

    def _note(self, message: Incoming) -> None:
        if message.retained and message.payload:
            self._kept[message.topic] = message.payload
        else:
            self._back.add((message.topic, message.payload))
            self._news.set()

    async def comes_back(self, size: int) -> bool:
        return await self.hears(self._own, MACHINE.hex_token(16).encode().ljust(size, b"."))

    async def hears(self, topic: str, payload: bytes) -> bool:
        said = topic, payload
        await self._link.publish([Outgoing(topic, payload)])
        with suppress(TimeoutError):
            async with asyncio.timeout(_BACK_S):
                while said not in self._back:
                    self._news.clear()
                    await self._news.wait()
        return said in self._back
