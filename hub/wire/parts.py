"""What of a table another system is told piece by piece: one list for every exporter.

Home Assistant's discovery (:mod:`hub.wire.homeassistant`) and Homie (:mod:`hub.wire.homie`) are two
ways to write these down. They are made of the public document alone.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from hub.table.views import PublicView


class Kind(StrEnum):
    """What a part shows, or does."""

    PHASE = "phase"
    WAITING = "waiting"
    """For how many the table waits."""
    DEADLINE = "deadline"
    REVEAL = "reveal"
    REVEALED = "revealed"
    """The same, for whoever acts on it alone."""
    COMMITTED = "committed"
    """Of a seat."""
    READER = "reader"
    """Of a seat: whether it has a problem."""
    COUNTDOWN = "countdown"
    PAUSE = "pause"
    NEXT = "next"
    COMMIT_SECONDS = "commit_seconds"


ALWAYS = (Kind.PHASE, Kind.WAITING, Kind.DEADLINE, Kind.REVEAL, Kind.REVEALED)
OF_A_SEAT = (Kind.COMMITTED, Kind.READER)
COMMANDS = (Kind.PAUSE, Kind.NEXT, Kind.COMMIT_SECONDS)

_SEAT = re.compile(r"seat_([a-z0-9-]{1,32})_(committed|reader)")
_COUNTDOWN = re.compile(r"countdown_([a-z0-9-]{1,32})")

Words = Mapping[str, str]
"""Texts of the catalogue ``devices``, in one language."""


class Part(Struct, frozen=True):
    """One of them. ``of``: the seat, or the countdown's id."""

    kind: Kind
    of: str = ""
    name: str = ""
    """For people. May hold anything that somebody at the table has written."""

    @property
    def id(self) -> str:
        """Stays as it is over restarts and in every language; ``a-z``, digits, ``-`` and ``_``."""
        if self.kind in OF_A_SEAT:
            return f"seat_{self.of}_{self.kind}"
        return f"{self.kind}_{self.of}" if self.of else str(self.kind)


def parts(view: PublicView, words: Words, *, commands: bool) -> Sequence[Part]:
    """All that ``view`` has, in a fixed order; ``commands``: whether the table hears them."""
    found = [Part(kind, name=words[kind]) for kind in ALWAYS]
    for seat in view.seats:
        for kind in OF_A_SEAT:
            found.append(Part(kind, seat.seat, words[kind].format(seat=seat.seat)))
    for each in view.story.countdowns if view.story else ():
        name = words[Kind.COUNTDOWN].format(name=each.name)
        found.append(Part(Kind.COUNTDOWN, each.id, name))
    if commands:
        found += [Part(kind, name=words[kind]) for kind in COMMANDS]
    return found


def part_of(name: str) -> Part | None:
    """The part that has such an id, without a name for people; None if none could have it."""
    if name in COMMANDS:
        return Part(Kind(name), name=name)
    if found := _SEAT.fullmatch(name):
        return Part(Kind(found[2]), found[1], name)
    if found := _COUNTDOWN.fullmatch(name):
        return Part(Kind.COUNTDOWN, found[1], name)
    return None
