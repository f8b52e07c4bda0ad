"""The tables of a book: actions, elements, moves, specials, and limits for characters.

Which action beats which is the same in every book. Elements (Unroll calls them locations), the
moves' numbers, the list of specials, and what a character may have and learn (R16) differ. An
edition is data, not code: ``editions`` reads it from files such as ``texts/unroll.toml``.

Ref: Creating a character, Problems, Resting, Specials, Level Up, of each of the three books.
"""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace


class Action(StrEnum):
    """The action of a move. The energy types have the same three names, in the printed order."""

    ATTACK = "attack"
    DEFEND = "defend"
    GRAPPLE = "grapple"


# book: actions.*
ACTION_BEATS: Mapping[Action, frozenset[Action]] = {
    Action.ATTACK: frozenset({Action.GRAPPLE}),
    Action.DEFEND: frozenset({Action.ATTACK}),
    Action.GRAPPLE: frozenset({Action.DEFEND}),
}
"""Action → the actions that it beats (Unroll, table 1)."""


class Energy(Struct, frozen=True):
    """Points of each type: a character's energy, its maximum, or a split."""

    attack: int = 0
    defend: int = 0
    grapple: int = 0

    @property
    def total(self) -> int:
        """The sum over all three types."""
        return self.attack + self.defend + self.grapple

    def of(self, action: Action) -> int:
        """The points of one type."""
        if action == Action.ATTACK:
            return self.attack
        return self.defend if action == Action.DEFEND else self.grapple

    def minus(self, other: "Energy") -> "Energy":
        """The points that remain after ``other`` is subtracted, type by type."""
        return Energy(
            self.attack - other.attack, self.defend - other.defend, self.grapple - other.grapple
        )

    def plus(self, other: "Energy") -> "Energy":
        """The sum of both, type by type."""
        return Energy(
            self.attack + other.attack, self.defend + other.defend, self.grapple + other.grapple
        )


class Move(Struct, frozen=True):
    """A move, as on a card. Each variant of a move is a card of its own (R4)."""

    id: str
    """The move's id, such as ``attack-high``. Variants have the same id, because combos treat them
    alike (R3)."""
    action: Action
    element: str
    base: int
    """Energy that the loser loses for the move alone."""
    multiplier: int
    """The number by which the winner's committed stance is multiplied."""
    variant: str = ""
    """``+1`` or ``-1`` (added to the multiplier, taken from the base); empty for the original."""

    def __str__(self) -> str:
        return f"{self.id} {self.variant}".rstrip()


# book: level-up.variant
VARIANTS: Mapping[str, int] = {"+1": 1, "-1": -1}
"""Sign of a variant → points added to the multiplier and taken from the base (Unroll, Level Up)."""


class Special(Struct, frozen=True):
    """A special as a character knows it: an entry of its book's list, or one variation of an entry.

    ``effects`` implements what it does; this record holds everything else.
    """

    id: str
    """The special's id, such as ``yojimbo`` or ``wax-on-defend``."""
    effect: str
    """The id of the special's effect, a key of
    :data:`~hub.games.triangle.rules.effects.EFFECTS`."""
    rank: int
    """The place on the book's list. In a clash the higher rank, further down the list, decides
    (R11)."""
    # book: *.when, specials.moment
    windows: tuple[str, ...]
    """The steps before which the special can be set down; ``split`` means while losses are settled
    (R17). A copying special or a bluff lists all steps, but in play those of the copied special
    count, or of the player's other specials."""
    # book: specials.variations
    action: Action | None = None
    """The action of the special's variation; None if it has no variations."""
    level: int = 0
    """The level that a character needs to learn the special."""
    # book: specials.needs
    needs: str = ""
    """The special that must be learned first; empty for none."""
    # book: nothing.twice
    per_conflict: int = 0
    """How often the special can be used in each conflict; 0 if it can be used once until a rest
    restores it (R11)."""
    # book: bear.bystander
    bystanders: bool = False
    """Whether characters who are not in the turn can use the special (R12)."""
    # book: bear.on-top
    on_top: bool = False
    """Whether the special is exempt from the limit of one a turn (R11)."""
    # book: redraw.tiring
    tiring: bool = False
    """Whether the special's user must sit out the next conflict."""
    # book: last.not-npcs
    npcs: bool = True
    """Whether NPCs can use the special."""

    def __str__(self) -> str:
        return self.id

    @property
    def times(self) -> int:
        """How often the special can be used in one conflict."""
        return self.per_conflict or 1

    def named(self, stem: str) -> str:
        """This special's id with ``stem`` in place of its own stem; its action, if any, is
        appended."""
        return f"{stem}-{self.action}" if self.action else stem

    @property
    def stem(self) -> str:
        """The name on the book's list, shared by all variations: ``wax-on``."""
        return self.id.removesuffix(f"-{self.action}") if self.action else self.id

    @property
    def family(self) -> str:
        """The entry on the book's list: ``wax-on-T`` stands for all variations of ``wax-on``."""
        return f"{self.stem}-T" if self.action else self.id


WINDOWS = ("opponent", "stance", "move", "split")
"""The windows for specials, named after steps. Specials are set down in secret before the first
three steps, and openly during ``split``, while losses are settled."""


class Edition(Struct, frozen=True, kw_only=True):
    """The tables of one book, or of house rules derived from it."""

    id: str
    base: str = ""
    """The id of the book that house rules are derived from; empty for a book itself."""
    level: int
    """The level at which a new character starts."""
    both_out_wins: bool
    """Whether the GM's side wins if both sides are out at once; otherwise the GM decides (R10)."""
    elements: bool = True
    """Whether elements count. Without them only actions decide a turn and cause disadvantage, and a
    move's element does not matter for learning it (R19)."""
    element_beats: Mapping[str, frozenset[str]]
    """Element → the elements that it beats."""
    moves: Mapping[str, Move]
    """Original moves by id, in printed order."""
    specials: Mapping[str, Special]
    """Specials by id, in the order of the book's list."""

    basic_moves: tuple[str, ...]
    """The nine basic moves, which must be known before late moves and variants."""
    late_moves: tuple[str, ...] = ()
    """The moves of the fourth and fifth element."""
    own_moves: tuple[str, ...] = ()
    """Moves from house rules, which can be learned at any time."""
    start_moves: tuple[str, ...] = ()
    """The moves that every character starts with; empty if players choose them."""
    start_count: int
    """How many moves a character starts with."""
    least_energy: int
    """The lowest maximum that an energy type may have."""
    background_points: int
    """The most points in one background."""
    most_variants: int
    """How many variants of moves a character can know."""
    combo_changes: int
    """How many follow-ups one level-up teaches."""
    combos_replaced: bool
    """Whether a level-up can also exchange a follow-up for another."""
    combos_need_moves: bool
    """Whether follow-ups must be known to the character, and starting moves to it or an ally."""
    yes_needed: int
    """How many of the three questions at the end of a session must be answered yes for a
    level-up."""
    yes_for_special: int
    """How many of the three questions must be answered yes to learn a special."""
    energy_needs_zero: bool
    """Whether a maximum can only grow in a type that reached zero."""
    regains: bool
    """Whether a level-up also gives back background points or the veto."""
    erases_all: bool
    """Whether a level-up erases every mark; otherwise those of belief and flaw only as a pair."""
    any_rest_returns_specials: bool
    """Whether any rest restores used specials; otherwise only a full rest does (R11)."""
    lethal_takes_all: bool
    """Whether no player character may sit out a lethal conflict."""
    ones_beat_fours: bool
    """Whether a 1 decides a problem in which only 1s and 4s are shown (R13)."""

    @property
    def variants(self) -> bool:
        """Whether a character can know variants of moves."""
        return self.most_variants > 0

    @property
    def move_ids(self) -> tuple[str, ...]:
        """Every move's id: basic moves, late moves, then house moves."""
        return (*self.basic_moves, *self.late_moves, *self.own_moves)

    def variant(self, original: Move, variant: str) -> Move | None:
        """Return a variant of a move; None if its base or multiplier would fall below zero."""
        change = VARIANTS[variant]
        base, multiplier = original.base - change, original.multiplier + change
        if base < 0 or multiplier < 0:
            return None
        return replace(original, base=base, multiplier=multiplier, variant=variant)
