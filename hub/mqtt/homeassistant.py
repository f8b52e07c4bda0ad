"""Announces the table to Home Assistant, over the table's own connection.

Home Assistant forgets nothing by itself. Parts that are gone (an erased countdown, a seat removed
from the configuration) are therefore announced as gone until Home Assistant has been online to
receive that. The retained message shows which parts earlier runs of the hub have announced.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Sequence

from hub.kernel.bucket import Bucket
from hub.kernel.catalogues import ENGLISH, catalogue
from hub.mqtt.connection import Incoming
from hub.mqtt.keeper import Keeper
from hub.mqtt.outbox import Outgoing
from hub.table.views import PublicView
from hub.wire.homeassistant import (
    MOST_GONE,
    config_payload,
    config_topic,
    known_parts,
    status_topic,
)
from hub.wire.parts import Part, part_of, parts
from hub.wire.payloads import CLEARED, ONLINE

BURST, PER_S = 8, 0.2
"""How often the message is repeated because another client asked for it or changed it: so many
times in a row, and so many times per second in the long run.
"""

_log = logging.getLogger(__name__)


class HomeAssistant:
    """Announces the table over :class:`hub.mqtt.publisher.MqttPublisher`'s connection, after the
    publisher's messages.

    ``table``: the table's name in topics. ``prefix``: Home Assistant's discovery prefix.
    ``language``: that of names, and of what the stage says. ``commands``: whether the table accepts
    commands. Without ``enabled`` an earlier announcement is removed.
    """

    def __init__(
        self,
        table: str,
        prefix: str,
        language: str = ENGLISH,
        *,
        commands: bool,
        enabled: bool = True,
    ) -> None:
        self._table = table
        self._config, self._status = config_topic(prefix, table), status_topic(prefix)
        self._words, self._language = catalogue("devices", language), language
        self._commands, self._enabled = commands, enabled
        self._again = Bucket(PER_S, BURST)
        self._gone: dict[str, None] = {}
        self._told: tuple[Part, ...] = ()
        self._keeper = Keeper(_log.log, (self._config,))
        self._due = self._came = self._awake = False

    def connected(self) -> Sequence[str]:
        """Begin a new connection. Returns the topics to subscribe to."""
        self._keeper.connected()
        self._due, self._came, self._awake = self._enabled, False, False
        return (self._config, self._status) if self._enabled else (self._config,)

    def heard(self, message: Incoming) -> bool:
        """Take in ``message`` if it came on a topic of :meth:`connected`; returns whether it did.
        If so, :meth:`due` may have something new.
        """
        if message.topic == self._config:
            self._heard_config(message)
        elif message.topic == self._status and self._enabled:
            self._awake = message.payload == ONLINE
            if self._awake and self._may_tell_again():
                self._due = self._came = True
        return message.topic in (self._config, self._status)

    def _heard_config(self, message: Incoming) -> None:
        if not self._keeper.heard(message):
            return
        if not self._enabled:
            self._due = self._due or bool(message.payload)
            return
        now = {part.id for part in self._told}
        for name in known_parts(message.payload):
            # One that is announced as gone already may come back from a broker that marks live
            # messages as retained, too: to announce it again would never end.
            if name not in now and name not in self._gone:
                self._forget(name)
                self._due = True

    def _may_tell_again(self) -> bool:
        return self._again.take(asyncio.get_running_loop().time())

    def _forget(self, name: str) -> None:
        self._gone.pop(name, None)
        self._gone[name] = None
        while len(self._gone) > MOST_GONE:
            del self._gone[next(iter(self._gone))]

    def due(self, view: PublicView) -> Sequence[Outgoing]:
        """The messages to publish now for ``view``, in order. They count as sent."""
        if not self._enabled:
            self._due, due = False, self._due
            return [Outgoing(self._config, CLEARED, retain=True)] if due else ()
        now = tuple(parts(view, self._words, commands=self._commands))
        self._keeper.echo.look(asyncio.get_running_loop().time())
        if self.pending and self._may_tell_again():
            self._keeper.correct(self._config)
            self._due = True
        if now == self._told and not self._due:
            return ()
        ids = {part.id for part in now}
        for part in self._told:
            if part.id not in ids and part_of(part.id) is not None:
                self._forget(part.id)
        for name in ids & self._gone.keys():
            del self._gone[name]
        came, self._told = self._came, now
        self._due = self._came = False
        payloads = [self._payload(now, self._gone)]
        if self._gone and self._awake:
            if came:  # it does not know them yet, and removes only parts that it knows
                ghosts = [part for part in map(part_of, self._gone) if part is not None]
                payloads.insert(0, self._payload([*now, *ghosts], ()))
            self._gone.clear()
            payloads.append(self._payload(now, self._gone))
        messages = [Outgoing(self._config, payload, retain=True) for payload in payloads]
        return self._keeper.sent(messages, asyncio.get_running_loop().time())

    def published(self) -> None:
        """Note that the broker has acknowledged everything that :meth:`due` returned."""
        self._keeper.published()

    def keeps(self, topic: str) -> bool:
        """Whether ``topic`` is the one on which the table is announced."""
        return topic == self._config

    def refused(self, topics: Collection[str]) -> None:
        """Count the announcement as due again if its topic is among ``topics``, which the broker
        refused.
        """
        self._due = self._due or self._config in topics

    @property
    def pending(self) -> bool:
        """Whether :meth:`due` is holding a message back for a moment."""
        return self._config in self._keeper.echo.blamed

    def _payload(self, now: Sequence[Part], gone: Iterable[str]) -> bytes:
        return config_payload(self._table, now, self._words, gone, self._language)
