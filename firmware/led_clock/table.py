"""A clock's view of its table: facts, from retained topics. Invalid messages change nothing.

``docs/connect/mqtt.md`` describes the topics. The clock need not know the time: every live message
tells it the table's time. A message kept by the broker is older, and says nothing about the time.
"""

import json

from common.faces import Facts

MOST_BYTES = 1024
"""The longest message that a clock needs."""
_SAMPLES = 8
_SET_MS = 60000
"""The most that a message is late. Beyond that, the hub's clock was wrong and has been set."""
_DAYS = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)


def utc_ms(said: object) -> int:
    """``2026-01-31T19:00:00.000Z`` as ms since 2000. Raises ValueError."""
    if not isinstance(said, str) or len(said) != 24 or said[10] != "T" or said[23] != "Z":
        raise ValueError
    year, month, day = int(said[:4]) - 2000, int(said[5:7]), int(said[8:10])
    if not (0 <= year < 200 and 1 <= month <= 12 and 1 <= day <= 31):
        raise ValueError
    days = year * 365 + (year + 3) // 4 + _DAYS[month - 1] + day - 1
    if month > 2 and year % 4 == 0:
        days += 1
    seconds = (days * 24 + int(said[11:13])) * 3600 + int(said[14:16]) * 60 + int(said[17:19])
    return seconds * 1000 + int(said[20:23])


def _count(said: dict, key: str, most: int) -> int:
    value = said[key]
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ValueError
    return value


def _ms(seconds: object) -> int:
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise ValueError
    if not 0 <= seconds <= 86400:
        raise ValueError
    return int(seconds * 1000)


class Table:
    """Keeps the facts up to date from the topics."""

    def __init__(self, table: str, shows: str, of: str, name: str) -> None:
        self.facts = Facts()
        self.dim = None
        """The brightness set by topic, 0 to 255; None: not set."""
        self.vouched = False
        """Whether the hub's status has come since the broker was connected."""
        self._base = "facedown/%s/" % table
        self._shows, self._of = shows, of
        self._mine = "clock/%s/" % name
        self._countdown = of
        self._late = []
        self._sure = None
        self._deadline = self._reveal_at = self._revealed_at = None

    @property
    def status(self) -> str:
        """The topic of the clock's own status."""
        return self._base + self._mine + "status"

    @property
    def knows_time(self) -> bool:
        """Whether the clock knows the table's time."""
        return bool(self._late) or self._sure is not None

    def topics(self) -> list:
        """The topics to subscribe to."""
        wanted = ["status", "moment", self._mine + "dim"]
        if self._shows == "countdown":
            wanted.append("countdown/" + (self._of or "+"))
        elif self._shows == "seat":
            wanted.append("seat/" + self._of)
        elif self._shows == "timer":
            wanted.append("timer")
        return [self._base + each for each in wanted]

    def know(self, table_ms: int, now: int) -> None:
        """Set the time from another source: ``table_ms`` since 2000 at ``now``."""
        self._sure = table_ms - now
        self._settle()

    def hear(self, topic: str, payload: bytes, retained: bool, now: int) -> None:
        """Take in a message; invalid ones are ignored."""
        if not topic.startswith(self._base) or len(payload) > MOST_BYTES:
            return
        topic = topic[len(self._base) :]
        try:
            if topic == "status":
                self.facts.online = payload == b"online"
                self.vouched = True
            elif topic == self._mine + "dim":
                self._hear_dim(payload)
            elif topic == "timer":
                self._hear_timer(json.loads(payload) if payload else None)
            elif topic == "moment":
                self._hear_moment(json.loads(payload), retained, now)
            elif topic.startswith("countdown/"):
                self._hear_countdown(topic[10:], json.loads(payload) if payload else None, now)
            elif topic.startswith("seat/"):
                self._hear_seat(json.loads(payload))
        except (ValueError, KeyError, TypeError, AttributeError, MemoryError, RuntimeError):
            return
        self._settle()

    def _hear_dim(self, payload: bytes) -> None:
        value = int(payload) if payload else None
        if value is None or 0 <= value <= 255:
            self.dim = value

    def _hear_timer(self, said: object) -> None:
        if said is None:
            self._deadline = None
            return
        deadline, total = utc_ms(said["deadline"]), _ms(said["seconds"])
        warnings = said["warnings"]
        if not isinstance(warnings, list) or len(warnings) > 16:
            raise ValueError
        self.facts.warnings = tuple([_ms(each) for each in warnings])
        self._deadline, self.facts.total = deadline, total

    def _hear_moment(self, said: dict, retained: bool, now: int) -> None:
        at = utc_ms(said["at"])
        awaited, committed = _count(said, "awaited", 99), _count(said, "committed", 99)
        reveal_at, revealed_at = said["reveal_at"], said["revealed_at"]
        reveal_at = None if reveal_at is None else utc_ms(reveal_at)
        revealed_at = None if revealed_at is None else utc_ms(revealed_at)
        if not isinstance(said["phase"], str):
            raise ValueError
        self.facts.phase, self.facts.awaited, self.facts.committed = (
            said["phase"], awaited, committed
        )  # fmt: skip
        self._reveal_at, self._revealed_at = reveal_at, revealed_at
        if not retained:
            if self._late and abs(at - now - self._late[-1]) > _SET_MS:
                self._late.clear()
            self._late.append(at - now)
            del self._late[:-_SAMPLES]

    def _hear_countdown(self, which: str, said: object, now: int) -> None:
        if self._countdown and which != self._countdown:
            return
        if said is None:
            if which == self._countdown:
                self.facts.count(0, 0, now)
                self._countdown = self._of
            return
        boxes = _count(said, "boxes", 32)
        marked = _count(said, "marked", boxes)
        self._countdown = which
        self.facts.count(boxes, marked, now)

    def _hear_seat(self, said: dict) -> None:
        self.facts.seat_lost = said["reader"] == "lost"
        self.facts.seat_awaited = said["awaited"] is True
        self.facts.seat_committed = said["committed"] is True

    def _settle(self) -> None:
        """Convert the table's times to the clock's.

        The delays of recent messages differ; the least delayed one is the most accurate.
        """
        ahead = max(self._late) if self._late else self._sure
        facts = self.facts
        if ahead is None:
            facts.timeless = self._deadline is not None
            facts.deadline = facts.reveal_at = facts.revealed_at = None
            return
        facts.timeless = False
        facts.deadline = None if self._deadline is None else self._deadline - ahead
        facts.reveal_at = None if self._reveal_at is None else self._reveal_at - ahead
        facts.revealed_at = None if self._revealed_at is None else self._revealed_at - ahead
