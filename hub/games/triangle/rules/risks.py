"""The most that a turn can cost, from public facts, before its moves are shown (R6, R12)."""

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from hub.games.triangle.rules.cards import available
from hub.games.triangle.rules.conflict import Conflict, Sheet, Turn
from hub.games.triangle.rules.edition import VARIANTS, Action, Edition, Move
from hub.games.triangle.rules.judging import judged
from hub.games.triangle.rules.windows import is_public


def risks(conflict: Conflict, turn: Turn) -> dict[str, dict[Action, int]]:
    """Return the most that each character of the turn loses if its opponent wins: character →
    action of the winning move → energy, without specials."""
    seen = _as_public(conflict, turn)
    active, opponent = turn.active, turn.opponent
    most: dict[str, dict[Action, int]] = {active: {}, opponent: {}}
    for mine, theirs in product(available(seen, active), available(seen, opponent)):
        verdict = judged(seen, turn, {active: mine, opponent: theirs})
        if verdict.loser:
            action = mine.action if verdict.winner == active else theirs.action
            of, total = most[verdict.loser], verdict.losses[verdict.loser].total
            of[action] = max(of.get(action, 0), total)
    return most


def _as_public(conflict: Conflict, turn: Turn) -> Conflict:
    """The conflict as others know it. Moves that are not public can be any of the book; follow-ups
    that are not public can continue any combo."""
    scene = conflict.scene
    known = {name: _public_sheet(conflict, name) for name in (turn.active, turn.opponent)}
    return replace(conflict, scene=replace(scene, sheets={**scene.sheets, **known}))


def _public_sheet(conflict: Conflict, name: str) -> Sheet:
    edition, sheet = conflict.scene.edition, conflict.scene.sheets[name]
    moves, combos = sheet.moves, sheet.combos
    if not is_public(conflict, name):
        moves = tuple(_every_move(edition))
    if conflict.run and not conflict.fighters[name].scouted:
        combos = {conflict.run.last.id: frozenset(edition.moves)}
    return replace(sheet, moves=moves, combos=combos)


def _every_move(edition: Edition) -> Iterator[Move]:
    for original in edition.moves.values():
        yield original
        variants = VARIANTS if edition.variants else ()
        yield from filter(None, (edition.variant(original, sign) for sign in variants))
