"""Undo: what can be taken back now, and the state before it.

Play goes back to a reveal or, in rules that seal nothing, to a stop; the scene keeps those
(`Scene.checkpoint`). If there were several open decisions since, it also goes back one decision at
a time (`Scene.step`). The GM's own actions (a deed, a scene's start, its end) are stacked in
`TableState.earlier` and undone one by one, newest first, in a scene and between scenes.
"""

from typing import ClassVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from hub.kernel.reasons import Reason
from hub.kernel.texts import Said, said
from hub.table.fold import scene_of
from hub.table.inputs import PHASE, REVISION, SCENE, Command, Request
from hub.table.records import Record, TableEvent
from hub.table.seating import see_that_all_are_played
from hub.table.state import (
    Earlier,
    HubMisuse,
    Phase,
    Scene,
    SeatFault,
    TableState,
    Undoes,
    begun_anew,
    phase_of,
)
from hub.table.transaction import Transaction

_PLAYED = {None, Undoes.PLAY, Undoes.STEP}


class Undo(Command, frozen=True, tag="undo"):
    """Take something back: play since the last reveal, or the newest deed of the story; a scene's
    start or end, if named."""

    what: Undoes | None = None
    """The kind of undo. Null: play or, if there is no play to undo, the newest deed."""
    to_seq: int | None = None
    """Number of the last record before the action, as on the console; nothing else is undone."""

    stale_by: ClassVar[tuple[str, ...]] = (SCENE, PHASE, REVISION)

    def depends_on(self) -> tuple[str, ...]:
        """The parts of the version that matter: the phase only for an undo of play."""
        return self.stale_by if self.what in _PLAYED else (SCENE, REVISION)

    def judge(self, transaction: Transaction, request: Request) -> None:
        """Take back the named action or, if none is named, play or else the newest deed. Raises
        :class:`SeatFault` if there is none."""
        ways = ways_back(transaction.state)
        if self.what is None and self.to_seq is None:
            fits = [way for way in ways if way.what in {Undoes.PLAY, Undoes.DEED}]
        else:
            what, to_seq = self.what, self.to_seq
            fits = [w for w in ways if what in {None, w.what} and to_seq in {None, w.to_seq}]
        if not fits:
            raise SeatFault(_nothing_to_undo(transaction.state, self))
        before = transaction.state
        _take_back_way(transaction, fits[0])
        see_that_all_are_played(transaction.settings, before, transaction.state)


class StopMade(TableEvent, frozen=True, kw_only=True, tag="stop-made"):
    """The rules reached a stop: an undo of play goes back to here, as it does to a reveal."""

    phase: int

    on_stage: ClassVar[bool] = False

    def fold(self, state: TableState, record: Record) -> TableState:
        after = replace(scene_of(state), checkpoint_seq=record.seq, step=None, step_seq=0)
        return replace(state, scene=replace(after, checkpoint=after))


class Undone(TableEvent, frozen=True, kw_only=True, tag="undone"):
    """The GM went back to the last reveal or stop, or to an open decision since."""

    to_phase: int
    to_seq: int = 0
    """Number of the record of that reveal, stop, scene start or decision: the last record of the
    scene still in force."""
    step: bool | UnsetType = UNSET
    """True if the undo went back to an open decision; left out otherwise."""

    def __post_init__(self) -> None:
        if self.step is False:
            raise ValueError("`step` is left out where it is a reveal")

    def fold(self, state: TableState, record: Record) -> TableState:
        scene, is_step = state.scene, self.step is True
        back = (step_target(scene) if is_step else undo_target(scene)) if scene else None
        if scene is None or back is None:
            raise HubMisuse("there is nothing to go back to")
        again = replace(back, phase_no=scene.phase_no + 1, chance=None)
        again = replace(again, step=back) if is_step else replace(again, checkpoint=back)
        return replace(state, scene=again)

    def aside(self) -> Said | None:
        return said("told.to-record", seq=self.to_seq) if self.to_seq else None


class StoryUndone(TableEvent, frozen=True, kw_only=True, tag="story-undone"):
    """The GM took back the newest deed of the story, or a character's arrival or departure."""

    to_seq: int
    """Number of the last record before that deed."""

    def fold(self, state: TableState, record: Record) -> TableState:
        return taken_back(state, Undoes.DEED, self.to_seq)[0]


class SceneCalledOff(TableEvent, frozen=True, kw_only=True, tag="scene-called-off"):
    """The GM took back the start of a scene in which nothing had been played."""

    to_seq: int
    """Number of the last record before the GM asked to start the scene. Everything is again as it
    was then, except the number of scenes."""

    def fold(self, state: TableState, record: Record) -> TableState:
        after = taken_back(state, Undoes.START, self.to_seq)[0]
        return replace(after, scene=None, paused=False)


class SceneReopened(TableEvent, frozen=True, kw_only=True, tag="scene-reopened"):
    """The GM took back a scene's end. Its step starts over, and cards have to be laid again."""

    to_seq: int
    """Number of the last record before that end."""

    def fold(self, state: TableState, record: Record) -> TableState:
        """The table with the scene restored. Its step starts over, because cards that were sealed
        in it may have been picked up since."""
        after, before = taken_back(state, Undoes.END, self.to_seq)
        scene = before.scene
        if scene is None:
            raise HubMisuse("no scene has ended there")
        after = replace(after, ended=after.ended[:-1], evening_over=False)
        return replace(after, scene=begun_anew(scene), paused=before.paused)


MOST_EARLIER = 50
"""How many of the GM's actions can be taken back, one after the other."""


class WayBack(Struct, frozen=True):
    """An action that can be taken back now."""

    what: Undoes
    to_seq: int
    """Number of the last record before the action. For play: of the reveal, stop or scene start to
    go back to."""


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
    after the one before. None if there was none since the last reveal or stop."""
    last = scene.step
    if last is None:
        return None
    return last if _has_moved(scene, last) else last.step


def _has_moved(scene: Scene, since: Scene) -> bool:
    """Whether any open choice or change was made since ``since``."""
    same = scene.game is since.game and scene.absences == since.absences
    return not same or bool(scene.decided or scene.counted)


def piled(state: TableState, what: Undoes, to_seq: int) -> tuple[Earlier, ...]:
    """The stack of undoable actions, with the table as it is before the GM's action ``what`` on
    top. ``to_seq`` is the number of the last record before that action; a deed recorded since
    belongs to the action and gets no entry of its own."""
    before = Earlier(what, to_seq, state.story, state.seated)
    if what is Undoes.END:
        before = replace(before, scene=state.scene, paused=state.paused)
    lower = tuple(each for each in state.earlier if each.seq < to_seq)
    if len(lower) < len(state.earlier):
        began = state.earlier[len(lower)]
        before = replace(before, story=began.story, seated=began.seated)
    return (*lower, before)[-MOST_EARLIER:]


def taken_back(state: TableState, what: Undoes, to_seq: int) -> tuple[TableState, Earlier]:
    """Pop the newest action. Returns the state with the story from before the action, and the
    popped entry. Raises :class:`HubMisuse` if the newest action is not ``what``, after record
    ``to_seq``."""
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


def make_stop(transaction: Transaction) -> None:
    """Record a stop, if the rules have reached one with this phase."""
    scene = transaction.scene
    if scene.checkpoint and scene.pending.stops != scene.checkpoint.pending.stops:
        transaction.emit(StopMade(phase=scene.phase_no))


def _take_back_way(transaction: Transaction, way: WayBack) -> None:
    match way.what:
        case Undoes.PLAY | Undoes.STEP:
            step = way.what is Undoes.STEP
            back = (step_target if step else undo_target)(transaction.scene)
            phase = back.phase_no if back else 0
            transaction.emit(Undone(to_phase=phase, to_seq=way.to_seq, step=step or UNSET))
        case Undoes.DEED:
            transaction.emit(StoryUndone(to_seq=way.to_seq))
        case Undoes.START:
            transaction.emit(SceneCalledOff(to_seq=way.to_seq))
            transaction.unbind()
        case Undoes.END:
            transaction.emit(SceneReopened(to_seq=way.to_seq))


def _nothing_to_undo(state: TableState, given: Undo) -> Reason:
    ways = [way.what for way in ways_back(state)]
    if given.to_seq is not None:
        return Reason("undo-gone")
    if given.what is not None:
        return Reason("undo-not-this", asked=given.what, ways=[*ways] or Reason("nothing"))
    if phase_of(state) is Phase.PAUSED:
        return Reason("undo-after-pause")
    if Undoes.END in ways:
        return Reason("only-end-undone")
    if Undoes.START in ways:
        return Reason("only-start-undone")
    if state.scene is None:
        return Reason("nothing-told")
    return Reason("nothing-to-undo")
