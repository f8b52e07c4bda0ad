"""A character: its archetype, its karma and resolve, its afflictions (C1, C6, C10)."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace


class TaleTrait(StrEnum):
    """The strength of an archetype. ``Tale`` in the name keeps it apart from other books' traits
    in the pages' types."""

    AGILE = "agile"
    BRAWNY = "brawny"
    CRAFTY = "crafty"


Trait = TaleTrait


class Style(StrEnum):
    """A style of combat. The mental style covers words and magic."""

    MELEE = "melee"
    RANGED = "ranged"
    MENTAL = "mental"


Type = Trait | Style
"""The type of a roll: a trait, or in combat a style."""
TYPES: tuple[Type, ...] = (*Trait, *Style)
# book: styles.usual
STYLE_OF: Mapping[Trait, Style] = MappingProxyType(
    {Trait.AGILE: Style.RANGED, Trait.BRAWNY: Style.MELEE, Trait.CRAFTY: Style.MENTAL}
)
"""Trait → the combat style of a character for which no style is given."""
MOST_DICE = 3
# book: c6.three
USUAL_MAX = 3
"""The starting and usual maximum value of karma and of resolve."""
# book: defeat.retired, c10.retired
MOST_AFFLICTIONS = 3
"""The most afflictions with which a character can be played. A character with more is retired."""


class Lasts(StrEnum):
    """How long an affliction lasts uncured: for the scene, until time heals it, or for good."""

    SCENE = "scene"
    LONGER = "longer"
    PERMANENT = "permanent"


class Absent(StrEnum):
    """Why a character takes no part in a scene."""

    OUT = "out"
    RETIRED = "retired"
    DEAD = "dead"


class Affliction(Struct, frozen=True):
    """A harm that a character keeps, usually from a defeat."""

    name: str
    lasts: Lasts = Lasts.LONGER


# book: styles.chosen
class Character(Struct, frozen=True):
    """A character in a tale, with its tokens and afflictions. ``out`` says whether it is out of the
    present scene."""

    trait: Trait
    concept: str
    style: Style
    perks: tuple[str, ...] = ()
    quirks: tuple[str, ...] = ()
    karma: int = USUAL_MAX
    karma_max: int = USUAL_MAX
    resolve: int = USUAL_MAX
    resolve_max: int = USUAL_MAX
    afflictions: tuple[Affliction, ...] = ()
    dead: bool = False
    out: bool = False

    # book: defeat.retired, c10.retired
    @property
    def retired(self) -> bool:
        """Whether the character has too many afflictions to be played until some are cured."""
        return len(self.afflictions) > MOST_AFFLICTIONS

    @property
    def absent(self) -> Absent | None:
        """Why the character takes no part in this scene; None if it does."""
        if self.dead:
            return Absent.DEAD
        if self.retired:
            return Absent.RETIRED
        return Absent.OUT if self.out else None

    @property
    def there(self) -> bool:
        """Whether the character takes part in this scene."""
        return self.absent is None

    def affliction(self, name: str) -> Affliction | None:
        """The affliction with this name; None if the character does not have it."""
        return next((each for each in self.afflictions if each.name == name), None)

    def has_permanent(self, name: str) -> bool:
        """Whether the character has a permanent affliction with this name."""
        found = self.affliction(name)
        return found is not None and found.lasts is Lasts.PERMANENT

    # book: challenges.dice, archetypes.three, archetypes.two, archetypes.scope
    # book: archetypes.examples, context.examples, c1.*
    def dice(self, kind: Type, *, scope: bool = True) -> int:
        """How many dice the character rolls (C1). ``scope`` is false if the roll needs special
        knowledge that neither its concept nor its perks cover."""
        found = MOST_DICE if kind in (self.trait, self.style) else MOST_DICE - 1
        return found if scope else found - 1

    # book: c6.maximum
    def with_karma(self, more: int) -> "Character":
        """The character with ``more`` karma, or less if that is negative, up to its maximum
        (C6)."""
        return replace(self, karma=min(self.karma + more, self.karma_max))

    # book: c6.maximum, c9.usual
    def with_resolve(self, more: int) -> "Character":
        """The character with ``more`` resolve, or less if that is negative, from 0 to its
        maximum."""
        return replace(self, resolve=max(min(self.resolve + more, self.resolve_max), 0))

    def without_affliction(self, name: str) -> "Character":
        """A copy without the affliction, if the character has it."""
        left = tuple(each for each in self.afflictions if each.name != name)
        return replace(self, afflictions=left)
