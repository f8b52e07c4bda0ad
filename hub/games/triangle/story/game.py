"""The story protocol for the three books: sheets, deeds, and the way into a scene and back."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from hub.games.deeds import Deed
from hub.games.game import Choice, IllegalChoice, RulesError, SetupError
from hub.games.overrules import typed
from hub.games.story import (
    BEGIN_COUNTDOWN,
    DeedOffer,
    GivenDeed,
    Leaver,
    Newcomer,
    SceneOffer,
    Staged,
    Story,
    check_title,
)
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.faults import new_names
from hub.games.triangle.rules.characters.sheet import Sheet
from hub.games.triangle.rules.edition import Edition
from hub.games.triangle.rules.game import TriangleGame
from hub.games.triangle.rules.problem.game import ProblemGame
from hub.games.triangle.rules.setup import read_own_house
from hub.games.triangle.rules.specials import SpecialMeans, means_of
from hub.games.triangle.story import scenes
from hub.games.triangle.story.deeds import DEEDS, JUDGED, Dismiss
from hub.games.triangle.story.newcomers import Npc, enter, given, join, newcomer, sheet_faults
from hub.games.triangle.story.offering import offered
from hub.games.triangle.story.overrules import WORD
from hub.games.triangle.story.scenes import ConflictRequest, SceneAsked
from hub.games.triangle.story.state import StoryState
from hub.games.triangle.story.views import (
    OwnCharacter,
    OwnConsole,
    TriangleStoryView,
    console,
    own,
    public_view,
)
from hub.games.triangle.story.written import AT_ANY_TIME, CASTING, read_deed
from hub.kernel.documents import Document
from hub.kernel.faults import Fault
from hub.kernel.forms import Option


class TriangleStory(Story[StoryState]):
    """Stories by one book, with the conflicts and problems of that book."""

    deeds = DEEDS
    judged = JUDGED
    # book: rest.after
    at_any_time = Story.at_any_time | AT_ANY_TIME

    # book: level-up.gm
    wishable = frozenset({"level-up", "rewrite"})
    request_type = SceneAsked
    view_type = TriangleStoryView

    def __init__(self, conflict: TriangleGame, problem: ProblemGame) -> None:
        self.conflict = conflict
        self.problem = problem
        self.ruleset = conflict.ruleset

    def begin(
        self, cast: Sequence[Any], reserve: Sequence[Any] = (), house: Any = None
    ) -> StoryState:
        """Return a story with the sheets of a ``cast`` and of characters in ``reserve``, by
        ``house`` rules if given. Raises :class:`SetupError` with every fault and its place."""
        rules = self._rules(house)
        faults: list[Fault] = []
        sheets = [*self._read(cast, rules, "characters", faults)]
        waiting = [*self._read(reserve, rules, "reserve", faults)]
        names = [sheet.name for sheet in (*sheets, *waiting)]
        twice = sorted({name for name in names if names.count(name) > 1})
        faults += (Fault(("characters",), Reason("called-alike", name=name)) for name in twice)
        if all(sheet.npc for sheet in sheets) and not faults:
            faults.append(Fault(("characters",), Reason("player-needed")))
        if faults:
            raise SetupError(*faults)
        return StoryState(
            sheets={sheet.name: sheet for sheet in sheets},
            reserve={sheet.name: sheet for sheet in waiting},
            ruleset=self.ruleset,
            house=house,
            rules=rules,
        )

    def _rules(self, house: Any) -> Edition | UnsetType:
        if house is None:
            return UNSET
        document = Document(None)
        edition = read_own_house(document, self.conflict.edition, house)
        if document.faults:
            raise SetupError(*document.faults)
        return edition

    def _read(
        self, given: Sequence[Any], rules: Edition | UnsetType, place: str, faults: list[Fault]
    ) -> Iterator[Sheet]:
        for index, value in enumerate(given):
            at = (place, index)
            try:
                sheet = replace(msgspec.convert(value, Sheet), rules=rules)
            except msgspec.ValidationError as error:
                faults.append(Fault(at, Reason("no-sheet", why=str(error))))
                continue
            faults += (Fault(at, why) for why in sheet_faults(sheet, self.ruleset))
            yield sheet

    def written(self, state: StoryState, given: Choice) -> Deed:
        """Parse a deed as people type it: see :mod:`hub.games.triangle.story.written`."""
        return read_deed(state, given.kind, given.value)

    def deceiving(self, before: StoryState, after: StoryState) -> Iterator[Reason]:
        """Yield the reasons against deceptive new stakes, and deceptive new names on the sheets."""
        yield from super().deceiving(before, after)
        for name, sheet in after.sheets.items():
            was = before.sheets.get(name)
            if sheet is not was:
                yield from new_names(was or before.reserve.get(name), sheet)

    def casting(self, deed: GivenDeed) -> Newcomer | Leaver | None:
        """Return whom an ``npc`` or ``dismiss`` deed adds or removes; None for other deeds."""
        try:
            if isinstance(deed, Mapping):
                read = typed(deed, self.deed_type, "deed")
            else:
                read = CASTING[deed.kind](deed.value) if deed.kind in CASTING else None
            if isinstance(read, Npc):
                return Newcomer(given(read))
        except RulesError as error:
            raise IllegalChoice(error.reason) from None
        return Leaver(read.name) if isinstance(read, Dismiss) else None

    def newcomer(self, state: StoryState, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the sheet of a character who can join the story, as JSON values. Raises
        :class:`SetupError`."""
        return newcomer(state, given)

    def join(self, state: StoryState, sheet: Mapping[str, Any]) -> StoryState:
        """Return the story with one more NPC, or one more player character in reserve."""
        return join(state, sheet)

    def enter(self, state: StoryState, name: str) -> StoryState:
        """Return the story with a player character moved from the reserve to the party. Raises
        :class:`RulesError` if no such character is in reserve, or the story is full."""
        return enter(state, name)

    def offers(self, state: StoryState) -> tuple[DeedOffer, ...]:
        """Return the deeds to offer the GM: the one that begins a countdown, and those that
        :func:`hub.games.triangle.story.offering.offered` yields."""
        return (BEGIN_COUNTDOWN, *(self.offer(state, *each) for each in offered(state)))

    def console(self, state: StoryState, *, playing: bool) -> OwnConsole:
        """Return the data that the GM's console shows in addition to the view."""
        return console(state, playing=playing)

    def own(self, state: StoryState, name: str, *, playing: bool) -> OwnCharacter:
        """Return the data that the pages of a character's player show in addition to the view."""
        return own(state, name, playing=playing)

    def overrules(self, state: StoryState) -> tuple[Option, ...]:
        """Return the forms of all overrules between scenes."""
        return WORD.forms(state)

    def stage(self, state: StoryState, request: SceneAsked) -> Staged:
        """Prepare a conflict or a problem from the current sheets. Raises :class:`SetupError`."""
        check_title(request)
        if isinstance(request, ConflictRequest):
            staged = scenes.stage_conflict(state, request)
            self.conflict.begin(staged.setup)
            why = self.why_not(state, staged.deed) if staged.deed else None
            if why or not request.stakes.isprintable():
                raise SetupError(Fault(("stakes",), why or Reason("not-printable")))
            return staged
        staged = scenes.stage_problem(state, request)
        self.problem.begin(staged.setup)
        return staged

    def scenes(self, state: StoryState) -> tuple[SceneOffer, ...]:
        """Return the forms for a conflict and for a problem."""
        return scenes.scene_forms(state)

    def after(self, state: StoryState, ruleset: str, game_state: Any) -> StoryState:
        """Return the story with the sheets updated after a conflict or a problem."""
        if ruleset == self.problem.ruleset:
            return scenes.problem_ended(state, self.problem.view(game_state))
        return scenes.conflict_ended(state, game_state)

    def means(self, state: StoryState, name: str) -> dict[str, SpecialMeans]:
        """Explain the specials on a character's sheet: written form of the choice → explanation."""
        sheet = state.sheets.get(name)
        known = (each.id for each in sheet.specials) if sheet else ()
        found = (state.book.specials.get(each) for each in known)
        return means_of(filter(None, found), state.book)

    def view(self, state: StoryState) -> TriangleStoryView:
        """Return the public view: countdowns, stakes, and the sheets of player characters."""
        return public_view(state)
