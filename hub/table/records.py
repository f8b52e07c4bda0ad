"""The records: what happened at the table, as kept by the journal and applied by ``fold()``.

A record is a public *event*; some have a *secret* too. The event is public in full. The secret goes
to the journal and nowhere else. No view is made by removing fields. ``events`` has the events
beyond a scene, ``secrets`` the documents kept as secrets of some records.
"""

from typing import Any, TypeVar, cast

from msgspec import UNSET, Struct, UnsetType, field

from hub.games.game import Fall
from hub.table.events import (
    CameBack,
    CharacterJoined,
    CharacterLeft,
    ClockSet,
    EveningEnded,
    EveningNamed,
    Event,
    Groups,
    LeftOpen,
    PlayedByGm,
    PlayedByHub,
    Portrayed,
    ReaderLost,
    ReaderReliable,
    ReaderReturned,
    ReaderUnreliable,
    SatOut,
    StaysAway,
    StoryBegun,
    StoryTold,
    StoryUndone,
    TimerSet,
    some_groups,
)
from hub.table.open_setup import OpenSetup
from hub.table.sealed import HUB, Kept, Opening, Sealed, SealKind, SealPlace
from hub.table.secrets import CharacterSheet, Document, SceneSetup, StorySheets

__all__ = [
    "CameBack", "CharacterJoined", "CharacterLeft", "CharacterSheet", "ClockSet", "Document",
    "EveningEnded", "EveningNamed", "Event", "Groups", "LeftOpen", "PlayedByGm", "PlayedByHub",
    "Portrayed",
    "ReaderLost", "ReaderReliable", "ReaderReturned", "ReaderUnreliable", "SatOut", "SceneSetup",
    "StaysAway", "StoryBegun", "StorySheets", "StoryTold", "StoryUndone", "TimerSet",
]  # fmt: skip
"""Events and secrets re-exported from other modules. With those defined here, the list is
complete."""


class LogBegun(Event, frozen=True, kw_only=True, tag="log-begun"):
    """The log of a table begins: its first record."""

    table: str
    log: str
    """32 random bytes in hex, drawn when the log began. They keep seals of other logs from
    fitting."""


class SceneStarted(Event, frozen=True, kw_only=True, tag="scene-started"):
    """A scene began. Its secret is the whole setup, because the abilities of NPCs are not
    public."""

    scene: int
    ruleset: str
    title: str
    seats: dict[str, tuple[str, ...]]
    """Seat → the actors that it plays."""
    after: int
    """Number of the last record before the GM's request, which may have told the stakes first."""
    digest: str = ""
    """Digest of the secret; see :func:`hub.table.sealed.secret_digest`."""
    setup: OpenSetup | UnsetType = UNSET
    """The scene's setup, if its rules show all of it; left out otherwise."""
    away: tuple[str, ...] | UnsetType = UNSET
    """Actors absent from the start because their players have left; left out if there are none."""

    def __post_init__(self) -> None:
        if self.away == ():
            raise ValueError("`away` is left out where nobody is away")


class SealMade(Event, frozen=True, kw_only=True):
    """A seal was made in this phase. Its secret is the opening of ``digest``."""

    scene: int
    turn: int
    phase: int
    digest: str
    """See :func:`hub.table.sealed.seal_digest`."""


class CardSealed(SealMade, frozen=True, kw_only=True):
    """An actor's card was sealed. Its secret is :class:`Kept`."""

    actor: str
    seat: str
    origin: str = ""
    """Source of the choice: ``reader:SEAT``, ``page:SEAT``, ``page:gm`` for the GM's page, or
    ``hub:SEAT`` if the hub plays the actor."""


class Committed(CardSealed, frozen=True, kw_only=True, tag="committed"):
    """An actor's choice was sealed."""

    @property
    def page(self) -> bool:
        """Whether a page or the hub made it, not a card on a reader."""
        return self.origin.startswith(("page:", "hub:"))


class SetBeside(CardSealed, frozen=True, kw_only=True, tag="set-beside"):
    """A card was sealed beside the step (a special)."""


class Withdrawn(Event, frozen=True, kw_only=True, tag="withdrawn"):
    """A card beside the step was taken back by its player or by the GM."""

    actor: str
    seat: str
    digest: str
    """Digest of the card's :class:`SetBeside`, because there may be several."""


class Passed(Event, frozen=True, kw_only=True, tag="passed"):
    """An actor that had already chosen declines to answer a card set beside the step since."""

    actor: str
    by: str


class ChanceSealed(SealMade, frozen=True, kw_only=True, tag="chance-sealed"):
    """Random bytes were drawn before the choices that they will affect. The secret is an
    :class:`Opening` whose nonce is these bytes and whose choice is ``chance``; there is no
    actor."""


class TakenBack(Event, frozen=True, kw_only=True, tag="taken-back"):
    """A seal was taken back by its player, before all had committed."""

    actor: str
    seat: str


class SealDropped(Event, frozen=True, kw_only=True, tag="seal-dropped"):
    """The GM dropped a seal, for instance because its reader is lost."""

    actor: str
    seat: str


class Locked(Event, frozen=True, kw_only=True, tag="locked"):
    """All awaited actors have committed: nothing can be taken back any more."""

    reveal_at_ms: int
    """When the reveal is due (ms since the Unix epoch)."""
    scene: int = 0
    turn: int = 0
    phase: int = 0
    awaited: tuple[str, ...] = ()
    """The actors that had to choose, in the rules' order."""
    digests: tuple[str, ...] = ()
    """Digests of everything locked: the seals of the awaited actors in that order, then the cards
    beside, by actor's name and then in the order of their :class:`SetBeside`."""
    one_of: Groups | UnsetType = UNSET
    """Groups in which one actor, listed in ``awaited``, chose for all; left out if there are
    none."""

    def __post_init__(self) -> None:
        some_groups(self.one_of)


class Revealed(Event, frozen=True, kw_only=True, tag="revealed"):
    """All seals of the phase were opened at once: actor → opening."""

    phase: int = 0

    openings: dict[str, Opening]
    beside: dict[str, tuple[Opening, ...]] = field(default_factory=dict)
    """The cards beside the step, by actor (sorted by name), each actor's in the order of their
    :class:`SetBeside`."""
    chance: str = ""
    """The random bytes that were sealed, in hex, if the step has chance."""
    one_of: Groups | UnsetType = UNSET
    """As in :class:`Locked`."""
    fell: Fall | UnsetType = UNSET
    """The outcome of these bytes, if the rules tell it; left out otherwise."""

    def __post_init__(self) -> None:
        some_groups(self.one_of)


class Decided(Event, frozen=True, kw_only=True, tag="decided"):
    """An open choice was made: a decision in words, or a card laid face up."""

    actor: str
    choice: str
    by: str
    """The seat it came from, or ``gm``."""
    phase: int = 0
    awaited: tuple[str, ...] = ()
    """The actors that have to choose in this step, in the rules' order."""
    waits_for: tuple[str, ...] = ()
    """The awaited actors that have not decided yet; empty: this decision ends the step."""
    chance: str = ""
    """With the last decision of a step that has chance: the random bytes that were sealed, in
    hex."""
    one_of: Groups | UnsetType = UNSET
    """Groups of ``awaited`` in which one decides for all; left out if there are none."""
    fell: Fall | UnsetType = UNSET
    """With ``chance``: the outcome of these bytes, if the rules tell it; left out otherwise."""

    def __post_init__(self) -> None:
        some_groups(self.one_of)


class Counted(Event, frozen=True, kw_only=True, tag="counted"):
    """An actor's count of points changed, by cards tapped one after the other. The card that
    completes the count makes a :class:`Decided` instead."""

    actor: str
    points: tuple[str, ...]
    """The type of each point so far, in the order in which they were counted."""
    total: int
    """How many points are needed."""
    by: str
    """The seat where the point was counted or taken back, or ``gm``."""
    phase: int


class Declared(Event, frozen=True, kw_only=True, tag="declared"):
    """An open declaration was made beside the step, such as ending a combo."""

    actor: str
    choice: str
    by: str
    phase: int = 0


class Overruled(Event, frozen=True, kw_only=True, tag="overruled"):
    """The GM overruled something in play."""

    holds: dict[str, Any]
    """The new ruling as typed values, of the kind named by ``what`` (``docs/rules/windows.md``)."""
    because: str
    phase: int


class DeadlineSet(Event, frozen=True, kw_only=True, tag="deadline-set"):
    """A commit timer runs for this phase."""

    deadline_ms: int
    """When it ends, in ms since the Unix epoch."""
    seconds: float
    warnings: tuple[float, ...] = ()
    """Seconds before the end at which clocks warn."""


class DeadlinePassed(Event, frozen=True, kw_only=True, tag="deadline-passed"):
    """The commit timer ran out; the configuration says what follows."""


class Paused(Event, frozen=True, kw_only=True, tag="paused"):
    """The table was paused, by the GM or by a seat's button. Cards are not read as choices until it
    resumes."""


class Resumed(Event, frozen=True, kw_only=True, tag="resumed"):
    """The table was resumed."""


class StopMade(Event, frozen=True, kw_only=True, tag="stop-made"):
    """The rules reached a stop: an undo of play goes back to here, as it does to a reveal."""

    phase: int


class Undone(Event, frozen=True, kw_only=True, tag="undone"):
    """The GM went back to the last reveal or stop, or to an open decision since."""

    to_phase: int
    to_seq: int = 0
    """Number of the record of that reveal, stop, scene start or decision: the last record of the
    scene still in force."""
    step: bool | UnsetType = UNSET
    """Set if it went back to a decision; left out otherwise."""

    def __post_init__(self) -> None:
        if self.step is False:
            raise ValueError("`step` is left out where it is a reveal")


class SceneEnded(Event, frozen=True, kw_only=True, tag="scene-ended"):
    """The scene was closed, finished or not."""

    left: LeftOpen | UnsetType = UNSET
    """The choices left undecided; left out if there are none."""


class SceneCalledOff(Event, frozen=True, kw_only=True, tag="scene-called-off"):
    """The GM took back the start of a scene in which nothing had been played."""

    to_seq: int
    """As its start's ``after``: the table is back in that state, except for the number of
    scenes."""


class SceneReopened(Event, frozen=True, kw_only=True, tag="scene-reopened"):
    """The GM took back a scene's end. Its step starts over, and cards have to be laid again."""

    to_seq: int
    """Number of the last record before that end."""


AnyEvent = (
    LogBegun
    | SceneStarted
    | Committed
    | SetBeside
    | Withdrawn
    | Passed
    | ChanceSealed
    | TakenBack
    | SealDropped
    | Locked
    | Revealed
    | Decided
    | Counted
    | Declared
    | Overruled
    | ReaderLost
    | ReaderReturned
    | ReaderUnreliable
    | ReaderReliable
    | DeadlineSet
    | DeadlinePassed
    | Paused
    | Resumed
    | StopMade
    | Undone
    | SceneEnded
    | SceneCalledOff
    | SceneReopened
    | StoryBegun
    | StoryTold
    | StoryUndone
    | CharacterJoined
    | CharacterLeft
    | PlayedByGm
    | SatOut
    | CameBack
    | PlayedByHub
    | Portrayed
    | StaysAway
    | EveningNamed
    | EveningEnded
    | TimerSet
    | ClockSet
)


Secret = Kept | Opening | SceneSetup | StorySheets | CharacterSheet


Seal = Committed | SetBeside | ChanceSealed
"""The events whose secret is the opening of their digest."""


def place_of(event: Seal, log: str, table: str) -> SealPlace:
    """The place of a seal, in the log and at the table of these names."""
    actor, kind, origin = "", SealKind.CHANCE, HUB
    if isinstance(event, CardSealed):
        actor, origin = event.actor, event.origin
        kind = SealKind.COMMIT if isinstance(event, Committed) else SealKind.BESIDE
    return SealPlace(log, table, event.scene, event.turn, event.phase, actor, kind, origin)


def tag_of(event: Event) -> str:
    """The type of an event, as written in the log."""
    return str(event.__struct_config__.tag)


class Record(Struct, frozen=True):
    """One thing that happened: number, time, its public event and its secret, if it has one."""

    seq: int
    """Counts from 1 without gaps."""
    at_ms: int
    """ms since the Unix epoch."""
    event: AnyEvent
    secret: Sealed[Secret] | None = None


SecretT = TypeVar("SecretT", bound=Secret)


def secret_of(record: Record, kind: type[SecretT]) -> Sealed[SecretT]:
    """The secret of ``record``. Raises :class:`ValueError` if it is not a ``kind``."""
    if record.secret is None or not isinstance(record.secret.unseal(), kind):
        raise ValueError(f"there is no {kind.__name__} beside record {record.seq}")
    return cast("Sealed[SecretT]", record.secret)
