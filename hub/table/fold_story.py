"""Fold the events of the story, and the results that scenes leave in it."""

from msgspec.structs import replace

from hub.table import records as r
from hub.table.back import piled
from hub.table.state import Campaign, HubMisuse, TableState, Undoes


def story_begun(state: TableState, event: r.StoryBegun, record: r.Record) -> TableState:
    """Fold a story's beginning."""
    sheets = r.secret_of(record, r.StorySheets).unseal()
    rules = state.rulebooks.story(event.ruleset)
    begun = rules.begin(sheets.cast, sheets.reserve, sheets.house)
    return replace(state, story=Campaign(rules, begun))


def story_told(state: TableState, event: r.StoryTold, record: r.Record) -> TableState:
    """Fold a deed."""
    campaign = _campaign(state)
    told = campaign.rules.tell(campaign.state, event.deed)
    earlier = piled(state, Undoes.DEED, record.seq - 1)
    return replace(state, story=replace(campaign, state=told), earlier=earlier)


def character_joined(state: TableState, event: r.CharacterJoined, record: r.Record) -> TableState:
    """Fold a new character."""
    campaign = _campaign(state)
    sheet = r.secret_of(record, r.CharacterSheet).unseal().sheet
    joined = campaign.rules.join(campaign.state, sheet)
    if event.joins:
        joined = campaign.rules.enter(joined, event.name)
    known = {**state.seated, event.name: event.seat} if event.seat else state.seated
    story = replace(campaign, state=joined)
    earlier = piled(state, Undoes.DEED, record.seq - 1)
    return replace(state, story=story, seated=known, earlier=earlier)


def character_left(state: TableState, event: r.CharacterLeft, record: r.Record) -> TableState:
    """Fold a character's departure."""
    campaign = _campaign(state)
    left = campaign.rules.leave(campaign.state, event.name)
    known = {name: seat for name, seat in state.seated.items() if name != event.name}
    story = replace(campaign, state=left)
    earlier = piled(state, Undoes.DEED, record.seq - 1)
    gm_plays = state.gm_plays - {event.name}
    hub_plays = state.hub_plays - {event.name}
    away = state.away - {event.name}
    after = replace(state, story=story, seated=known, earlier=earlier)
    return replace(after, gm_plays=gm_plays, hub_plays=hub_plays, away=away)


def after_scene(state: TableState) -> TableState:
    """The state with the results of the ending scene applied to the story."""
    scene, campaign = state.scene, state.story
    if scene is None or campaign is None or not scene.of_story:
        return state
    after = campaign.rules.after(campaign.state, scene.rules.ruleset, scene.game)
    return replace(state, story=replace(campaign, state=after))


def _campaign(state: TableState) -> Campaign:
    if state.story is None:
        raise HubMisuse("no story is told")
    return state.story
