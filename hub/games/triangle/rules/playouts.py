"""Play whole conflicts to their end for analysis, without offers and written choices.

States and consequences are the same as at the table, but a :class:`Chooser` returns the choices as
values. Losses and gains are split by default, characters who surrender are not killed, and no
special is set down. Specials used before keep their effect.
"""

from collections.abc import Sequence
from typing import Protocol

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules import turn as t
from hub.games.triangle.rules.cards import available, why_not_move
from hub.games.triangle.rules.conflict import Conflict, Stance
from hub.games.triangle.rules.edition import Move
from hub.games.triangle.rules.passing import by_count, may_keep
from hub.games.triangle.rules.step import turn_of

MOST_TURNS = 10_000
"""The turn limit of a playout: two characters who never lose could go on for ever."""


class Chooser(Protocol):
    """Chooses for all characters in a playout; :func:`play_turn` calls it. Both stances or moves
    are chosen before either is revealed."""

    def active(self, conflict: Conflict, names: Sequence[str]) -> str:
        """Return the character who takes the next turn, one of ``names`` (R9)."""

    def opponent(self, conflict: Conflict, names: Sequence[str]) -> str:
        """Return the character whom the active one faces, one of ``names``. Not called if there is
        only one."""

    def stance(self, conflict: Conflict, name: str) -> Stance | None:
        """Return the character's stance, within its energy of that type; None for no stance."""

    def move(self, conflict: Conflict, name: str, moves: Sequence[Move]) -> Move | None:
        """Return the character's move, one of ``moves``. None is surrender, the only choice if
        ``moves`` is empty (R4)."""


def play_out(conflict: Conflict, chooser: Chooser, turns: int = MOST_TURNS) -> Conflict:
    """Return the conflict at its end, or after ``turns`` more turns.

    The conflict may be at any choice up to the moves. If a minor conflict ends in a tie, no winner
    is named. Raises :class:`ValueError` for a choice that is not allowed, and for an unsettled turn
    whose moves are shown or that waits for specials.
    """
    while turns > 0 and not conflict.result:
        conflict = play_turn(conflict, chooser)
        turns -= 1
    return conflict


def play_turn(conflict: Conflict, chooser: Chooser) -> Conflict:
    """Return the conflict after one turn, from its current choice to its end, as :func:`play_out`
    does."""
    turn = conflict.turn
    if turn is None or turn.splits is not None:
        ordinary, winner = by_count(conflict), conflict.winner
        keeps = winner and winner not in ordinary and may_keep(conflict)
        names = [*ordinary, winner] if winner and keeps else ordinary
        name = _one_of(names, chooser.active(conflict, names))
        conflict = t.name_active(conflict, name, agreed=name in ordinary)
        turn = turn_of(conflict)
    elif turn.moves is not None or turn.window or turn.unsaid:
        raise ValueError("the turn is in the middle of something; settle it first")
    if not turn.opponent:
        foes = t.opponents(conflict, turn)
        name = foes[0] if len(foes) == 1 else _one_of(foes, chooser.opponent(conflict, foes))
        conflict = t.choose_opponent(conflict, turn, name)
        turn = turn_of(conflict)
    one, other = turn.active, turn.opponent
    if turn.stances is None:
        stances = {one: chooser.stance(conflict, one), other: chooser.stance(conflict, other)}
        for name, stance in stances.items():
            if stance and (why := t.why_not_stance(conflict.fighters[name], name, stance)):
                raise ValueError(why)
        conflict = t.reveal_stances(conflict, turn, stances)
        turn = turn_of(conflict)
    moves = {one: _move(conflict, one, chooser), other: _move(conflict, other, chooser)}
    conflict = t.judge(conflict, turn, moves)
    return t.settle(conflict, turn_of(conflict))


def _move(conflict: Conflict, name: str, chooser: Chooser) -> Move | None:
    moves = available(conflict, name)
    move = chooser.move(conflict, name, moves)
    if move is not None and move not in moves:
        raise ValueError(why_not_move(conflict, name, move))
    return move


def _one_of(names: Sequence[str], name: str) -> str:
    if name not in names:
        raise ValueError(Reason("not-one-of", text=name, names=[*names]))
    return name
