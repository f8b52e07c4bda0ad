"""The toy's story between scenes: the characters with their tokens, and countdowns."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hub.games.deeds import COUNTDOWN_DEEDS, Deed, Name, Number, Told
from hub.games.game import RulesError, SetupError
from hub.games.story import SceneRequest, Staged, Story, StoryView, check_title
from hub.kernel.faults import Fault, is_name, shown
from hub.kernel.reasons import put

from .reasons import Reason
from .rules import MOST_TOKENS, RULESET, Reach


class ToySheet(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    tokens: int = 3
    npc: bool = False
    dead: bool = False


class Grant(Deed, frozen=True, kw_only=True, tag="grant"):
    """Give tokens to a character."""

    name: Name
    tokens: Number


class Outing(SceneRequest, frozen=True, kw_only=True, tag="outing"):
    """A scene of the named characters, or of all if none are named."""

    number: Number
    who: tuple[str, ...] = ()


class ToyStoryView(StoryView, frozen=True, kw_only=True):
    tokens: dict[str, int]


def _granted(state: Told, deed: Grant) -> Told:
    if deed.name not in state.sheets:
        raise RulesError(Reason("toy-unknown", text=shown(deed.name)))
    sheet = state.sheets[deed.name]
    if sheet.tokens + deed.tokens > MOST_TOKENS:
        raise RulesError(Reason("toy-too-many", most=MOST_TOKENS))
    return _with(state, replace(sheet, tokens=sheet.tokens + deed.tokens))


def _with(state: Told, *sheets: ToySheet) -> Told:
    return replace(state, sheets={**state.sheets, **{sheet.name: sheet for sheet in sheets}})


def _sheet(given: Any, place: tuple[str | int, ...] = ()) -> ToySheet:
    try:
        sheet = msgspec.convert(given, ToySheet)
    except msgspec.ValidationError as error:
        raise SetupError(Fault(place, put(f"is no sheet: {error}"))) from None
    if not is_name(sheet.name) or not 0 <= sheet.tokens <= MOST_TOKENS:
        raise SetupError(Fault(place, put(f"needs a name, and 0 to {MOST_TOKENS} tokens")))
    return sheet


class ToyStory(Story[Told]):
    """The story; the state is :class:`Told`."""

    ruleset = RULESET
    deeds: ClassVar = {**COUNTDOWN_DEEDS, Grant: _granted}
    request_type = Outing
    view_type = ToyStoryView

    def begin(self, cast: Sequence[Any], reserve: Sequence[Any] = (), house: Any = None) -> Told:
        sheets = [_sheet(each, ("characters", index)) for index, each in enumerate(cast)]
        return Told(sheets={sheet.name: sheet for sheet in sheets})

    def newcomer(self, state: Told, given: Mapping[str, Any]) -> dict[str, Any]:
        sheet = _sheet(given)
        if sheet.name in state.sheets:
            raise SetupError(Fault((), put(f"{sheet.name} is in the story already")))
        values: dict[str, Any] = msgspec.to_builtins(sheet)
        return values

    def join(self, state: Told, sheet: Mapping[str, Any]) -> Told:
        return _with(state, _sheet(sheet))

    def stage(self, state: Told, request: Outing) -> Staged:
        check_title(request)
        who = request.who or self.cast(state)
        unknown = [name for name in who if name not in state.sheets]
        if unknown:
            raise SetupError(Fault(("who",), put(f"nobody is called {shown(unknown[0])}")))
        players = {name: {"tokens": state.sheets[name].tokens} for name in who}
        setup = {"ruleset": RULESET, "number": request.number, "players": players}
        return Staged(RULESET, request.title, setup)

    def after(self, state: Told, ruleset: str, game_state: Reach) -> Told:
        left = game_state.players.items()
        return _with(state, *(replace(state.sheets[n], tokens=p.tokens) for n, p in left))

    def view(self, state: Told) -> ToyStoryView:
        return ToyStoryView(
            countdowns=state.countdowns.view(),
            erased=state.countdowns.erased,
            tokens={name: sheet.tokens for name, sheet in state.sheets.items() if not sheet.npc},
        )
