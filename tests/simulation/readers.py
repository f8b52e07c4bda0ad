"""Fields of readers, and a driver that looks at them: hands act on the field, faults on the chip.

A driver of this kind stands below the hub's own supervisor, debouncing and dwell. It knows nothing
of what a hand means to do: a look sees a tag if it lay there at the moment of the look, and if the
exchange did not fail.
"""

import errno
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
"""How long a look takes, at least and at most; see READERS: a list of one NTAG takes 9 to 11 ms."""


def failed(code: int) -> OSError:
    return OSError(code, os.strerror(code))


class Spot:
    """The field of one reader, and the state of its chip and cable."""

    def __init__(self, loop: SimLoop, chance: Random, name: str) -> None:
        self._loop, self.chance, self.name = loop, chance, name
        self.tags: tuple[str, ...] = ()
        self.history: list[tuple[float, tuple[str, ...]]] = [(0.0, ())]
        """What lay there, and from when on."""
        self.plugged = True
        self.misses = 0.0
        """The share of exchanges with a tag that fail."""
        self.hung_until = 0.0
        self.mute_until = 0.0
        self.slow_s = 0.0
        """How much longer each look takes."""
        self.looked_s = 0.0
        self.is_deaf = self.anew = False
        self.waiting: list[Actor] = []
        self.changes = 0
        self.pressed: Callable[[], None] = lambda: None

    def put(self, *tags: str) -> None:
        """Let exactly these tags lie in the field."""
        if tags != self.tags:
            self.tags = tags
            self.history.append((self._loop.time(), tags))
            self._changed()

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
        self.changes += 1
        for actor in self.waiting:
            self._loop.wake(actor, 0.0)

    def lay_since(self, tag: str, at_s: float) -> float | None:
        """For how long this tag had lain there at that time, alone or not; None: it lay not."""
        since = None
        for when, tags in self.history:
            if when > at_s:
                break
            if tag not in tags:
                since = None
            elif since is None:
                since = when
        return None if since is None else at_s - since


@dataclass(frozen=True)
class HandAddress(Address):
    """The name of a spot."""


class HandDriver(Driver):
    """Looks at a :class:`Spot`."""

    blind = False

    def __init__(self, world: Any, loop: SimLoop, spot: Spot) -> None:
        if not spot.plugged:
            raise failed(errno.ENOENT)
        self._world, self._loop, self._spot = world, loop, spot
        self._cancelled = False

    def start(self) -> None:
        self._world.sleep(0.02)
        self._answers()

    def observe(self, patience_s: float, care: Care = Care.USUAL) -> Look:
        spot, loop = self._spot, self._loop
        self._answers()
        if patience_s and not spot.tags:
            changes = spot.changes
            loop.block(spot.waiting, patience_s, lambda: spot.changes != changes or self._cancelled)
            self._answers()
        began = loop.time()
        least, most = ACTIVATION_S
        took = least + (most - least) * spot.chance.random() + spot.slow_s
        at = took * spot.chance.random()
        self._world.sleep(at)
        seen = tuple(
            tag for tag in spot.tags if not spot.misses or spot.chance.random() >= spot.misses
        )
        self._world.sleep(took - at)
        self._answers()
        return Look(tuple(sorted(seen)), loop.time(), began)

    def _answers(self) -> None:
        spot = self._spot
        if self._cancelled:
            raise failed(errno.ECANCELED)
        if not spot.plugged:
            raise failed(errno.ENXIO)
        if spot.is_deaf:
            raise RadioDead
        if spot.anew:
            spot.anew = False
            raise failed(errno.EPROTO)
        if self._loop.time() < max(spot.hung_until, spot.mute_until):
            self._world.sleep(0.1)
            raise failed(errno.ETIMEDOUT)

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
