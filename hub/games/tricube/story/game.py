"""The Story protocol for Tricube Tales: what the table asks of a story of tales."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypedDict

from msgspec import Struct
from msgspec.structs import replace

from hub.games import story
from hub.games.deeds import MAX_STAKES_CHARS, Stakes, Told
from hub.games.game import SetupError, view_of
from hub.games.tricube.reasons import Reason
from hub.games.tricube.rules.character import Absent, Style, Trait
from hub.games.tricube.rules.game import TricubeGame
from hub.games.tricube.rules.table import Table
from hub.games.tricube.rules.view import AfflictionView
from hub.games.tricube.story.deeds import DEEDS, enter
from hub.games.tricube.story.forms import everybodys, of_everybody
from hub.games.tricube.story.scenes import TaleSceneRequest, after_scene, form, stage
from hub.games.tricube.story.sheet import RULESET, TaleSheet, as_values, of_values, read_sheet
from hub.kernel.documents import Document
from hub.kernel.faults import Fault
from hub.kernel.forms import words
from hub.kernel.likeness import name_fault


class OwnConsole(TypedDict):
    """The data of a story that only the GM's console gets."""

    reserve: dict[str, TaleSheet]
    """The sheets of the characters in reserve, by name."""


MAX_SHEETS = 64
"""The most characters in the party, and the most in reserve."""


class TaleSheetView(Struct, frozen=True, kw_only=True):
    """The public view of a character between scenes."""

    trait: Trait
    concept: str
    style: Style
    description: str
    perks: tuple[str, ...]
    quirks: tuple[str, ...]
    karma: int
    karma_max: int
    resolve: int
    resolve_max: int
    afflictions: tuple[AfflictionView, ...]
    dead: bool
    absent: Absent | None
    """Why the character takes no part in the next scene; None if it does."""


class TaleStoryView(story.StoryView, frozen=True, kw_only=True):
    """The public view of a story between scenes. ``party``: name → character."""

    party: dict[str, TaleSheetView]


class TricubeStory(story.Story[Told]):
    """The rules of a story of tales. Its state is a :class:`hub.games.deeds.Told`."""

    ruleset = RULESET
    deeds = DEEDS
    at_any_time = story.Story.at_any_time | {"stakes"}
    wishable = frozenset({"cure", "recover", "convert", "sheet-is"})
    request_type = TaleSceneRequest
    view_type = TaleStoryView

    def begin(self, cast: Sequence[Any], reserve: Sequence[Any] = (), house: Any = None) -> Told:
        """A story that begins with the sheets in ``cast``; those in ``reserve`` can join later.
        Raises :class:`SetupError` with every fault and its place."""
        document = Document({"characters": [*cast], "reserve": [*reserve]})
        sheets = [*_read(document, "characters")]
        waiting = [*_read(document, "reserve")]
        faults = document.faults
        names = [sheet.name for sheet in (*sheets, *waiting)]
        twice = sorted({name for name in names if names.count(name) > 1})
        faults += (Fault(("characters",), Reason("called-alike", name=name)) for name in twice)
        for place, some in (("characters", sheets), ("reserve", waiting)):
            if len(some) > MAX_SHEETS:
                faults.append(Fault((place,), Reason("tale-too-many", most=MAX_SHEETS)))
        if house is not None:
            faults.append(Fault(("house",), Reason("tale-no-house")))
        if faults:
            raise SetupError(*faults)
        return Told(
            sheets={sheet.name: sheet for sheet in sheets},
            reserve={sheet.name: sheet for sheet in waiting},
        )

    def newcomer(self, state: Told, given: Mapping[str, Any]) -> dict[str, Any]:
        """The sheet of a character that can join the story, checked. Raises :class:`SetupError`
        with every fault."""
        values = {"ruleset": RULESET, **given}
        document = Document(values)
        sheet = read_sheet(document, values)
        if document.sound(("name",)) and (why := name_fault(sheet.name)):
            document.blame(("name",), why)
        if sheet.name in {*state.sheets, *state.reserve}:
            document.blame((), Reason("in-story-already", who=sheet.name))
        if max(len(state.sheets), len(state.reserve)) >= MAX_SHEETS:
            document.blame((), Reason("tale-too-many", most=MAX_SHEETS))
        if document.faults:
            raise SetupError(*document.faults)
        return as_values(sheet)

    def join(self, state: Told, sheet: Mapping[str, Any]) -> Told:
        """The story with the newcomer in reserve, until it joins the party."""
        came = of_values(sheet)
        return replace(state, reserve={**state.reserve, came.name: came})

    def enter(self, state: Told, name: str) -> Told:
        """The story after a character has moved from the reserve into the party. Raises
        :class:`RulesError`."""
        return enter(state, name)

    def stage(self, state: Told, request: TaleSceneRequest) -> story.Staged:
        """A scene prepared from the current sheets. Raises :class:`SetupError` with every fault."""
        story.check_title(request)
        staged = stage(state, request)
        TricubeGame().begin(staged.setup)
        return staged

    def scenes(self, state: Told) -> tuple[story.SceneOffer, ...]:
        """The form for a scene. The page itself asks for the prepared challenges."""
        return (story.SceneOffer(scene={"type": "scene"}, fields=form(state)),)

    def after(self, state: Told, ruleset: str, game_state: Table) -> Told:
        """The story with its sheets updated after a scene."""
        return after_scene(state, game_state.tale)

    def offers(self, state: Told) -> tuple[story.DeedOffer, ...]:
        """The deeds that the GM can do now, for the party and then for each character."""
        stakes = words("words", most=MAX_STAKES_CHARS)
        return (
            story.BEGIN_COUNTDOWN,
            self.offer(state, Stakes(words=state.stakes), stakes),
            *(self.offer(state, deed, *fields) for deed, fields in of_everybody(state)),
            *(self.offer(state, deed, *fields) for deed, fields in everybodys(state)),
        )

    def console(self, state: Told, *, playing: bool) -> OwnConsole:
        """The characters in reserve. Only the GM sees them, and decides who joins."""
        return {"reserve": dict(state.reserve)}

    def view(self, state: Told) -> TaleStoryView:
        """The public view. It shows the party's sheets in full: only foes' would be secret, and
        foes have no sheets."""
        return TaleStoryView(
            countdowns=state.countdowns.view(),
            erased=state.countdowns.erased,
            stakes=state.stakes,
            party={name: _shown(sheet) for name, sheet in state.sheets.items()},
        )


def _shown(sheet: TaleSheet) -> TaleSheetView:
    afflictions = tuple(view_of(AfflictionView, each) for each in sheet.afflictions)
    absent = sheet.character.absent
    return view_of(TaleSheetView, sheet, afflictions=afflictions, absent=absent)


def _read(document: Document, place: str) -> Iterator[TaleSheet]:
    for index, value in enumerate(document.values[place]):
        yield read_sheet(document, value, (place, index))
