"""The story at the table: how it is begun and told, and how scenes come out of it and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from hub.rules.game import RulesError
from hub.rules.registry import story_of
from hub.rules.story import parse_deed
from hub.table import inputs as i
from hub.table import records as r
from hub.table.state import HubMisuse, SeatFault, TableState, Tale

if TYPE_CHECKING:
    from hub.table.work import Work

NO_STORY = "no story is told at this table; name its characters under [story] in the configuration"


def begin_story(work: Work, given: i.BeginStory) -> None:
    """Judge the beginning of a story, and record it."""
    if work.state.story is not None:
        raise SeatFault("a story is told at this table already")
    try:
        story_of(given.ruleset).begin(given.sheets.cast, given.sheets.reserve)
    except RulesError as error:
        raise SeatFault(f"the story cannot begin: {error}") from None
    work.emit(r.StoryBegun(ruleset=given.ruleset), given.sheets)
    for deed in given.deeds:
        tell_story(work, i.TellStory(deed))


def tell_story(work: Work, given: i.TellStory) -> None:
    """Judge a deed, and record it."""
    tale = _tale(work)
    story = story_of(tale.ruleset)
    if work.state.scene is not None and not story.anytime(given.deed):
        raise SeatFault(f"{given.deed.kind} has to wait until the scene has been ended")
    reason = story.problem(tale.state, given.deed)
    if reason is not None:
        raise SeatFault(reason)
    work.emit(r.StoryTold(deed=str(given.deed)))


def staged_scene(work: Work, given: i.StageScene) -> i.StartScene:
    """The scene that was wished for; what is told with it is recorded before it begins."""
    tale = _tale(work)
    try:
        staged = story_of(tale.ruleset).stage(tale.state, given.wish)
    except RulesError as error:
        raise SeatFault(f"the scene cannot begin: {error}") from None
    if staged.deed is not None:
        work.emit(r.StoryTold(deed=str(staged.deed)))
    return i.StartScene(staged.title, r.SceneSetup(staged.ruleset, staged.setup, story=True))


def _tale(work: Work) -> Tale:
    if work.state.story is None:
        raise SeatFault(NO_STORY)
    return work.state.story


def story_begun(state: TableState, event: r.StoryBegun, record: r.Record) -> TableState:
    """Fold the beginning."""
    sheets = record.secret.unseal() if record.secret else None
    if not isinstance(sheets, r.StorySheets):
        raise HubMisuse("a story's beginning has no sheets beside it")
    begun = story_of(event.ruleset).begin(sheets.cast, sheets.reserve)
    return replace(state, story=Tale(event.ruleset, begun))


def story_told(state: TableState, event: r.StoryTold, _: r.Record) -> TableState:
    """Fold a deed."""
    if state.story is None:
        raise HubMisuse("no story is told")
    tale = state.story
    told = story_of(tale.ruleset).tell(tale.state, parse_deed(event.deed))
    return replace(state, story=replace(tale, state=told))


def after_scene(state: TableState) -> TableState:
    """The story with what the scene that ends now has left of it."""
    scene, tale = state.scene, state.story
    if scene is None or tale is None or not scene.of_story:
        return state
    after = story_of(tale.ruleset).after(tale.state, scene.ruleset, scene.game)
    return replace(state, story=replace(tale, state=after))
