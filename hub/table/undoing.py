"""The GM's undo: find the action to take back, and record it."""

from msgspec import UNSET

from hub.kernel.reasons import Reason
from hub.table import inputs as i
from hub.table import records as r
from hub.table import story
from hub.table.back import WayBack, step_target, undo_target, ways_back
from hub.table.state import Phase, SeatFault, TableState, Undoes, phase_of
from hub.table.transaction import Transaction


def undo(transaction: Transaction, given: i.Undo) -> None:
    """Take back the named action or, if none is named, the newest of play and deeds. Raises
    :class:`SeatFault` if there is none."""
    ways = ways_back(transaction.state)
    if given.what is None and given.to_seq is None:
        fits = [way for way in ways if way.what in {Undoes.PLAY, Undoes.DEED}]
    else:
        what, to_seq = given.what, given.to_seq
        fits = [w for w in ways if what in {None, w.what} and to_seq in {None, w.to_seq}]
    if not fits:
        raise SeatFault(_nothing_to_undo(transaction.state, given))
    before = transaction.state
    _take_back_way(transaction, fits[0])
    story.see_that_all_are_played(transaction, before)


def _take_back_way(transaction: Transaction, way: WayBack) -> None:
    match way.what:
        case Undoes.PLAY | Undoes.STEP:
            step = way.what is Undoes.STEP
            back = (step_target if step else undo_target)(transaction.scene)
            phase = back.phase_no if back else 0
            transaction.emit(r.Undone(to_phase=phase, to_seq=way.to_seq, step=step or UNSET))
        case Undoes.DEED:
            transaction.emit(r.StoryUndone(to_seq=way.to_seq))
        case Undoes.START:
            transaction.emit(r.SceneCalledOff(to_seq=way.to_seq))
            transaction.unbind()
        case Undoes.END:
            transaction.emit(r.SceneReopened(to_seq=way.to_seq))


def _nothing_to_undo(state: TableState, given: i.Undo) -> Reason:
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
