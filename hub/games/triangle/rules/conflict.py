"""The frozen state of a conflict; every transition returns a new one.

A choice enters the state only when it is revealed. The only secrets here are abilities that NPCs
have not shown yet; ``views`` decides what is public.
"""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from hub.games.triangle.rules.edition import Action, Edition, Energy, Move, Special

RULINGS = 2
"""The newest version of the rulings, by which a new conflict is played."""


class Stance(Struct, frozen=True):
    """Energy of one type, at least one point, shown before the moves."""

    action: Action
    amount: int

    def __str__(self) -> str:
        return f"{self.action} {self.amount}"


class Sheet(Struct, frozen=True):
    """The part of a character's sheet that stays fixed during a conflict."""

    name: str
    side: str
    level: int
    max: Energy
    moves: tuple[Move, ...]
    combos: Mapping[str, frozenset[str]]
    """Starting move → its follow-ups, as ids of original moves."""
    specials: tuple[Special, ...] = ()
    """All specials that the character knows, including used ones."""
    npc: bool = False
    """Whether the GM plays the character, which can be on either side."""


class Scene(Struct, frozen=True):
    """The part of a conflict that stays fixed."""

    edition: Edition
    # book: stakes.lethal
    lethal: bool
    # book: minor.one-turn
    minor: bool
    sides: Mapping[str, tuple[str, ...]]
    """The two sides: name → members. The second side is the GM's."""
    sheets: Mapping[str, Sheet]
    """Each character's sheet by name, in setup order."""
    rulings: int = RULINGS
    """The version of the rulings in force."""


class Fighter(Struct, frozen=True):
    """A character's state in the conflict."""

    energy: Energy
    zero: tuple[Action, ...] = ()
    """The energy types marked because they were at zero at the end of a turn (R8)."""
    reached: tuple[Action, ...] = ()
    """The energy types that fell to zero in this conflict, which count as marks for a level-up
    (R20)."""
    face_up: tuple[Move, ...] = ()
    """The disadvantage: the character's own lost moves, oldest first (R2)."""
    turns: int = 0
    """How many turns are counted for the character (R9)."""
    surrendered: bool = False
    dead: bool = False
    spent: tuple[Special, ...] = ()
    """Specials that were used up before this conflict."""
    used: tuple[Special, ...] = ()
    """Specials used in earlier turns of this conflict, one entry per use."""
    bound: str = ""
    """The opponent whom the character must choose as long as both are in; empty if it is free (R12,
    bind)."""
    scouted: bool = False
    """Whether a special has made the character's sheet public (R12, scout)."""
    last_stand: bool = False
    """Whether the character stays in the conflict until its end, and then dies (R12, last)."""

    # book: energy.zero-of-all, left.zero-of-all, last.never-out
    @property
    def out(self) -> bool:
        """Whether the character has left the conflict: surrendered (R5), without energy (R8), or
        dead. A character in a last stand leaves only by surrender."""
        if self.last_stand:
            return self.surrendered
        return self.surrendered or self.dead or not self.energy.total


class Run(Struct, frozen=True):
    """A combo: face-up winning moves against one victim (R3)."""

    victim: str
    cards: tuple[tuple[str, Move], ...]
    """Pairs of player and move, oldest first; never empty."""

    @property
    def last(self) -> Move:
        """The newest move, which the next follow-up continues."""
        return self.cards[-1][1]


class Outcome(StrEnum):
    """The outcome of a turn."""

    WIN = "win"
    TIE = "tie"
    SURRENDER = "surrender"


class Why(StrEnum):
    """The rule that decided a turn (R1)."""

    ACTION = "action"
    ELEMENT = "element"
    DISADVANTAGE = "disadvantage"
    TIE = "tie"
    SURRENDER = "surrender"
    OVERRULED = "overruled"
    """The GM overruled the outcome (R11)."""


class Use(Struct, frozen=True):
    """A special that was set down in a turn."""

    player: str
    special: Special
    """The special that is used up."""
    copied: Special | None = None
    """The special that a copying one imitates; None if ``special`` does not copy."""
    person: str = ""
    """The character that the special protects, binds or scouts; empty if there is none, or none
    named yet."""

    # book: copy.effect
    @property
    def does(self) -> Special:
        """The special whose effect applies: the copied one, if any."""
        return self.copied or self.special

    @property
    def effect(self) -> str:
        """The id of the effect that applies."""
        return self.does.effect


class Loss(Struct, frozen=True):
    """A character's loss this turn: its parts, and the capped ``total`` (R6, R7, R12)."""

    base: int
    stance: int = 0
    """The points that the winner's committed stance adds, already multiplied."""
    own_stance: int = 0
    """The points that the loser's own committed stance adds."""
    combo: int = 0
    disadvantage: int = 0
    total: int = 0
    """The actual loss: the sum of the parts, at most the remaining energy."""
    committed: Action | None = None
    """The type that ``own_stance`` must be taken from; None if there is no such limit."""
    special: int = 0
    """Points that specials or the GM add; negative if they reduce the loss."""

    @property
    def raw(self) -> int:
        """The sum of the parts, before the cap."""
        parts = self.base + self.stance + self.own_stance + self.combo + self.disadvantage
        return parts + self.special


class Verdict(Struct, frozen=True):
    """The result of the revealed moves, before any energy is taken."""

    outcome: Outcome
    why: Why
    winner: str | None = None
    loser: str | None = None
    losses: Mapping[str, Loss] = {}
    """Character → loss, in a tie for both. A special can move a loss to another character (R12)."""
    at_disadvantage: bool = False
    """Whether the losing move was at disadvantage, so that it joins those face up (R2)."""
    continued: bool = False
    """Whether the winning move continued the combo (R3)."""
    missed: int = 0
    """Points that the combo against the loser would have added; 0 if the winner continued it, or if
    there was none."""


class Turn(Struct, frozen=True):
    """One turn, from the naming of its active character until the next character is named."""

    number: int
    active: str
    ordinary: bool = True
    """Whether this may be an ordinary turn. If not, the last winner must keep the turn for its
    combo, with the combo's victim as the opponent (R9)."""
    opponent: str = ""
    """The character that the active one faces; empty until chosen."""
    kept: bool = False
    """Whether the last winner keeps the turn for its combo. A kept turn is not counted (R9)."""
    stances: Mapping[str, Stance | None] | None = None
    """Character → stance, once both are revealed; a stance of None is no stance."""
    moves: Mapping[str, Move | None] | None = None
    """Character → move, once both are revealed; a move of None is a surrender."""
    verdict: Verdict | None = None
    splits: Mapping[str, Energy] | None = None
    """Character → how its loss was split; None until the turn is settled."""
    uses: tuple[Use, ...] = ()
    """The specials set down in this turn."""
    gains: Mapping[str, Energy] = {}
    """Character → energy regained by specials so far this turn."""
    window: str = ""
    """The step before which specials are now being set down in secret; empty if none are."""
    asked_by: str = ""
    """The character that announced a special, perhaps one who is not in the turn (R11, R12)."""
    unsaid: tuple[Use, ...] = ()
    """Shown specials whose player still has to name the character that they concern."""
    replaced: Mapping[str, Move | None] = {}
    """Character → the move first shown, if a drawn one has replaced it (R12)."""
    let_be: tuple[str, ...] = ()
    """Characters outside the turn who declined to bear a loss of it (R17)."""
    said: Mapping[str, int] = {}
    """Character → total loss set by the GM (R11)."""
    divided: Mapping[str, Energy] = {}
    """Character → how its loss is split, decided before the turn is settled."""
    spread: Mapping[str, Energy] = {}
    """Character → how its gain is spread over the types, decided before the turn is settled."""

    def other(self, name: str) -> str:
        """The character that ``name`` faces."""
        return self.opponent if name == self.active else self.active


class Ending(StrEnum):
    """Why a conflict ended (R10)."""

    SIDE_OUT = "side-out"
    BOTH_OUT = "both-out"
    MINOR = "minor"
    OVERRULED = "overruled"
    """The GM ended the conflict (R11)."""


class Result(Struct, frozen=True):
    """How a conflict ended. ``winner`` is a side; None if no side won, or if the GM must still name
    it."""

    reason: Ending
    winner: str | None

    @property
    def undecided(self) -> bool:
        """Whether the GM still has to name the winner (R10)."""
        return self.winner is None and self.reason is not Ending.OVERRULED


class Conflict(Struct, frozen=True):
    """A conflict at one moment."""

    scene: Scene
    fighters: Mapping[str, Fighter]
    run: Run | None = None
    """The combo whose moves lie face up; None if there is none."""
    turn: Turn | None = None
    """The current turn or, between turns, the last one; None before the first."""
    winner: str | None = None
    """The winner of the last settled turn; None before the first one, after a tie, and if both
    surrendered."""
    streak: int = 0
    """How many turns in a row ``winner`` has won (R9)."""
    result: Result | None = None

    def members(self, side: str) -> tuple[str, ...]:
        """All members of a side, including those who are out."""
        return self.scene.sides[side]

    def still_in(self) -> list[str]:
        """All characters who are not out, in setup order."""
        return [name for name, fighter in self.fighters.items() if not fighter.out]

    # book: bind.until
    def bond(self, name: str) -> str:
        """The opponent that the character must choose (R12, bind); empty if it is free."""
        partner = self.fighters[name].bound
        return partner if partner and not self.fighters[partner].out else ""
