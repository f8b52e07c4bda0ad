"""Fold events of players who leave: characters that the GM plays, and those that sit out."""

from collections.abc import Callable

from msgspec.structs import replace

from hub.table import records as r
from hub.table.state import HubMisuse, Scene, TableState

Beside = Callable[[TableState, object], TableState]
"""Applies a change beside the step: takes the state and the rules' new state."""


def played_by_gm(state: TableState, event: r.PlayedByGm, _: r.Record) -> TableState:
    """Fold that the GM plays for a character, or stops doing so."""
    others = state.gm_plays - {event.actor}
    return replace(state, gm_plays=others | {event.actor} if event.on else others)


def sat_out(state: TableState, event: r.SatOut | r.CameBack, beside: Beside) -> TableState:
    """Fold that a character sits out or comes back. If the others are still sealing in the same
    step, their seals remain."""
    scene = state.scene
    if scene is None:
        raise HubMisuse("nobody sits out where no scene is played")
    leaves = isinstance(event, r.SatOut)
    game = scene.rules.sit_out(scene.game, event.actor, out=leaves)
    away = scene.sits_out | {event.actor} if leaves else scene.sits_out - {event.actor}
    pending = scene.rules.pending(game)
    scene = replace(scene, sits_out=away, absences=scene.absences + 1)
    if _same_step(scene, pending.step, pending.kind) and scene.seals.keys() <= {*pending.must}:
        answers = scene.answers - {event.actor}
        after = replace(scene, game=game, pending=pending, answers=answers)
        return replace(state, scene=after)
    return beside(replace(state, scene=scene), game)


def _same_step(scene: Scene, step: str, kind: str) -> bool:
    return (scene.pending.step, scene.pending.kind) == (step, kind)
