"""``fold(state, record)``: the only function that changes the table's state.

Live play, restart, replay, undo and tests all use it. It never judges: ``step()`` judged a record
before it was written. A record that does not fit its state raises :class:`HubMisuse`: the journal
is foreign, or from another version of the rules. Each event folds itself; this module has what
several of them share.
"""

from functools import reduce
from typing import Any

from msgspec.structs import replace

from hub.games.game import Choice, Game, IllegalChoice, RulesError, Tally
from hub.kernel.reasons import Reason
from hub.table.records import Record
from hub.table.state import Campaign, HubMisuse, Scene, TableState, begun_anew


def fold(state: TableState, record: Record) -> TableState:
    """The state after ``record``. Raises :class:`HubMisuse` if it cannot follow ``state``."""
    if record.seq != state.seq + 1:
        raise HubMisuse(f"record {record.seq} follows record {state.seq}")
    try:
        after = record.event.fold(state, record)
    except (RulesError, KeyError, ValueError) as error:
        raise HubMisuse(
            f"record {record.seq} ({type(record.event).__name__}) does not fit what came before: "
            f"{type(error).__name__}"
        ) from None
    told = state.story is not None and after.story is not state.story
    return replace(
        after, seq=record.seq, at_ms=max(after.at_ms, record.at_ms), revision=state.revision + told
    )


def fold_all(state: TableState, records: list[Record]) -> TableState:
    """The state after folding ``records`` in their order."""
    return reduce(fold, records, state)


def scene_of(state: TableState) -> Scene:
    """The current scene. Raises :class:`HubMisuse` without one."""
    if state.scene is None:
        raise HubMisuse(Reason("no-scene"))
    return state.scene


def campaign_of(state: TableState) -> Campaign:
    """The table's story. Raises :class:`HubMisuse` if the table has none."""
    if state.story is None:
        raise HubMisuse("no story is told")
    return state.story


def with_scene(state: TableState, **changes: Any) -> TableState:
    """The state with these fields of its scene changed. Raises :class:`HubMisuse` without a
    scene."""
    return replace(state, scene=replace(scene_of(state), **changes))


def next_phase(scene: Scene, game_state: Any) -> Scene:
    """The scene with the rules' new state, in a new phase."""
    game = scene.rules
    return replace(
        begun_anew(scene),
        game=game_state,
        pending=game.pending(game_state),
        turn=game.turn(game_state),
    )


def as_said(scene: Scene, text: str) -> Choice:
    """The choice or declaration written in ``text``. Raises :class:`hub.games.game.IllegalChoice`
    if it is malformed, or longer than its kind allows."""
    return Choice.parse(text, scene.pending.most_chars(text.partition(" ")[0]))


def beside_step(state: TableState, after: Any) -> TableState:
    """The table after something was said beside the step; ``after`` is the rules' new state. Seals
    and decisions remain while the step stays the same. Impossible decisions are asked for again,
    and points that now amount to something else are counted again."""
    scene = scene_of(state)
    game = scene.rules
    pending = game.pending(after)
    if pending == scene.pending:
        held = {
            actor: choice
            for actor, choice in scene.decided.items()
            if game.why_not(after, actor, choice) is None
        }
        counted = {
            actor: tally
            for actor, tally in scene.counted.items()
            if _counts_on(game, after, actor, tally)
        }
        return with_scene(state, game=after, decided=held, counted=counted)
    return replace(state, scene=next_phase(scene, after))


def _counts_on(game: Game[Any], after: Any, actor: str, tally: Tally) -> bool:
    """Whether the points counted so far amount to exactly the same in this state of the rules."""
    try:
        return game.tally(after, actor, tally.points) == tally
    except IllegalChoice:
        return False
