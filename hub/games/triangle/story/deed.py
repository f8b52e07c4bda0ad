"""The GM's deeds as values: one struct for each deed.

``do`` says which deed it is. Every other part is a typed field, so names and texts may hold any
word. In JSON: ``{"do": "rest", "kind": "breather", "types": {"Marit": "attack"}}``.
:mod:`hub.games.triangle.story.written` parses the written form;
:mod:`hub.games.triangle.story.deeds` implements the effects.
"""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from hub.games.deeds import MAX_DEED_CHARS, Deed, DeedTo, Name, Number, Words
from hub.games.triangle.rules.characters.level_up import Choices
from hub.games.triangle.rules.characters.marks import TraitKey
from hub.games.triangle.rules.characters.sheet import KnownMove, Rest
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.overrules.people import MOST_CARDS
from hub.games.triangle.story.overrules import AnyHolds
from hub.kernel.reasons import Reason


class TakeRest(Deed, frozen=True, kw_only=True, tag="rest"):
    """All player characters take the same rest (R14, R18)."""

    kind: Rest
    types: Mapping[Name, Action] = {}
    """Character → the energy type that it regains, where the rest leaves a choice."""


class Recover(DeedTo, frozen=True, kw_only=True, tag="recover"):
    """An NPC recovers fully or, with a ``type``, gets this many ``points`` of it."""

    type: Action | None = None
    points: Number = 0


class Lose(DeedTo, frozen=True, kw_only=True, tag="lose"):
    """Energy lost by failing a problem; it marks no zero."""

    type: Action
    points: Number


class RenameMove(DeedTo, frozen=True, kw_only=True, tag="rename"):
    """Rename a known move."""

    move: Name
    """The move's id, with the sign of a variant."""
    called: Name


class MarkTrait(DeedTo, frozen=True, kw_only=True, tag="mark"):
    """Mark that the belief or flaw was used, or the goal reached."""

    trait: TraitKey


class UnmarkTrait(DeedTo, frozen=True, kw_only=True, tag="unmark"):
    """Take back the mark of a trait."""

    trait: TraitKey


class Rewrite(DeedTo, frozen=True, kw_only=True, tag="rewrite"):
    """Reword a belief, a flaw or a goal."""

    trait: TraitKey
    words: Words


class RenameBackground(DeedTo, frozen=True, kw_only=True, tag="background"):
    """Rename a background."""

    background: Name
    called: Name


class LevelUp(DeedTo, frozen=True, kw_only=True, tag="level-up"):
    """Raise a character by a level (R16)."""

    choices: Choices

    def fault(self) -> Reason | None:
        """Return why a chosen name is not allowed."""
        return self.choices.fault()


class Replace(DeedTo, frozen=True, kw_only=True, tag="replace"):
    """A character from the reserve, ``by``, continues the tradition of the dead one, ``name``
    (R21)."""

    by: Name
    level_ups: Annotated[tuple[Choices, ...], Meta(max_length=16)] = ()

    def fault(self) -> Reason | None:
        """Return why a chosen name is not allowed."""
        return next(filter(None, (each.fault() for each in self.level_ups)), None)


class Join(DeedTo, frozen=True, kw_only=True, tag="join"):
    """A player character from the reserve joins the party."""


class Npc(DeedTo, frozen=True, kw_only=True, tag="npc"):
    """A new NPC: a copy of another one, or one described here."""

    like: Name = ""
    """The NPC whose sheet it copies; all other fields are then ignored."""
    energy: Energy = Energy()
    moves: Annotated[tuple[KnownMove, ...], Meta(max_length=MOST_CARDS)] = ()
    specials: Annotated[tuple[Name, ...], Meta(max_length=MOST_CARDS)] = ()
    level: Number | None = None
    """None: the starting level of the book."""


class Dismiss(DeedTo, frozen=True, kw_only=True, tag="dismiss"):
    """Remove an NPC, or a character in reserve, who is no longer needed."""


class OverruleStory(Deed, frozen=True, kw_only=True, tag="overrule"):
    """The GM overrules something, with a reason (R11)."""

    holds: AnyHolds
    because: Annotated[str, Meta(min_length=1, max_length=MAX_DEED_CHARS)]
