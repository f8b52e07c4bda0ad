"""The table's durable state, its phases and its settings."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Self

from msgspec import Struct, field
from msgspec.structs import replace

from hub.games.game import Choice, Game, Kind, Pending, Tally
from hub.games.rulebooks import Rulebooks
from hub.games.story import Story
from hub.kernel.reasons import Reason
from hub.table.looks import Portrait
from hub.table.sealed import Kept, Opening, Sealed


class HubMisuse(Exception):
    """The hub called the table wrongly: a fault in the program, not at the table."""


class SeatFault(Exception):
    """A player or the GM asked for something that is not possible now. Nothing has changed.

    ``reason`` explains it to the person who asked. It may name that person's own card, so it goes
    to no other.
    """

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


# book: simultaneous.shown-at-once
class Phase(StrEnum):
    """The phases of a table: what it awaits, or why it awaits nothing."""

    # Three are named after the kind of choice awaited in them (hub.games.game.Kind).
    IDLE = "idle"
    SEALED = "sealed"
    LOCKED = "locked"
    OPEN = "open"
    DECISION = "decision"
    PAUSED = "paused"
    OVER = "over"


_OF_KIND = {kind: Phase(kind) for kind in Kind}

ASKING = frozenset({Phase.SEALED, Phase.OPEN, Phase.DECISION})
"""The phases in which a choice is awaited."""

NOT_NOW = {
    Phase.IDLE: Reason("start-scene-first"),
    Phase.SEALED: Reason("cards-chosen"),
    Phase.LOCKED: Reason("reveal-due"),
    Phase.OPEN: Reason("open-choice-awaited"),
    Phase.DECISION: Reason("decision-awaited"),
    Phase.PAUSED: Reason("paused"),
    Phase.OVER: Reason("scene-over"),
}
"""Phase → why an input is refused in it, as told to the input's sender."""


class AtZero(StrEnum):
    """The consequence, by the configuration, when the commit timer runs out."""

    NOTHING = "nothing"
    GM_DECIDES = "gm-decides"


MOST_COMMIT_S = 3600
"""The longest time to choose (s)."""


class Settings(Struct, frozen=True, kw_only=True):
    """The table's configured settings, which are not in the journal."""

    seats: dict[str, tuple[str, ...]]
    """Seat → the actors that it plays, in the table's order."""
    gm_seat: str | None = None
    """The seat that also plays every actor that no seat names; None: those are not played."""
    reveal_delay_ms: int = 1000
    """The delay from the last commit to the reveal."""
    commit_s: float = 0
    """The length of the commit timer in each sealed phase; 0: no timer."""
    warnings_s: tuple[float, ...] = ()
    """Seconds before the commit timer's end at which clocks warn."""
    at_zero: AtZero = AtZero.NOTHING

    def seating(self, actors: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Seat → those of ``actors`` that it plays. Actors in none of these are not played."""
        entering = [*actors]
        named = {actor for playing in self.seats.values() for actor in playing}
        others = [actor for actor in entering if actor not in named]
        return {
            seat: (
                *(actor for actor in playing if actor in entering),
                *(others if seat == self.gm_seat else ()),
            )
            for seat, playing in self.seats.items()
        }


HUB_PLAYER = "hub"
"""The browser's name in seals that the hub made for an actor; no real browser has this name."""

PASS = "pass"  # noqa: S105  (a word said at the table)
"""The kind of choice that declines to answer a card beside the step."""


class Seal(Struct, frozen=True):
    """One sealed choice: whose it is, its digest, and its secret."""

    actor: str
    seat: str
    digest: str
    kept: Sealed[Kept]
    page: bool = False
    """Whether a page or the hub made the seal, so that no card on the reader is bound to it."""
    browser: str | None = None
    """The browser whose page set the card beside the step; None for any other seal."""
    origin: str = ""
    """See :attr:`hub.table.acts.commit.CardSealed.origin`."""

    def choice(self) -> Choice:
        """The sealed choice. This unseals it: for reveals and checks only."""
        return Choice.parse(self.kept.unseal().choice)

    def opening(self) -> Opening:
        """The seal's opening: for the reveal only."""
        return self.kept.unseal().opening()

    def tag(self) -> str:
        """The tag of the card that was sealed; empty if there was no card, or its tag is
        unknown."""
        return self.kept.unseal().tag

    def is_of(self, tag: str) -> bool:
        """Whether the card with this tag made the seal. Also true for a page's seal, which has no
        tag."""
        return self.tag() in {"", tag}


class LeftOpen(Struct, frozen=True):
    """The choices left undecided when a scene was closed."""

    step: str
    """The step in which the scene was closed."""
    waits: tuple[str, ...] = ()
    """The actors still to choose; empty if all had chosen and the reveal was due."""


class Scene(Struct, frozen=True):
    """A scene in play: the rules' state, the seals and choices so far, and the points that an undo
    goes back to."""

    number: int
    rules: Game[Any]
    title: str
    seats: dict[str, tuple[str, ...]]
    game: Any
    """The rules' own frozen state (see :class:`hub.games.game.Game`)."""
    pending: Pending
    turn: int
    phase_no: int = 1
    """Counts the phases of the scene; never goes back, not even on an undo."""
    seals: dict[str, Seal] = field(default_factory=dict)
    beside: dict[str, tuple[Seal, ...]] = field(default_factory=dict)
    """Cards set beside this step, by actor, in the order in which they were set: sealed too, and
    shown with the seals. Actors without such a card are left out."""
    answers: frozenset[str] = frozenset()
    """Actors that had chosen when a card was set beside the step, and may answer it or pass."""
    chance: Sealed[Opening] | None = None
    """The random bytes drawn for this step, if it has chance."""
    decided: dict[str, Choice] = field(default_factory=dict)
    """Open choices made so far, while others are still to decide."""
    counted: dict[str, Tally] = field(default_factory=dict)
    """Incomplete counts of points by actor. Actors without a point are left out."""
    reveal_at_ms: int | None = None
    deadline_ms: int | None = None
    deadline_s: float = 0
    warnings_s: tuple[float, ...] = ()
    deadline_passed: bool = False
    sits_out: frozenset[str] = frozenset()
    """Actors that no longer take part because their player has left."""
    absences: int = 0
    """How often an actor has left or come back, so that each change can be undone."""
    of_story: bool = False
    """Whether the scene was made from the story's sheets, so that its results go back to them."""
    checkpoint: Self | None = None
    """The scene right after its last reveal or stop (or its start). It has the checkpoint before
    it, and so on; see :mod:`hub.table.acts.undo`."""
    checkpoint_seq: int = 0
    """Number of the record that led to ``checkpoint``."""
    step: Self | None = None
    """The scene right after its last open decision since ``checkpoint``, if any. It has the one
    before it, and so on."""
    step_seq: int = 0
    """Number of the record that led to ``step``."""

    def chosen(self) -> tuple[str, ...]:
        """The awaited actors whose choice is in."""
        if not (self.seals or self.decided):
            return ()
        return tuple(a for a in self.pending.must if a in self.seals or a in self.decided)

    def awaited(self) -> tuple[str, ...]:
        """The actors that have to choose in this phase, whether or not they have. A group in which
        one chooses for all is listed whole until one has chosen, and then as that one alone."""
        if not self.pending.one_of or not (self.seals or self.decided):
            return self.pending.must
        return tuple(actor for actor in self.pending.must if self.chosen_for(actor) is None)

    def waits_for(self) -> tuple[str, ...]:
        """The awaited actors whose choice is not in yet."""
        chosen = self.chosen()
        return tuple(actor for actor in self.awaited() if actor not in chosen)

    def left_open(self) -> LeftOpen | None:
        """The choices left undecided if the scene is closed now; None if there are none."""
        if not self.pending.must or self.pending.settled:
            return None
        return LeftOpen(self.pending.step, self.waits_for())

    def chosen_for(self, actor: str) -> str | None:
        """The other actor that has chosen for the whole group of ``actor``; None if none has."""
        group = next((each for each in self.pending.one_of if actor in each), ())
        chosen = self.seals.keys() | self.decided.keys()
        return None if actor in chosen else next((a for a in group if a in chosen), None)

    def asks_nothing_of(self, actor: str) -> bool:
        """Whether the actor sits out and the step does not need its choice. (Some steps wait even
        for an actor that sits out.)"""
        return actor in self.sits_out and actor not in self.pending.must

    def seat_of(self, actor: str) -> str | None:
        """The seat that plays ``actor``; None if no seat does."""
        return next((seat for seat, actors in self.seats.items() if actor in actors), None)

    def awaited_at(self, seat: str) -> tuple[str, ...]:
        """The actors of a seat that have to choose in this phase, whether or not they have."""
        awaited = self.awaited()
        return tuple(a for a in self.seats.get(seat, ()) if a in awaited)


class Ended(Struct, frozen=True):
    """A scene that was played to its end, or closed by the GM."""

    number: int
    title: str
    rules: Game[Any]
    began: Any
    """The rules' state at the scene's start."""
    game: Any
    """The rules' state when the scene was closed."""
    over: bool
    """Whether the scene was played to its end."""
    stakes: str = ""
    """The scene's stakes; empty if none were told."""
    left: LeftOpen | None = None
    """The choices left undecided; None if there were none."""


class Campaign(Struct, frozen=True):
    """The table's story, which lasts between scenes: its rules and its state."""

    rules: Story[Any]
    state: Any
    """The rules' own frozen state (see :class:`hub.games.story.Story`)."""


class Undoes(StrEnum):
    """The kinds of undo."""

    PLAY = "play"
    """Play since the last reveal or stop."""
    STEP = "step"
    """The newest of several open decisions since the last reveal or stop, and play after it."""
    DEED = "deed"
    """The newest deed of the story, or the newest arrival or departure of a character."""
    START = "start"
    """A scene's start, while nothing has been played in it."""
    END = "end"
    """A scene's end, while nothing else has begun."""


class Earlier(Struct, frozen=True):
    """The table before one of the GM's actions, kept as long as the action can be taken back."""

    what: Undoes
    seq: int
    """Number of the last record before the action."""
    story: Campaign | None
    seated: Mapping[str, str]
    scene: Scene | None = None
    """The scene that was closed, if the action is a scene's end; else None."""
    paused: bool = False
    """Whether the table was paused, if the action is a scene's end."""


class Version(Struct, frozen=True, forbid_unknown_fields=True):
    """The version of the table that the sender of a command saw. The sender may no longer want the
    same once the table has moved on."""

    scene: int
    """Number of scenes begun so far."""
    phase: int
    """The phase's number in its scene, 0 without one; never goes back, not even on an undo."""
    revision: int
    """How often the story has changed, by deeds and by the results of scenes."""


class Trouble(Struct, frozen=True):
    """How often a reader has failed in the last five minutes."""

    losses: int
    """How often the reader was lost."""
    disturbances: int
    """How often a look failed and the reader had to be made to answer again."""


class TableState(Struct, frozen=True):
    """Everything that the records say. Made by ``fold()`` alone."""

    table: str
    rulebooks: Rulebooks
    """The rules available at this table."""
    log: str = ""
    """The log's random id; empty before the log has begun."""
    seq: int = 0
    """Number of the last record."""
    at_ms: int = 0
    """When the last record was written (ms since the Unix epoch). No later record is earlier,
    unless the clock is set (:class:`hub.table.acts.clock.ClockSet`)."""
    scenes: int = 0
    """How many scenes have begun."""
    scene: Scene | None = None
    revealed_at_ms: int | None = None
    """When cards were last revealed; None before the first time. An undo does not change it."""
    paused: bool = False
    lost: frozenset[str] = frozenset()
    """Seats whose reader does not answer."""
    unreliable: Mapping[str, Trouble] = {}
    """Seats whose reader fails again and again → how often, as last recorded."""
    story: Campaign | None = None
    revision: int = 0
    """How often the story has changed since it began."""
    seated: Mapping[str, str] = {}
    """Character that came during the story → the seat named for that character."""
    ended: tuple[Ended, ...] = ()
    """The newest closed scenes, the last one at the end."""
    gm_plays: frozenset[str] = frozenset()
    """Characters that the GM plays for a player who has left, until given back."""
    evening: str = ""
    """The evening's title as set by the GM; empty: the configured one."""
    evening_over: bool = False
    """Whether the GM has ended the evening and no scene has begun since."""
    evening_first: int = 1
    """Number of the evening's first scene."""
    commit_s: float | None = None
    """Seconds to choose, as set by the GM; 0: no timer; None: the configured time."""
    away: frozenset[str] = frozenset()
    """Characters left out of new scenes because their player has left, until they are back."""
    hub_plays: frozenset[str] = frozenset()
    """Actors that the hub plays, in every scene; ``gm`` for the GM as referee."""
    portraits: Mapping[str, Portrait] = {}
    """Character → portrait, if any part of it was chosen."""
    earlier: tuple[Earlier, ...] = ()
    """The table before each of the GM's last actions on the story and on whole scenes, newest last;
    see :mod:`hub.table.acts.undo`."""


def begun_anew(scene: Scene) -> Scene:
    """The scene in a new phase: nothing has been laid or said in it, and no timer runs."""
    return replace(
        scene,
        phase_no=scene.phase_no + 1,
        seals={},
        beside={},
        answers=frozenset(),
        chance=None,
        decided={},
        counted={},
        reveal_at_ms=None,
        deadline_ms=None,
        deadline_passed=False,
    )


def commit_s(state: TableState, settings: Settings) -> float:
    """The time limit (s) from the next sealed step on; 0: none."""
    return settings.commit_s if state.commit_s is None else state.commit_s


def version_of(state: TableState) -> Version:
    """The version of the table in ``state``, which commands may name."""
    scene = state.scene
    return Version(state.scenes, scene.phase_no if scene else 0, state.revision)


def phase_of(state: TableState) -> Phase:
    """The phase that ``state`` is in, derived from its scene; it is not stored."""
    scene = state.scene
    if scene is None:
        return Phase.IDLE
    if state.paused:
        return Phase.PAUSED
    if not scene.pending.must:
        return Phase.OVER
    if scene.reveal_at_ms is not None:
        return Phase.LOCKED
    return _OF_KIND[scene.pending.kind]
