"""What lasts between scenes, as a rules system offers it to the table.

A scene is played by a :class:`hub.games.game.Game` and then gone. A story is what is left of it:
character sheets, countdowns, rests, who decided last. The GM changes it by *deeds*; a scene may
begin from it, and comes back to it when it has ended. A family writes each deed as one struct and
one function (:mod:`hub.games.deeds`), gives its characters sheets, and says how a scene comes out
of the story and back; everything else is here. ``docs/rules/evening.md`` lists the deeds.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hub.games.countdowns import CountdownView
from hub.games.deeds import (
    COUNTDOWN_DEEDS,
    MAX_DEED_CHARS,
    Deed,
    Does,
    Told,
    Wish,
    leave,
    without_reserve,
    without_wish,
)
from hub.games.game import Choice, IllegalChoice, RulesError, SetupError
from hub.games.words import any_of, tag, typed
from hub.kernel.bounds import TITLE
from hub.kernel.faults import Fault, shown
from hub.kernel.forms import Field, Option
from hub.kernel.likeness import text_fault
from hub.kernel.reasons import Reason

MAX_TITLE_CHARS = TITLE.most


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


class SceneOffer(Struct, frozen=True, kw_only=True):
    """A kind of scene that the GM can begin from the story, as a form."""

    scene: dict[str, Any]
    """Its request as values; what its ``fields`` say takes the place of some."""
    fields: tuple[Field, ...] = ()


class Staged(Struct, frozen=True):
    """A scene made ready: what a game begins with."""

    ruleset: str
    title: str
    setup: dict[str, Any]
    deed: dict[str, Any] | None = None
    """What is told with it, such as the stakes."""


class Newcomer(Struct, frozen=True):
    """Somebody whom a deed brings into the story. What such a character can do is not public."""

    given: dict[str, Any]
    """A sheet, or a ``name`` and whom it is ``like``; JSON values for the rules to check."""


class Leaver(Struct, frozen=True):
    """Somebody whom a deed takes out of the story."""

    name: str


class StoryView(Struct, frozen=True, kw_only=True):
    """What everybody may see of a story; each story adds its own public fields."""

    countdowns: tuple[CountdownView, ...]
    erased: tuple[str, ...]
    """The ids of countdowns that are gone, the newest last, as far as they are remembered."""
    stakes: str = ""
    """What the next scene, or the one being played, is about; empty: nothing that was said."""


StateT = TypeVar("StateT", bound=Told)


class Story(ABC, Generic[StateT]):
    """What lasts between scenes. Every method is pure."""

    ruleset: str
    """Its id, by which scenes, files and logs name it."""
    request_type: Any
    """The type of a scene that can be asked for: a :class:`SceneRequest`, or several in a union."""
    view_type: type[StoryView]
    """The type of :meth:`view`'s answer, for descriptions of what is public."""
    deeds: ClassVar[Mapping[type[Deed], Does]] = COUNTDOWN_DEEDS
    """Every deed there is, and what it does."""
    judged: ClassVar[Mapping[type[Deed], Callable[[Any, Any], Reason | None]]] = {}
    """What is asked of a deed when it is done, beside what it needs to have a meaning at all: a log
    in which it was done before anybody asked goes on as it was."""
    at_any_time: ClassVar[frozenset[str]] = frozenset(map(tag, COUNTDOWN_DEEDS))
    """What may also be done while a scene is played, by ``do``, or by the word that it begins with
    where it is written."""

    wishable: ClassVar[frozenset[str]] = frozenset()
    """What a player may wish for a character of their own, by ``do``."""

    @abstractmethod
    def begin(self, cast: Sequence[Any], reserve: Sequence[Any] = (), house: Any = None) -> StateT:
        """A story with these characters (JSON values); those in ``reserve`` wait to replace
        somebody, ``house`` are the house rules that it is played by. Raises
        :class:`hub.games.game.SetupError`."""

    @abstractmethod
    def newcomer(self, state: StateT, given: Mapping[str, Any]) -> dict[str, Any]:
        """The whole sheet, with its ``name``, of somebody who can join now. Raises
        :class:`hub.games.game.SetupError` with every fault."""

    @abstractmethod
    def join(self, state: StateT, sheet: Mapping[str, Any]) -> StateT:
        """The story with whoever :meth:`newcomer` has found sound: an NPC among the others, a
        player character in reserve."""

    def enter(self, state: StateT, name: str) -> StateT:
        """The story with somebody of the reserve in the party. Raises :class:`RulesError`."""
        if name not in state.reserve:
            return state
        sheets = {**state.sheets, name: state.reserve[name]}
        return without_reserve(replace(state, sheets=sheets), name)

    @abstractmethod
    def stage(self, state: StateT, request: Any) -> Staged:
        """Make a scene ready that was asked for, as ``request_type`` has it. Raises
        :class:`hub.games.game.SetupError`."""

    @abstractmethod
    def after(self, state: StateT, ruleset: str, game_state: Any) -> StateT:
        """The story after a scene of this ruleset, which ended or was broken off."""

    @abstractmethod
    def view(self, state: StateT) -> StoryView:
        """What everybody may see, built field by field from what is public."""

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
        if after.stakes != before.stakes and (fault := text_fault(after.stakes)):
            yield Reason("text-refused", text=shown(after.stakes), fault=fault)

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
        """What was given, as the typed values that the journal keeps. Raises
        :class:`IllegalChoice` for what is no deed."""
        values: dict[str, Any] = msgspec.to_builtins(self.deed(state, given))
        typed(values, self.deed_type, "deed")  # what is kept can be read again
        return values

    def why_not(self, state: StateT, deed: GivenDeed) -> Reason | None:
        """Why this cannot be done now, for a person to read; None if it can."""
        try:
            read = self.deed(state, deed)
            after = self.tell(state, deed)
        except IllegalChoice as error:
            return error.reason
        if fault := read.fault():
            return fault
        judged = self.judged.get(type(read))
        why = judged(state, read) if judged else None
        if isinstance(read, Wish) and read.wants is not None:
            why = self.why_not_wish(state, read.name, read.wants)
        return why or next(self.deceiving(state, after), None)

    def tell(self, state: StateT, deed: GivenDeed) -> StateT:
        """The story after a deed of the GM. Raises :class:`IllegalChoice`."""
        try:
            read = self.deed(state, deed)
            after: StateT = self.deeds[type(read)](state, read)
        except RulesError as error:
            raise IllegalChoice(error.reason) from None
        name = getattr(read, "name", "")
        met = state.wishes.get(name, {}).get("do") == tag(type(read))
        return without_wish(after, name) if met else after

    def why_not_wish(self, state: StateT, name: str, wants: Mapping[str, Any]) -> Reason | None:
        """Why a player cannot wish for this deed now; None if the GM could do it at once."""
        sheet = state.sheets.get(name)
        if sheet is None or sheet.npc or sheet.dead:
            return Reason("nobody-to-wish-for", who=shown(name))
        if str(wants.get("do")) not in self.wishable:
            return Reason("not-to-wish-for", ways=[*sorted(self.wishable)] or Reason("nothing"))
        if wants.get("name") != name:
            return Reason("wish-for-another", who=name)
        return self.why_not(state, wants)

    def wishes(self, state: StateT) -> tuple[DeedOffer, ...]:
        """What players wish for: each as the deed that grants it, and why it cannot be done now,
        if it cannot."""
        return tuple(
            DeedOffer(deed=wants, reason=self.why_not(state, wants))
            for wants in state.wishes.values()
        )

    def own(self, state: StateT, name: str, *, playing: bool) -> Mapping[str, Any] | None:
        """What a player's page shows of a character of its own beside the sheet, as JSON values for
        the family's own page. ``playing``: a scene is played."""
        return None

    def anytime(self, deed: GivenDeed) -> bool:
        """Whether this may also be done while a scene is played: countdowns, and what else a
        family says."""
        return (deed.kind if isinstance(deed, Choice) else deed.get("do")) in self.at_any_time

    def casting(self, deed: GivenDeed) -> Newcomer | Leaver | None:
        """Whom a deed brings into the story, or takes out of it; None for every other deed.

        Such a deed is not recorded in its words, which would tell a newcomer's secrets, but by
        what comes of it. Raises :class:`IllegalChoice` if it is not well written.
        """
        return None

    def leave(self, state: StateT, name: str) -> StateT:
        """The story without an NPC, or without somebody in reserve. Raises :class:`RulesError`."""
        return leave(state, name)

    def offers(self, state: StateT) -> tuple[DeedOffer, ...]:
        """Deeds to put before the GM now; a deed that passes :meth:`why_not` need not be listed
        where there are too many."""
        return ()

    def offer(self, state: StateT, deed: Deed, *fields: Field) -> DeedOffer:
        """A deed as it can be done now, with what can be said of it."""
        values: dict[str, Any] = msgspec.to_builtins(deed)
        return DeedOffer(deed=values, reason=self.why_not(state, values), fields=fields)

    def scenes(self, state: StateT) -> tuple[SceneOffer, ...]:
        """The kinds of scene that can be asked for, each with its form; the usual one first."""
        return ()

    def sheets(self, state: StateT) -> dict[str, Any]:
        """The whole sheet of everybody in the story, the dead too, by name: not public."""
        return dict(state.sheets)

    def means(self, state: StateT, name: str) -> Mapping[str, Any]:
        """What somebody's own cards do, as :meth:`hub.games.game.Game.means` has it."""
        return {}

    def npcs(self, state: StateT) -> tuple[str, ...]:
        """Those of them whom the GM plays."""
        return tuple(name for name, sheet in state.sheets.items() if sheet.npc)

    def waiting(self, state: StateT) -> tuple[str, ...]:
        """Those who wait in reserve."""
        return tuple(state.reserve)

    def heirs(self, state: StateT) -> Mapping[str, str]:
        """Who replaced somebody, and whom, in the order of its happening: whoever played that
        character plays the new one, unless a seat names it."""
        return state.heirs

    def overrules(self, state: StateT) -> tuple[Option, ...]:
        """What the GM can overrule between scenes, by ``what``, each with its fields."""
        return ()

    def cast(self, state: StateT) -> tuple[str, ...]:
        """Everybody who could stand in a scene, NPCs too: not public."""
        return tuple(name for name, sheet in state.sheets.items() if not sheet.dead)

    def console(self, state: StateT, *, playing: bool) -> Mapping[str, Any] | None:
        """What the GM's console shows beyond what all stories have, as JSON values for the family's
        own page; asked for only when somebody looks. ``playing``: a scene is played."""
        return None

    def back(self, state: StateT, earlier: StateT) -> StateT:
        """``earlier``, which this story was once, when everything told since is taken back; what
        everybody has seen since and is no longer there is remembered as gone."""
        return replace(earlier, countdowns=state.countdowns.back(earlier.countdowns))


def check_title(request: SceneRequest) -> None:
    """Raises :class:`SetupError` for a title that no page could show."""
    if not TITLE.holds(request.title):
        reason = Reason("not-one-line", most=MAX_TITLE_CHARS)
        raise SetupError(Fault(("title",), reason))
