"""The story at the table, folded: what was told of it, and what scenes have left of it."""

from msgspec.structs import replace

from hub.rules.story import parse_deed
from hub.table import records as r
from hub.table.state import Earlier, HubMisuse, TableState, Tale

MOST_EARLIER = 50
"""How many deeds can be taken back, one after the other."""


def story_begun(state: TableState, event: r.StoryBegun, record: r.Record) -> TableState:
    """Fold the beginning."""
    sheets = record.secret.unseal() if record.secret else None
    if not isinstance(sheets, r.StorySheets):
        raise HubMisuse("a story's beginning has no sheets beside it")
    rules = state.rulebooks.story(event.ruleset)
    begun = rules.begin(sheets.cast, sheets.reserve, sheets.house)
    return replace(state, story=Tale(rules, begun))


def story_told(state: TableState, event: r.StoryTold, _: r.Record) -> TableState:
    """Fold a deed."""
    if state.story is None:
        raise HubMisuse("no story is told")
    tale = state.story
    told = tale.rules.tell(tale.state, parse_deed(event.deed))
    return replace(state, story=replace(tale, state=told), earlier=_earlier(state, tale))


def _earlier(state: TableState, tale: Tale) -> tuple[Earlier, ...]:
    """What can be taken back once something is told on ``state``: nothing that a scene saw."""
    if state.scene is not None:
        return ()
    return (*state.earlier, Earlier(tale, state.seated, state.seq))[-MOST_EARLIER:]


def story_undone(state: TableState, event: r.StoryUndone, _: r.Record) -> TableState:
    """Fold the way back of one deed."""
    if not state.earlier or state.story is None or state.earlier[-1].seq != event.to_seq:
        raise HubMisuse("no story is told")
    *stay, back = state.earlier
    tale = state.story
    again = tale.rules.back(tale.state, back.story.state)
    story = replace(back.story, state=again)
    return replace(state, story=story, seated=back.seated, earlier=tuple(stay))


def character_joined(state: TableState, event: r.CharacterJoined, record: r.Record) -> TableState:
    """Fold somebody new."""
    secret = record.secret.unseal() if record.secret else None
    if state.story is None or not isinstance(secret, r.CharacterSheet):
        raise HubMisuse("somebody joins no story, or has no sheet beside it")
    tale = state.story
    joined = tale.rules.join(tale.state, secret.sheet)
    known = {**state.seated, event.name: event.seat} if event.seat else state.seated
    story = replace(tale, state=joined)
    return replace(state, story=story, seated=known, earlier=_earlier(state, tale))


def character_left(state: TableState, event: r.CharacterLeft, _: r.Record) -> TableState:
    """Fold somebody's leave."""
    if state.story is None:
        raise HubMisuse("no story is told")
    tale = state.story
    left = tale.rules.leave(tale.state, event.name)
    known = {name: seat for name, seat in state.seated.items() if name != event.name}
    story = replace(tale, state=left)
    return replace(state, story=story, seated=known, earlier=_earlier(state, tale))


def after_scene(state: TableState) -> TableState:
    """The story with what the scene that ends now has left of it."""
    scene, tale = state.scene, state.story
    if scene is None or tale is None or not scene.of_story:
        return state
    after = tale.rules.after(tale.state, scene.rules.ruleset, scene.game)
    return replace(state, story=replace(tale, state=after))
