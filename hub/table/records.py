"""What happened at the table: the records that the journal keeps and that ``fold()`` applies.

A record is a public *event*, a few with a *secret* beside it. The event may go to everybody as it
stands; the secret goes to the journal and nowhere else. No view is made by removing fields.
"""

from typing import Any, TypeVar, cast

from msgspec import Struct

from hub.table.sealed import HUB, Kept, Opening, Sealed, SealKind, SealPlace


class Event(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """The public part of a record. Subclasses are the event types of the MQTT event topic."""


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
    """Where the choice came from: ``reader:SEAT``, ``page:SEAT``, or ``page:gm`` for the GM's."""


class Committed(CardSealed, frozen=True, kw_only=True, tag="committed"):
    """An actor's choice was sealed."""

    @property
    def page(self) -> bool:
        """Whether a page made it: then it belongs to no card on a reader."""
        return self.origin.startswith("page:")


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
    """When the reveal is due, in ms since the Unix epoch."""
    scene: int = 0
    turn: int = 0
    phase: int = 0
    awaited: tuple[str, ...] = ()
    """Who had to choose, in the rules' order."""
    digests: tuple[str, ...] = ()
    """Of everything that is locked: the seals of those awaited, in that order, and what lies
    beside, by actor's name and then in the order of its :class:`SetBeside`."""


class Revealed(Event, frozen=True, kw_only=True, tag="revealed"):
    """All seals of the phase, opened at once: actor → opening."""

    phase: int = 0

    openings: dict[str, Opening]
    beside: dict[str, tuple[Opening, ...]] = {}
    """What lay beside, by who set it down (sorted by name), each one's in the order of their
    :class:`SetBeside`."""
    chance: str = ""
    """In a step that has chance: the bytes that were sealed, in hex."""


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


class ReaderLost(Event, frozen=True, kw_only=True, tag="reader-lost"):
    """A seat's reader does not answer. Seals stand."""

    seat: str


class ReaderReturned(Event, frozen=True, kw_only=True, tag="reader-returned"):
    """A lost reader answers again."""

    seat: str


class ReaderUnreliable(Event, frozen=True, kw_only=True, tag="reader-unreliable"):
    """A seat's reader fails again and again; told anew when its troubles have doubled."""

    seat: str
    losses: int
    """How often it was lost in the last five minutes."""
    disturbances: int
    """How often it had to be made to answer again."""


class ReaderReliable(Event, frozen=True, kw_only=True, tag="reader-reliable"):
    """An unreliable reader has had no trouble for five minutes, or the hub has started anew."""

    seat: str


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
    """The GM paused the table: cards are not read as choices until it goes on."""


class Resumed(Event, frozen=True, kw_only=True, tag="resumed"):
    """The table goes on."""


class Undone(Event, frozen=True, kw_only=True, tag="undone"):
    """The GM went back to the last reveal."""

    to_phase: int
    to_seq: int = 0
    """Number of the record of that reveal (or the scene's start): the last one of the scene that
    stands. 0 in logs of an older version."""


class SceneEnded(Event, frozen=True, kw_only=True, tag="scene-ended"):
    """The scene is closed, finished or not."""


class SceneCalledOff(Event, frozen=True, kw_only=True, tag="scene-called-off"):
    """The GM took a scene's start back, in which nothing had been played."""

    to_seq: int
    """As its start's ``after``: the table is as it was then, but for the number of scenes."""


class SceneReopened(Event, frozen=True, kw_only=True, tag="scene-reopened"):
    """The GM took a scene's end back: its step begins anew, and cards have to be laid again."""

    to_seq: int
    """Number of the last record before that end."""


class StoryBegun(Event, frozen=True, kw_only=True, tag="story-begun"):
    """A story began. Its secret are the characters' sheets: those of NPCs are not public."""

    ruleset: str
    digest: str = ""
    """Of the secret: see :func:`hub.table.sealed.secret_digest`."""


class StoryTold(Event, frozen=True, kw_only=True, tag="story-told"):
    """The GM did something to the story, such as marking a countdown."""

    deed: dict[str, Any] | str
    """As typed values, ``do`` says which; in logs of schema 1 in its written form
    (``docs/rules/evening.md``)."""


class StoryUndone(Event, frozen=True, kw_only=True, tag="story-undone"):
    """The GM took back the newest deed of the story that stands: what was told, or who joined or
    left."""

    to_seq: int
    """Number of the last record before that deed."""


class CharacterJoined(Event, frozen=True, kw_only=True, tag="character-joined"):
    """Somebody came into the story: an NPC, or a player character into the reserve. Its secret is
    the sheet."""

    name: str
    seat: str = ""
    """The seat that plays it, where one was named."""
    digest: str = ""
    """Of the secret: see :func:`hub.table.sealed.secret_digest`."""


class CharacterLeft(Event, frozen=True, kw_only=True, tag="character-left"):
    """Somebody of the GM's, or of the reserve, is no longer in the story."""

    name: str


class PlayedByGm(Event, frozen=True, kw_only=True, tag="played-by-gm"):
    """From here on the GM plays for a character whose player has left, or does so no longer. What
    its player has sealed stays sealed, for the GM too."""

    actor: str
    on: bool


class SatOut(Event, frozen=True, kw_only=True, tag="sat-out"):
    """The scene goes on without somebody, as far as its rules allow."""

    actor: str
    phase: int


class CameBack(Event, frozen=True, kw_only=True, tag="came-back"):
    """Somebody who sat out takes part in the scene again."""

    actor: str
    phase: int


class PlayedByHub(Event, frozen=True, kw_only=True, tag="played-by-hub"):
    """From here on the hub plays for somebody, or does so no longer."""

    actor: str
    """A character, or ``gm``: then the hub decides what the GM as referee is asked."""
    on: bool


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
)


class Document(Struct, frozen=True, kw_only=True):
    """A secret that its record's ``digest`` commits to, so that it can be opened later."""

    salt: str = ""
    """32 random bytes in hex: without them the digest could be tried out. Empty in journals of log
    schema 1."""


class SceneSetup(Document, frozen=True):
    """What a scene begins with, as the GM prepared it; JSON values for the rules to check."""

    ruleset: str
    game: dict[str, Any]
    story: bool = False
    """Whether it was made of the story's sheets, and its end comes back to them."""
    rulings: int = 1
    """By which version of the rulings it is played; the table says so when it begins."""


class StorySheets(Document, frozen=True):
    """What a story begins with; JSON values for the rules to check."""

    cast: list[dict[str, Any]]
    reserve: list[dict[str, Any]] = []
    """Characters that wait to join, or to replace somebody."""
    house: dict[str, Any] | None = None
    """The house rules that it is played by."""


class CharacterSheet(Document, frozen=True):
    """The sheet of somebody who came into the story; JSON values that the rules have made."""

    sheet: dict[str, Any]


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
