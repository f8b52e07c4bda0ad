"""What happened at the table: the records that the journal keeps and that ``fold()`` applies.

A record is a public *event*, a few with a *secret* beside it. The event may go to everybody as it
stands; the secret goes to the journal and nowhere else. No view is made by removing fields.
``events`` has what reaches beyond a scene, ``secrets`` the documents that lie beside some records.
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
"""Events and secrets from beside this file: together with what stands here, all there is."""


class LogBegun(Event, frozen=True, kw_only=True, tag="log-begun"):
    """The log of a table begins: the first record of a new one. In a log that an older version
    began, everything up to here is in log schema 1."""

    table: str
    log: str
    """32 random bytes in hex, drawn when the log began: no seal of another log fits in this."""


class SceneStarted(Event, frozen=True, kw_only=True, tag="scene-started"):
    """A scene began. Its secret is the whole setup: what NPCs can do is not public."""

    scene: int
    ruleset: str
    title: str
    seats: dict[str, tuple[str, ...]]
    """Seat → the actors that it plays."""
    after: int = 0
    """Number of the last record before the GM's request: what is at stake is told with it. 0 in
    logs of an older version: the record before this one."""
    digest: str = ""
    """Of the secret: see :func:`hub.table.sealed.secret_digest`."""
    setup: OpenSetup | UnsetType = UNSET
    """What it began with, where its rules show all of it; left out by other rules, and in logs of
    an older version."""
    away: tuple[str, ...] | UnsetType = UNSET
    """Those of them without whom it began, because their players have left; left out where there
    are none, as in logs of an older version."""

    def __post_init__(self) -> None:
        if self.away == ():
            raise ValueError("`away` is left out where nobody is away")


class SealMade(Event, frozen=True, kw_only=True):
    """Something was sealed, in this phase. Its secret is what opens ``digest``."""

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
    """Where the choice came from: ``reader:SEAT``, ``page:SEAT``, ``page:gm`` for the GM's, or
    ``hub:SEAT`` where the hub plays for the actor (``page:`` as well in logs of an older
    version)."""


class Committed(CardSealed, frozen=True, kw_only=True, tag="committed"):
    """An actor's choice was sealed."""

    @property
    def page(self) -> bool:
        """Whether no card on a reader made it: a page did, or the hub."""
        return self.origin.startswith(("page:", "hub:"))


class SetBeside(CardSealed, frozen=True, kw_only=True, tag="set-beside"):
    """A card was sealed beside the step (a special)."""


class Withdrawn(Event, frozen=True, kw_only=True, tag="withdrawn"):
    """A card beside the step was taken back by the one who set it down, or by the GM."""

    actor: str
    seat: str
    digest: str
    """Of the card's :class:`SetBeside`: there may be several."""


class Passed(Event, frozen=True, kw_only=True, tag="passed"):
    """Somebody who had already chosen sets nothing against a card that was laid beside the step
    since."""

    actor: str
    by: str


class ChanceSealed(SealMade, frozen=True, kw_only=True, tag="chance-sealed"):
    """Random bytes were drawn before the choices that they will meet. Their secret is an
    :class:`Opening` whose nonce they are and whose choice is ``chance``; it has no actor."""


class TakenBack(Event, frozen=True, kw_only=True, tag="taken-back"):
    """A seal was undone by the one who made it, before everybody had committed."""

    actor: str
    seat: str


class SealDropped(Event, frozen=True, kw_only=True, tag="seal-dropped"):
    """The GM dropped a seal, for instance because its reader is lost."""

    actor: str
    seat: str


class Locked(Event, frozen=True, kw_only=True, tag="locked"):
    """Everybody awaited has committed: nothing can be taken back any more."""

    reveal_at_ms: int
    """When the reveal is due (ms since the Unix epoch)."""
    scene: int = 0
    turn: int = 0
    phase: int = 0
    awaited: tuple[str, ...] = ()
    """Who had to choose, in the rules' order."""
    digests: tuple[str, ...] = ()
    """Of everything that is locked: the seals of those awaited, in that order, and what lies
    beside, by actor's name and then in the order of its :class:`SetBeside`."""
    one_of: Groups | UnsetType = UNSET
    """Groups in which one had to choose for all, who is among ``awaited``; left out where there are
    none, as in logs of an older version."""

    def __post_init__(self) -> None:
        some_groups(self.one_of)


class Revealed(Event, frozen=True, kw_only=True, tag="revealed"):
    """All seals of the phase, opened at once: actor → opening."""

    phase: int = 0

    openings: dict[str, Opening]
    beside: dict[str, tuple[Opening, ...]] = field(default_factory=dict)
    """What lay beside, by who set it down (sorted by name), each one's in the order of their
    :class:`SetBeside`."""
    chance: str = ""
    """In a step that has chance: the bytes that were sealed, in hex."""
    one_of: Groups | UnsetType = UNSET
    """As in :class:`Locked`."""
    fell: Fall | UnsetType = UNSET
    """What these bytes came to, where the rules say so; left out in logs of an older version."""

    def __post_init__(self) -> None:
        some_groups(self.one_of)


class Decided(Event, frozen=True, kw_only=True, tag="decided"):
    """An open choice: a decision by word, or a card laid face up."""

    actor: str
    choice: str
    by: str
    """The seat it came from, or ``gm``."""
    phase: int = 0
    awaited: tuple[str, ...] = ()
    """Who has to choose in this step, in the rules' order."""
    waits_for: tuple[str, ...] = ()
    """Those of them who have not decided yet; empty: the step ends with this one."""
    chance: str = ""
    """With the last decision of a step that has chance: the bytes that were sealed, in hex."""
    one_of: Groups | UnsetType = UNSET
    """Groups of ``awaited`` in which one decides for all; left out where there are none, as in
    logs of an older version."""
    fell: Fall | UnsetType = UNSET
    """With ``chance``: what these bytes came to, where the rules say so; left out in logs of an
    older version."""

    def __post_init__(self) -> None:
        some_groups(self.one_of)


class Counted(Event, frozen=True, kw_only=True, tag="counted"):
    """How far an actor has counted out points, by cards tapped one after the other; the card that
    makes them enough is :class:`Decided`."""

    actor: str
    points: tuple[str, ...]
    """The type of each point so far, in the order in which they were counted."""
    total: int
    """How many there have to be."""
    by: str
    """The seat where it was counted or taken back, or ``gm``."""
    phase: int


class Declared(Event, frozen=True, kw_only=True, tag="declared"):
    """An open declaration beside the step, such as ending a combo."""

    actor: str
    choice: str
    by: str
    phase: int = 0


class Overruled(Event, frozen=True, kw_only=True, tag="overruled"):
    """The GM's word over what is being played. Logs of version 0.1.0 have it as a declaration
    ``overrule …`` by ``gm``."""

    holds: dict[str, Any]
    """What is to hold, as typed values; ``what`` says which (``docs/rules/windows.md``)."""
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
    """The commit timer has run out; what follows is configured."""


class Paused(Event, frozen=True, kw_only=True, tag="paused"):
    """The table was paused, by the GM or by a seat's button: cards are not read as choices until it
    goes on."""


class Resumed(Event, frozen=True, kw_only=True, tag="resumed"):
    """The table goes on."""


class StopMade(Event, frozen=True, kw_only=True, tag="stop-made"):
    """The rules have come to a stop, from which play goes on: an undo of what is played goes back
    to here, as to a reveal."""

    phase: int


class Undone(Event, frozen=True, kw_only=True, tag="undone"):
    """The GM went back to the last reveal or stop, or to an open decision since."""

    to_phase: int
    to_seq: int = 0
    """Number of the record of that reveal or stop (or the scene's start), or of that decision: the
    last one of the scene that stands. 0 in logs of an older version."""
    step: bool | UnsetType = UNSET
    """That it went back to a decision; left out where it did not."""

    def __post_init__(self) -> None:
        if self.step is False:
            raise ValueError("`step` is left out where it is a reveal")


class SceneEnded(Event, frozen=True, kw_only=True, tag="scene-ended"):
    """The scene is closed, finished or not."""

    left: LeftOpen | UnsetType = UNSET
    """What it leaves undecided; left out where nothing is, as in logs of an older version."""


class SceneCalledOff(Event, frozen=True, kw_only=True, tag="scene-called-off"):
    """The GM took a scene's start back, in which nothing had been played."""

    to_seq: int
    """As its start's ``after``: the table is as it was then, but for the number of scenes."""


class SceneReopened(Event, frozen=True, kw_only=True, tag="scene-reopened"):
    """The GM took a scene's end back: its step begins anew, and cards have to be laid again."""

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
    """Where a seal belongs, in the log and at the table of these names."""
    actor, kind, origin = "", SealKind.CHANCE, HUB
    if isinstance(event, CardSealed):
        actor, origin = event.actor, event.origin
        kind = SealKind.COMMIT if isinstance(event, Committed) else SealKind.BESIDE
    return SealPlace(log, table, event.scene, event.turn, event.phase, actor, kind, origin)


def tag_of(event: Event) -> str:
    """The type of an event, as it stands in the log."""
    return str(event.__struct_config__.tag)


class Record(Struct, frozen=True):
    """One thing that happened: number, time, its public event and its secret, if it has one."""

    seq: int
    """From 1, without gaps."""
    at_ms: int
    """ms since the Unix epoch."""
    event: AnyEvent
    secret: Sealed[Secret] | None = None


SecretT = TypeVar("SecretT", bound=Secret)


def secret_of(record: Record, kind: type[SecretT]) -> Sealed[SecretT]:
    """What lies secret beside ``record``. Raises :class:`ValueError` if it is not a ``kind``."""
    if record.secret is None or not isinstance(record.secret.unseal(), kind):
        raise ValueError(f"there is no {kind.__name__} beside record {record.seq}")
    return cast("Sealed[SecretT]", record.secret)
