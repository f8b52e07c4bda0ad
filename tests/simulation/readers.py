"""Fields of readers, and a driver that looks at them: hands act on the field, faults on the chip.

A driver of this kind stands below the hub's own supervisor, debouncing and dwell. It knows nothing
of what a hand means to do: a look sees a tag if it lay there at the moment of the look, and if the
exchange did not fail.
"""

import errno
import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from hub.readers.address import Address
from hub.readers.causes import Model
from hub.readers.driver import Driver, Equipment
from hub.readers.kinds import Kind
from hub.readers.presence import Care, Look
from hub.readers.radio import RadioDead
from tests.simulation.loop import Actor, SimLoop

ACTIVATION_S = (0.006, 0.011)
"""How long a look takes, at least and at most: listing one NTAG takes 9 to 11 ms."""


_EXACT_S = 1e-6
LOST_AFTER = 2
"""After how many failures in a row a reader is lost: one is tried again at once."""


def failed(code: int) -> OSError:
    return OSError(code, os.strerror(code))


class Spot:
    """The field of one reader, and the state of its chip and cable."""

    def __init__(self, loop: SimLoop, chance: Random, name: str) -> None:
        self._loop, self.chance, self.name = loop, chance, name
        self.tags: tuple[str, ...] = ()
        self.history: list[tuple[float, tuple[str, ...]]] = [(0.0, ())]
        """The tags in the field, each time since when (s)."""
        self.plugged = True
        self.misses = 0.0
        """The share of exchanges with a tag that fail."""
        self.hung_until = 0.0
        self.mute_until = 0.0
        self.slow_s = 0.0
        """How much longer each look takes."""
        self.looked_s = 0.0
        self.is_deaf = self.anew = False
        self.noise = 0.0
        """The share of looks that fail."""
        self.hears: Spot | None = None
        """Another field whose tags this reader hears, too."""
        self.looks: list[tuple[float, tuple[str, ...] | None]] = []
        """The time of each look (s) and the tags that it saw; None: it failed."""
        self.failures = 0
        """How often in a row the reader has failed to answer."""
        self.gone_s = self.answered_s = 0.0
        """When its failures last made it count as lost, and when it last answered (s)."""
        self.heard_by: list[Spot] = []
        self.waiting: list[Actor] = []
        self.changes = 0
        self.pressed: Callable[[], None] = lambda: None

    def put(self, *tags: str) -> None:
        """Let exactly these tags lie in the field."""
        if tags != self.tags:
            self.tags = tags
            self.history.append((self._loop.time(), tags))
            self._changed()

    def field(self) -> tuple[str, ...]:
        """All tags that the reader hears."""
        return (*self.tags, *(self.hears.tags if self.hears else ()))

    def hear(self, other: "Spot | None") -> None:
        """Let the reader hear the other field, too."""
        if self.hears is not None:
            self.hears.heard_by.remove(self)
        self.hears = other
        if other is not None:
            other.heard_by.append(self)
        self._changed()

    def fail(self, code: int, times: int = 1) -> OSError:
        """Note that the reader does not answer. ``times``: as how many failures it counts."""
        self.looks.append((self._loop.time(), None))
        self.failures += times
        if self.failures >= LOST_AFTER:
            self.gone_s = self._loop.time()
        return failed(code)

    def unplug(self) -> None:
        self.plugged = False
        self._changed()

    def plug(self) -> None:
        self.plugged = True

    def deaf(self, deaf: bool) -> None:
        """Let the radio see nothing while the chip answers: this driver finds out."""
        self.is_deaf = deaf

    def brown_out(self) -> None:
        """Let the chip restart: it has to be set up again."""
        self.anew = True

    def press(self) -> None:
        """Press the seat's button."""
        self.pressed()

    def _changed(self) -> None:
        for spot in (self, *self.heard_by):
            spot.changes += 1
            for actor in spot.waiting:
                self._loop.wake(actor, 0.0)

    def lies_since(self, tag: str) -> float:
        """Since when this tag has lain there, or lay there last (s); infinity: never."""
        since_s, lay = math.inf, False
        for when, tags in self.history:
            if tag in tags and not lay:
                since_s = when
            lay = tag in tags
        return since_s

    def gone_for(self, tag: str, at_s: float) -> float:
        """For how long this tag had been away at that time (s); 0: it lay there."""
        left_s, lay = 0.0, False
        for when, tags in self.history:
            if when > at_s:
                break
            if lay and tag not in tags:
                left_s = when
            lay = tag in tags
        return 0.0 if lay else at_s - left_s

    def has_rested(self, tags: tuple[str, ...], dwell_s: float) -> bool:
        """Whether looks have seen exactly these tags, without a gap, for the whole of a dwell."""
        wanted = tuple(sorted(tags))
        last_s: float | None = None
        for seen_s, seen in reversed(self.looks):
            if seen != wanted:
                break
            last_s = seen_s if last_s is None else last_s
            if last_s - seen_s >= dwell_s - _EXACT_S:
                return True
        return False


@dataclass(frozen=True)
class HandAddress(Address):
    """The name of a spot."""


class HandDriver(Driver):
    """Looks at a :class:`Spot`."""

    blind = False

    def __init__(self, world: Any, loop: SimLoop, spot: Spot) -> None:
        if not spot.plugged:
            raise spot.fail(errno.ENOENT, LOST_AFTER)
        self._world, self._loop, self._spot = world, loop, spot
        self._cancelled = False

    def start(self) -> None:
        self._world.sleep(0.02)
        self._answers(LOST_AFTER)

    def observe(self, patience_s: float, care: Care = Care.USUAL) -> Look:
        spot, loop = self._spot, self._loop
        self._answers()
        if patience_s and not spot.field():
            changes = spot.changes
            loop.block(spot.waiting, patience_s, lambda: spot.changes != changes or self._cancelled)
            self._answers()
        began = loop.time()
        least, most = ACTIVATION_S
        took = least + (most - least) * spot.chance.random() + spot.slow_s
        at = took * spot.chance.random()
        self._world.sleep(at)
        seen_s = loop.time()
        seen = tuple(
            tag for tag in spot.field() if not spot.misses or spot.chance.random() >= spot.misses
        )
        self._world.sleep(took - at)
        self._answers()
        if spot.noise and spot.chance.random() < spot.noise:
            raise spot.fail(errno.EIO)
        spot.looks.append((seen_s, tuple(sorted(seen))))
        spot.failures, spot.answered_s = 0, loop.time()
        return Look(tuple(sorted(seen)), loop.time(), began)

    def _answers(self, times: int = 1) -> None:
        spot = self._spot
        if self._cancelled:
            raise failed(errno.ECANCELED)
        if not spot.plugged:
            raise spot.fail(errno.ENXIO, times)
        if spot.is_deaf:
            spot.fail(errno.EIO, times)
            raise RadioDead
        if spot.anew:
            spot.anew = False
            raise spot.fail(errno.EPROTO, times)
        if self._loop.time() < max(spot.hung_until, spot.mute_until):
            self._world.sleep(0.1)
            raise spot.fail(errno.ETIMEDOUT, times)

    def cancel(self) -> None:
        self._cancelled = True
        self._spot._changed()


def kind(spots: dict[str, Spot]) -> Kind[HandAddress]:
    """The kind ``hand:NAME`` of reader."""

    def connector(address: HandAddress, equipment: Equipment) -> Callable[[], Driver]:
        spot = spots[address.path]
        if equipment.pressed is not None:
            spot.pressed = equipment.pressed
        world: Any = equipment.world
        return lambda: HandDriver(world, world._loop, spot)

    return Kind("hand:NAME", HandAddress, HandAddress, Model("hand", "", ""), connector)
