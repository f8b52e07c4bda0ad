"""A separate connection for each output, because each has its own last will.

The connection runs in a task. While the broker is unreachable, the task retries with growing
pauses. The table's publisher, the Homie device and each WLED clock have a connection each.
"""

import asyncio
import logging
import math
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, Self

from msgspec.structs import replace
from paho.mqtt.client import topic_matches_sub

from hub.mqtt.connection import Link, connect
from hub.mqtt.failures import BrokerLacks, ConnectionFailed, HungUp, TooLarge
from hub.mqtt.keeper import Keeper
from hub.mqtt.outbox import Outgoing
from hub.mqtt.probe import lacking
from hub.mqtt.settings import MqttSettings, Protocol, tls_context
from hub.ports import Hindrance

STABLE_S = 10.0
"""How long a connection must last to end a run of failures.

The next failure is then logged again, and followed by a short pause only.
"""
AGAIN_S = 30.0
"""How soon a refused message is sent again, because an ACL may have been corrected or a quota
freed.
"""
MOST_TOO_LARGE = 2
"""How many oversized messages on a filter's topics make the hub stop subscribing to the filter."""
HANG_UP_S = 0.1
"""How long a stop waits for a connecting thread, which cannot be interrupted."""

_SEE_TO = {
    "Not authorized": "mosquitto: acl_file",
    "Packet too large": "mosquitto: message_size_limit, max_packet_size",
}
"""The broker's reason for refusing a message → the broker's settings to check."""

Fares = Callable[[bool, Hindrance | None, str], None]

_log = logging.getLogger(__name__)


class OwnConnection(ABC):
    """A connection for one output. ``broker`` needs a client id that no other client uses.

    ``who``: the output's name in the log. ``fares`` is called at each change: with whether the
    output is connected, the hindrance (None if there is none), and the reason in words.
    """

    leave_s = 0.4
    """The longest that a stop takes, in seconds; the last will stands for messages not sent by
    then.
    """

    most_qos, least_qos = 1, 1
    """The quality of service to ask for, and the least that suffices if the broker offers no
    better."""

    _keeper: Keeper
    """Only an output that retains messages has a keeper, and sets it."""

    def __init__(
        self, broker: MqttSettings, who: str, fares: Fares = lambda _up, _why, _words: None
    ) -> None:
        self._broker, self._who = replace(broker, most_qos=self.most_qos), who
        self._fares = fares
        self._fared: tuple[bool, Hindrance | None, str] | None = None
        self._will: Outgoing | None = None
        self._lacking: BrokerLacks | None = None
        self._ask_again_s = -math.inf
        self._tls = tls_context(broker.tls)
        self._due = asyncio.Event()
        self._stop = asyncio.Event()
        self._up_since_s = math.inf
        self._task: asyncio.Task[None] | None = None
        self._said: set[str] = set()
        self._denied: dict[str, str] = {}
        """Topic → why the broker refused the newest message there on this connection."""
        self._too_large: deque[str] = deque(maxlen=64)
        """Topics of oversized messages received since a connection was last stable."""

    @abstractmethod
    async def _connection(self) -> None:
        """Run one connection until stopped; call :meth:`_is_up` once it is established."""

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run(), name=self._who)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop: let the connection, if there is one, publish its last messages."""
        self._stop.set()
        self._due.set()
        if self._task is not None:
            try:
                await asyncio.wait({self._task}, timeout=self.leave_s)
            finally:
                self._task.cancel()
                await asyncio.wait({self._task}, timeout=HANG_UP_S)

    async def _run(self) -> None:
        wait_s = self._broker.retry_first_s
        while not self._stop.is_set():
            self._up_since_s = math.inf
            self._denied.clear()
            try:
                await self._connection()
                failure, large = None, ""
            except Exception as fault:  # a bug in the hub ends one connection, not all
                error = await self._better_known(fault)
                if self._asks_less(error):
                    continue
                failure = self._failure(error)
                self._note_failure(error)
                large = error.topic if isinstance(error, TooLarge) else ""
            if now_s() - self._up_since_s >= STABLE_S:
                self._said.clear()
                self._too_large.clear()
                wait_s = self._broker.retry_first_s
            if large:
                self._too_large.append(large)
            if failure is not None:
                self._say(*failure)
                await wait_for(self._stop, wait_s)
                wait_s = min(2 * wait_s, self._broker.retry_most_s)

    def _connect(self, will: Outgoing) -> AbstractAsyncContextManager[Link]:
        self._will = will
        return connect(self._broker, self._tls, will, self._answered)

    async def _better_known(self, error: Exception) -> Exception:
        """The reason why the broker hung up without one, found by asking it again; else ``error``
        itself.
        """
        if not isinstance(error, HungUp) or self._broker.protocol is Protocol.V5 or not self._will:
            return error
        if now_s() >= self._ask_again_s:
            self._ask_again_s = now_s() + AGAIN_S
            self._lacking = await lacking(self._broker, self._will)
        return self._lacking or error

    def _asks_less(self, error: Exception) -> bool:
        """Ask for a lower quality of service, if the broker lacks this one and a lower one will do.
        Returns whether it did."""
        if not isinstance(error, BrokerLacks) or not error.qos > self.least_qos:
            return False
        self._broker = replace(self._broker, most_qos=error.qos - 1)
        self._ask_again_s = -math.inf
        self._say(logging.INFO, f"{self._who}: {error}; QoS {error.qos - 1} will do")
        return True

    def _note_failure(self, error: Exception) -> None:
        if isinstance(error, ConnectionFailed):
            self._note(False, error.hindrance, str(error))
        else:
            self._note(False, Hindrance.BROKER_AWAY, type(error).__name__)

    def _note(self, connected: bool, hindrance: Hindrance | None, why: str) -> None:
        fared = connected, hindrance, why
        if fared != self._fared:
            self._fared = fared
            self._fares(*fared)

    async def _subscribe(self, link: Link, topic: str, *, with_retained: bool = False) -> bool:
        """Subscribe to ``topic``. Returns False if the broker refuses, or if the hub leaves the
        topic out because it has brought oversized messages, which end a connection.
        """
        brought = [each for each in self._too_large if topic_matches_sub(topic, each)]
        if len(brought) >= MOST_TOO_LARGE:
            self._say(logging.WARNING, f"the hub does not listen to {topic} until it connects anew")
            return False
        return await link.subscribe(topic, with_retained=with_retained)

    async def _take_back_large(self, link: Link) -> None:
        """Overwrite oversized retained messages on the hub's own topics before subscribing.

        MQTT 3.1.1 delivers retained messages at each subscription.
        """
        right = [self._belongs(topic) for topic in dict.fromkeys(self._too_large)]
        await link.publish([message for message in right if message is not None])

    def _belongs(self, topic: str) -> Outgoing | None:
        return None

    async def _publish(self, link: Link, messages: Sequence[Outgoing]) -> None:
        await link.publish(self._keeper.sent(messages, now_s()))

    async def _put_right(self, link: Link) -> None:
        """Publish the corrections that are due where others, or an earlier run, have left other
        messages.
        """
        if due := self._keeper.due(now_s()):
            await link.publish(due)
            self._keeper.published()

    def _is_up(self) -> None:
        """Note that the connection is established and its messages are up to date."""
        self._up_since_s = now_s()
        self._ask_again_s = -math.inf
        self._note_denied()

    def _note_denied(self) -> None:
        denied = [f"{topic}: {why}" for topic, why in self._denied.items()]
        hindrance = Hindrance.BROKER_DENIES if denied else None
        self._note(True, hindrance, denied[0] if denied else "")

    def _answered(self, message: Outgoing, why: str | None) -> None:
        """Note that the broker has acknowledged ``message``, or ``why`` it was refused."""
        if why is None:
            if self._denied.pop(message.topic, None):
                self._note_denied()
            return
        self._denied[message.topic] = why
        self._note_denied()
        level = logging.ERROR if message.retain else logging.WARNING
        said = f"{why} ({_SEE_TO[why]})" if why in _SEE_TO else why
        self._say(level, f"the broker does not take {message.topic}: it says: {said}")

    def _failure(self, error: Exception) -> tuple[int, str]:
        """Log level and text for the failure that ended a connection.

        Only the text of a :class:`ConnectionFailed` is used, because any other might contain a
        secret.
        """
        why = str(error) if isinstance(error, ConnectionFailed) else type(error).__name__
        return logging.WARNING, f"{self._who} is not told: no connection to the broker: {why}"

    def _say(self, level: int, line: str) -> None:
        """Log a line once until a connection has been stable; repetitions go to the debug level."""
        _log.log(logging.DEBUG if line in self._said else level, "%s", line)
        self._said.add(line)


def now_s() -> float:
    """The event loop's monotonic time, in seconds."""
    return asyncio.get_running_loop().time()


async def wait_for(event: asyncio.Event, seconds: float | None) -> None:
    """Wait until ``event`` is set, for at most ``seconds``; None: without a limit."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


async def until_one_ends(*sides: Coroutine[Any, Any, None]) -> None:
    """Run coroutines side by side until one ends or raises, then cancel the others. Raises what the
    first failed coroutine, in the given order, raised.
    """
    tasks = [asyncio.create_task(side) for side in sides]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
    for end in ends:
        if isinstance(end, Exception):
            raise end
