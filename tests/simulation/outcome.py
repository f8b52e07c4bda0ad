"""What a life leaves behind: its finding, its story, and the figures of what it reached."""

from collections import Counter

from msgspec import Struct, field

from tests.simulation.plan import Plan


class Happened(Struct, frozen=True):
    """A line of a seed's story."""

    at_s: float
    who: str
    what: str


class Span(Struct, frozen=True):
    """A while in a seed's story: a fault, or a hub that was up. ``lane``: a seat, ``hub``,
    ``disk`` or ``broker``."""

    lane: str
    from_s: float
    to_s: float
    what: str


class Outcome(Struct):
    """What came of a plan. All times are virtual, in seconds since the machine was switched on."""

    plan: Plan
    finding: str = ""
    story: list[Happened] = field(default_factory=list)
    reached: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    virtual_s: float = 0.0
    spans: list[Span] = field(default_factory=list)
    cards: dict[str, list[tuple[float, tuple[str, ...]]]] = field(default_factory=dict)
    """Seat → what lay on its reader, and from when on."""
    told: list[Happened] = field(default_factory=list)
    """What the room was told by its hub: each record's type, and each phase."""
    digest: str = ""
    """The SHA-256 of all that was stored and told."""
