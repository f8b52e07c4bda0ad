"""The Story protocol: the part of a rules system that lasts between scenes.

A scene is played by a :class:`hub.games.game.Game` and then discarded. The story keeps what
remains: character sheets, countdowns, rests, who decided last. The GM changes it by *deeds*. A
scene may begin from the story, which is changed by the result once the scene has ended. A family
writes each deed as one struct and one function (:mod:`hub.games.deeds`), gives its characters
sheets, and says how a scene starts from the story and changes it at the end; everything else is in
this module. ``docs/rules/deeds.md`` lists the deeds.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hub.games.countdowns import LEAST_BOXES, MOST_BOXES, CountdownView
from hub.games.deeds import (
    COUNTDOWN_DEEDS,
    MAX_DEED_CHARS,
    BeginCountdown,
    Deed,
    Does,
    Told,
    Wish,
    leave,
    without_reserve,
    without_wish,
)
from hub.games.game import Choice, IllegalChoice, RulesError, SetupError
from hub.games.overrules import any_of, tag, typed
from hub.kernel.bounds import TITLE
from hub.kernel.faults import MAX_NAME_CHARS, Fault, shown
from hub.kernel.forms import Field, Option, one, words
from hub.kernel.likeness import text_fault
from hub.kernel.reasons import Reason

MAX_TITLE_CHARS = TITLE.most


def parse_deed(text: str) -> Choice:
    """Read a deed's written form. Raises :class:`IllegalChoice` if it is empty, too long or not one
    printable line."""
    kind, _, value = text.strip().partition(" ")
    if not kind or len(text) > MAX_DEED_CHARS or not text.isprintable():
        raise IllegalChoice(Reason("deed-form", most=MAX_DEED_CHARS))
    return Choice(kind, value.strip())


GivenDeed = Choice | Mapping[str, Any]
"""A deed as JSON values, or in its written form."""


class SceneRequest(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """A scene that the GM wants to begin from the story. Each story adds its own kinds."""

    title: str = ""


class DeedOffer(Struct, frozen=True, kw_only=True):
    """A deed offered to the GM, with the reason if it cannot be done."""

    deed: dict[str, Any]
    """The deed as JSON values, some of which are replaced by what the GM enters in the
    ``fields``."""
    reason: Reason | None = None
    fields: tuple[Field, ...] = ()


BEGIN_COUNTDOWN = DeedOffer(
    deed=msgspec.to_builtins(BeginCountdown(name="", boxes=LEAST_BOXES)),
    fields=(
        one("boxes", "boxes", range(LEAST_BOXES, MOST_BOXES + 1)),
        words("name", most=MAX_NAME_CHARS),
    ),
)
"""The deed that begins a countdown, as a form."""


class SceneOffer(Struct, frozen=True, kw_only=True):
    """A kind of scene that the GM can begin from the story, as a form."""

    scene: dict[str, Any]
    """The scene request as JSON values, some of which are replaced by what the GM enters in the
    ``fields``."""
    fields: tuple[Field, ...] = ()


class Staged(Struct, frozen=True):
    """A scene that is ready to begin in the game ``ruleset``, from the description ``setup``."""

    ruleset: str
    title: str
    setup: dict[str, Any]
    deed: dict[str, Any] | None = None
    """A deed to be recorded together with the scene, such as the one that sets its stakes; None if
    there is none."""


class Newcomer(Struct, frozen=True):
    """A character that a deed brings into the story. Its abilities are not public."""

    given: dict[str, Any]
    """A sheet, or a ``name`` and the character it is ``like``, as JSON values to check."""


class Leaver(Struct, frozen=True):
    """A character that a deed takes out of the story."""

    name: str


class StoryView(Struct, frozen=True, kw_only=True):
    """The public view of a story. Each story adds its own fields."""

    countdowns: tuple[CountdownView, ...]
    erased: tuple[str, ...]
    """The ids of removed countdowns that are still remembered, newest last."""
    stakes: str = ""
    """The stakes of the current or next scene; empty if none were set."""


StateT = TypeVar("StateT", bound=Told)


class Story(ABC, Generic[StateT]):
    """The part of a rules system that lasts between scenes. Every method is pure."""

    ruleset: str
    """The ruleset's id, used in scenes, files and logs."""
    request_type: Any
    """The type of a scene request: a :class:`SceneRequest`, or a union of several."""
    view_type: type[StoryView]
    """The type that :meth:`view` returns, used to document public data."""
    deeds: ClassVar[Mapping[type[Deed], Does]] = COUNTDOWN_DEEDS
    """Every deed that the story knows, with its effect."""
    judged: ClassVar[Mapping[type[Deed], Callable[[Any, Any], Reason | None]]] = {}
    """Extra checks of a deed: state and deed → the reason it is refused, or None. They are made
    when a deed is done, not when a log is read, which may be older than the check."""
    at_any_time: ClassVar[frozenset[str]] = frozenset(map(tag, COUNTDOWN_DEEDS))
    """The deeds allowed during a scene, by ``do`` or by the first word of the written form."""

    wishable: ClassVar[frozenset[str]] = frozenset()
    """The deeds that a player may wish for, for their own character, by ``do``."""

    @abstractmethod
    def begin(self, cast: Sequence[Any], reserve: Sequence[Any] = (), house: Any = None) -> StateT:
        """A story with these characters (JSON values). Those in ``reserve`` wait to replace one of
        them. ``house`` are the house rules. Raises :class:`hub.games.game.SetupError`."""

    @abstractmethod
    def newcomer(self, state: StateT, given: Mapping[str, Any]) -> dict[str, Any]:
        """The whole sheet, with its ``name``, of a character that can join now. Raises
        :class:`hub.games.game.SetupError` with every fault."""

    @abstractmethod
    def join(self, state: StateT, sheet: Mapping[str, Any]) -> StateT:
        """The story with a character accepted by :meth:`newcomer`: an NPC joins the cast, a player
        character the reserve."""

    def enter(self, state: StateT, name: str) -> StateT:
        """The story with a character moved from the reserve into the party; unchanged if it is not
        in reserve. A family may raise :class:`RulesError`."""
        if name not in state.reserve:
            return state
        sheets = {**state.sheets, name: state.reserve[name]}
        return without_reserve(replace(state, sheets=sheets), name)

    @abstractmethod
    def stage(self, state: StateT, request: Any) -> Staged:
        """Prepare a requested scene of type ``request_type``. Raises
        :class:`hub.games.game.SetupError` if it cannot begin."""

    @abstractmethod
    def after(self, state: StateT, ruleset: str, game_state: Any) -> StateT:
        """The story after a scene of this ruleset ended or was broken off."""

    @abstractmethod
    def view(self, state: StateT) -> StoryView:
        """The public view, built field by field from public data."""

    @property
    def deed_type(self) -> Any:
        """The type used to read a deed from values."""
        return any_of(self.deeds)

    def written(self, state: StateT, given: Choice) -> Deed:
        """Read a deed's written form. Raises :class:`RulesError` if the family has no written form,
        or the text is malformed."""
        raise RulesError(Reason("deed-as-values", text=shown(given.kind)))

    def deceiving(self, before: StateT, after: StateT) -> Iterator[Reason]:
        """Yield the reasons against a deed whose new names or texts are deceptive. ``before`` and
        ``after`` are the story before and after the deed."""
        if after.stakes != before.stakes and (fault := text_fault(after.stakes)):
            yield Reason("text-refused", text=shown(after.stakes), fault=fault)

    def deed(self, state: StateT, given: GivenDeed) -> Deed:
        """Read a deed given as values or in its written form, whose meaning may depend on the
        story. Raises :class:`IllegalChoice` if it is malformed."""
        if isinstance(given, Mapping):
            deed: Deed = typed(given, self.deed_type, "deed")
            return deed
        try:
            return self.written(state, given)
        except RulesError as error:
            raise IllegalChoice(error.reason) from None

    def read(self, state: StateT, given: GivenDeed) -> dict[str, Any]:
        """Read a deed and return the JSON values that the journal keeps. Raises
        :class:`IllegalChoice` if it is not a valid deed."""
        values: dict[str, Any] = msgspec.to_builtins(self.deed(state, given))
        typed(values, self.deed_type, "deed")  # make sure that the kept values can be read again
        return values

    def why_not(self, state: StateT, deed: GivenDeed) -> Reason | None:
        """Why this deed cannot be done now; None if it can."""
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
        """The story after a deed of the GM. Raises :class:`IllegalChoice` if the deed is not
        possible."""
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
        """The players' wishes: each as the deed that grants it, with the reason if that deed cannot
        be done now."""
        return tuple(
            DeedOffer(deed=wants, reason=self.why_not(state, wants))
            for wants in state.wishes.values()
        )

    def own(self, state: StateT, name: str, *, playing: bool) -> Mapping[str, Any] | None:
        """Data about a player's own character besides the sheet, as JSON values for the family's
        page; None if there are none. ``playing``: a scene is being played."""
        return None

    def anytime(self, deed: GivenDeed) -> bool:
        """Whether the deed may also be done while a scene is being played."""
        return (deed.kind if isinstance(deed, Choice) else deed.get("do")) in self.at_any_time

    def casting(self, deed: GivenDeed) -> Newcomer | Leaver | None:
        """The character that a deed brings into the story or takes out of it; None for every other
        deed.

        Such a deed is recorded by its result, not in its own words, because those would reveal a
        newcomer's secrets. Raises :class:`IllegalChoice` if it is malformed.
        """
        return None

    def leave(self, state: StateT, name: str) -> StateT:
        """The story without an NPC or reserve character. Raises :class:`RulesError` for any other
        name."""
        return leave(state, name)

    def offers(self, state: StateT) -> tuple[DeedOffer, ...]:
        """The deeds to offer the GM now. Where there are too many, not every deed that passes
        :meth:`why_not` is listed."""
        return ()

    def offer(self, state: StateT, deed: Deed, *fields: Field) -> DeedOffer:
        """A deed with its form fields, and the reason if it cannot be done now."""
        values: dict[str, Any] = msgspec.to_builtins(deed)
        return DeedOffer(deed=values, reason=self.why_not(state, values), fields=fields)

    def scenes(self, state: StateT) -> tuple[SceneOffer, ...]:
        """The kinds of scene that can be requested, each with its form; the usual one first."""
        return ()

    def sheets(self, state: StateT) -> dict[str, Any]:
        """Every character's whole sheet by name, the dead included. Not public."""
        return dict(state.sheets)

    def means(self, state: StateT, name: str) -> Mapping[str, Any]:
        """Explanations of a character's own cards; see :meth:`hub.games.game.Game.means`."""
        return {}

    def npcs(self, state: StateT) -> tuple[str, ...]:
        """The characters played by the GM, by name."""
        return tuple(name for name, sheet in state.sheets.items() if sheet.npc)

    def waiting(self, state: StateT) -> tuple[str, ...]:
        """The names of the characters in reserve."""
        return tuple(state.reserve)

    def heirs(self, state: StateT) -> Mapping[str, str]:
        """New character → the character that it replaced, in order of replacement. The player of
        the old character plays the new one, unless a seat names it."""
        return state.heirs

    def overrules(self, state: StateT) -> tuple[Option, ...]:
        """The overrules that the GM can make between scenes; see
        :meth:`hub.games.game.Game.overrules`."""
        return ()

    def cast(self, state: StateT) -> tuple[str, ...]:
        """Every character that could take part in a scene, NPCs included. Not public."""
        return tuple(name for name, sheet in state.sheets.items() if not sheet.dead)

    def console(self, state: StateT, *, playing: bool) -> Mapping[str, Any] | None:
        """Data for the GM's console beyond that of all stories, as JSON values for the family's
        page. Computed only while a console is open. ``playing``: a scene is being played."""
        return None

    def back(self, state: StateT, earlier: StateT) -> StateT:
        """The story after an undo that returns to its ``earlier`` state. Countdowns that disappear
        by it are remembered as erased."""
        return replace(earlier, countdowns=state.countdowns.back(earlier.countdowns))


def check_title(request: SceneRequest) -> None:
    """Raise :class:`SetupError` if the request's title is too long or not one printable line."""
    if not TITLE.holds(request.title):
        reason = Reason("not-one-line", most=MAX_TITLE_CHARS)
        raise SetupError(Fault(("title",), reason))
