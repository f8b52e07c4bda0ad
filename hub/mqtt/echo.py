"""Watches whether the hub's retained messages come back from the broker.

The hub subscribes to its own retained topics. Its messages come back in order; a message that
another client published there is overwritten: the hub publishes the right message again. A message
that does not come back while later ones do is sent once more, because a broker with a full queue
drops messages to the hub. If the repeated message does not come back either, the broker has not
accepted it: a broker may acknowledge a message and drop it as too large (mosquitto's
``message_size_limit``; MQTT 3.1.1 has no way to refuse it).
"""

from collections import deque
from collections.abc import Sequence

import msgspec
from msgspec import Struct
from paho.mqtt.client import topic_matches_sub

from hub.mqtt.outbox import Outgoing
from hub.table.views import PublicView

MOST_FOREIGN = 1024
"""How many topics written by other clients are remembered until they are corrected."""
MOST_LATE = 32
"""How many overdue messages of the hub are still recognized if they come back."""
MANY_FOREIGN = 64
"""If others write to more topics than this, or send more messages, a missing message proves
nothing: the broker may have dropped its messages to the hub again and again.
"""
OVERDUE_S = 5.0
"""How long a message may take to come back. An overdue message is sent once more; if it is overdue
again, the broker has not accepted it.
"""
SUSPECT_BYTES = 512
"""The smallest payload whose size may have made a broker hang up."""
SILENT_S = 1.5
"""How long to wait for the first message to come back; after that, the broker evidently does not
let the hub read.
"""


class _Told(Struct):
    """The fields of a ``state`` message that say which log it was, and its newest record at that
    time.
    """

    log: str
    seq: int


def _read(payload: bytes) -> _Told | None:
    try:
        return msgspec.json.decode(payload, type=_Told)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def told_on(payload: bytes, view: PublicView) -> str:
    """A warning about a retained ``state`` of the same log that is ahead of ``view``; otherwise
    empty.

    The reason is that the journal was shortened, or that a stranger has published there.
    """
    told = _read(payload)
    if told is None or told.log != view.log or told.seq <= view.seq:
        return ""
    return (
        f"record {told.seq} of this log was told at the broker before, and the journal ends "
        f"with record {view.seq}: it was shortened, or others publish there"
    )


def another_table(payload: bytes, view: PublicView) -> str:
    """A warning that ``payload`` on the hub's topic ``state`` comes from another log; otherwise
    empty.
    """
    told = _read(payload)
    if told is None or told.log == view.log:
        return ""
    return (
        f"another table is called {view.table} at this broker, and each throws the other off: give "
        "one of them another name under [table]"
    )


class _Sent(Struct, frozen=True):
    """A message that should come back. ``strange``: how many foreign messages came before it was
    sent.
    """

    at_s: float
    message: Outgoing
    strange: int


class Echo:
    """Compares what one connection has published, to be retained, with what comes back. ``will``:
    the connection's last will.
    """

    def __init__(self, will: Outgoing | None = None) -> None:
        self.heard_any = False
        """Whether anything has come back. If not, the broker may not let the hub read."""
        self.refused: dict[str, Outgoing] = {}
        """Topic → the message that the broker has not accepted."""
        self.blamed: set[str] = set()
        """Topics in :attr:`foreign` where another client, not the hub's last will, has published.
        """
        self._will = will
        self._deaf = False
        self._unheard: list[str] = []
        self._again: dict[str, Outgoing] = {}
        self._doubted: dict[str, Outgoing] = {}
        self._late: deque[tuple[str, bytes]] = deque(maxlen=MOST_LATE)
        self._kept: dict[str, Outgoing] = {}
        self._awaited: deque[_Sent] = deque()
        self._strange = 0
        self._foreign: dict[str, None] = {}
        self._before: dict[str, None] = {}

    def sent(self, messages: Sequence[Outgoing], now_s: float) -> None:
        """Note messages that are about to be published."""
        if self._deaf:
            return
        for message in messages:
            if not any(topic_matches_sub(each, message.topic) for each in self._unheard):
                self._awaited.append(_Sent(now_s, message, self._strange))
            if message.topic in self._kept or message.payload:
                self._kept[message.topic] = message

    def heard(self, topic: str, payload: bytes, *, retained: bool) -> bool:
        """Take in a message. Returns whether another client sent it, or it was ``retained``."""
        if self._deaf:
            return retained
        if self._strange > MANY_FOREIGN:
            self.heard_any = True
        if retained:
            self._strange += 1
            if payload:
                self._note(self._before, topic)
            return True
        for place, each in enumerate(self._awaited):
            if each.message.topic == topic and each.message.payload == payload:
                self.heard_any = True
                del self._awaited[place]
                if not self.crowded:
                    for _ in range(place):
                        self._give_up(self._awaited.popleft())
                self._came_back(topic)
                return False
        if (topic, payload) in self._late:
            self._late.remove((topic, payload))
            kept = self._kept.get(topic)
            if kept is not None and kept.payload == payload:
                self._came_back(topic)
            return False
        self._strange += 1
        self._note(self._foreign, topic)
        if topic in self._foreign and not self._is_will(topic, payload):
            self.blamed.add(topic)
        return True

    def look(self, now_s: float) -> float | None:
        """Give up overdue messages. Returns the seconds until the next awaited message is overdue;
        None if none is awaited.
        """
        while self._awaited:
            left_s = self._awaited[0].at_s + OVERDUE_S - now_s
            if left_s > 0:
                return left_s
            self._give_up(self._awaited.popleft())
        return None

    def miss(self, topics: str) -> None:
        """Expect nothing from topics that match the filter ``topics``: the hub cannot subscribe to
        them.
        """
        self._unheard.append(topics)

    def stop_listening(self) -> None:
        """Expect nothing any more, because the broker does not let the hub read."""
        self._deaf = True
        self._awaited.clear()
        self._again.clear()
        self._doubted.clear()
        self._foreign.clear()
        self._before.clear()
        self.blamed.clear()

    def refuse(self, message: Outgoing) -> None:
        """Note that the broker has refused this message, so that it will not come back."""
        self._awaited = deque(each for each in self._awaited if each.message is not message)
        for pending in (self._doubted, self._again):
            pending.pop(message.topic, None)
        self._refuse(message)

    def take(self, topic: str) -> None:
        """Note that the broker now accepts a topic that it refused before."""
        self.refused.pop(topic, None)

    def refuse_largest(self) -> None:
        """Count :attr:`suspect`, if there is one, as refused: the broker hung up because of a
        message.
        """
        if self.suspect is not None:
            self._refuse(self.suspect)

    @property
    def suspect(self) -> Outgoing | None:
        """The unreturned message most likely to be too large for the broker; None if all
        are small.
        """
        sent = [each.message for each in self._awaited]
        largest = max(sent, key=lambda message: len(message.payload), default=None)
        large = largest is not None and len(largest.payload) >= SUSPECT_BYTES
        return largest if large else None

    @property
    def behind(self) -> bool:
        """Whether the broker is known to lack a message, because it did not come back in time."""
        return bool(self.refused or self._doubted)

    @property
    def settled(self) -> bool:
        """Whether everything sent has come back or was given up."""
        return not self._awaited and not self._again

    @property
    def foreign(self) -> Sequence[str]:
        """Topics where others have published, or that no longer belong to the hub."""
        return (*self._foreign, *(topic for topic in self._before if topic not in self._kept))

    def sent_again(self) -> Sequence[Outgoing]:
        """The messages to publish once more because they did not come back. The list is
        then empty.
        """
        again = tuple(self._again.values())
        self._again.clear()
        return again

    def corrected(self, topic: str) -> Outgoing:
        """The message that belongs on ``topic``, which counts as corrected from now on."""
        self._foreign.pop(topic, None)
        self._before.pop(topic, None)
        self.blamed.discard(topic)
        return self._kept.get(topic, Outgoing(topic, b"", retain=True))

    def _is_will(self, topic: str, payload: bytes) -> bool:
        will = self._will
        return will is not None and (topic, payload) == (will.topic, will.payload)

    def _came_back(self, topic: str) -> None:
        for pending in (self.refused, self._doubted, self._again):
            pending.pop(topic, None)

    @property
    def crowded(self) -> bool:
        """Whether others have written to too many topics to correct them all at once."""
        return len(self.foreign) > MANY_FOREIGN

    def _give_up(self, sent: _Sent) -> None:
        """Mark a message that did not come back to be sent once more, or count it as refused after
        that.

        While much foreign traffic comes, a message is not counted as refused, because the broker
        may have dropped it on its way back to the hub again.
        """
        message = sent.message
        topic = message.topic
        self._late.append((topic, message.payload))
        if self._kept.get(topic) is not message:
            return
        busy = self.crowded or self._strange - sent.strange > MANY_FOREIGN
        if self._doubted.get(topic) is message and not busy:
            self._refuse(message)
        else:
            self._doubted[topic] = self._again[topic] = message

    def _refuse(self, message: Outgoing) -> None:
        if self._kept.get(message.topic) is message:
            self.refused[message.topic] = message

    @staticmethod
    def _note(topics: dict[str, None], topic: str) -> None:
        if len(topics) < MOST_FOREIGN:
            topics[topic] = None
