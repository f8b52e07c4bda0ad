"""The current scene as far as the log shows it: its phase, its turn, its seals."""

from itertools import chain

from msgspec import Struct, field
from msgspec.structs import replace

from hub.audit.follow import Followed
from hub.audit.told import Told, who
from hub.games.game import GM
from hub.table import acts as r


class Scene(Struct):
    """The current scene, as far as the log shows it."""

    number: int
    seats: dict[str, tuple[str, ...]]
    checkpoints: list[tuple[int, int]]
    """Line number and phase of the scene's start, and of each reveal and stop still in force."""
    ruleset: str = ""
    low: int = 1
    """The phase's number is between ``low`` and ``high``, because a declaration may have ended a
    phase."""
    high: int = 1
    turn: tuple[int, int] | None = None
    """The last phase whose line named a turn, and that turn; None after an undo."""
    seals: dict[str, r.CardSealed] = field(default_factory=dict)
    beside: dict[str, list[r.CardSealed]] = field(default_factory=dict)
    withdrew: set[str] = field(default_factory=set)
    """Actors that withdrew a card in this phase, and so may still pass."""
    chance: r.SealMade | None = None
    decided: dict[str, str] = field(default_factory=dict)
    counted: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Actor → the points counted so far."""
    awaited: tuple[str, ...] = ()
    """The actors awaited in the current decision."""
    declared: bool = False
    """Whether a declaration was made in this phase, which may have ended it."""
    went_on: bool = False
    """Whether anything was decided or declared since the last checkpoint."""
    steps: list[tuple[int, int]] = field(default_factory=list)
    """Line number of each open decision still in force since the last checkpoint, and the phase
    after it."""
    spoke: bool = False
    """Whether anything was declared since the last open decision."""
    locked: r.Locked | None = None
    """The lock, until the reveal or an undo of the whole phase."""
    followed: Followed | None = None
    """The rules' state, if the log has the setup, until a line does not follow."""
    unsaid: str = ""
    """Why the scene cannot be followed, if its rules show their setup but the log lacks it."""
    shown: set[tuple[str, str]] = field(default_factory=set)
    """Each actor with a kind of card that it has shown or declared; the GM with an empty kind for
    an overrule."""
    paused: bool = False
    deadline_ms: int | None = None

    def lying(self) -> list[r.CardSealed]:
        """All current seals of players, for the step and beside it."""
        return [*self.seals.values(), *chain.from_iterable(self.beside.values())]

    def touched(self) -> bool:
        """Whether anything was played or sealed since the last checkpoint."""
        return bool(self.went_on or self.lying() or self.decided or self.counted or self.locked)

    def seat_of(self, actor: str) -> str | None:
        """The seat that plays ``actor``; None if no seat does."""
        return next((seat for seat, playing in self.seats.items() if actor in playing), None)

    def at_phase(self, told: Told, phase: int) -> None:
        """Check the phase that a line names, and adopt it."""
        if not self.low <= phase <= self.high:
            known = f"{self.low}" if self.low == self.high else f"{self.low} to {self.high}"
            told.blame(f"{who(told.now.event)} in another phase: {phase}, not {known}")
        if self.low < phase:  # a declaration has ended the step: seals are void
            self.void(told)
            self.decided, self.counted, self.awaited, self.declared = {}, {}, (), False
        self.low = self.high = phase

    def at_turn(self, told: Told, phase: int, turn: int) -> None:
        """Check the turn that a line names, and adopt it."""
        before = self.turn
        if before is not None:
            fits = turn == before[1] if phase == before[0] else turn >= before[1]
            if not fits or turn - before[1] > max(0, phase - before[0]):
                told.blame(f"turn {turn} in phase {phase} after turn {before[1]}")
        self.turn = (phase, turn)

    def go_on(self, told: Told, low: int, high: int) -> None:
        """Begin a new phase, without seals."""
        self.void(told)
        self.low, self.high = low, high
        self.decided, self.counted, self.awaited, self.declared = {}, {}, (), False
        self.locked = self.deadline_ms = None

    def move_due(self, by_ms: int) -> None:
        """Move due times along with the clock, which was corrected by ``by_ms``."""
        if self.deadline_ms is not None:
            self.deadline_ms += by_ms
        if self.locked is not None:
            self.locked = replace(self.locked, reveal_at_ms=self.locked.reveal_at_ms + by_ms)

    def void(self, told: Told) -> None:
        """Count all current seals as unopened, and drop them."""
        told.unopened += len(self.lying())
        self.seals, self.beside, self.chance = {}, {}, None
        self.withdrew = set()

    def speaks_for(self, told: Told, actor: str, by: str) -> None:
        """Check that ``by``, a seat or the GM, may speak for this actor."""
        seat = self.seat_of(actor)
        if seat is None and actor != GM:
            told.blame(f"{actor} is played by nobody")
        elif by not in {seat, GM}:
            told.blame(f"{by} speaks for {actor}")
