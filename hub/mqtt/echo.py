"""What the broker makes of what the hub retains there: it comes back, or it does not.

The hub listens to its own retained topics. What it has published comes back in order; what others
published instead is taken back by publishing the right thing again. A message that does not come
back while later ones do was not taken: a broker may acknowledge and drop what is too large for it
(mosquitto's ``message_size_limit``; MQTT 3.1.1 has no way to say no).
"""

from collections import deque
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from hub.mqtt.outbox import Outgoing
from hub.table.views import PublicView

MOST_FOREIGN = 64
"""Topics of others that are remembered until they are put right."""
OVERDUE_S = 5.0
"""When a message has not come back by then, although others have, it was not taken."""
SILENT_S = 1.5
"""When nothing has come back by then, the broker does not let the hub read."""


class _Told(Struct):
    """Of a ``state`` what says how far the log was."""

    log: str
    seq: int


def told_further(payload: bytes, view: PublicView) -> int | None:
    """The record that a ``state`` of the same log, kept by the broker, includes and ``view`` lacks:
    the journal was shortened, or a stranger has published there."""
    try:
        told = msgspec.json.decode(payload, type=_Told)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return told.seq if told.log == view.log and told.seq > view.seq else None


def told_on(payload: bytes, view: PublicView) -> str:
    """What is to be said of a ``state`` that knows more than the journal; empty if it does not."""
    if (further := told_further(payload, view)) is None:
        return ""
    return (
        f"record {further} of this log was told at the broker before, and the journal ends "
        f"with record {view.seq}: it was shortened, or others publish there"
    )


def another_table(payload: bytes, view: PublicView) -> str:
    """What is to be said of a ``state`` that the broker keeps although this hub had told its own
    there; empty if it is of the same log."""
    try:
        told = msgspec.json.decode(payload, type=_Told)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""
    if told.log == view.log:
        return ""
    return (
        f"another table is called {view.table} at this broker, and each throws the other off: give "
        "one of them another name under [table]"
    )


class Echo:
    """The retained topics of one connection, as sent and as heard."""

    def __init__(self) -> None:
        self.heard_any = False
        """Whether anything has come back: a broker may keep the hub from reading."""
        self.refused: dict[str, Outgoing] = {}
        """Topic → what the broker has not taken."""
        self._deaf = False
        self._kept: dict[str, Outgoing] = {}
        self._awaited: deque[tuple[float, Outgoing]] = deque()
        self._foreign: dict[str, None] = {}
        self._before: dict[str, None] = {}

    def sent(self, messages: Sequence[Outgoing], now_s: float) -> None:
        """These are about to be published."""
        if self._deaf:
            return
        for message in messages:
            self._awaited.append((now_s, message))
            if message.topic in self._kept or message.payload:
                self._kept[message.topic] = message

    def heard(self, topic: str, payload: bytes, *, retained: bool) -> None:
        """This came from the broker; ``retained``: it lay there before the hub subscribed."""
        if self._deaf:
            return
        if retained:
            self._note(self._before, topic)
            return
        for place, (_, message) in enumerate(self._awaited):
            if message.topic == topic and message.payload == payload:
                self.heard_any = True
                for _ in range(place):
                    self._refuse(self._awaited.popleft()[1])
                self._awaited.popleft()
                self.refused.pop(topic, None)
                return
        late = self.refused.get(topic)
        if late is not None and late.payload == payload:
            del self.refused[topic]
            return
        self._note(self._foreign, topic)

    def look(self, now_s: float) -> float | None:
        """Give up what is overdue. Returns how long to wait for what is not; None: for nothing."""
        while self._awaited:
            left_s = self._awaited[0][0] + OVERDUE_S - now_s
            if left_s > 0:
                return left_s
            self._refuse(self._awaited.popleft()[1])
        return None

    def stop_listening(self) -> None:
        """The broker does not let the hub read: nothing can be told from its silence."""
        self._deaf = True
        self._awaited.clear()
        self._foreign.clear()
        self._before.clear()

    def refuse_largest(self) -> None:
        """The broker hung up because of something that it was sent."""
        sent = [message for _, message in self._awaited]
        if sent:
            self._refuse(max(sent, key=lambda message: len(message.payload)))

    @property
    def settled(self) -> bool:
        """Whether everything that was sent has come back or was given up."""
        return not self._awaited

    @property
    def foreign(self) -> Sequence[str]:
        """Topics where others have published, or that are no longer the table's."""
        return (*self._foreign, *(topic for topic in self._before if topic not in self._kept))

    def corrected(self, topic: str) -> Outgoing:
        """What belongs there instead; it counts as put right from now on."""
        self._foreign.pop(topic, None)
        self._before.pop(topic, None)
        return self._kept.get(topic, Outgoing(topic, b"", retain=True))

    def _refuse(self, message: Outgoing) -> None:
        if self._kept.get(message.topic) is message:
            self.refused[message.topic] = message

    @staticmethod
    def _note(topics: dict[str, None], topic: str) -> None:
        if len(topics) < MOST_FOREIGN:
            topics[topic] = None
