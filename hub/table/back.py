"""Undo: what can be taken back now, and the state before it.

Play goes back to a reveal or, in rules that seal nothing, to a stop; the scene keeps those
(`Scene.checkpoint`). If there were several open decisions since, it also goes back one decision at
a time (`Scene.step`). The GM's own actions (a deed, a scene's start, its end) are stacked in
`TableState.earlier` and undone one by one, newest first, in a scene and between scenes.
"""

from msgspec import Struct
from msgspec.structs import replace

from hub.table import records as r
from hub.table.state import (
    Earlier,
    HubMisuse,
    Phase,
    Scene,
    TableState,
    Undoes,
    begun_anew,
    phase_of,
)

MOST_EARLIER = 50
"""How many of the GM's actions can be taken back, one after the other."""


class WayBack(Struct, frozen=True):
    """Something that can be taken back now."""

    what: Undoes
    to_seq: int
    """Number of the last record before it. For play: of the reveal, stop or scene start to go back
    to."""


def ways_back(state: TableState) -> tuple[WayBack, ...]:
    """Everything that an undo can take back now: play, and the newest of the GM's actions.

    A scene's start can be taken back only while nothing has been played in it.
    """
    scene, phase = state.scene, phase_of(state)
    back = undo_target(scene) if scene and phase is not Phase.PAUSED else None
    played = (WayBack(Undoes.PLAY, back.checkpoint_seq),) if back else ()
    if scene and back and (step := step_target(scene)):
        played = (WayBack(Undoes.STEP, step.step_seq), *played)
    if not state.earlier:
        return played
    newest = state.earlier[-1]
    if newest.what is Undoes.START and (back or phase is Phase.PAUSED):
        return played
    return (*played, WayBack(newest.what, newest.seq))


def undo_target(scene: Scene) -> Scene | None:
    """The scene that an undo would return to: right after the last reveal or stop (or the start)
    or, if nothing has happened since, right after the one before. None at the very start."""
    last = scene.checkpoint
    if last is None:
        return None
    sealed = scene.seals or scene.beside or scene.reveal_at_ms is not None
    return last if sealed or _has_moved(scene, last) else last.checkpoint


def step_target(scene: Scene) -> Scene | None:
    """The scene right after the last open decision or, if nothing has been chosen since, right
    after the one before. None if that would go as far as the last reveal."""
    last = scene.step
    if last is None:
        return None
    return last if _has_moved(scene, last) else last.step


def _has_moved(scene: Scene, since: Scene) -> bool:
    """Whether any open choice or change was made since ``since``."""
    same = scene.game is since.game and scene.absences == since.absences
    return not same or bool(scene.decided or scene.counted)


def piled(state: TableState, what: Undoes, to_seq: int) -> tuple[Earlier, ...]:
    """The stack of undoable actions with the current state on top, before the GM's next action.
    ``to_seq`` is the number of the last record before that action; a deed recorded after it is part
    of the action."""
    before = Earlier(what, to_seq, state.story, state.seated)
    if what is Undoes.END:
        before = replace(before, scene=state.scene, paused=state.paused)
    lower = tuple(each for each in state.earlier if each.seq < to_seq)
    if len(lower) < len(state.earlier):
        began = state.earlier[len(lower)]
        before = replace(before, story=began.story, seated=began.seated)
    return (*lower, before)[-MOST_EARLIER:]


def taken_back(state: TableState, what: Undoes, to_seq: int) -> tuple[TableState, Earlier]:
    """Pop the newest action. Returns the state with the story from before it, and the popped entry.
    Raises :class:`HubMisuse` if the newest action is not this one."""
    newest = state.earlier[-1] if state.earlier else None
    if newest is None or (newest.what, newest.seq) != (what, to_seq):
        raise HubMisuse("that is not the newest thing that can be taken back")
    story = newest.story
    if story is not None and state.story is not None and story is not state.story:
        # Remember things that were shown and that the undo removes.
        again = story.rules.back(state.story.state, story.state)
        story = replace(story, state=again)
    after = replace(state, story=story, seated=newest.seated, earlier=state.earlier[:-1])
    return after, newest


def undone(state: TableState, event: r.Undone, _: r.Record) -> TableState:
    """Fold an undo of play."""
    scene, is_step = state.scene, event.step is True
    back = (step_target(scene) if is_step else undo_target(scene)) if scene else None
    if scene is None or back is None:
        raise HubMisuse("there is nothing to go back to")
    again = replace(back, phase_no=scene.phase_no + 1, chance=None)
    again = replace(again, step=back) if is_step else replace(again, checkpoint=back)
    return replace(state, scene=again)


def story_undone(state: TableState, event: r.StoryUndone, _: r.Record) -> TableState:
    """Fold an undo of a deed."""
    return taken_back(state, Undoes.DEED, event.to_seq)[0]


def scene_called_off(state: TableState, event: r.SceneCalledOff, _: r.Record) -> TableState:
    """Fold an undo of a scene's start."""
    after = taken_back(state, Undoes.START, event.to_seq)[0]
    return replace(after, scene=None, paused=False)


def scene_reopened(state: TableState, event: r.SceneReopened, _: r.Record) -> TableState:
    """Fold an undo of a scene's end. Its step starts over, because cards that were sealed in it may
    have been picked up since."""
    after, before = taken_back(state, Undoes.END, event.to_seq)
    scene = before.scene
    if scene is None:
        raise HubMisuse("no scene has ended there")
    after = replace(after, ended=after.ended[:-1], evening_over=False)
    return replace(after, scene=begun_anew(scene), paused=before.paused)
