"""A character's frozen sheet; every change returns a new one.

A sheet may break the rules in any way that its types allow; ``faults`` checks it.

Ref: Creating a character, and Unroll's character sheet.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from hub.games.game import RulesError
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.edition import Action, Edition, Energy
from hub.games.triangle.rules.editions import edition_of
from hub.kernel.faults import Fault, written
from hub.kernel.reasons import together


class Rest(StrEnum):
    """The three ways to rest (R14)."""

    # book: rest.breather
    BREATHER = "breather"
    # book: rest.short
    SHORT = "short"
    # book: rest.full
    FULL = "full"


# book: energy.ten
START_ENERGY = 10
"""The maximums of a new character's three energy types, added up."""
BACKGROUND_POINTS = 3
"""Most background points of a character."""
# book: combo.two-follow-ups, level-up.two-of-one
FOLLOW_UPS = 2
"""Most follow-ups of one starting move."""
# book: replacement.highest-level
REPLACEMENT_LEVEL = 5
"""Highest level at which a replacement character can start."""
QUESTIONS = 3
"""Number of questions at the end of a session: belief or flaw, goal, zero."""


def said(fault: Fault) -> Reason:
    """Return a fault of a sheet as a reason that names its place in a character file."""
    return Reason("about", place=written(fault.place), why=fault.reason)


class SheetError(RulesError, ValueError):
    """Raised if a change to a sheet is not allowed, with all ``reasons`` against it."""

    def __init__(self, *reasons: Reason) -> None:
        super().__init__(together(reasons))
        self.reasons = reasons


# book: character.sheet
class Trait(Struct, frozen=True):
    """A belief, a flaw or a goal."""

    text: str = ""
    marked: bool = False
    """Whether the belief or flaw was used, or the goal reached."""
    counted: bool = False
    """Whether the mark has already counted for a level-up. The mark of a belief or flaw may stay
    after that, because most books erase these two only together."""


# book: backgrounds.left
class Background(Struct, frozen=True):
    """A background with its points, of which some are ``left`` to spend."""

    name: str
    points: int = 1
    left: int = 1


# book: moves.named
class KnownMove(Struct, frozen=True):
    """A move that the character knows, with the player's name for it."""

    id: str
    name: str = ""
    variant: str = ""
    """``+1`` or ``-1``, as on the card; empty for the original."""

    def __str__(self) -> str:
        return f"{self.id} {self.variant}".rstrip()


# book: specials.themes
class KnownSpecial(Struct, frozen=True):
    """A special that the character knows, with the player's name for it, and whether it is used
    up."""

    id: str
    name: str = ""
    used: bool = False


# book: character.sheet
class Sheet(Struct, frozen=True, kw_only=True):
    """The sheet of a character of one of the three books."""

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
    """The fighting style, which has no effect on the rules."""
    # book: description.looks
    description: str = ""
    npc: bool = False
    """Whether the GM plays the character."""
    belief: Trait = Trait()
    flaw: Trait = Trait()
    goal: Trait = Trait()
    # book: veto.one
    veto: bool = True
    """Whether the character still has its veto."""
    backgrounds: tuple[Background, ...] = ()
    zero: tuple[Action, ...] = ()
    """Types marked as having reached zero in a conflict (R8)."""
    # book: combo.learned
    combos: Mapping[str, tuple[str, ...]] = {}
    """Starting move → its follow-ups."""
    specials: tuple[KnownSpecial, ...] = ()
    rested: tuple[Rest, ...] = ()
    """The breathers and short rests since the last full rest (R14)."""
    decided: int = 0
    """The number of the problem that the character decided last; 0 if it has decided none (R13)."""
    sits_out: bool = False
    """Whether the character must sit out the next conflict, because it used a tiring special."""
    dead: bool = False
    rules: Edition | UnsetType = UNSET
    """The edition that the story's house rules describe; unset without them, and in files."""

    @property
    def book(self) -> Edition:
        """The edition whose rules apply to the sheet. Raises :class:`RulesError` for an unknown
        ruleset."""
        if isinstance(self.rules, Edition) and self.rules.base == self.ruleset:
            return self.rules
        return edition_of(self.ruleset)

    # book: backgrounds.in-play
    @property
    def undecided_points(self) -> int:
        """Background points that are left to assign during play."""
        return max(0, BACKGROUND_POINTS - sum(each.points for each in self.backgrounds))

    def knows(self, move_id: str) -> bool:
        """Whether the character knows the original move; a variant does not count."""
        return any(move.id == move_id and not move.variant for move in self.moves)

    def special(self, special_id: str) -> KnownSpecial | None:
        """The special with this id; None if the character does not know it."""
        return next((known for known in self.specials if known.id == special_id), None)


def as_values(sheet: Sheet) -> dict[str, Any]:
    """Return a sheet as the journal keeps it: without house rules, which the story holds once."""
    values: dict[str, Any] = msgspec.to_builtins(replace(sheet, rules=UNSET))
    return values


def set_points(energy: Energy, action: Action, points: int) -> Energy:
    """Return the energy with the points of one type replaced."""
    return replace(energy, **{action.value: points})
