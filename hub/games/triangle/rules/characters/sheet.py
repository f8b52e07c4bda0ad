"""A character's sheet, frozen: whatever changes it makes a new one.

Ref: Creating a character, and Unroll's character sheet. A sheet may be wrong in any way that its
types allow; ``problems`` says what is.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from hub.games.game import RulesError
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.book import BACKGROUND_POINTS, Rest
from hub.games.triangle.rules.edition import Action, Edition, Energy
from hub.games.triangle.rules.editions import edition_of
from hub.kernel.faults import Fault, written
from hub.kernel.reasons import together


def said(fault: Fault) -> Reason:
    """A fault of a sheet with its place: the keys of a character file."""
    return Reason("about", place=written(fault.place), why=fault.reason)


class SheetError(RulesError, ValueError):
    """A sheet cannot be changed like this. ``reasons`` says everything that stands against it."""

    def __init__(self, *reasons: Reason) -> None:
        super().__init__(together(reasons))
        self.reasons = reasons


# book: character.sheet
class Trait(Struct, frozen=True):
    """A belief, a flaw or a goal."""

    text: str = ""
    marked: bool = False
    """Used, or for a goal: reached."""
    counted: bool = False
    """Whether the mark has brought a level already and stands only because its pair is missing."""


# book: backgrounds.left
class Background(Struct, frozen=True):
    """A background with its points."""

    name: str
    points: int = 1
    left: int = 1


# book: moves.named
class KnownMove(Struct, frozen=True):
    """A move that the character knows, under the name that its player gave it."""

    id: str
    name: str = ""
    variant: str = ""
    """``+1`` or ``-1``, as on the card; empty for the original."""

    def __str__(self) -> str:
        return f"{self.id} {self.variant}".rstrip()


# book: specials.themes
class KnownSpecial(Struct, frozen=True):
    """A special that the character knows."""

    id: str
    name: str = ""
    used: bool = False


# book: character.sheet
class Sheet(Struct, frozen=True, kw_only=True):
    """A character of one of the three books."""

    ruleset: str
    # book: name.any
    name: str
    level: int
    # book: energy.current
    max: Energy
    # book: energy.current
    energy: Energy
    moves: tuple[KnownMove, ...]
    # book: style.no-effect
    style: str = ""
    """The fighting style."""
    # book: description.looks
    description: str = ""
    npc: bool = False
    """Whether the GM plays it."""
    belief: Trait = Trait()
    flaw: Trait = Trait()
    goal: Trait = Trait()
    # book: veto.one
    veto: bool = True
    """Whether the veto is left."""
    backgrounds: tuple[Background, ...] = ()
    zero: tuple[Action, ...] = ()
    """Types marked as having reached zero in a conflict (R8)."""
    # book: combo.learned
    combos: Mapping[str, tuple[str, ...]] = {}
    """Follow-ups by starting move."""
    specials: tuple[KnownSpecial, ...] = ()
    rested: tuple[Rest, ...] = ()
    """The lesser rests taken since the last full one (R14)."""
    decided: int = 0
    """The number of the problem that the character decided last; 0 for never (R13)."""
    sits_out: bool = False
    """Whether it cannot take part in the next conflict (Drunken Monkey)."""
    dead: bool = False
    rules: Edition | UnsetType = UNSET
    """What house rules say about characters, where it is played by them; no part of a file."""

    @property
    def book(self) -> Edition:
        """What it may have, and learn. Raises :class:`RulesError` for an unknown ruleset."""
        if isinstance(self.rules, Edition) and self.rules.base == self.ruleset:
            return self.rules
        return edition_of(self.ruleset)

    # book: backgrounds.in-play
    @property
    def undecided_points(self) -> int:
        """Background points whose background is still to be decided during play."""
        return max(0, BACKGROUND_POINTS - sum(each.points for each in self.backgrounds))

    def knows(self, move_id: str) -> bool:
        """Whether it knows the move itself; a variant of it does not count."""
        return any(move.id == move_id and not move.variant for move in self.moves)

    def special(self, special_id: str) -> KnownSpecial | None:
        """The special, if the character knows it."""
        return next((known for known in self.specials if known.id == special_id), None)


def as_values(sheet: Sheet) -> dict[str, Any]:
    """A sheet as the journal keeps it: without house rules, which the story keeps once for all."""
    values: dict[str, Any] = msgspec.to_builtins(replace(sheet, rules=UNSET))
    return values


def set_points(energy: Energy, action: Action, points: int) -> Energy:
    """The same energy with other points of one type."""
    return replace(energy, **{action.value: points})
