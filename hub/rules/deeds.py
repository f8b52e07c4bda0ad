"""A story that is told by deeds: whatever is alike in all of them.

A family writes each deed as one struct and one function, gives its characters sheets, and says how
a scene comes out of the story and back; :class:`DeedStory` is the Story protocol over them.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Generic, Protocol, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from hub.rules.countdowns import Countdowns
from hub.rules.faults import MAX_NUMBER, Fault, shown
from hub.rules.forms import Field, Option
from hub.rules.game import Choice, IllegalChoice, RulesError, SetupError
from hub.rules.reasons import Reason
from hub.rules.story import (
    MAX_DEED_CHARS,
    DeedOffer,
    GivenDeed,
    Leaver,
    LevelUps,
    Newcomer,
    SceneRequest,
    StoryView,
)
from hub.rules.words import any_of, tag, typed

MAX_TITLE_CHARS = 80
Name = Annotated[str, Meta(max_length=MAX_DEED_CHARS)]
Number = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]


class Deed(
    Struct,
    frozen=True,
    kw_only=True,
    tag_field="do",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """Something that the GM does to a story; ``do`` says what."""


class BeginCountdown(Deed, frozen=True, kw_only=True, tag="begin-countdown"):
    """A countdown of so many boxes (R15)."""

    name: Name
    boxes: Number


class MarkCountdown(Deed, frozen=True, kw_only=True, tag="mark-countdown"):
    """One box more."""

    name: Name


class UnmarkCountdown(Deed, frozen=True, kw_only=True, tag="unmark-countdown"):
    """One box less."""

    name: Name


class EraseCountdown(Deed, frozen=True, kw_only=True, tag="erase-countdown"):
    """It is gone."""

    name: Name


class Person(Protocol):
    """What every sheet says of its character."""

    @property
    def npc(self) -> bool:
        """Whether the GM plays it."""
        ...

    @property
    def dead(self) -> bool:
        """Whether it can no longer stand in a scene."""
        ...


class Told(Struct, frozen=True, kw_only=True):
    """What every story keeps; each family adds its own."""

    sheets: Mapping[str, Any]
    """The :class:`Person` of everybody in the story by name, in order."""
    reserve: Mapping[str, Any] = {}
    """Characters that wait to join, or to replace somebody."""
    heirs: Mapping[str, str] = {}
    """Who replaced somebody, and whom."""
    countdowns: Countdowns = Countdowns()


StateT = TypeVar("StateT", bound=Told)
Does = Callable[[Any, Any], Any]
"""What a deed does: the state and the deed → the state after it. Raises :class:`RulesError`."""


def _counting(change: Callable[[Countdowns, Any], Countdowns]) -> Does:
    return lambda state, deed: replace(state, countdowns=change(state.countdowns, deed))


COUNTDOWN_DEEDS: Mapping[type[Deed], Does] = {
    BeginCountdown: _counting(lambda each, deed: each.begin(deed.name, deed.boxes)),
    MarkCountdown: _counting(lambda each, deed: each.mark(deed.name)),
    UnmarkCountdown: _counting(lambda each, deed: each.unmark(deed.name)),
    EraseCountdown: _counting(lambda each, deed: each.erase(deed.name)),
}
"""Those that every story knows, and at any time."""


class DeedStory(ABC, Generic[StateT]):
    """The part of the Story protocol that is alike wherever deeds are told. A family adds
    ``ruleset``, ``begin``, ``newcomer``, ``join``, ``request_type``, ``stage``, ``after``, ``view``
    and ``view_type``."""

    deeds: ClassVar[Mapping[type[Deed], Does]] = COUNTDOWN_DEEDS
    """Every deed there is, and what it does."""
    judged: ClassVar[Mapping[type[Deed], Callable[[Any, Any], Reason | None]]] = {}
    """What is asked of a deed when it is done, beside what it needs to have a meaning at all: a log
    in which it was done before anybody asked goes on as it was."""
    at_any_time: ClassVar[frozenset[str]] = frozenset(map(tag, COUNTDOWN_DEEDS))
    """What may also be done while a scene is played, by ``do``, or by the word that it begins with
    where it is written."""

    @property
    def deed_type(self) -> Any:
        """The type of a deed, by which values are read."""
        return any_of(self.deeds)

    def written(self, state: StateT, given: Choice) -> Deed:
        """A deed in its written form, which logs of schema 1 have; a younger family has none.
        Raises :class:`RulesError`."""
        raise RulesError(Reason("deed-as-values", text=shown(given.kind)))

    def deceiving(self, before: StateT, after: StateT) -> Iterator[Reason]:
        """Why something new cannot be called what a deed calls it."""
        return iter(())

    def deed(self, state: StateT, given: GivenDeed) -> Deed:
        """What was given, read against the story where it is written. Raises
        :class:`IllegalChoice`."""
        if isinstance(given, Mapping):
            deed: Deed = typed(given, self.deed_type, "deed")
            return deed
        try:
            return self.written(state, given)
        except RulesError as error:
            raise IllegalChoice(error.reason) from None

    def read(self, state: StateT, given: GivenDeed) -> dict[str, Any]:
        """The deed as values."""
        values: dict[str, Any] = msgspec.to_builtins(self.deed(state, given))
        typed(values, self.deed_type, "deed")  # what is kept can be read again
        return values

    def why_not(self, state: StateT, deed: GivenDeed) -> Reason | None:
        """Why this cannot be done now."""
        try:
            read = self.deed(state, deed)
            after = self.tell(state, deed)
        except IllegalChoice as error:
            return error.reason
        judged = self.judged.get(type(read))
        why = judged(state, read) if judged else None
        return why or next(self.deceiving(state, after), None)

    def tell(self, state: StateT, deed: GivenDeed) -> StateT:
        """The story after a deed."""
        try:
            read = self.deed(state, deed)
            after: StateT = self.deeds[type(read)](state, read)
        except RulesError as error:
            raise IllegalChoice(error.reason) from None
        return after

    def anytime(self, deed: GivenDeed) -> bool:
        """Countdowns, and what else a family says."""
        return (deed.kind if isinstance(deed, Choice) else deed.get("do")) in self.at_any_time

    def casting(self, deed: GivenDeed) -> Newcomer | Leaver | None:
        """No deed brings or takes anybody, unless a family has such a one."""
        return None

    def leave(self, state: StateT, name: str) -> StateT:
        """An NPC, or somebody in reserve. Raises :class:`RulesError`."""
        return leave(state, name)

    def offers(self, state: StateT) -> tuple[DeedOffer, ...]:
        """Nothing that is one press away, unless a family has some."""
        return ()

    def offer(self, state: StateT, deed: Deed, *fields: Field) -> DeedOffer:
        """A deed as it can be done now, with what can be said of it."""
        values: dict[str, Any] = msgspec.to_builtins(deed)
        return DeedOffer(deed=values, reason=self.why_not(state, values), fields=fields)

    def level_ups(self, state: StateT) -> Mapping[str, LevelUps]:
        """Nobody learns anything, unless a family has rules for it."""
        return {}

    def sheets(self, state: StateT) -> dict[str, Any]:
        """Everybody's, the dead too."""
        return dict(state.sheets)

    def npcs(self, state: StateT) -> tuple[str, ...]:
        """Everybody whose sheet says so."""
        return tuple(name for name, sheet in state.sheets.items() if sheet.npc)

    def templates(self, state: StateT) -> tuple[str, ...]:
        """NPCs, those in reserve too."""
        waiting = (name for name, sheet in state.reserve.items() if sheet.npc)
        return (*self.npcs(state), *waiting)

    def waiting(self, state: StateT) -> tuple[str, ...]:
        """The reserve's names."""
        return tuple(state.reserve)

    def heirs(self, state: StateT) -> Mapping[str, str]:
        """Who replaced somebody, and whom."""
        return state.heirs

    def overrules(self, state: StateT) -> tuple[Option, ...]:
        """Nothing, unless a family has such a deed."""
        return ()

    def cast(self, state: StateT) -> tuple[str, ...]:
        """Everybody who is alive."""
        return tuple(name for name, sheet in state.sheets.items() if not sheet.dead)

    def barred(self, state: StateT) -> Mapping[str, str]:
        """Nobody, unless a family says why."""
        return {}

    def back(self, state: StateT, earlier: StateT) -> StateT:
        """See :class:`hub.rules.story.Story`."""
        return replace(earlier, countdowns=state.countdowns.back(earlier.countdowns))

    @abstractmethod
    def view(self, state: StateT) -> StoryView:
        """The public fields."""


def without_reserve(state: StateT, name: str) -> StateT:
    """The story without somebody in reserve."""
    return replace(state, reserve={k: each for k, each in state.reserve.items() if k != name})


def leave(state: StateT, name: str) -> StateT:
    """The story without an NPC, or without somebody in reserve. Raises :class:`RulesError`."""
    if name in state.reserve:
        return without_reserve(state, name)
    sheet = state.sheets.get(name)
    if sheet is None:
        raise RulesError(Reason("no-npc", name=shown(name)))
    if not sheet.npc:
        raise RulesError(Reason("player-stays", who=name))
    return replace(state, sheets={k: each for k, each in state.sheets.items() if k != name})


def check_title(request: SceneRequest) -> None:
    """Raises :class:`SetupError` for a title that no page could show."""
    if len(request.title) > MAX_TITLE_CHARS or not request.title.isprintable():
        reason = Reason("not-one-line", most=MAX_TITLE_CHARS)
        raise SetupError(Fault(("title",), reason))
