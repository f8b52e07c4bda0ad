"""The Story protocol: what lasts between scenes, as a rules system offers it to the table.

A scene is played by a :class:`hub.rules.game.Game` and then gone. A story is what is left of it:
character sheets, countdowns, rests, who decided last. The GM changes it by *deeds*, choices with
a written form of their own; a scene may begin from it, and comes back to it when it has ended.
``docs/rules/evening.md`` lists the deeds.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from hub.rules.forms import Field, Option
from hub.rules.game import Choice, IllegalChoice
from hub.rules.reasons import Reason

MAX_DEED_CHARS = 1000
"""Longest written form of a deed."""


def parse_deed(text: str) -> Choice:
    """Read a deed's written form. Raises :class:`IllegalChoice` on empty or overlong text."""
    kind, _, value = text.strip().partition(" ")
    if not kind or len(text) > MAX_DEED_CHARS or not text.isprintable():
        raise IllegalChoice(Reason("deed-form", most=MAX_DEED_CHARS))
    return Choice(kind, value.strip())


GivenDeed = Choice | Mapping[str, Any]
"""A deed as it is given: in its written form, as logs of schema 1 have it, or as JSON values."""


class SceneRequest(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """A scene that the GM wants to begin from the story; each story adds its own kinds."""

    title: str = ""


class DeedOffer(Struct, frozen=True, kw_only=True):
    """A deed put before the GM, and why it cannot be done, if it cannot."""

    deed: dict[str, Any]
    """As values; what its ``fields`` say takes the place of some."""
    reason: Reason | None = None
    fields: tuple[Field, ...] = ()


class Staged(Struct, frozen=True):
    """A scene made ready: what a game begins with."""

    ruleset: str
    title: str
    setup: dict[str, Any]
    deed: dict[str, Any] | None = None
    """What is told with it, such as the stakes."""


class Lesson(Struct, frozen=True):
    """Something to learn, or to regain, with a level."""

    choices: dict[str, Any]
    """What the deed says of it."""
    reason: Reason | None = None
    """What stands against just this one."""


class LevelUps(Struct, frozen=True):
    """What a character could learn with its next level."""

    reason: Reason | None = None
    """Why it cannot reach another level now; None when it can."""
    options: tuple[Lesson, ...] = ()
    """Each thing that it could learn, and what it could regain beside it."""


class Newcomer(Struct, frozen=True):
    """Somebody whom a deed brings into the story. What such a character can do is not public."""

    given: dict[str, Any]
    """A sheet, or a ``name`` and whom it is ``like``; JSON values for the rules to check."""


class Leaver(Struct, frozen=True):
    """Somebody whom a deed takes out of the story."""

    name: str


class CountdownView(Struct, frozen=True, kw_only=True):
    """A countdown as everybody sees it."""

    id: str
    """Its name as a topic bears it: ``a-z``, ``0-9`` and hyphen. It stays while it lives."""
    name: str
    boxes: int
    marked: int


class StoryView(Struct, frozen=True, kw_only=True):
    """What everybody may see of a story; each story adds its own public fields."""

    countdowns: tuple[CountdownView, ...]
    erased: tuple[str, ...]
    """The ids of countdowns that are gone, the newest last, as far as they are remembered."""


StateT = TypeVar("StateT")


class Story(Protocol[StateT]):
    """What lasts between scenes. Every method is pure."""

    @property
    def ruleset(self) -> str:
        """Its id, by which scenes, files and logs name it."""
        ...

    def begin(self, cast: Sequence[Any], reserve: Sequence[Any] = (), house: Any = None) -> StateT:
        """A story with these characters (JSON values); those in ``reserve`` wait to replace
        somebody, ``house`` are the house rules that it is played by. Raises
        :class:`hub.rules.game.SetupError`."""
        ...

    def read(self, state: StateT, given: GivenDeed) -> dict[str, Any]:
        """What was given, as the typed values that the journal keeps. Raises
        :class:`IllegalChoice` for what is no deed."""
        ...

    def why_not(self, state: StateT, deed: GivenDeed) -> Reason | None:
        """Why this cannot be done now, for a person to read; None if it can."""
        ...

    def tell(self, state: StateT, deed: GivenDeed) -> StateT:
        """The story after a deed of the GM. Raises :class:`IllegalChoice`."""
        ...

    def anytime(self, deed: GivenDeed) -> bool:
        """Whether this may also be done while a scene is played."""
        ...

    def casting(self, deed: GivenDeed) -> Newcomer | Leaver | None:
        """Whom a deed brings into the story, or takes out of it; None for every other deed.

        Such a deed is not recorded in its words, which would tell a newcomer's secrets, but by
        what comes of it. Raises :class:`IllegalChoice` if it is not well written.
        """
        ...

    def newcomer(self, state: StateT, given: Mapping[str, Any]) -> dict[str, Any]:
        """The whole sheet, with its ``name``, of somebody who can join now. Raises
        :class:`hub.rules.game.SetupError` with every fault."""
        ...

    def join(self, state: StateT, sheet: Mapping[str, Any]) -> StateT:
        """The story with whoever :meth:`newcomer` has found sound: an NPC among the others, a
        player character in reserve."""
        ...

    def leave(self, state: StateT, name: str) -> StateT:
        """The story without an NPC, or without somebody in reserve. Raises
        :class:`hub.rules.game.RulesError`."""
        ...

    def offers(self, state: StateT) -> tuple[DeedOffer, ...]:
        """Deeds to put before the GM now; a deed that passes :meth:`why_not` need not be listed
        where there are too many."""
        ...

    def level_ups(self, state: StateT) -> Mapping[str, LevelUps]:
        """What each player character that is alive could learn, by name; it takes a few
        milliseconds for each, and is asked for only when somebody looks."""
        ...

    def sheets(self, state: StateT) -> Mapping[str, Any]:
        """The whole sheet of everybody in the story, by name: not public."""
        ...

    def npcs(self, state: StateT) -> tuple[str, ...]:
        """Those of them whom the GM plays."""
        ...

    def waiting(self, state: StateT) -> tuple[str, ...]:
        """Those who wait in reserve."""
        ...

    def heirs(self, state: StateT) -> Mapping[str, str]:
        """Who replaced somebody, and whom, in the order of its happening: whoever played that
        character plays the new one, unless a seat names it."""
        ...

    def templates(self, state: StateT) -> tuple[str, ...]:
        """Whom a new character may be like."""
        ...

    def overrules(self, state: StateT) -> tuple[Option, ...]:
        """What the GM can overrule between scenes, by ``what``, each with its fields."""
        ...

    def cast(self, state: StateT) -> tuple[str, ...]:
        """Everybody who could stand in a scene, NPCs too: not public."""
        ...

    def barred(self, state: StateT) -> Mapping[str, str]:
        """Who of the cast cannot enter a conflict now, and why, in one word."""
        ...

    @property
    def request_type(self) -> Any:
        """The type of a scene that can be asked for: a :class:`SceneRequest`, or several in a
        union."""
        ...

    def stage(self, state: StateT, request: Any) -> Staged:
        """Make a scene ready that was asked for, as ``request_type`` has it. Raises
        :class:`hub.rules.game.SetupError`."""
        ...

    def after(self, state: StateT, ruleset: str, game_state: Any) -> StateT:
        """The story after a scene of this ruleset, which ended or was broken off."""
        ...

    def back(self, state: StateT, earlier: StateT) -> StateT:
        """``earlier``, which this story was once, when everything told since is taken back; what
        everybody has seen since and is no longer there is remembered as gone."""
        ...

    def view(self, state: StateT) -> StoryView:
        """What everybody may see, built field by field from what is public."""
        ...

    @property
    def view_type(self) -> type[StoryView]:
        """The type of :meth:`view`'s answer, for descriptions of what is public."""
        ...
