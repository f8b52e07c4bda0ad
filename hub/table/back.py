"""The ways back: what an undo can take back now, and the table as it was before it.

What is played goes back to a reveal, or to a stop that its rules make where they seal nothing, and
its scene keeps those (`Scene.checkpoint`); or decision by decision, where there were several since
(`Scene.step`). What the GM
does to the story, or to a scene as a whole (a deed, a scene's start, its end), is piled up in
`TableState.earlier` and taken back one by one, the newest first, in a scene and between scenes.
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
"""How many of the GM's doings can be taken back, one after the other."""


class WayBack(Struct, frozen=True):
    """Something that can be taken back now."""

    what: Undoes
    to_seq: int
    """Number of the last record before it; of what is played: of the reveal, the stop, or the
    scene's start, that it goes back to."""


def ways_back(state: TableState) -> tuple[WayBack, ...]:
    """Everything that an undo can take back now: what is played, and the newest of the pile.

    A scene's start is taken back only while nothing has been played in it.
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
    or, if nothing has happened since, right after the one before it. None at the very start."""
    last = scene.checkpoint
    if last is None:
        return None
    sealed = scene.seals or scene.beside or scene.reveal_at_ms is not None
    return last if sealed or _has_moved(scene, last) else last.checkpoint


def step_target(scene: Scene) -> Scene | None:
    """The scene right after the last open decision or, if nothing was said since, right after the
    one before it; None where that is the last reveal, or further back."""
    last = scene.step
    if last is None:
        return None
    return last if _has_moved(scene, last) else last.step


def _has_moved(scene: Scene, since: Scene) -> bool:
    """Whether anything was done openly since then."""
    same = scene.game is since.game and scene.absences == since.absences
    return not same or bool(scene.decided or scene.counted)


def piled(state: TableState, what: Undoes, to_seq: int) -> tuple[Earlier, ...]:
    """The pile with the table as it is now on top, for something that the GM is about to do.
    ``to_seq`` is the number of the last record before it; a deed that was recorded since then is
    part of it."""
    before = Earlier(what, to_seq, state.story, state.seated)
    if what is Undoes.END:
        before = replace(before, scene=state.scene, paused=state.paused)
    lower = tuple(each for each in state.earlier if each.seq < to_seq)
    if len(lower) < len(state.earlier):
        began = state.earlier[len(lower)]
        before = replace(before, story=began.story, seated=began.seated)
    return (*lower, before)[-MOST_EARLIER:]


def taken_back(state: TableState, what: Undoes, to_seq: int) -> tuple[TableState, Earlier]:
    """Take the newest off the pile. Returns the state with the story as it was before it, and what
    was taken off. Raises :class:`HubMisuse` if the newest is something else."""
    newest = state.earlier[-1] if state.earlier else None
    if newest is None or (newest.what, newest.seq) != (what, to_seq):
        raise HubMisuse("that is not the newest thing that can be taken back")
    story = newest.story
    if story is not None and state.story is not None and story is not state.story:
        # What everybody has seen since and is no longer there is remembered as gone.
        again = story.rules.back(state.story.state, story.state)
        story = replace(story, state=again)
    after = replace(state, story=story, seated=newest.seated, earlier=state.earlier[:-1])
    return after, newest


def undone(state: TableState, event: r.Undone, _: r.Record) -> TableState:
    """Fold an undo of what was played."""
    scene, is_step = state.scene, event.step is True
    back = (step_target(scene) if is_step else undo_target(scene)) if scene else None
    if scene is None or back is None:
        raise HubMisuse("there is nothing to go back to")
    again = replace(back, phase_no=scene.phase_no + 1, chance=None)
    again = replace(again, step=back) if is_step else replace(again, checkpoint=back)
    return replace(state, scene=again)


def story_undone(state: TableState, event: r.StoryUndone, _: r.Record) -> TableState:
    """Fold an undo of one deed."""
    return taken_back(state, Undoes.DEED, event.to_seq)[0]


def scene_called_off(state: TableState, event: r.SceneCalledOff, _: r.Record) -> TableState:
    """Fold an undo of a scene's start."""
    after = taken_back(state, Undoes.START, event.to_seq)[0]
    return replace(after, scene=None, paused=False)


def scene_reopened(state: TableState, event: r.SceneReopened, _: r.Record) -> TableState:
    """Fold an undo of a scene's end. Its step begins anew: the cards that were sealed in it may
    have been picked up since."""
    after, before = taken_back(state, Undoes.END, event.to_seq)
    scene = before.scene
    if scene is None:
        raise HubMisuse("no scene has ended there")
    after = replace(after, ended=after.ended[:-1], evening_over=False)
    return replace(after, scene=begun_anew(scene), paused=before.paused)
