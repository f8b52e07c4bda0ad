"""What a text prints in tables: actions, elements, moves, specials, what characters may have.

The action circle is the same in every edition; elements (Unroll calls them locations), the moves'
numbers, the list of specials and what a character may have and learn (R16) are the edition's own.
An edition is data, not code: ``texts/unroll.toml`` and its like, which ``editions`` reads.

Ref: Creating a character, Problems, Resting, Specials, Level Up, of each of the three books.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace


class Action(StrEnum):
    """How a move tries to beat the other; also the three types of energy, in printed order."""

    ATTACK = "attack"
    DEFEND = "defend"
    GRAPPLE = "grapple"


# book: actions.*
ACTION_BEATS: Mapping[Action, frozenset[Action]] = {
    Action.ATTACK: frozenset({Action.GRAPPLE}),
    Action.DEFEND: frozenset({Action.ATTACK}),
    Action.GRAPPLE: frozenset({Action.DEFEND}),
}
"""Unroll, table 1."""


class Energy(Struct, frozen=True):
    """Points of each type: what a character has, its maximum, or how a loss is split."""

    attack: int = 0
    defend: int = 0
    grapple: int = 0

    @property
    def total(self) -> int:
        """The points of all three types together."""
        return self.attack + self.defend + self.grapple

    def of(self, action: Action) -> int:
        """The points of one type."""
        if action == Action.ATTACK:
            return self.attack
        return self.defend if action == Action.DEFEND else self.grapple

    def minus(self, other: "Energy") -> "Energy":
        """Type by type."""
        return Energy(
            self.attack - other.attack, self.defend - other.defend, self.grapple - other.grapple
        )

    def plus(self, other: "Energy") -> "Energy":
        """Type by type."""
        return Energy(
            self.attack + other.attack, self.defend + other.defend, self.grapple + other.grapple
        )


class Move(Struct, frozen=True):
    """A move, each variant of it a card of its own (R4)."""

    id: str
    """Such as ``attack-high``: what combos go by, for variants too (R3)."""
    action: Action
    element: str
    base: int
    """Energy that the loser loses for this move alone."""
    multiplier: int
    """What the winner's committed stance is multiplied with."""
    variant: str = ""
    """``+1`` or ``-1`` (added to the multiplier, taken from the base); empty for the original."""

    def __str__(self) -> str:
        return f"{self.id} {self.variant}".rstrip()


# book: level-up.variant
VARIANTS: Mapping[str, int] = {"+1": 1, "-1": -1}
"""What a variant adds to the multiplier and takes from the base (Unroll, Level Up)."""


class Special(Struct, frozen=True):
    """A special as a character knows it: one record of its text's list, or one variation of it.

    What it does is an effect (``effects``); everything else that its text says of it is here.
    """

    id: str
    """Such as ``yojimbo`` or ``wax-on-defend``."""
    effect: str
    """The id of what it does."""
    rank: int
    """Its place on the list: in a clash the higher rank, further down, decides (R11)."""
    # book: *.when, specials.moment
    windows: tuple[str, ...]
    """The steps before which it can be set down; ``split``: while what is lost is settled (R17).
    For one that copies or bluffs, those that another one may open to it."""
    # book: specials.variations
    action: Action | None = None
    """Which variation it is."""
    level: int = 0
    """The level that a character must have to learn it."""
    # book: specials.needs
    needs: str = ""
    """The special that has to be learned first."""
    # book: nothing.twice
    per_conflict: int = 0
    """How often it can be used in each conflict; 0: once until a rest brings it back (R11)."""
    # book: bear.bystander
    bystanders: bool = False
    """Whether it is open to those who are not in the turn (R12)."""
    # book: bear.on-top
    on_top: bool = False
    """Whether it can be set down beside the one a turn (R11)."""
    # book: redraw.tiring
    tiring: bool = False
    """Whether whoever used it cannot take part in the next conflict."""
    # book: last.not-npcs
    npcs: bool = True
    """Whether NPCs can use it."""

    def __str__(self) -> str:
        return self.id

    @property
    def times(self) -> int:
        """How often it can be used in a conflict."""
        return self.per_conflict or 1

    def named(self, stem: str) -> str:
        """What its id would be under another name on the list."""
        return f"{stem}-{self.action}" if self.action else stem

    @property
    def stem(self) -> str:
        """Its name on the list, the same for all its variations: ``wax-on``."""
        return self.id.removesuffix(f"-{self.action}") if self.action else self.id

    @property
    def family(self) -> str:
        """Its line on the list: ``wax-on-T`` for all variations of one."""
        return f"{self.stem}-T" if self.action else self.id


WINDOWS = ("opponent", "stance", "move", "split")
"""The steps before which specials are set down; before the last of them, openly."""


class Edition(Struct, frozen=True, kw_only=True):
    """One text of the family, or house rules that were derived from one."""

    id: str
    base: str = ""
    """The text that house rules were derived from; empty for a text."""
    level: int
    """The level at which a character starts."""
    both_out_wins: bool
    """Whether the GM's side wins if both sides fall at once; if not, the GM decides (R10)."""
    elements: bool = True
    """Whether elements count at all: without them none beats, brings disadvantage, or is needed
    for learning (R19)."""
    element_beats: Mapping[str, frozenset[str]]
    """Each element, with those that it beats."""
    moves: Mapping[str, Move]
    """The originals by id, in printed order."""
    specials: Mapping[str, Special]
    """By id, in the order of the text's list."""

    basic_moves: tuple[str, ...]
    """The nine, which have to be known before anything beyond them."""
    late_moves: tuple[str, ...] = ()
    """Those of the fourth and fifth element."""
    own_moves: tuple[str, ...] = ()
    """Those of house rules, which can be learned at any time."""
    start_moves: tuple[str, ...] = ()
    """The moves that everybody starts with; empty where they are chosen freely."""
    start_count: int
    """How many moves a character starts with."""
    least_energy: int
    """The least maximum of any type."""
    background_points: int
    """The most points in one background."""
    most_variants: int
    """How many variants of moves a character can know."""
    combo_changes: int
    """How many follow-ups one level-up teaches."""
    combos_replaced: bool
    """Whether a level-up can also exchange a follow-up for another."""
    combos_need_moves: bool
    """Whether follow-ups have to be known, and starting moves by oneself or an ally."""
    yes_needed: int
    """How many of the three questions have to be answered with yes for a level-up."""
    yes_for_special: int
    """How many for learning a special."""
    energy_needs_zero: bool
    """Whether a maximum can only grow in a type that reached zero."""
    regains: bool
    """Whether a level-up also gives back background points or the veto."""
    erases_all: bool
    """Whether a level-up erases every mark, and not belief and flaw only together."""
    any_rest_returns_specials: bool
    """Whether used specials return with any rest, and not with a full one only (R11)."""
    lethal_takes_all: bool
    """Whether nobody of the players' side can sit out a lethal conflict."""
    ones_beat_fours: bool
    """Whether in a problem a 1 decides where only 1s and 4s are shown (R13)."""

    @property
    def variants(self) -> bool:
        """Whether a character can know variants of moves."""
        return self.most_variants > 0

    @property
    def move_ids(self) -> tuple[str, ...]:
        """Every move's id: the nine first, then those beyond them."""
        return (*self.basic_moves, *self.late_moves, *self.own_moves)

    def variant(self, original: Move, variant: str) -> Move | None:
        """The variant's card; None where its base or multiplier would fall below zero."""
        change = VARIANTS[variant]
        base, multiplier = original.base - change, original.multiplier + change
        if base < 0 or multiplier < 0:
            return None
        return replace(original, base=base, multiplier=multiplier, variant=variant)

    def with_moves(self, moves: Iterable[Move]) -> "Edition":
        """The same edition with other numbers for some of its moves: homebrew."""
        return replace(self, moves={**self.moves, **{move.id: move for move in moves}})
