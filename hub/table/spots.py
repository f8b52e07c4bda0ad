"""The state of the readers. It is not journalled: after a restart the readers report it again."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from hub.games.game import Choice
from hub.table.sealed import Sealed
from hub.table.signals import Signal


class Sight(StrEnum):
    """How certain it is that the tags seen on a reader are still there."""

    NEW = "new"
    """The tags were just seen; before, something else was seen, or nothing was known."""
    DOUBTFUL = "doubtful"
    """The last look missed some of the tags, or was disturbed."""
    AGAIN = "again"
    """The tags were seen again after a doubtful look; their dwell starts over."""
    RESTED = "rested"
    """The tags were seen in every look of the dwell, the last one at or after the dwell's end.
    Repeated every second, for cards that could not be read yet."""


class Laid(Struct, frozen=True):
    """A tag on a reader."""

    tag: str = ""
    """The tag's opaque id; empty for a tag without one."""
    card: Choice | None = None
    """The card's choice, if it is a card of this table."""
    strange: Signal = Signal.UNKNOWN
    """The signal to give if ``card`` is None."""
    owner: str = ""
    """The seat that owns the card; empty: any seat may use it."""
    other: str = ""
    """The id of the tag at the other end of the same card; empty: the card has only this one."""

    @property
    def tags(self) -> tuple[str, ...]:
        """The ids of all tags of the card: this one, and the one at its other end."""
        return tuple(filter(None, (self.tag, self.other)))

    def __repr__(self) -> str:
        return "Laid(…)"


def are_ends(laid: Sequence[Laid]) -> bool:
    """Whether there are several tags, all of one card: both of its ends are heard."""
    return len(laid) > 1 and all(each.other and each.tag in laid[0].tags for each in laid)


class Left(Struct, frozen=True):
    """A tag that a reader heard until a moment ago."""

    tag: str
    at_ms: int

    def __repr__(self) -> str:
        return "Left(…)"


class Spot(Struct, frozen=True):
    """The state of one reader."""

    laid: Sealed[tuple[Laid, ...]] = Sealed(())
    fresh: bool = False
    """Whether a tag arrived in this phase and has not been read yet."""
    dead: Sealed[Mapping[str, Signal]] = Sealed({})
    """Tags that mean nothing until they have been lifted, each with the reason."""
    notice: Signal | None = None
    """The problem with all tags on the reader; see :func:`hub.table.desk.matters`."""
    doubtful: bool = False
    """Whether the reader's last look missed a tag that is not given up yet."""
    baseline: Signal | None = Signal.MISSED
    """The signal for the tags of the next report, because they were laid unobserved. None: the next
    report tells what has changed since the last one."""
    bound: str | None = None
    """The actor whose sealed card is on this reader; lifting the card takes the seal back."""
    lifted: str | None = None
    """The actor whose sealed card was lifted while the table was paused."""
    left: Sealed[tuple[Left, ...]] = Sealed(())
    """Tags that left a moment ago; see :mod:`hub.table.desk`."""
    swings: tuple[str, ...] = ()
    """Other seats that a tag here swings to and from; see :mod:`hub.table.desk`."""
    answers: bool = False
    """Whether the reader has answered since the hub began."""
    blind: bool = False
    """Whether the reader cannot tell a dead radio from an empty field."""
    nothing_seen: bool = False
    """Whether to show that the reader sees nothing; see :func:`hub.table.desk.quiet`."""
    seen_ms: int | None = None
    """When the reader last saw a tag arrive or leave (ms since the Unix epoch); None: not yet."""
    writes_cards: bool = False
    """Whether the reader is out of play because cards are written on it."""


Desk = dict[str, Spot]
"""Seat → its spot."""
