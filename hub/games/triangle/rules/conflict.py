"""The state of a conflict, frozen: every transition makes a new one.

A choice enters the state only when it is revealed, so nothing here is secret but what the GM's
side knows and has not shown yet; ``views`` decides what is public.
"""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from hub.games.triangle.rules.edition import Action, Edition, Energy, Move, Special

RULINGS = 2
"""The version of the rulings by which a scene that begins now is played. In version 1, of older
logs, nobody is heard once the moves are shown (R17), and whoever comes in without energy of a type
is marked for it (R20)."""


class Stance(Struct, frozen=True):
    """Energy of one type shown before the moves; at least one point. No stance is None."""

    action: Action
    amount: int

    def __str__(self) -> str:
        return f"{self.action} {self.amount}"


class Sheet(Struct, frozen=True):
    """What does not change about a character during a conflict."""

    name: str
    side: str
    level: int
    max: Energy
    moves: tuple[Move, ...]
    combos: Mapping[str, frozenset[str]]
    """Follow-ups by starting move, as ids of originals."""
    specials: tuple[Special, ...] = ()
    """All that it knows, also what it cannot use any more."""
    npc: bool = False
    """Whether the GM plays it; on which side it stands says nothing about that."""


class Scene(Struct, frozen=True):
    """What does not change during a conflict."""

    edition: Edition
    # book: stakes.lethal
    lethal: bool
    # book: minor.one-turn
    minor: bool
    sides: Mapping[str, tuple[str, ...]]
    """The two sides' members; the second side is the GM's."""
    sheets: Mapping[str, Sheet]
    """By character, in the order of the setup: the order of every list of names."""
    rulings: int = RULINGS
    """By which version of the rulings it is played."""


class Fighter(Struct, frozen=True):
    """How a character stands in the conflict."""

    energy: Energy
    zero: tuple[Action, ...] = ()
    """Types marked as having stood at zero at the end of a turn (R8)."""
    reached: tuple[Action, ...] = ()
    """Those of them that had been above zero in this conflict: marks for a level-up (R20)."""
    face_up: tuple[Move, ...] = ()
    """The disadvantage: its own lost moves, oldest first (R2)."""
    turns: int = 0
    """Turns counted for it (R9)."""
    surrendered: bool = False
    dead: bool = False
    spent: tuple[Special, ...] = ()
    """Specials that were used up before this conflict: known, but nothing that happened here."""
    used: tuple[Special, ...] = ()
    """Specials used in earlier turns, once for each use."""
    bound: str = ""
    """Whom it has to choose, as long as both are in; empty if it is free (R12, bind)."""
    scouted: bool = False
    """Whether its sheet is public knowledge (R12, scout)."""
    last_stand: bool = False
    """Whether nothing takes it out before the end, when it dies (R12, last)."""

    # book: energy.zero-of-all, left.zero-of-all, last.never-out
    @property
    def out(self) -> bool:
        """Whether it has left the conflict: by surrender (R5), without energy (R8), or dead."""
        if self.last_stand:
            return self.surrendered
        return self.surrendered or self.dead or not self.energy.total


class Run(Struct, frozen=True):
    """A combo: winning moves against one victim, face up in front of it (R3)."""

    victim: str
    cards: tuple[tuple[str, Move], ...]
    """Who played which move, oldest first; never empty."""

    @property
    def last(self) -> Move:
        """The move that a follow-up has to follow."""
        return self.cards[-1][1]


class Outcome(StrEnum):
    """How a turn came out."""

    WIN = "win"
    TIE = "tie"
    SURRENDER = "surrender"


class Why(StrEnum):
    """What decided a turn (R1)."""

    ACTION = "action"
    ELEMENT = "element"
    DISADVANTAGE = "disadvantage"
    TIE = "tie"
    SURRENDER = "surrender"
    OVERRULED = "overruled"
    """The GM's word (R11)."""


class Use(Struct, frozen=True):
    """A special that was set down in a turn."""

    player: str
    special: Special
    """The one that is used up."""
    copied: Special | None = None
    """What a copying special does this time."""
    person: str = ""
    """Whom it concerns: the one protected, bound or scouted."""

    # book: copy.effect
    @property
    def does(self) -> Special:
        """The special whose effect it has."""
        return self.copied or self.special

    @property
    def effect(self) -> str:
        """What it does, by its id."""
        return self.does.effect


class Loss(Struct, frozen=True):
    """What one character loses this turn, by part (R6, R7, R12). The parts are not capped."""

    base: int
    stance: int = 0
    """The winner's committed stance, multiplied."""
    own_stance: int = 0
    """The loser's own committed stance."""
    combo: int = 0
    disadvantage: int = 0
    total: int = 0
    """What is really lost: the sum of the parts, or all that was left."""
    committed: Action | None = None
    """The type from which ``own_stance`` has to be taken; None if nothing has to be."""
    special: int = 0
    """What specials, or the GM's word, add or, below zero, take away."""

    @property
    def raw(self) -> int:
        """The loss before the cap."""
        parts = self.base + self.stance + self.own_stance + self.combo + self.disadvantage
        return parts + self.special


class Verdict(Struct, frozen=True):
    """What the revealed moves lead to, before anything is taken off anybody."""

    outcome: Outcome
    why: Why
    winner: str | None = None
    loser: str | None = None
    losses: Mapping[str, Loss] = {}
    """For the loser of a win, or for both of a tie; specials shift them to others (R12)."""
    at_disadvantage: bool = False
    """Whether the losing move was played at disadvantage, and so joins the list (R2)."""
    continued: bool = False
    """Whether the winning move continued the run (R3)."""
    missed: int = 0
    """What the run against the loser would have added; 0 where the winning move continued it, and
    where none lay there."""


class Turn(Struct, frozen=True):
    """A turn, from the naming of its active character until the next one is named."""

    number: int
    active: str
    ordinary: bool = True
    """Whether it may be an ordinary turn; if not, it can only be kept against the victim (R9)."""
    opponent: str = ""
    """Empty until chosen."""
    kept: bool = False
    """Whether the winner keeps the turn for its combo: not counted (R9)."""
    stances: Mapping[str, Stance | None] | None = None
    """By character, once revealed; None for no stance."""
    moves: Mapping[str, Move | None] | None = None
    """By character, once revealed; None for surrender."""
    verdict: Verdict | None = None
    splits: Mapping[str, Energy] | None = None
    """How each loss was split, once the turn is settled."""
    uses: tuple[Use, ...] = ()
    """The specials set down in it."""
    gains: Mapping[str, Energy] = {}
    """What each has regained by specials, as far as the turn has come."""
    window: str = ""
    """The step before which specials are being set down in secret; empty: none are."""
    asked_by: str = ""
    """Who said so: one that is not in the turn lays its own as well (R12)."""
    unsaid: tuple[Use, ...] = ()
    """Specials that were shown and whose player has still to say whom they concern."""
    replaced: Mapping[str, Move | None] = {}
    """Moves as they were shown first, where another was drawn in their place (R12)."""
    let_be: tuple[str, ...] = ()
    """Bystanders who bear nothing of what is lost in it (R17)."""
    said: Mapping[str, int] = {}
    """What somebody loses in all by the GM's word (R11)."""
    divided: Mapping[str, Energy] = {}
    """Splits decided before the turn is settled, by loser."""
    spread: Mapping[str, Energy] = {}
    """Gains decided before the turn is settled."""

    def other(self, name: str) -> str:
        """The one that ``name`` faces."""
        return self.opponent if name == self.active else self.active


class Ending(StrEnum):
    """Why a conflict ended (R10)."""

    SIDE_OUT = "side-out"
    BOTH_OUT = "both-out"
    MINOR = "minor"
    OVERRULED = "overruled"
    """The GM's word (R11)."""


class Result(Struct, frozen=True):
    """How a conflict ended; ``winner`` is a side, None if nobody won or the GM has to decide."""

    reason: Ending
    winner: str | None

    @property
    def undecided(self) -> bool:
        """Whether the GM has still to say who won (R10)."""
        return self.winner is None and self.reason is not Ending.OVERRULED


class Conflict(Struct, frozen=True):
    """A conflict at one moment."""

    scene: Scene
    fighters: Mapping[str, Fighter]
    run: Run | None = None
    """The combo that lies face up."""
    turn: Turn | None = None
    """The current turn or, between turns, the last one; None before the first is named."""
    winner: str | None = None
    """Who won the last turn that was settled; None before it and after a tie."""
    streak: int = 0
    """How many turns in a row, up to now, ``winner`` has won (R9)."""
    result: Result | None = None

    def members(self, side: str) -> tuple[str, ...]:
        """Everybody on a side, those who are out included."""
        return self.scene.sides[side]

    def still_in(self) -> list[str]:
        """Everybody who is not out, in order."""
        return [name for name, fighter in self.fighters.items() if not fighter.out]

    # book: bind.until
    def bond(self, name: str) -> str:
        """Whom the character has to choose as opponent (R12, bind); empty if it is free."""
        partner = self.fighters[name].bound
        return partner if partner and not self.fighters[partner].out else ""
