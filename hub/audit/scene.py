"""What a log says of the scene that is being played: its phase, its turn, what lies sealed."""

from itertools import chain

from msgspec import Struct, field
from msgspec.structs import replace

from hub.audit.follow import Followed
from hub.audit.told import Told, who
from hub.games.game import GM
from hub.table import records as r


class Sealed(Struct, frozen=True):
    """A seal that has not been opened."""

    event: r.Seal
    schema: int


class Scene(Struct):
    """What the log says of the scene that is being played."""

    number: int
    seats: dict[str, tuple[str, ...]]
    checkpoints: list[tuple[int, int]]
    """Number and phase of the scene's start, and of each reveal and stop that stands."""
    exact: bool
    """Whether every line of it says its phase."""
    ruleset: str = ""
    low: int = 1
    """The phase is one of ``low`` to ``high``."""
    high: int = 1
    turn: tuple[int, int] | None = None
    """The highest phase that named its turn, and that turn; None after an undo."""
    seals: dict[str, Sealed] = field(default_factory=dict)
    beside: dict[str, list[Sealed]] = field(default_factory=dict)
    withdrew: set[str] = field(default_factory=set)
    """Who has withdrawn a card in this phase, and so has a word left."""
    chance: Sealed | None = None
    decided: dict[str, str] = field(default_factory=dict)
    counted: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Who counts out points, and which so far."""
    awaited: tuple[str, ...] = ()
    """Of the decision that is being made."""
    declared: bool = False
    """Whether something was declared in this phase: it may have ended it."""
    went_on: bool = False
    """Whether something was decided or declared since the last checkpoint."""
    steps: list[tuple[int, int]] = field(default_factory=list)
    """Number and phase of what followed each open decision that stands since then."""
    spoke: bool = False
    """Whether something was declared since the last of them."""
    locked: r.Locked | None = None
    """Until the reveal, or an undo of the whole phase."""
    followed: Followed | None = None
    """Its rules' state, where its setup stands in the log, until a line does not follow."""
    unsaid: str = ""
    """Why it cannot be followed, if its rules show their setup and the log does not have it."""
    shown: set[tuple[str, str]] = field(default_factory=set)
    """Who has shown or declared which kind of card; the GM's word over anything as no kind."""
    paused: bool = False
    deadline_ms: int | None = None

    def lying(self) -> list[Sealed]:
        """Everything that is sealed by players."""
        return [*self.seals.values(), *chain.from_iterable(self.beside.values())]

    def touched(self) -> bool:
        """Whether anything was played since the last checkpoint."""
        return bool(self.went_on or self.lying() or self.decided or self.counted or self.locked)

    def seat_of(self, actor: str) -> str | None:
        """The seat that plays an actor."""
        return next((seat for seat, playing in self.seats.items() if actor in playing), None)

    def at_phase(self, told: Told, phase: int) -> None:
        """Something names the phase that it happened in."""
        if told.old and phase == 0:
            return
        if not self.low <= phase <= self.high:
            known = f"{self.low}" if self.low == self.high else f"{self.low} to {self.high}"
            told.blame(f"{who(told.now.event)} in another phase: {phase}, not {known}")
        if self.low < phase:  # a declaration has ended the step: seals are void
            self.void(told)
            self.decided, self.counted, self.awaited, self.declared = {}, {}, (), False
        self.low = self.high = phase

    def at_turn(self, told: Told, phase: int, turn: int) -> None:
        """Something names its turn."""
        before = self.turn
        if before is not None:
            fits = turn == before[1] if phase == before[0] else turn >= before[1]
            if not fits or turn - before[1] > max(0, phase - before[0]):
                told.blame(f"turn {turn} in phase {phase} after turn {before[1]}")
        self.turn = (phase, turn)

    def go_on(self, told: Told, low: int, high: int) -> None:
        """A new phase begins, in which nothing is sealed yet."""
        self.void(told)
        self.low, self.high = low, high
        self.decided, self.counted, self.awaited, self.declared = {}, {}, (), False
        self.locked = self.deadline_ms = None

    def move_due(self, by_ms: int) -> None:
        """The clock is set: what is due has as long to go as before."""
        if self.deadline_ms is not None:
            self.deadline_ms += by_ms
        if self.locked is not None:
            self.locked = replace(self.locked, reveal_at_ms=self.locked.reveal_at_ms + by_ms)

    def void(self, told: Told) -> None:
        """Whatever is sealed will not be opened."""
        told.unopened += len(self.lying())
        self.seals, self.beside, self.chance = {}, {}, None
        self.withdrew = set()

    def speaks_for(self, told: Told, actor: str, by: str) -> None:
        """Something is said for an actor, by a seat or the GM."""
        seat = self.seat_of(actor)
        if seat is None and actor != GM:
            told.blame(f"{actor} is played by nobody")
        elif by not in {seat, GM}:
            told.blame(f"{by} speaks for {actor}")
