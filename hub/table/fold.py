"""``fold(state, record)``: the only function that changes the table's state.

Live play, restart, replay, undo and tests all use it. It never judges: ``step()`` judged a record
before it was written. A record that does not fit its state raises :class:`HubMisuse`: the journal
is foreign, or from another version of the rules.
"""

from collections.abc import Callable
from functools import reduce
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from hub.games.game import Choice, Game, IllegalChoice, RulesError, Tally, Word
from hub.kernel.reasons import Reason
from hub.table import records as r
from hub.table.back import piled, scene_called_off, scene_reopened, story_undone, undone
from hub.table.fold_absence import played_by_gm, sat_out
from hub.table.fold_clock import clock_set
from hub.table.fold_story import (
    after_scene,
    character_joined,
    character_left,
    story_begun,
    story_told,
)
from hub.table.looks import Portrait
from hub.table.open_setup import open_setup
from hub.table.sealed import Kept, Opening
from hub.table.state import (
    Ended,
    HubMisuse,
    Scene,
    Seal,
    TableState,
    Trouble,
    Undoes,
    begun_anew,
)

MOST_ENDED = 12
"""How many closed scenes the table remembers, to show them between scenes."""
MOST_PORTRAITS = 100
"""How many chosen portraits the table remembers, the newest."""


def fold(state: TableState, record: r.Record) -> TableState:
    """The state after ``record``. Raises :class:`HubMisuse` if it cannot follow ``state``."""
    if record.seq != state.seq + 1:
        raise HubMisuse(f"record {record.seq} follows record {state.seq}")
    try:
        after = _FOLDERS[type(record.event)](state, record.event, record)
    except (RulesError, KeyError, ValueError) as error:
        raise HubMisuse(
            f"record {record.seq} ({type(record.event).__name__}) does not fit what came before: "
            f"{type(error).__name__}"
        ) from None
    told = state.story is not None and after.story is not state.story
    return replace(
        after,
        seq=record.seq,
        at_ms=max(after.at_ms, record.at_ms),
        revision=state.revision + told,
    )


def fold_all(state: TableState, records: list[r.Record]) -> TableState:
    """The state after all of ``records``."""
    return reduce(fold, records, state)


def _scene(state: TableState) -> Scene:
    if state.scene is None:
        raise HubMisuse(Reason("no-scene"))
    return state.scene


def _with_scene(state: TableState, **changes: Any) -> TableState:
    return replace(state, scene=replace(_scene(state), **changes))


def _next_phase(scene: Scene, game_state: Any) -> Scene:
    """The scene with the rules' new state, in a new phase."""
    game = scene.rules
    return replace(
        begun_anew(scene),
        game=game_state,
        pending=game.pending(game_state),
        turn=game.turn(game_state),
    )


def _log_begun(state: TableState, event: r.LogBegun, _: r.Record) -> TableState:
    if state.log or event.table != state.table:
        raise HubMisuse("a log begins once, and is of one table")
    return replace(state, log=event.log)


def _scene_started(state: TableState, event: r.SceneStarted, record: r.Record) -> TableState:
    setup = r.secret_of(record, r.SceneSetup).unseal()
    game = state.rulebooks.game(event.ruleset)
    if setup.rulings != game.rulings:
        raise HubMisuse(f"record {record.seq} begins a scene by rulings that are not known here")
    if event.setup is not UNSET and event.setup != open_setup(setup.game, setup.rulings):
        raise HubMisuse(f"record {record.seq} shows another setup than the one it commits to")
    begun = game.begin(setup.game, setup.rulings)
    away = event.away or ()
    for actor in away:
        begun = game.sit_out(begun, actor, out=True)
    scene = Scene(
        number=event.scene,
        rules=game,
        title=event.title,
        seats=event.seats,
        game=begun,
        pending=game.pending(begun),
        turn=game.turn(begun),
        of_story=setup.story,
        checkpoint_seq=record.seq,
        sits_out=frozenset(away),
    )
    begun = replace(scene, checkpoint=scene)
    earlier = piled(state, Undoes.START, event.after)
    begun_at = replace(state, scene=begun, scenes=event.scene, earlier=earlier)
    first = event.scene if state.evening_over else state.evening_first
    return replace(begun_at, evening_over=False, evening_first=first)


def _committed(state: TableState, event: r.Committed, record: r.Record) -> TableState:
    kept = r.secret_of(record, Kept)
    seal = Seal(event.actor, event.seat, event.digest, kept, page=event.page, origin=event.origin)
    return _with_scene(state, seals={**_scene(state).seals, event.actor: seal})


def _unsealed(state: TableState, event: r.TakenBack | r.SealDropped, _: r.Record) -> TableState:
    scene = _scene(state)
    seals = {a: seal for a, seal in scene.seals.items() if a != event.actor}
    return _with_scene(state, seals=seals, answers=scene.answers - {event.actor})


def _set_beside(state: TableState, event: r.SetBeside, record: r.Record) -> TableState:
    """Actors that have already chosen and may set something beside get the chance to answer
    (R11)."""
    scene = _scene(state)
    kept = r.secret_of(record, Kept)
    browser = kept.unseal().browser
    seal = Seal(event.actor, event.seat, event.digest, kept, browser=browser, origin=event.origin)
    beside = {**scene.beside, event.actor: (*scene.beside.get(event.actor, ()), seal)}
    chosen = (actor for actor in scene.seals if actor in scene.pending.may)
    answers = (scene.answers | set(chosen)) - beside.keys()
    return _with_scene(state, beside=beside, answers=answers)


def _withdrawn(state: TableState, event: r.Withdrawn, _: r.Record) -> TableState:
    scene = _scene(state)
    stay = tuple(s for s in scene.beside[event.actor] if s.digest != event.digest)
    beside = {a: seals for a, seals in {**scene.beside, event.actor: stay}.items() if seals}
    answers = scene.answers if beside else frozenset()
    if event.actor in scene.seals or event.actor not in scene.pending.must:
        answers |= {event.actor}
    return _with_scene(state, beside=beside, answers=answers)


def _revealed(state: TableState, event: r.Revealed, record: r.Record) -> TableState:
    scene = _scene(state)
    choices = {actor: Choice.parse(opened.choice) for actor, opened in event.openings.items()}
    beside = {a: [Choice.parse(o.choice) for o in lay] for a, lay in event.beside.items()}
    chance = bytes.fromhex(event.chance)
    advanced = scene.rules.advance(scene.game, choices, chance, beside)
    after = replace(_next_phase(scene, advanced), checkpoint_seq=record.seq, step=None, step_seq=0)
    after = replace(after, checkpoint=after)
    return replace(state, scene=after, revealed_at_ms=record.at_ms)


def _said(scene: Scene, text: str) -> Choice:
    """The choice or declaration, within the longest text that its kind allows."""
    return Choice.parse(text, scene.pending.most_chars(text.partition(" ")[0]))


def _decided(state: TableState, event: r.Decided, record: r.Record) -> TableState:
    scene = _scene(state)
    decided = {**scene.decided, event.actor: _said(scene, event.choice)}
    if replace(scene, decided=decided).waits_for():
        counted = {a: tally for a, tally in scene.counted.items() if a != event.actor}
        return _with_scene(state, decided=decided, counted=counted)
    chance = bytes.fromhex(event.chance)
    advanced = scene.rules.advance(scene.game, decided, chance)
    after = replace(_next_phase(scene, advanced), step_seq=record.seq)
    return replace(state, scene=replace(after, step=after))


def _stop_made(state: TableState, _: r.StopMade, record: r.Record) -> TableState:
    after = replace(_scene(state), checkpoint_seq=record.seq, step=None, step_seq=0)
    return replace(state, scene=replace(after, checkpoint=after))


def _counted(state: TableState, event: r.Counted, _: r.Record) -> TableState:
    scene = _scene(state)
    counted = {a: tally for a, tally in scene.counted.items() if a != event.actor}
    if event.points:
        counted[event.actor] = scene.rules.tally(scene.game, event.actor, event.points)
    return _with_scene(state, counted=counted)


def _declared(state: TableState, event: r.Declared, _: r.Record) -> TableState:
    scene = _scene(state)
    choice = _said(scene, event.choice)
    return _beside_step(state, scene.rules.declare(scene.game, event.actor, choice))


def _overruled(state: TableState, event: r.Overruled, _: r.Record) -> TableState:
    scene = _scene(state)
    word = Word(holds=event.holds, because=event.because)
    return _beside_step(state, scene.rules.overrule(scene.game, word))


def _sat_out(state: TableState, event: r.SatOut | r.CameBack, _: r.Record) -> TableState:
    return sat_out(state, event, _beside_step)


def _beside_step(state: TableState, after: Any) -> TableState:
    """Apply something said beside the step; ``after`` is the rules' new state. Seals and decisions
    remain while the step stays the same. Impossible decisions are asked for again,
    and points that now amount to something else are counted again."""
    scene = _scene(state)
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
        return _with_scene(state, game=after, decided=held, counted=counted)
    return replace(state, scene=_next_phase(scene, after))


def _counts_on(game: Game[Any], after: Any, actor: str, tally: Tally) -> bool:
    """Whether the points counted so far amount to exactly the same in this state of the rules."""
    try:
        return game.tally(after, actor, tally.points) == tally
    except IllegalChoice:
        return False


def _reader_unreliable(state: TableState, event: r.ReaderUnreliable, _: r.Record) -> TableState:
    trouble = Trouble(event.losses, event.disturbances)
    return replace(state, unreliable={**state.unreliable, event.seat: trouble})


def _reader_reliable(state: TableState, event: r.ReaderReliable, _: r.Record) -> TableState:
    left = {seat: t for seat, t in state.unreliable.items() if seat != event.seat}
    return replace(state, unreliable=left)


def _deadline_set(state: TableState, event: r.DeadlineSet, _: r.Record) -> TableState:
    return _with_scene(
        state,
        deadline_ms=event.deadline_ms,
        deadline_s=event.seconds,
        warnings_s=event.warnings,
        deadline_passed=False,
    )


def _scene_ended(state: TableState, event: r.SceneEnded, record: r.Record) -> TableState:
    earlier = piled(state, Undoes.END, record.seq - 1)
    closed = replace(_closed(_scene(state), _stakes(state)), left=event.left or None)
    ended = (*state.ended, closed)[-MOST_ENDED:]
    return replace(after_scene(state), scene=None, paused=False, ended=ended, earlier=earlier)


def _stakes(state: TableState) -> str:
    campaign = state.story if _scene(state).of_story else None
    return campaign.rules.view(campaign.state).stakes if campaign else ""


def _closed(scene: Scene, stakes: str) -> Ended:
    first = scene
    while first.checkpoint is not None:
        first = first.checkpoint
    over = not scene.pending.must
    return Ended(scene.number, scene.title, scene.rules, first.game, scene.game, over, stakes)


def _stays_away(state: TableState, event: r.StaysAway, _: r.Record) -> TableState:
    others = state.away - {event.actor}
    return replace(state, away=others | {event.actor} if event.on else others)


def _played_by_hub(state: TableState, event: r.PlayedByHub, _: r.Record) -> TableState:
    others = state.hub_plays - {event.actor}
    return replace(state, hub_plays=others | {event.actor} if event.on else others)


def _portrayed(state: TableState, event: r.Portrayed, _: r.Record) -> TableState:
    chosen = {name: each for name, each in state.portraits.items() if name != event.name}
    if event.portrait != Portrait():
        chosen[event.name] = event.portrait
    return replace(state, portraits=dict([*chosen.items()][-MOST_PORTRAITS:]))


_FOLDERS: dict[type[r.Event], Callable[[TableState, Any, r.Record], TableState]] = {
    r.LogBegun: _log_begun,
    r.SceneStarted: _scene_started,
    r.Committed: _committed,
    r.SetBeside: _set_beside,
    r.Withdrawn: _withdrawn,
    r.Passed: lambda s, e, _: _with_scene(s, answers=_scene(s).answers - {e.actor}),
    r.ChanceSealed: lambda s, _, record: _with_scene(s, chance=r.secret_of(record, Opening)),
    r.TakenBack: _unsealed,
    r.SealDropped: _unsealed,
    r.Locked: lambda s, e, _: _with_scene(s, reveal_at_ms=e.reveal_at_ms),
    r.Revealed: _revealed,
    r.Decided: _decided,
    r.Counted: _counted,
    r.Declared: _declared,
    r.Overruled: _overruled,
    r.ReaderLost: lambda s, e, _: replace(s, lost=s.lost | {e.seat}),
    r.ReaderReturned: lambda s, e, _: replace(s, lost=s.lost - {e.seat}),
    r.ReaderUnreliable: _reader_unreliable,
    r.ReaderReliable: _reader_reliable,
    r.DeadlineSet: _deadline_set,
    r.DeadlinePassed: lambda s, *_: _with_scene(s, deadline_passed=True),
    r.Paused: lambda s, *_: replace(s, paused=True),
    r.Resumed: lambda s, *_: replace(s, paused=False),
    r.StopMade: _stop_made,
    r.Undone: undone,
    r.SceneEnded: _scene_ended,
    r.SceneCalledOff: scene_called_off,
    r.SceneReopened: scene_reopened,
    r.StoryBegun: story_begun,
    r.StoryTold: story_told,
    r.StoryUndone: story_undone,
    r.CharacterJoined: character_joined,
    r.CharacterLeft: character_left,
    r.PlayedByGm: played_by_gm,
    r.SatOut: _sat_out,
    r.CameBack: _sat_out,
    r.PlayedByHub: _played_by_hub,
    r.Portrayed: _portrayed,
    r.StaysAway: _stays_away,
    r.ClockSet: clock_set,
    r.TimerSet: lambda s, e, _: replace(s, commit_s=e.seconds),
    r.EveningNamed: lambda s, e, _: replace(s, evening=e.title),
    r.EveningEnded: lambda s, e, _: replace(s, evening_over=e.on),
}
