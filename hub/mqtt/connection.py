"""One connection to a broker, from connecting to its end, through ``aiomqtt``.

Ref: MQTT 3.1.1 §3.1 (connect, last will), §4.4 (delivery), §4.6 (order); MQTT 5 §3.3.2.3.
"""

import asyncio
import contextlib
import logging
import ssl
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any

import aiomqtt
import paho.mqtt.client as paho
from msgspec import Struct
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from hub.mqtt.failures import NOT_MQTT, TIMED_OUT, ConnectionFailed, failed, refused
from hub.mqtt.guard import MAX_PACKET_BYTES, MOST_UNFINISHED, Guard, is_no_answer
from hub.mqtt.outbox import Outgoing
from hub.mqtt.settings import MqttSettings, Protocol

MAX_WAITING = 256
"""How many received messages may wait to be handled; further ones are dropped.

This is enough for the retained topics of sixteen seats twice: as the broker had kept them, and as
the hub's own messages come back.
"""
MAX_WAITING_BYTES = 4 * MAX_PACKET_BYTES
"""Further messages are dropped, too, once those that wait hold more bytes than this."""
MAX_UNDER_WAY = 10
"""How many published messages may be unacknowledged."""
MOST_HEAD = 64
"""How many bytes a packet may have besides topic and payload."""
TOO_LARGE = "Packet too large"
"""MQTT 5's name of the reason code. A client must not send more than the broker accepts
(§3.2.2.3.6)."""

Answered = Callable[[Outgoing, str | None], None]
"""Called with a message and None when the broker has acknowledged it, or with the reason why it was
refused (by the broker with MQTT 5, or by the hub as :data:`TOO_LARGE`).
"""
_CLIENT_LOG = logging.getLogger(f"{__name__}.client")


class Incoming(Struct, frozen=True):
    """A message received. ``response_topic``, ``correlation``: how its sender wants it answered
    (MQTT 5).
    """

    payload: bytes
    response_topic: str | None = None
    correlation: bytes | None = None
    topic: str = ""
    retained: bool = False
    """Whether the broker had kept the message from before the subscription."""

    def __repr__(self) -> str:
        return f"Incoming({len(self.payload)} bytes)"


class _Inbox(asyncio.Queue[aiomqtt.Message]):
    def _init(self, maxsize: int) -> None:
        super()._init(maxsize)
        self._bytes = 0

    def _put(self, item: aiomqtt.Message) -> None:
        super()._put(item)
        self._bytes += len(item.payload)

    def _get(self) -> aiomqtt.Message:
        item: aiomqtt.Message = super()._get()
        self._bytes -= len(item.payload)
        return item

    def full(self) -> bool:
        return super().full() or self._bytes > MAX_WAITING_BYTES


class Link:
    """An open connection. ``answered`` is called for each message once the broker has acknowledged
    or refused it, or at once if it is too large to send.

    :meth:`received` raises when the connection is lost. Outgoing messages bypass aiomqtt and go
    straight to paho: see :func:`below`.
    """

    def __init__(
        self, client: aiomqtt.Client, guard: Guard, settings: MqttSettings, answered: Answered
    ) -> None:
        self._client, self._guard = client, guard
        self._mqtt = below(client)
        self._settings = settings
        self._v5 = settings.protocol is Protocol.V5
        self._answered = answered
        self._under_way: dict[int, Outgoing] = {}
        guard.under_way = self._under_way
        self._acknowledged = asyncio.Event()
        self._sending = False
        self._mqtt.on_publish = self._note_acknowledged
        self._mqtt.on_socket_register_write = self._write_when_possible

    @property
    def idle(self) -> bool:
        """Whether the broker has acknowledged or refused everything that was sent."""
        return not self._under_way

    def send(self, messages: Sequence[Outgoing]) -> None:
        """Write to the socket now, in order, as much as it accepts; the loop writes what
        is left.
        """
        self._sending = True
        try:
            for message in messages:
                if len(message.topic) + len(message.payload) + MOST_HEAD > self._guard.most_bytes:
                    self._answered(message, TOO_LARGE)
                    continue
                sent = self._mqtt.publish(
                    message.topic,
                    message.payload,
                    min(message.qos, self._settings.most_qos),
                    message.retain,
                    self._properties(message),
                )
                self._under_way[sent.mid] = message
            self._mqtt.loop_write()
        finally:
            self._sending = False
        if self._mqtt.want_write():
            self._write_when_possible(self._mqtt, None, self._mqtt.socket())

    async def settled(self) -> None:
        """Wait until :attr:`idle`. Raises :class:`ConnectionFailed` if that takes too long."""
        while self._under_way:
            self._acknowledged.clear()
            try:
                async with asyncio.timeout(self._settings.timeout_s):
                    await self._acknowledged.wait()
            except TimeoutError:
                raise self._failed(aiomqtt.MqttError(TIMED_OUT)) from None

    async def publish(self, messages: Sequence[Outgoing]) -> None:
        """Send messages in order, and return once the broker has acknowledged or refused them all.

        Raises :class:`ConnectionFailed`.
        """
        self.send(messages)
        await self.settled()

    def _failed(self, error: aiomqtt.MqttError) -> ConnectionFailed:
        return self._guard.fault or failed(error, connected=True)

    def _write_when_possible(self, client: Any, _data: Any, line: Any) -> None:
        # aiomqtt delays this by a turn of the loop. If send() wrote everything meanwhile and
        # removed the writer, the delayed call would wait for ever. send() itself writes before it
        # waits.
        if self._sending or line is None:
            return
        asyncio.get_running_loop().add_writer(line.fileno(), client.loop_write)

    def _note_acknowledged(self, _client: Any, _data: Any, number: int, *_: Any) -> None:
        message = self._under_way.pop(number, None)
        why = self._guard.refusal(number)
        if message is not None:
            self._answered(message, why)
        self._acknowledged.set()

    def _properties(self, message: Outgoing) -> Properties | None:
        if not self._v5:
            return None
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        if message.expiry_s is not None:
            properties.MessageExpiryInterval = message.expiry_s
        if message.correlation is not None:
            properties.CorrelationData = message.correlation
        return properties

    async def subscribe(self, topic: str, *, with_retained: bool = False) -> bool:
        """Subscribe with QoS 1; False if the broker refuses. Raises :class:`ConnectionFailed`.

        ``with_retained``: ask for retained messages, too (MQTT 3.1.1 sends them in any case).
        """
        keep = (
            SubscribeOptions.RETAIN_SEND_ON_SUBSCRIBE
            if with_retained
            else SubscribeOptions.RETAIN_DO_NOT_SEND
        )
        options = SubscribeOptions(qos=1, retainHandling=keep) if self._v5 else None
        try:
            codes = await self._client.subscribe(topic, qos=0 if options else 1, options=options)
        except aiomqtt.MqttError as error:
            raise self._failed(error) from None
        return not any(code.is_failure for code in codes if isinstance(code, ReasonCode))

    async def received(self) -> AsyncIterator[Incoming]:
        """Yield incoming messages. Raises :class:`ConnectionFailed` when the connection is lost."""
        try:
            async for message in self._client.messages:
                yield Incoming(
                    message.payload,
                    getattr(message.properties, "ResponseTopic", None),
                    getattr(message.properties, "CorrelationData", None),
                    str(message.topic),
                    bool(message.retain),
                )
        except aiomqtt.MqttError as error:
            raise self._failed(error) from None


@contextlib.asynccontextmanager
async def connect(
    settings: MqttSettings,
    tls: ssl.SSLContext | None,
    will: Outgoing | None,
    answered: Answered = lambda _message, _why: None,
) -> AsyncIterator[Link]:
    """Connect with a clean session and a new client object; disconnect at the end. ``answered``:
    see :class:`Link`.

    After an exception the socket is closed without a DISCONNECT, so that the broker publishes
    ``will`` (§3.1.2.5). Raises :class:`ConnectionFailed`.
    """
    guard = Guard(settings)
    client = _client(settings, guard.context(tls), will)
    guard.watch(below(client))
    try:
        await _enter(client, guard, settings)
        yield Link(client, guard, settings, answered)
        await client.__aexit__(None, None, None)
    except aiomqtt.MqttError as error:
        why = guard.fault or failed(error, connected=True)
        await _hang_up(guard)
        raise why from None
    except BaseException:
        await _hang_up(guard)
        raise


def below(client: aiomqtt.Client) -> paho.Client:
    """The client of paho that aiomqtt wraps: the only private name of a library that the hub uses.

    aiomqtt's own ``publish`` needs a task for each message, and two turns of the loop until the
    first byte is written. A test checks that the name still exists.
    """
    return client._client


async def _enter(client: aiomqtt.Client, guard: Guard, settings: MqttSettings) -> None:
    try:
        await _finish(client.__aenter__())
    except aiomqtt.exceptions.MqttConnectError as error:
        code = error.rc
        if isinstance(code, ReasonCode) and not is_no_answer(code):
            raise refused(code, settings) from None
        raise guard.fault or failed(error, connected=False) from None
    except aiomqtt.MqttError as error:
        if guard.fault is None and guard.babbles:
            raise ConnectionFailed(NOT_MQTT) from None
        raise guard.fault or failed(error, connected=False) from None
    if guard.fault is not None:  # aiomqtt has not noticed this failure
        raise guard.fault


def _client(
    settings: MqttSettings, context: ssl.SSLContext, will: Outgoing | None
) -> aiomqtt.Client:
    if _CLIENT_LOG.level == logging.NOTSET:
        _CLIENT_LOG.setLevel(logging.CRITICAL)  # everything important comes back as an exception
    v5 = settings.protocol is Protocol.V5
    properties = None
    if v5:
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.MaximumPacketSize = MAX_PACKET_BYTES
        properties.ReceiveMaximum = MOST_UNFINISHED
    return settings.world.mqtt_client(
        settings.host,
        settings.port,
        username=settings.username or None,
        password=settings.password or None,
        identifier=settings.identifier,
        protocol=aiomqtt.ProtocolVersion.V5 if v5 else aiomqtt.ProtocolVersion.V311,
        clean_session=None if v5 else True,
        properties=properties,
        will=None
        if will is None
        else aiomqtt.Will(
            will.topic, will.payload, qos=min(will.qos, settings.most_qos), retain=will.retain
        ),
        keepalive=settings.keepalive_s,
        timeout=settings.timeout_s,
        tls_context=context,
        max_queued_incoming_messages=MAX_WAITING,
        queue_type=_Inbox,
        max_inflight_messages=MAX_UNDER_WAY,
        logger=_CLIENT_LOG,
    )


async def _finish(step: Coroutine[Any, Any, object]) -> None:
    """Finish ``step`` even if this task is cancelled meanwhile; the cancellation is raised
    afterwards.

    aiomqtt connects in a thread, which cannot be interrupted and would leave its socket open.
    """
    task = asyncio.ensure_future(step)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        if not task.cancelled():
            task.exception()
        raise


async def _hang_up(guard: Guard) -> None:
    """Close the socket without a DISCONNECT, which would make the broker forget the will."""
    guard.hang_up()
    await asyncio.sleep(0)  # lets aiomqtt's own task end
