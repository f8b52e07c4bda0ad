"""The plan of a seed: the table, the faults, and when each of them happens.

The decisions of a plan do not depend on each other, so that any of them can be left out. That is
how a failing seed is shrunk.
"""

from collections.abc import Iterable
from random import Random

from msgspec import Struct
from msgspec.structs import fields, replace

HANDS = (
    "lift", "swap", "two", "slip", "wrong", "leave", "beside", "short", "page", "undo", "pause",
    "drop", "again", "button", "end-scene", "overlook", "borrow", "press-again",
    "last-moment", "sneak",
)  # fmt: skip
"""Acts of players besides laying the card that is asked for."""
READERS = (
    "unplug", "hang", "misses", "slow-reader", "mute", "deaf", "brown-out", "noise", "near",
)  # fmt: skip
DISK = (
    "slow-disk", "stall-disk", "full", "read-only", "failing-sync", "lock-journal",
    "replace-journal",
)  # fmt: skip
HUB = (
    "kill", "power-cut", "stop", "clock-back", "clock-ahead", "busy", "power-at", "kill-at",
    "lose-wal", "cut-first-start",
)  # fmt: skip
BROKER = (
    "cut", "half-open", "stall-wire", "split", "restart-broker", "forget", "broker-away",
    "hang-broker", "acks", "stranger", "taken-over",
)  # fmt: skip
PHONES = ("sleep-phone", "reload")
KINDS = {
    "hands": HANDS,
    "readers": READERS,
    "disk": DISK,
    "hub": HUB,
    "broker": BROKER,
    "phones": PHONES,
}
LIKELY = dict.fromkeys(KINDS, 0.3) | {"broker": 0.4, "phones": 0.8}
"""Kinds → how likely each of them is in a plan that can have it."""
SEATS = ("ada", "bo", "cy", "gm")
LONGEST_S = 120.0
ORDERS = ("fifo", "uniform", "pct")


class Decision(Struct, frozen=True, order=True):
    """At ``at_s``, ``kind`` happens at ``seat``. ``by``, from 0 to 1, decides the details, such as
    how long it lasts."""

    at_s: float
    kind: str
    seat: str
    by: float

    def __str__(self) -> str:
        return f"{_short(self.at_s)}s {self.kind} {self.seat} {_short(self.by)}"

    @classmethod
    def read(cls, text: str) -> "Decision":
        """Parse a decision written by :meth:`__str__`. Raises :class:`ValueError`."""
        words = text.split()
        if len(words) != 4 or not words[0].endswith("s"):
            raise ValueError(f"not a decision, as `3.5s kill gm 0.5`: {text.strip()!r}")
        at_s, kind, seat, by = float(words[0][:-1]), words[1], words[2], float(words[3])
        if not any(kind in kinds for kinds in KINDS.values()):
            raise ValueError(f"no such kind of decision: {kind}")
        if seat not in SEATS:
            raise ValueError(f"no such seat: {seat}")
        return cls(at_s, kind, seat, by)


class Plan(Struct, frozen=True):
    """A whole evening."""

    seed: int
    order: str
    """The order of ready tasks and threads: ``fifo``, ``uniform`` or ``pct``."""
    mqtt: bool
    chips: bool
    """Whether the readers are simulated down to the chip."""
    pages: bool
    """Whether phones follow the pages."""
    turns: int
    decisions: tuple[Decision, ...]

    def write(self) -> str:
        """The plan on one line, without quotation marks: ``7 fifo mqtt 10: 3.5s kill gm 0.5``."""
        has = [each for each in FLAGS if getattr(self, each)]
        head = [str(self.seed), self.order, *has, str(self.turns)]
        return f"{' '.join(head)}: {', '.join(map(str, self.decisions))}".rstrip()

    @classmethod
    def read(cls, text: str) -> "Plan":
        """Parse a plan written by :meth:`write`. Raises :class:`ValueError`."""
        head, _, rest = text.partition(":")
        seed, order, *has, turns = head.split()
        if order not in ORDERS or not {*has} <= {*FLAGS}:
            raise ValueError(f"not the beginning of a plan: {head!r}")
        decisions = tuple(Decision.read(each) for each in rest.split(",") if each.strip())
        flags = {each: each in has for each in FLAGS}
        return cls(seed=int(seed), order=order, turns=int(turns), decisions=decisions, **flags)

    def without(self, some: Iterable[Decision]) -> "Plan":
        """The same plan without these decisions."""
        gone = set(some)
        return replace(self, decisions=tuple(d for d in self.decisions if d not in gone))


FLAGS = tuple(each.name for each in fields(Plan) if each.type is bool)
"""The names of a plan's switches."""


def _short(number: float) -> str:
    return repr(float(number)).removesuffix(".0")


def drawn(
    seed: int,
    *,
    kinds: Iterable[str] = KINDS,
    mqtt: bool | None = None,
    chips: bool | None = None,
    pages: bool | None = None,
) -> Plan:
    """The plan of a seed. Each seed draws its own mix of faults, and how often each happens."""
    chance = Random(f"plan {seed}")
    groups = [kind for kind in kinds if kind in KINDS]
    found = [each for group in groups for each in KINDS[group] if chance.random() < LIKELY[group]]
    has_mqtt = chance.random() < 0.35 if mqtt is None else mqtt
    if not has_mqtt:
        found = [each for each in found if each not in BROKER]
    has_pages = chance.random() < 0.15 if pages is None else pages
    if not has_pages:
        found = [each for each in found if each not in PHONES]
    has_chips = chance.random() < 0.25 if chips is None else chips
    decisions = []
    for kind in found:
        rate = chance.choice((1, 1, 2, 4, 8))
        for _ in range(rate):
            at_s = round(chance.random() * LONGEST_S, 3)
            by = round(chance.random(), 3)
            decisions.append(Decision(at_s, kind, chance.choice(SEATS), by))
    return Plan(
        seed,
        chance.choice(("fifo", "uniform", "uniform", "pct")),
        has_mqtt,
        has_chips,
        has_pages,
        10,
        tuple(sorted(decisions)),
    )
