"""Keeps the hub's retained messages at a broker correct, even where others publish.

There are three keepers: for the table's topics, for Home Assistant's discovery (on the same
connection), and for the Homie device (on its own).
"""

import logging
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

from paho.mqtt.client import topic_matches_sub

from hub.kernel.bucket import Bucket
from hub.mqtt.connection import Incoming
from hub.mqtt.echo import MANY_FOREIGN, Echo
from hub.mqtt.outbox import Outgoing

PUT_RIGHT_S = 0.5
"""The shortest interval between corrections in the long run."""
CORRECTIONS = 32
"""How many topics are corrected at once before :data:`PUT_RIGHT_S` applies."""


class Keeper:
    """Keeps the retained topics that match ``filters``.

    ``will``: the connection's last will, which the broker may publish on one of these topics.
    ``say`` writes a line to the log: level, text.
    """

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
        """Begin a new connection, for which the state of the broker's topics is unknown."""
        self.echo = Echo(self._will)
        self._crowd_told = False
        self._lines.clear()

    def sent(self, messages: Sequence[Outgoing], now_s: float) -> Sequence[Outgoing]:
        """Note messages just before they are published, and return them."""
        self.echo.sent(messages, now_s)
        return messages

    def heard(self, message: Incoming) -> bool:
        """Take in a message. Returns whether it is on one of the hub's topics, and was retained or
        another client's."""
        if not _among(tuple(self._filters), message.topic):
            return False
        return self.echo.heard(message.topic, message.payload, retained=message.retained)

    def due(self, now_s: float) -> Sequence[Outgoing]:
        """The messages to publish now: those to be sent once more, and corrections. Corrections are
        limited in rate, in case two clients fight over a topic.
        """
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
        """The message that belongs on ``topic``, which now counts as corrected. :meth:`published`
        logs it if another client, or the broker as last will, had published there.
        """
        by_others = topic in self.echo.blamed
        right = self.echo.corrected(topic)
        if right.payload and by_others:
            line = (
                f"somebody else published to {topic}; it was put right: let the broker's ACL keep "
                "the table's topics for the hub"
            )
            self._lines.append((logging.WARNING, line))
        elif right.payload and self._will is not None and topic == self._will.topic:
            word = self._will.payload.decode()
            line = f"the broker said {word} on {topic} in the hub's place; it was put right"
            self._lines.append((logging.INFO, line))
        return right

    def published(self) -> None:
        """Log the corrections made since the last call; the broker has now acknowledged them."""
        lines, self._lines = self._lines, []
        for level, line in lines:
            self._say(level, line)

    def say_refused(self, known: Collection[str] = ()) -> None:
        """Log the messages that the broker has not accepted.

        ``known``: topics to leave out, because the broker's reason has been logged already.
        """
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
