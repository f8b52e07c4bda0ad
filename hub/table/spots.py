"""What lies on the readers. Not journalled: after a restart they tell it again."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from hub.games.game import Choice
from hub.table.sealed import Sealed
from hub.table.signals import Signal


class Laid(Struct, frozen=True):
    """A tag on a reader."""

    tag: str = ""
    """Its opaque id; empty for one that bears none."""
    card: Choice | None = None
    """What it says, if it is a card of this table's."""
    strange: Signal = Signal.UNKNOWN
    """What to say of it, if it is not."""
    owner: str = ""
    """The seat whose card it is; empty: anybody's."""
    other: str = ""
    """The id of the tag at the other end of the same card; empty: the card has this one alone."""

    @property
    def tags(self) -> tuple[str, ...]:
        """The ids of all tags of the card."""
        return tuple(tag for tag in (self.tag, self.other) if tag)

    def __repr__(self) -> str:
        return "Laid(…)"


def are_ends(laid: Sequence[Laid]) -> bool:
    """Whether several tags lie there and all are of one card: both of its ends are heard."""
    return len(laid) > 1 and all(each.other and each.tag in laid[0].tags for each in laid)


class Left(Struct, frozen=True):
    """A tag that a reader heard until a moment ago."""

    tag: str
    at_ms: int

    def __repr__(self) -> str:
        return "Left(…)"


class Spot(Struct, frozen=True):
    """What lies on one reader."""

    laid: Sealed[tuple[Laid, ...]] = Sealed(())
    fresh: bool = False
    """Whether something lies there that the reader saw coming in this phase, and that is not read
    yet."""
    dead: Sealed[Mapping[str, Signal]] = Sealed({})
    """Tags that mean nothing until they have been lifted, each with the reason."""
    notice: Signal | None = None
    """What is the matter with all that lies there; see :func:`hub.table.desk.matter`."""
    doubtful: bool = False
    """The reader's last look lacked something that is not given up yet."""
    baseline: Signal | None = Signal.MISSED
    """What to say of whatever the next report finds: it lies there already, and nobody saw it
    coming. None: reports are changes."""
    bound: str | None = None
    """The actor whose sealed card lies here; lifting it takes the seal back."""
    lifted: str | None = None
    """The actor whose sealed card was lifted while the table was paused."""
    left: Sealed[tuple[Left, ...]] = Sealed(())
    """What has left a moment ago; see :mod:`hub.table.crossing`."""
    swings: tuple[str, ...] = ()
    """Other seats, if a tag that lies here goes to and fro between their readers and this one."""
    answers: bool = False
    """Whether the reader has answered since the hub began."""
    blind: bool = False
    """Whether the reader cannot tell a dead radio from an empty field."""
    nothing_seen: bool = False
    """Whether it is to be said that the reader sees nothing; see :func:`hub.table.desk.quiet`."""
    seen_ms: int | None = None
    """When the reader last saw a tag leave (ms since the Unix epoch); None: it has not yet."""
    writes_cards: bool = False
    """Whether the reader is out of play, because cards are written on it."""


Desk = dict[str, Spot]
"""Seat → its spot."""
