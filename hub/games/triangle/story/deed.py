"""What the GM can do to a story, as values: one struct for each deed.

``do`` says which; everything else is named and typed, so that a name or a text may hold any word.
In JSON: ``{"do": "rest", "kind": "breather", "types": {"Marit": "attack"}}``. How people write them
is :mod:`hub.games.triangle.story.written`, what they do :mod:`hub.games.triangle.story.deeds`.
"""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from hub.games.deeds import MAX_DEED_CHARS, Deed, DeedTo, Name, Number, Words
from hub.games.triangle.rules.characters.book import Rest
from hub.games.triangle.rules.characters.level_up import Choices
from hub.games.triangle.rules.characters.marks import TraitKey
from hub.games.triangle.rules.characters.sheet import KnownMove
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.overrule.word import MOST_CARDS
from hub.games.triangle.story.overrules import AnyHolds
from hub.kernel.reasons import Reason


class TakeRest(Deed, frozen=True, kw_only=True, tag="rest"):
    """All rest (R14, R18)."""

    kind: Rest
    types: Mapping[Name, Action] = {}
    """Whose type of energy comes back, where there is a choice."""


class Recover(DeedTo, frozen=True, kw_only=True, tag="recover"):
    """An NPC is as good as new or, with a type, has so many points of it."""

    type: Action | None = None
    points: Number = 0


class Lose(DeedTo, frozen=True, kw_only=True, tag="lose"):
    """What the failure of a problem costs; it marks no zero."""

    type: Action
    points: Number


class RenameMove(DeedTo, frozen=True, kw_only=True, tag="rename"):
    """Another name for a known move."""

    move: Name
    """Its id, with the sign of a variant."""
    called: Name


class MarkTrait(DeedTo, frozen=True, kw_only=True, tag="mark"):
    """The belief or the flaw was used, the goal reached."""

    trait: TraitKey


class UnmarkTrait(DeedTo, frozen=True, kw_only=True, tag="unmark"):
    """That mark is taken back."""

    trait: TraitKey


class Rewrite(DeedTo, frozen=True, kw_only=True, tag="rewrite"):
    """Other words for a belief, a flaw or a goal."""

    trait: TraitKey
    words: Words


class RenameBackground(DeedTo, frozen=True, kw_only=True, tag="background"):
    """What a background is called."""

    background: Name
    called: Name


class LevelUp(DeedTo, frozen=True, kw_only=True, tag="level-up"):
    """A level (R16)."""

    choices: Choices

    def fault(self) -> Reason | None:
        """A name that nothing can have."""
        return self.choices.fault()


class Replace(DeedTo, frozen=True, kw_only=True, tag="replace"):
    """Somebody of the reserve continues the tradition of the dead, who is named first (R21)."""

    by: Name
    level_ups: Annotated[tuple[Choices, ...], Meta(max_length=16)] = ()

    def fault(self) -> Reason | None:
        """A name that nothing can have."""
        return next(filter(None, (each.fault() for each in self.level_ups)), None)


class Join(DeedTo, frozen=True, kw_only=True, tag="join"):
    """A player character of the reserve joins the party."""


class Npc(DeedTo, frozen=True, kw_only=True, tag="npc"):
    """Somebody new of the GM's: one more of a sort, or with what is said here."""

    like: Name = ""
    """Whom it is like; it has the same sheet, and nothing else is said."""
    energy: Energy = Energy()
    moves: Annotated[tuple[KnownMove, ...], Meta(max_length=MOST_CARDS)] = ()
    specials: Annotated[tuple[Name, ...], Meta(max_length=MOST_CARDS)] = ()
    level: Number | None = None
    """None: where the book starts."""


class Dismiss(DeedTo, frozen=True, kw_only=True, tag="dismiss"):
    """An NPC, or somebody in reserve, is no longer needed."""


class OverruleStory(Deed, frozen=True, kw_only=True, tag="overrule"):
    """The GM's word over anything, with its reason (R11)."""

    holds: AnyHolds
    because: Annotated[str, Meta(min_length=1, max_length=MAX_DEED_CHARS)]
