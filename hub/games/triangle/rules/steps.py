"""The steps of a conflict at the table: who chooses what, and what follows.

The current step follows from the state alone (:func:`step_of`). Each step is a class. The values of
a step are choices without their kind: ``attack-high`` for ``move attack-high``.
"""

# ruff: noqa: D102  (what each method of a step means is said once, on Step)

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from hub.games.game import GM, Bounds, IllegalChoice, Kind
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules import turn as t
from hub.games.triangle.rules.cards import may_play, why_not_move
from hub.games.triangle.rules.conflict import Conflict, Outcome
from hub.games.triangle.rules.declarations import AGREED, END_COMBO, USE, Declaration
from hub.games.triangle.rules.edition import Action
from hub.games.triangle.rules.grammar import (
    NO_STANCE,
    SURRENDER,
    parse_move,
    parse_split,
    parse_stance,
)
from hub.games.triangle.rules.interplay import aimers_of
from hub.games.triangle.rules.judging import Split
from hub.games.triangle.rules.passing import why_not_named
from hub.games.triangle.rules.special_steps import AIM, GAIN, REPLACE, SPECIALS, TARGET, players_of
from hub.games.triangle.rules.step import SpreadStep, Step, YesStep, loss_split, turn_of, verdict_of
from hub.games.triangle.rules.windows import unheard
from hub.kernel.faults import shown

LET_BE = "let-be"


# book: passing.winner
class NextStep(Step):
    """The controller of the last winner, or the GM after a tie, names who takes the next turn
    (R9)."""

    name = "next"
    word = "active"
    declarations: Sequence[Declaration] = (AGREED,)

    def must(self, conflict: Conflict) -> tuple[str, ...]:
        return (conflict.winner or GM,)

    def values(self, conflict: Conflict, actor: str) -> Iterator[str]:
        yield from conflict.still_in()

    def why_not(self, conflict: Conflict, actor: str, value: str) -> Reason | None:
        return why_not_named(conflict, value)

    def follow(self, conflict: Conflict, values: Mapping[str, str], chance: bytes) -> Conflict:
        (name,) = values.values()
        return t.begin_turn(conflict, name)


# book: first-turn.anybody
class FirstStep(NextStep):
    """The GM names the character whom the players choose for the first turn."""

    name = "first"
    declarations: Sequence[Declaration] = ()


class OpponentStep(Step):
    """The active character chooses its opponent."""

    name = "opponent"
    word = "opponent"
    declarations: Sequence[Declaration] = (USE,)

    def must(self, conflict: Conflict) -> tuple[str, ...]:
        return (turn_of(conflict).active,)

    def values(self, conflict: Conflict, actor: str) -> Iterator[str]:
        sheets = conflict.scene.sheets
        return (name for name in sheets if sheets[name].side != sheets[actor].side)

    def why_not(self, conflict: Conflict, actor: str, value: str) -> Reason | None:
        return t.why_not_opponent(conflict, turn_of(conflict), value)

    def follow(self, conflict: Conflict, values: Mapping[str, str], chance: bytes) -> Conflict:
        (name,) = values.values()
        return t.choose_opponent(conflict, turn_of(conflict), name)


class _BothStep(Step):
    """A step in which both characters of the turn choose in secret."""

    kind = Kind.SEALED
    declarations: Sequence[Declaration] = (END_COMBO,)

    def must(self, conflict: Conflict) -> tuple[str, ...]:
        return players_of(conflict)


# book: stance.shown, stance.none
class StanceStep(_BothStep):
    """Both characters show a stance: points of one energy type, up to what each has, or none."""

    name = "stance"
    word = "stance"
    declarations: Sequence[Declaration] = (END_COMBO, USE)

    def values(self, conflict: Conflict, actor: str) -> Iterator[str]:
        yield NO_STANCE
        for action in Action:
            for amount in range(1, conflict.fighters[actor].energy.of(action) + 1):
                yield f"{action} {amount}"

    def default(self, conflict: Conflict, actor: str) -> str | None:
        return None  # a character who is in has energy, and so a choice

    def why_not(self, conflict: Conflict, actor: str, value: str) -> Reason | None:
        try:
            stance = parse_stance(value)
        except IllegalChoice as malformed:
            return malformed.reason
        return t.why_not_stance(conflict.fighters[actor], actor, stance)

    def follow(self, conflict: Conflict, values: Mapping[str, str], chance: bytes) -> Conflict:
        stances = {name: parse_stance(value) for name, value in values.items()}
        return t.reveal_stances(conflict, turn_of(conflict), stances)


# book: move.shown
class MoveStep(_BothStep):
    """Both characters show a known move that is not face up, or surrender (R4, R5)."""

    name = "move"
    word = "move"
    beside: ClassVar[bool] = True

    def values(self, conflict: Conflict, actor: str) -> Iterator[str]:
        yield from map(str, conflict.scene.sheets[actor].moves)
        yield SURRENDER

    def why_not(self, conflict: Conflict, actor: str, value: str) -> Reason | None:
        try:
            move = parse_move(conflict.scene.edition, value)
        except IllegalChoice as malformed:
            return Reason("advised", why=malformed.reason, advice=may_play(conflict, actor))
        return why_not_move(conflict, actor, move)

    def follow(self, conflict: Conflict, values: Mapping[str, str], chance: bytes) -> Conflict:
        edition = conflict.scene.edition
        moves = {name: parse_move(edition, value) for name, value in values.items()}
        return replace(conflict, turn=replace(turn_of(conflict), moves=moves))


# book: participants.who-decides, loss.split
class SplitStep(SpreadStep):
    """Each loser chooses the types that its loss is taken from, if there is a choice (R6, R7).
    Characters on the loser's side who are not in the turn may still bear the loss, or decline with
    ``let-be`` (R17)."""

    name = "split"
    word = "split"
    beside: ClassVar[bool] = True

    def must(self, conflict: Conflict) -> tuple[str, ...]:
        turn = turn_of(conflict)
        waits_for = unheard(conflict, turn)
        open_now = verdict_of(conflict).losses.keys() - {*turn.divided, *aimers_of(turn)}
        return tuple(
            name
            for name in conflict.fighters
            if name in waits_for
            or (name in open_now and not loss_split(conflict, name).is_forced())
        )

    def word_for(self, conflict: Conflict, actor: str) -> str:
        turn = turn_of(conflict)
        beside = actor not in (turn.active, turn.opponent)
        return LET_BE if beside and actor in unheard(conflict, turn) else self.word

    def spread(self, conflict: Conflict, actor: str) -> Split:
        return loss_split(conflict, actor)

    def bounds(self, conflict: Conflict, actor: str) -> Bounds | None:
        lets_be = self.word_for(conflict, actor) == LET_BE
        return None if lets_be else super().bounds(conflict, actor)

    def values(self, conflict: Conflict, actor: str) -> Iterator[str]:
        lets_be = self.word_for(conflict, actor) == LET_BE
        return iter(("",)) if lets_be else super().values(conflict, actor)

    def why_not(self, conflict: Conflict, actor: str, value: str) -> Reason | None:
        if self.word_for(conflict, actor) == LET_BE:
            return Reason("alone-without", what=LET_BE, more=repr(value[:40])) if value else None
        return super().why_not(conflict, actor, value)

    def follow(self, conflict: Conflict, values: Mapping[str, str], chance: bytes) -> Conflict:
        turn, let_be = turn_of(conflict), unheard(conflict, turn_of(conflict))
        splits = {name: parse_split(value) for name, value in values.items() if name not in let_be}
        divided, let_be = {**turn.divided, **splits}, (*turn.let_be, *let_be)
        return replace(conflict, turn=replace(turn, divided=divided, let_be=let_be))


# book: move.kill
class KillStep(YesStep):
    """In a lethal conflict the winner may kill the opponent who surrendered (R5)."""

    name = "kill"
    word = "kill"

    def must(self, conflict: Conflict) -> tuple[str, ...]:
        verdict = verdict_of(conflict)
        asked = conflict.scene.lethal and verdict.outcome is Outcome.SURRENDER
        return (verdict.winner,) if verdict.winner and asked else ()

    def follow(self, conflict: Conflict, values: Mapping[str, str], chance: bytes) -> Conflict:
        (answer,) = values.values()
        turn = turn_of(conflict)
        return t.settle(conflict, turn, turn.divided, turn.spread, kill=answer == "yes")


# book: minor.no-winner
# book iron-triangle-1e: end.both-out
class VerdictStep(Step):
    """The GM names the winner where the book leaves it open: after a tie in a minor conflict and,
    in the first text of Iron Triangle, when both sides are out at once (R10)."""

    name = "verdict"
    word = "winner"

    def must(self, conflict: Conflict) -> tuple[str, ...]:
        return (GM,)

    def values(self, conflict: Conflict, actor: str) -> Iterator[str]:
        yield from conflict.scene.sides

    def why_not(self, conflict: Conflict, actor: str, value: str) -> Reason | None:
        if value in conflict.scene.sides:
            return None
        return Reason("no-side", text=shown(value), names=[*conflict.scene.sides])

    def follow(self, conflict: Conflict, values: Mapping[str, str], chance: bytes) -> Conflict:
        (side,) = values.values()
        return t.decide(conflict, side)


FIRST, OPPONENT, STANCE, MOVE = FirstStep(), OpponentStep(), StanceStep(), MoveStep()
SPLIT, KILL, NEXT, VERDICT = SplitStep(), KillStep(), NextStep(), VerdictStep()

JUDGED = (SPLIT, AIM, GAIN, KILL)
"""The steps between the verdict and the moment when the turn is settled, in order. A step is left
out if it asks no actor."""


# book: conflicts.parts, turn.order
def step_of(conflict: Conflict) -> Step | None:
    """Return the current step; None when the conflict is over."""
    turn, result = conflict.turn, conflict.result
    if result:
        return VERDICT if result.undecided else None
    if turn is None:
        return FIRST
    if turn.splits is not None:
        return NEXT
    if turn.verdict:
        return next((step for step in JUDGED if step.must(conflict)), SPLIT)
    if turn.moves is not None:
        return REPLACE
    if turn.window:
        return SPECIALS
    if turn.unsaid:
        return TARGET
    if turn.stances is not None:
        return MOVE
    return STANCE if turn.opponent else OPPONENT


def go_on(conflict: Conflict) -> Conflict:
    """Judge the shown moves, and settle the judged turn, each only if no step before it asks an
    actor."""
    turn = conflict.turn
    if turn and turn.moves is not None and not turn.verdict and not REPLACE.must(conflict):
        conflict = t.judge(conflict, turn, turn.moves)
        turn = turn_of(conflict)
    if not turn or not turn.verdict or turn.splits is not None:
        return conflict
    if any(step.must(conflict) for step in JUDGED):
        return conflict
    return t.settle(conflict, turn, turn.divided, turn.spread)
