"""Two lives that differ only in the cards that lie face down in one turn.

Until the reveal, both must announce and log the same at the same moments. Only the digests of seals
and of the log's chain may differ.
"""

import logging
import re
from typing import Any

import msgspec

from hub.ports import Announcement
from tests.simulation.hands import Hands
from tests.simulation.life import Life
from tests.simulation.plan import Plan
from tests.simulation.room import Room

_DIGEST = re.compile(r"[0-9a-f]{12,64}")
"""Digests, and the short head that pages show."""


class _Listening(Room):
    """Notes everything that is announced."""

    life: "TwinLife"

    def announce(self, announcement: Announcement) -> None:
        if not self._deaf:
            self.life.hear("announced", msgspec.json.encode(announcement.view).decode())
            for line in announcement.lines:
                self.life.hear("line", line.decode())
        super().announce(announcement)


class _Hands(Hands):
    life: "TwinLife"

    def pick(self, cards: list[str], *about: object) -> str:
        """The same card in both lives, but in the turn in which they differ."""
        picked = super().pick(cards, *about)
        if not self.life.differs:
            return picked
        self.life.differed = self.life.differed or len(cards) > 1
        return cards[(cards.index(picked) + self.life.twin) % len(cards)]


class _Noted(logging.Handler):
    def __init__(self, life: "TwinLife") -> None:
        super().__init__(logging.DEBUG)
        self._life = life

    def emit(self, record: logging.LogRecord) -> None:
        self._life.hear("log", record.getMessage())


class TwinLife(Life):
    """One of the two. They differ once there were ``turn`` reveals; ``twin`` is 0 or 1."""

    def __init__(self, plan: Plan, turn: int, twin: int, plants: Any = ()) -> None:
        self.turn, self.twin = turn, twin
        self.heard: list[str] = []
        self.differed = False
        """Whether some card was chosen among several while they differed."""
        super().__init__(plan, plants)

    @property
    def differs(self) -> bool:
        return self._turns == self.turn

    def hear(self, channel: str, said: str) -> None:
        """Note what is heard, up to the reveal of what differs."""
        if self._turns <= self.turn:
            at_s = round(self.loop.time(), 6)
            self.heard.append(f"{at_s} {channel} {_DIGEST.sub('…', said)}")

    def make_room(self) -> Room:
        room = _Listening()
        room.life = self
        return room

    def make_hands(self, seat: str) -> Hands:
        hands = _Hands(seat, self.spots[seat], self.room, self.table, self.plan.seed)
        hands.life = self
        return hands

    def run(self) -> Any:
        noted, logger = _Noted(self), logging.getLogger("hub")
        logger.addHandler(noted)
        level = logger.level
        logger.setLevel(logging.DEBUG)
        try:
            return super().run()
        finally:
            logger.setLevel(level)
            logger.removeHandler(noted)


def difference(plan: Plan, turn: int, plants: Any = ()) -> tuple[str, bool]:
    """The first thing that only one of two lives shows, empty if there is none; and whether they
    differed in anything at all."""
    one, other = (TwinLife(plan, turn, twin, plants) for twin in (0, 1))
    for life in (one, other):
        if finding := life.run().finding:
            return f"a finding besides: {finding}", True
    differed = one.differed or other.differed
    for first, second in zip(one.heard, other.heard, strict=False):
        if first != second:
            return f"{first}\nbut in the other life\n{second}", differed
    if len(one.heard) != len(other.heard):
        more = max(one.heard, other.heard, key=len)
        return f"only one life: {more[min(len(one.heard), len(other.heard))]}", differed
    return "", differed
