"""Keeps what the hub retains at a broker as the hub has told it, even where others publish.

Each connection that retains anything has one: the table's, that of the Homie device, and Home
Assistant's discovery, which goes over the table's.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

from paho.mqtt.client import topic_matches_sub

from hub.mqtt.commands import Bucket
from hub.mqtt.connection import Incoming
from hub.mqtt.echo import MANY_FOREIGN, Echo
from hub.mqtt.outbox import Outgoing

PUT_RIGHT_S = 0.5
"""How often a topic is put right at most, in the long run."""
CORRECTIONS = 32
"""Topics that are put right at once before :data:`PUT_RIGHT_S` holds."""


class Keeper:
    """``say`` writes to the log; ``filters`` are for what is kept. ``will``: what the broker
    publishes when it takes the hub for gone; the broker, and no stranger, may have said that."""

    def __init__(
        self,
        say: Callable[[int, str], None],
        filters: Collection[str],
        will: Outgoing | None = None,
    ) -> None:
        self._say, self._filters, self._will = say, filters, will
        self._corrections = Bucket(1 / PUT_RIGHT_S, CORRECTIONS)
        self._lines: list[tuple[int, str]] = []
        self._crowd_told = False
        self.echo = Echo(will)

    def connected(self) -> None:
        """A new connection: nothing is known of what the broker has."""
        self.echo = Echo(self._will)
        self._crowd_told = False
        self._lines.clear()

    def sent(self, messages: Sequence[Outgoing], now_s: float) -> Sequence[Outgoing]:
        """Note them just before they are published, and return them."""
        self.echo.sent(messages, now_s)
        return messages

    def heard(self, message: Incoming) -> bool:
        """Note a message on a topic that is the hub's; whether the hub has not sent it. A broker
        may bring others' as well (amqtt does): they are left alone."""
        if not _among(tuple(self._filters), message.topic):
            return False
        return self.echo.heard(message.topic, message.payload, retained=message.retained)

    def due(self, now_s: float) -> Sequence[Outgoing]:
        """Corrections to publish now, not more than is fair to a broker where two fight.
        :meth:`published` is called once the broker has them."""
        if self.echo.crowded and not self._crowd_told:
            self._crowd_told = True
            self._say(
                logging.WARNING,
                f"others have written to more than {MANY_FOREIGN} of the table's topics; they are "
                "put right one after the other: let the broker's ACL keep them for the hub",
            )
        right = [*self.echo.sent_again()]
        for topic in self.echo.foreign:
            if not self._corrections.take(now_s):
                break
            right.append(self.correct(topic))
        return self.sent(right, now_s) if right else ()

    def correct(self, topic: str) -> Outgoing:
        """The message that belongs on ``topic``; :meth:`published` says that it was put right."""
        by_others = topic in self.echo.blamed
        right = self.echo.corrected(topic)
        if right.payload and by_others:
            self._lines.append((logging.WARNING, _put_right(topic)))
        elif right.payload and self._will is not None and topic == self._will.topic:
            self._lines.append((logging.INFO, _will_said(self._will)))
        return right

    def published(self) -> None:
        """The broker has acknowledged what was due: say what was put right."""
        lines, self._lines = self._lines, []
        for level, line in lines:
            self._say(level, line)

    def say_refused(self, known: Collection[str] = ()) -> None:
        """Name the messages that the broker has not taken, but for topics of which it is ``known``
        why."""
        for topic, message in self.echo.refused.items():
            if topic in known:
                continue
            size = -(-len(message.payload) // 1024)
            self._say(
                logging.ERROR,
                f"the broker does not take {topic}: its ACL denies it, or its limit for messages "
                f"is too small for {size} KiB (mosquitto: message_size_limit)",
            )


@lru_cache(maxsize=1024)
def _among(filters: tuple[str, ...], topic: str) -> bool:
    return any(topic_matches_sub(each, topic) for each in filters)


def _put_right(topic: str) -> str:
    return (
        f"somebody else published to {topic}; it was put right: let the broker's ACL keep the "
        "table's topics for the hub"
    )


def _will_said(will: Outgoing) -> str:
    word = will.payload.decode()
    return f"the broker said {word} on {will.topic} in the hub's place; it was put right"
