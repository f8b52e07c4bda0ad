"""The outcome of a life: its finding, its story, and counts of the states that it reached."""

from collections import Counter

from msgspec import Struct, field

from tests.simulation.plan import Plan


class Happened(Struct, frozen=True):
    """A line of a seed's story."""

    at_s: float
    who: str
    what: str


class Span(Struct, frozen=True):
    """A bar in a seed's story: a fault, or the time that a hub was up. ``lane``: a seat, ``hub``,
    ``disk`` or ``broker``."""

    lane: str
    from_s: float
    to_s: float
    what: str


class Outcome(Struct):
    """The outcome of a plan. Times are virtual, in seconds since the machine was switched on."""

    plan: Plan
    finding: str = ""
    story: list[Happened] = field(default_factory=list)
    reached: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    virtual_s: float = 0.0
    spans: list[Span] = field(default_factory=list)
    cards: dict[str, list[tuple[float, tuple[str, ...]]]] = field(default_factory=dict)
    """Seat → the cards on its reader, each time since when."""
    told: list[Happened] = field(default_factory=list)
    """The announcements of the hub: the type of each record, and each phase."""
    digest: str = ""
    """SHA-256 of everything stored and announced."""
