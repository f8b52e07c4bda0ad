"""The most that a turn can cost, from public facts, before its moves are shown (R6, R12)."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from hub.games.triangle.rules.cards import at_disadvantage, available
from hub.games.triangle.rules.conflict import Conflict, Sheet, Stance, Turn
from hub.games.triangle.rules.edition import VARIANTS, Action, Edition, Move
from hub.games.triangle.rules.judging import combo_of, contest, loss_of_win
from hub.games.triangle.rules.windows import is_public


def risks(conflict: Conflict, turn: Turn) -> dict[str, dict[Action, int]]:
    """Return the most that each character of the turn loses if its opponent wins: character →
    action of the winning move → energy, without specials."""
    seen = _as_public(conflict, turn)
    active, opponent = turn.active, turn.opponent
    most: dict[str, dict[Action, int]] = {active: {}, opponent: {}}
    for mine, theirs in product(_shown(seen, turn, active), _shown(seen, turn, opponent)):
        marred = mine.disadvantage > 0, theirs.disadvantage > 0
        _, sign = contest(seen.scene.edition, mine.move, marred[0], theirs.move, marred[1])
        if sign:
            won, lost = (mine, theirs) if sign > 0 else (theirs, mine)
            of, action = most[lost.who], won.move.action
            of[action] = max(of.get(action, 0), _loss(won, lost))
    return most


class _Shown(NamedTuple):
    """A move that a character could show, and what counts for it against every move alike."""

    who: str
    move: Move
    stance: Stance | None
    combo: int
    disadvantage: int
    """Points that the move loses more for being played at disadvantage."""
    left: int
    """The character's energy."""


def _shown(seen: Conflict, turn: Turn, who: str) -> list[_Shown]:
    stance, other, fighter = (turn.stances or {}).get(who), turn.other(who), seen.fighters[who]
    lying, left = len(fighter.face_up), fighter.energy.total
    return [
        _Shown(
            who,
            move,
            stance,
            combo_of(seen, who, move, other),
            lying if at_disadvantage(seen, who, move) else 0,
            left,
        )
        for move in available(seen, who)
    ]


def _loss(won: _Shown, lost: _Shown) -> int:
    return loss_of_win(
        won.move,
        won.stance,
        lost.move,
        lost.stance,
        left=lost.left,
        combo=won.combo,
        disadvantage=lost.disadvantage,
    ).total


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
