"""What a book prints in tables: actions, elements, moves, specials. An edition is data, not code.

The action circle is the same in every edition; elements (Unroll calls them locations), the
moves' numbers and the list of specials are the edition's own. ``editions`` holds the books.
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


class Effect(StrEnum):
    """What a special does (R12). The books give these their own names."""

    SCOUT = "scout"
    """The opponent's moves, combos and specials become public knowledge."""
    # book: nothing.no-effect
    NOTHING = "nothing"
    """It only looks like another special."""
    BIND = "bind"
    """Its player and a foe can choose nobody but each other."""
    AIM = "aim"
    """Its player splits what the opponent loses."""
    CALM = "calm"
    """No loss from the opponent's stance."""
    PARRY = "parry"
    """No loss at all."""
    RECOVER = "recover"
    """The own committed stance comes back with a win."""
    DRAIN = "drain"
    """What the opponent loses comes back."""
    RETURN = "return"
    """The opponent loses what its player loses."""
    BAR = "bar"
    """The opponent cannot choose moves of one action."""
    BEAR = "bear"
    """Its player bears the loss of somebody else."""
    COPY = "copy"
    """It does what another one does."""
    REDRAW = "redraw"
    """Shown moves can be replaced by drawn ones."""
    LAST = "last"
    """All energy back, never out, dead at the end."""


# book: specials.variations
VARIED = frozenset(
    {Effect.CALM, Effect.PARRY, Effect.RECOVER, Effect.DRAIN, Effect.RETURN, Effect.BAR}
)
"""Effects that come in a variation for each action, each a special of its own."""
# book: bear.bystander
BYSTANDERS = frozenset({Effect.BEAR, Effect.NOTHING})
"""Effects that are open to those who are not in the turn (R12)."""


class Special(Struct, frozen=True):
    """A special as a character knows it: one line, or one variation, of its book's list."""

    id: str
    """Such as ``yojimbo`` or ``wax-on-defend``."""
    effect: Effect
    rank: int
    """Its place on the list: in a clash the higher rank, further down, decides (R11)."""
    action: Action | None = None
    """Which variation it is."""

    def __str__(self) -> str:
        return self.id

    @property
    def stem(self) -> str:
        """Its name on the list, the same for all its variations: ``wax-on``."""
        return self.id.removesuffix(f"-{self.action}") if self.action else self.id

    @property
    def family(self) -> str:
        """Its line on the list: ``wax-on-T`` for all variations of one."""
        return f"{self.stem}-T" if self.action else self.id

    # book: nothing.twice
    @property
    def times(self) -> int:
        """How often it can be used in a conflict (R11)."""
        return 2 if self.effect is Effect.NOTHING else 1


class Edition(Struct, frozen=True):
    """One book of the family."""

    id: str
    element_beats: Mapping[str, frozenset[str]]
    """Each element, with those that it beats."""
    moves: Mapping[str, Move]
    """The originals by id, in printed order."""
    level: int
    """The level at which a character starts."""
    variants: bool
    """Whether a character can know variants of moves."""
    specials: Mapping[str, Special] = {}
    """By id, in the order of the book's list."""
    # book unroll, iron-triangle: end.both-out
    both_out_wins: bool = True
    """Whether the GM's side wins if both sides fall at once; if not, the GM decides (R10)."""
    elements: bool = True
    """Whether elements count at all: without them none beats, brings disadvantage, or is needed
    for learning (R19)."""
    base: str = ""
    """The book that house rules were derived from; empty for a book."""

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


def move_table(rows: Iterable[tuple[Action, str, int, int]]) -> dict[str, Move]:
    """Moves by id, from rows of action, element, base and multiplier."""
    moves = (
        Move(f"{action}-{element}", action, element, base, multiplier)
        for action, element, base, multiplier in rows
    )
    return {move.id: move for move in moves}


def special_list(rows: Iterable[tuple[str, Effect]]) -> dict[str, Special]:
    """Specials by id, from the rows of a book's list; a varied one gives one for each action."""
    found = {}
    for rank, (name, effect) in enumerate(rows):
        for action in Action if effect in VARIED else (None,):
            special_id = f"{name}-{action}" if action else name
            found[special_id] = Special(special_id, effect, rank, action)
    return found
