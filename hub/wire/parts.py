"""The table's parts (sensors, buttons and so on): one list for every exporter.

Home Assistant's discovery (:mod:`hub.wire.homeassistant`) and Homie (:mod:`hub.wire.homie`) are two
encodings of it. Parts come from the public view alone.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from hub.table.views import PublicView


class Kind(StrEnum):
    """The kinds of part: sensors, triggers, buttons and a number."""

    PHASE = "phase"
    SAYS = "says"
    """What the stage says; see :mod:`hub.wire.said`."""
    WAITING = "waiting"
    """How many choices the table waits for."""
    DEADLINE = "deadline"
    REVEAL = "reveal"
    REVEALED = "revealed"
    """In Homie the time of the last reveal; in Home Assistant a trigger."""
    COMMITTED = "committed"
    """Whether a seat has chosen."""
    READER = "reader"
    """Whether a seat's reader has a problem."""
    COUNTDOWN = "countdown"
    PAUSE = "pause"
    NEXT = "next"
    COMMIT_SECONDS = "commit_seconds"


ALWAYS = (Kind.PHASE, Kind.SAYS, Kind.WAITING, Kind.DEADLINE, Kind.REVEAL, Kind.REVEALED)
OF_A_SEAT = (Kind.COMMITTED, Kind.READER)
COMMANDS = (Kind.PAUSE, Kind.NEXT, Kind.COMMIT_SECONDS)

_SEAT = re.compile(r"seat_([a-z0-9-]{1,32})_(committed|reader)")
_COUNTDOWN = re.compile(r"countdown_([a-z0-9-]{1,32})")

Words = Mapping[str, str]
"""Texts of the catalogue ``devices``, in one language."""


class Part(Struct, frozen=True):
    """One part of the table. ``of``: the seat's name or the countdown's id; empty for the table
    itself."""

    kind: Kind
    of: str = ""
    name: str = ""
    """The name to display, which may contain any text entered at the table."""

    @property
    def id(self) -> str:
        """The part's id: the same across restarts and languages, of ``a-z``, digits, ``-`` and
        ``_``."""
        if self.kind in OF_A_SEAT:
            return f"seat_{self.of}_{self.kind}"
        return f"{self.kind}_{self.of}" if self.of else str(self.kind)


def parts(view: PublicView, words: Words, *, commands: bool) -> Sequence[Part]:
    """All parts of ``view``, in a fixed order; ``commands``: whether the table accepts commands."""
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
    """The part with this id if it can disappear (a command, seat or countdown); else None. The id
    is its name, too."""
    if name in COMMANDS:
        return Part(Kind(name), name=name)
    if found := _SEAT.fullmatch(name):
        return Part(Kind(found[2]), found[1], name)
    if found := _COUNTDOWN.fullmatch(name):
        return Part(Kind.COUNTDOWN, found[1], name)
    return None
