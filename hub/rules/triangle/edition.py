"""What a book prints in tables: actions, elements, moves. An edition is data, not code.

The action circle is the same in every edition; elements (Unroll calls them locations) and the
moves' numbers are the edition's own.
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


VARIANTS: Mapping[str, int] = {"+1": 1, "-1": -1}
"""What a variant adds to the multiplier and takes from the base (Unroll, Level Up)."""


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


THREE_ELEMENTS: Mapping[str, frozenset[str]] = {
    "high": frozenset({"mid"}),
    "low": frozenset({"high"}),
    "mid": frozenset({"low"}),
}
"""Unroll, table 2."""

UNROLL = Edition(
    id="unroll",
    element_beats=THREE_ELEMENTS,
    moves=move_table(
        (action, element, base, multiplier)
        for action, base, multiplier in (
            (Action.ATTACK, 3, 2),
            (Action.DEFEND, 2, 1),
            (Action.GRAPPLE, 4, 2),
        )
        for element in THREE_ELEMENTS
    ),
    level=1,
    variants=True,
)
"""Unroll, table 3."""
