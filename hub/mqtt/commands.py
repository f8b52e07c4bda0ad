"""Commands that come over MQTT. Their size, rate and number are limited, each is carried out once,
and all but the excess of a flood are answered.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

from hub.games.game import GM
from hub.kernel.bucket import Bucket
from hub.kernel.reasons import Reason
from hub.mqtt.connection import Incoming
from hub.mqtt.outbox import Outgoing
from hub.ports import CommandSink
from hub.table.inputs import Command, CommandFault
from hub.wire.payloads import reply_payload
from hub.wire.reading import decode_command, meaning
from hub.wire.replies import ANOTHERS_ID, Code, Reply
from hub.wire.topics import Topics

PER_SECOND = 20
BURST = 40
"""How many commands are accepted at once before :data:`PER_SECOND` applies."""
REMEMBERED = 256
REMEMBERED_S = 300.0
"""How long a command's id is remembered: the same command is then not repeated, but answered as
before.

QoS 1 may deliver a message twice (§4.3.2).
"""
MOST_DOING = 16
"""How many commands may be in work at the same time."""
REPLY_EXPIRY_S = 60
"""How long a broker keeps an answer for a client that is away (MQTT 5 only)."""

_log = logging.getLogger(__name__)


class _Done(Struct, frozen=True):
    until_s: float
    sense: bytes
    task: asyncio.Task[Reply]


class CommandDesk:
    """Takes in commands, has them carried out by ``sink``, and passes the answers to ``send``.

    Each command has its own task, begun in the order of arrival; a lost connection does not
    interrupt it. Commands count as the GM's, because the broker controls who may send them.
    """

    def __init__(self, sink: CommandSink, topics: Topics, send: Callable[[Outgoing], None]) -> None:
        self._sink = sink
        self._topics = topics
        self._send = send
        self._bucket = Bucket(PER_SECOND, BURST)
        self._done: OrderedDict[str, _Done] = OrderedDict()
        self._answering: set[asyncio.Task[None]] = set()
        self._flooded = False
        self.closed: tuple[Reason, Code] | None = None
        """Why commands are not carried out at the moment; None if they are."""

    def take(self, message: Incoming) -> None:
        """Begin to answer a message. In a flood only the first excess command is answered."""
        now_s = asyncio.get_running_loop().time()
        if len(self._answering) >= MOST_DOING or not self._bucket.take(now_s):
            if not self._flooded:
                _log.warning("too many commands: more than %d a second are dropped", PER_SECOND)
                self._refuse(message, Reason("too-many-commands", most=PER_SECOND), Code.BUSY)
            self._flooded = True
            return
        self._flooded = False
        try:
            command = decode_command(message.payload)
        except CommandFault as fault:
            self._refuse(message, fault.reason, Code.MALFORMED)
            return
        if not command.id:
            self._refuse(message, Reason("id-needed"), Code.MALFORMED)
            return
        if self.closed is not None:
            self._refuse(message, *self.closed, command.id)
            return
        doing = self._memo(command, now_s)
        if doing is None:
            self._refuse(message, ANOTHERS_ID, Code.ILLEGAL, command.id)
            return
        task = asyncio.ensure_future(self._answer(message, doing))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def close(self) -> None:
        """Cancel all commands that are not answered yet."""
        tasks = [*self._answering, *(done.task for done in self._done.values())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _memo(self, command: Command, now_s: float) -> asyncio.Task[Reply] | None:
        """The task that carries out the command, perhaps begun earlier; None if the id was another
        command's.

        Commands are compared by meaning, not by bytes.
        """
        while self._done and (
            len(self._done) >= REMEMBERED or next(iter(self._done.values())).until_s < now_s
        ):
            self._done.popitem(last=False)
        sense = meaning(command)
        if command.id not in self._done:
            task = asyncio.ensure_future(self._carry_out(command))
            self._done[command.id] = _Done(now_s + REMEMBERED_S, sense, task)
        done = self._done[command.id]
        return done.task if done.sense == sense else None

    async def _carry_out(self, command: Command) -> Reply:
        try:
            return await self._sink(command, GM)
        except Exception as error:  # the sink promised not to raise: report it and go on
            _log.error("a command failed: %s", type(error).__name__)
            return Reply(command.id, False, Reason("hub-failed"), code=Code.FAILED)

    async def _answer(self, message: Incoming, doing: asyncio.Task[Reply]) -> None:
        self._reply(message, await asyncio.shield(doing))

    def _refuse(self, message: Incoming, why: Reason, code: Code, name: str = "") -> None:
        self._reply(message, Reply(name, False, why, code=code))

    def _reply(self, message: Incoming, reply: Reply) -> None:
        wanted = message.response_topic
        topic = wanted if wanted and self._topics.is_reply(wanted) else self._topics.reply
        self._send(
            Outgoing(
                topic,
                reply_payload(reply),
                expiry_s=REPLY_EXPIRY_S,
                correlation=message.correlation,
            )
        )
