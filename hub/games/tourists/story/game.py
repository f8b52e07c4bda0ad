"""The Story protocol for N-Dimensional Tourists: what the table asks of a story of Conflicts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hub.games import story
from hub.games.deeds import MAX_STAKES_CHARS, Stakes, Told
from hub.games.game import MAX_WORD_CHARS, SetupError, view_of
from hub.games.tourists.reasons import Reason
from hub.games.tourists.rules.game import TouristsGame
from hub.games.tourists.rules.table import Table
from hub.games.tourists.rules.view import CardView, card_view
from hub.games.tourists.story import conflicts
from hub.games.tourists.story import sheet as s
from hub.games.tourists.story.sheet import (
    DEEDS,
    RULESET,
    STANDARD,
    TouristsSheet,
    as_values,
    faults_of,
)
from hub.kernel.faults import Fault
from hub.kernel.forms import one, words
from hub.kernel.likeness import name_fault

MAX_SHEETS = 64


class TouristView(Struct, frozen=True, kw_only=True):
    """The public view of a player character between Conflicts. ``attributes``: name → value."""

    description: str
    attributes: dict[str, int]
    aspects: tuple[str, ...]
    weaknesses: tuple[str, ...]
    reserve: tuple[CardView, ...]
    reserve_max: int
    dead: bool


class TouristsStoryView(story.StoryView, frozen=True, kw_only=True):
    """The public view of a story between Conflicts. ``party``: name → player character."""

    party: dict[str, TouristView]


class TouristsStory(story.Story[Told]):
    """The rules of a story of Conflicts. Its state is a :class:`hub.games.deeds.Told`."""

    ruleset = RULESET
    deeds = DEEDS
    at_any_time = story.Story.at_any_time | {"stakes"}
    wishable = frozenset({"heal", "gain-aspect"})
    request_type = conflicts.TouristsConflictRequest
    view_type = TouristsStoryView

    def begin(self, cast: Sequence[Any], reserve: Sequence[Any] = (), house: Any = None) -> Told:
        """A story that begins with the sheets in ``cast``; those in ``reserve`` can join later.
        Raises :class:`SetupError` with every fault and its place."""
        faults: list[Fault] = []
        sheets = [*self._read(cast, "characters", faults)]
        waiting = [*self._read(reserve, "reserve", faults)]
        names = [sheet.name for sheet in (*sheets, *waiting)]
        twice = sorted({name for name in names if names.count(name) > 1})
        faults += (Fault(("characters",), Reason("called-alike", name=name)) for name in twice)
        faults += _reserve_faults(sheets)
        if house is not None:
            faults.append(Fault(("house",), Reason("no-house-rules")))
        if faults:
            raise SetupError(*faults)
        return Told(
            sheets={sheet.name: sheet for sheet in sheets},
            reserve={sheet.name: sheet for sheet in waiting},
        )

    def _read(
        self, given: Sequence[Any], place: str, faults: list[Fault]
    ) -> Iterator[TouristsSheet]:
        for index, value in enumerate(given):
            try:
                sheet = msgspec.convert(value, TouristsSheet)
            except msgspec.ValidationError as error:
                faults.append(Fault((place, index), Reason("no-sheet", why=str(error))))
                continue
            faults += (Fault((place, index, key), why) for key, why in faults_of(sheet))
            yield sheet

    def newcomer(self, state: Told, given: Mapping[str, Any]) -> dict[str, Any]:
        """The sheet of a character that can join the story, checked. Raises :class:`SetupError`
        with every fault."""
        faults: list[Fault] = []
        found = [*self._read([given], "characters", faults)]
        for sheet in found:
            if sheet.name in {*state.sheets, *state.reserve}:
                faults.append(Fault((), Reason("in-story-already", who=sheet.name)))
            elif why := name_fault(sheet.name):
                faults.append(Fault((), why))
            faults += _reserve_faults([*state.sheets.values(), sheet])
        if len(state.sheets) >= MAX_SHEETS:
            faults.append(Fault((), Reason("too-many-sheets", most=MAX_SHEETS)))
        if faults:
            raise SetupError(*faults)
        return as_values(found[0])

    def join(self, state: Told, sheet: Mapping[str, Any]) -> Told:
        """The story with the newcomer, NPC or player character; neither waits in reserve."""
        came = msgspec.convert(sheet, TouristsSheet)
        return replace(state, sheets={**state.sheets, came.name: came})

    def stage(self, state: Told, request: conflicts.TouristsConflictRequest) -> story.Staged:
        """A Conflict prepared from the current sheets. Raises :class:`SetupError` if it cannot
        begin."""
        story.check_title(request)
        staged = conflicts.stage(state, request)
        TouristsGame().begin(staged.setup)
        return staged

    def scenes(self, state: Told) -> tuple[story.SceneOffer, ...]:
        """The form for a Conflict, without fields: the page itself asks for the parties, and what
        counts from each character's sheet."""
        return (story.SceneOffer(scene={"type": "conflict"}),)

    def after(self, state: Told, ruleset: str, game_state: Table) -> Told:
        """The story with its sheets updated after a Conflict."""
        return conflicts.after_conflict(state, game_state)

    def offers(self, state: Told) -> tuple[story.DeedOffer, ...]:
        """The deeds that the GM can do now: a countdown, the stakes, and those for each sheet."""
        text = words("words", most=MAX_WORD_CHARS, empty=Reason("is-missing"))
        found = [
            story.BEGIN_COUNTDOWN,
            self.offer(state, Stakes(words=state.stakes), words("words", most=MAX_STAKES_CHARS)),
        ]
        for name, sheet in state.sheets.items():
            found.append(self.offer(state, s.GainWeakness(name=name, words="…"), text))
            found.append(self.offer(state, s.GainAspect(name=name, words="…"), text))
            found.append(self.offer(state, s.SheetDead(name=name, dead=not sheet.dead)))
            if sheet.weaknesses:
                which = one("words", "weakness", sheet.weaknesses)
                found.append(self.offer(state, s.Heal(name=name, words=sheet.weaknesses[0]), which))
        return tuple(found)

    def view(self, state: Told) -> TouristsStoryView:
        """The public view. It shows the sheets of player characters, but not those of NPCs."""
        return TouristsStoryView(
            countdowns=state.countdowns.view(),
            erased=state.countdowns.erased,
            stakes=state.stakes,
            party={name: _shown(sheet) for name, sheet in state.sheets.items() if not sheet.npc},
        )


def _shown(sheet: TouristsSheet) -> TouristView:
    reserve = tuple(card_view(STANDARD, card) for card in sheet.reserve or ())
    return view_of(TouristView, sheet, reserve=reserve)


def _reserve_faults(sheets: Sequence[TouristsSheet]) -> Iterator[Fault]:
    """A fault for each card that is in the Reserves of two sheets."""
    lies: dict[int, str] = {}
    for sheet in sheets:
        for card in sheet.reserve or ():
            if lies.setdefault(card.number, sheet.name) != sheet.name:
                why = Reason("card-in-reserve", number=card.number, who=lies[card.number])
                yield Fault(("characters",), why)
