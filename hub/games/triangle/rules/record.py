"""Turns and results as JSON values: the objects that ``facedown resolve`` prints."""

from typing import Any

from msgspec import to_builtins

from hub.games.triangle.rules.characters.conflicts import move_value
from hub.games.triangle.rules.conflict import Conflict, Loss
from hub.games.triangle.rules.edition import Energy
from hub.games.triangle.rules.passing import may_act

_PARTS = ("total", "stance", "own_stance", "base", "combo", "disadvantage", "special")


def _loss_object(loss: Loss, split: Energy) -> dict[str, Any]:
    parts = {part: getattr(loss, part) for part in _PARTS}
    return {**parts, "capped": loss.raw > loss.total, "split": to_builtins(split)}


def turn_object(conflict: Conflict) -> dict[str, Any]:
    """Return the turn that was just settled, and the state of all characters after it."""
    turn, fighters, run = conflict.turn, conflict.fighters, conflict.run
    if turn is None or turn.verdict is None or turn.splits is None:
        raise AssertionError("a turn is written once it is settled")
    verdict, splits = turn.verdict, turn.splits
    return {
        "turn": turn.number,
        "active": turn.active,
        "opponent": turn.opponent,
        "outcome": verdict.outcome.value,
        "winner": verdict.winner,
        "loser": verdict.loser,
        "why": verdict.why.value,
        "loss": {
            name: _loss_object(verdict.losses[name], splits[name])
            for name in fighters
            if name in verdict.losses
        },
        "gain": {name: to_builtins(turn.gains[name]) for name in fighters if name in turn.gains},
        "energy": {name: to_builtins(fighter.energy) for name, fighter in fighters.items()},
        "face_up": {
            name: [move_value(move) for move in fighter.face_up]
            for name, fighter in fighters.items()
            if fighter.face_up
        },
        "combo": {"victim": run.victim, "moves": [move_value(move) for _, move in run.cards]}
        if run
        else None,
        "zero": {name: [a.value for a in f.zero] for name, f in fighters.items()},
        "out": [name for name, fighter in fighters.items() if fighter.out],
        "dead": [name for name, fighter in fighters.items() if fighter.dead],
        "may_act": list(may_act(conflict)),
    }


def closing_object(conflict: Conflict) -> dict[str, Any]:
    """Return whether the conflict is over, and how it ended."""
    result = conflict.result
    if result is None:
        return {"over": False}
    closing = {"over": True, "winner": result.winner, "reason": result.reason.value}
    return closing if result.winner else {**closing, "undecided": True}
