"""A turn, transition by transition.

In order: :func:`name_active`, :func:`choose_opponent`, perhaps :func:`end_combo`,
:func:`reveal_stances`, :func:`judge` (the moves are shown: who won, what is lost),
:func:`settle` (losses are taken, then gains, zero and out, who goes on). Specials are set down
between them (``specials``). Each trusts its arguments; the ``…_problem`` function beside it says
in one sentence why they would not do.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from hub.rules.triangle.cards import at_disadvantage, follows, run_side
from hub.rules.triangle.conflict import (
    Conflict,
    Fighter,
    Outcome,
    Reason,
    Result,
    Run,
    Stance,
    Turn,
    Verdict,
    Why,
)
from hub.rules.triangle.edition import ACTION_BEATS, Action, Edition, Energy, Move
from hub.rules.triangle.effects import aftermath, special_losses, taken
from hub.rules.triangle.losses import loss_of_tie, loss_of_win
from hub.rules.triangle.passing import by_count, may_keep
from hub.rules.triangle.reading import shown


def name_active(conflict: Conflict, name: str, *, agreed: bool = False) -> Conflict:
    """Somebody whom ``passing.named_problem`` allows takes the next turn."""
    number = conflict.turn.number + 1 if conflict.turn else 1
    turn = Turn(number, name, ordinary=agreed or name in by_count(conflict))
    return replace(conflict, turn=turn)


def opponent_problem(conflict: Conflict, turn: Turn, name: str) -> str | None:
    """Why the active character may not choose this opponent."""
    scene = conflict.scene
    side = scene.sheets[turn.active].side
    foes = [n for n in conflict.still_in() if scene.sheets[n].side != side]
    advice = f"{turn.active} may choose: {', '.join(foes)}"
    if name not in conflict.fighters:
        return f"nobody here is called {shown(name)} ({advice})"
    if scene.sheets[name].side == side:
        return f"{name} is on {turn.active}'s own side ({advice})"
    if name not in foes:
        return f"{name} is out of the conflict ({advice})"
    if (partner := conflict.bond(turn.active)) and name != partner:
        return f"{turn.active} is bound to {partner} and can choose nobody else"
    if not turn.ordinary and conflict.run and name != conflict.run.victim:
        victim = conflict.run.victim
        return f"{turn.active} keeps the turn for its combo, which is against {victim}"
    return None


def choose_opponent(conflict: Conflict, turn: Turn, opponent: str) -> Conflict:
    """The turn begins: it is counted unless it is kept, and another victim ends a run (R3, R9)."""
    run = conflict.run
    if run and run.victim not in (turn.active, opponent):
        run = None
    kept = bool(
        run and run.victim == opponent and turn.active == conflict.winner and may_keep(conflict)
    )
    begun = replace(conflict, run=run, turn=replace(turn, opponent=opponent, kept=kept))
    return begun if kept else _count(begun, turn.active)


def end_combo_problem(conflict: Conflict, turn: Turn, name: str) -> str | None:
    """Why this character may not end the run by its word before the moves are shown (R3)."""
    if conflict.run is None:
        return "no combo is alive"
    if name not in (turn.active, turn.opponent):
        return f"{name} is not in this turn"
    if conflict.scene.sheets[name].side != run_side(conflict):
        return f"the combo is against {name}, only {turn.other(name)} may end it"
    return kept_problem(turn)


def kept_problem(turn: Turn) -> str | None:
    """Why a turn that was kept for the run cannot go on without it (R9)."""
    if turn.kept and not turn.ordinary:
        return f"{turn.active} has this turn only for its combo, which has to stand"
    return None


def end_combo(conflict: Conflict, turn: Turn) -> Conflict:
    """The run's cards return; a kept turn becomes an ordinary one, which is counted."""
    ended = replace(conflict, run=None, turn=replace(turn, kept=False))
    return _count(ended, turn.active) if turn.kept else ended


def stance_problem(fighter: Fighter, name: str, stance: Stance | None) -> str | None:
    """Why a character may not take this stance: no more than it has of the type."""
    if stance is None or stance.amount <= fighter.energy.of(stance.action):
        return None
    most = fighter.energy.of(stance.action)
    may = f"at most {stance.action} {most}" if most else f"no {stance.action} stance"
    return f"{name} has {most} energy in {stance.action} ({may})"


def reveal_stances(
    conflict: Conflict, turn: Turn, stances: Mapping[str, Stance | None]
) -> Conflict:
    """Both stances are shown."""
    return replace(conflict, turn=replace(turn, stances=stances))


def contest(
    edition: Edition, mine: Move, mine_marred: bool, theirs: Move, theirs_marred: bool
) -> tuple[Why, int]:
    """Which of two moves wins, and why: 1 mine, -1 theirs, 0 a tie (R1).

    A move is marred when it is played at disadvantage.
    """
    if theirs.action in ACTION_BEATS[mine.action]:
        return Why.ACTION, 1
    if mine.action in ACTION_BEATS[theirs.action]:
        return Why.ACTION, -1
    if theirs.element in edition.element_beats[mine.element]:
        return Why.ELEMENT, 1
    if mine.element in edition.element_beats[theirs.element]:
        return Why.ELEMENT, -1
    if mine_marred != theirs_marred:
        return Why.DISADVANTAGE, -1 if mine_marred else 1
    return Why.TIE, 0


def judge(conflict: Conflict, turn: Turn, moves: Mapping[str, Move | None]) -> Conflict:
    """Both moves are shown: who won, why, and what it costs. Nothing is taken yet."""
    active, opponent = turn.active, turn.opponent
    mine, theirs = moves[active], moves[opponent]
    if mine is None or theirs is None:
        verdict = _judge_surrender(active, mine, opponent, theirs)
    else:
        verdict = _judge_moves(conflict, turn, mine, theirs)
    judged = replace(turn, moves=moves, verdict=verdict)
    if turn.uses:
        losses = special_losses(conflict, judged, verdict.losses)
        judged = replace(judged, verdict=replace(verdict, losses=losses))
    return replace(conflict, turn=judged)


def settle(
    conflict: Conflict,
    turn: Turn,
    splits: Mapping[str, Energy] = {},
    gains: Mapping[str, Energy] = {},
    *,
    kill: bool = False,
) -> Conflict:
    """Losses are taken, then gains, then zero and out; the run and perhaps the conflict end.

    A loss or a gain that is not split is split by default.
    """
    verdict, moves = turn.verdict, turn.moves
    if verdict is None or moves is None:
        raise ValueError("the turn has not been judged")
    fighters, lethal = dict(conflict.fighters), conflict.scene.lethal
    for name in (turn.active, turn.opponent):
        fighter, move = fighters[name], moves[name]
        surrendered = move is None and not fighter.last_stand
        fighters[name] = replace(
            fighter,
            face_up=_disadvantage_after(fighter, move, name, verdict),
            surrendered=surrendered,
            dead=lethal and surrendered and kill,
        )
    losses = taken(conflict, turn, splits)
    for name, loss in losses.items():
        fighter = fighters[name]
        fighters[name] = replace(fighter, energy=fighter.energy.minus(loss))
    gained = turn.gains
    if turn.uses:
        fighters, gained = aftermath(conflict, turn, fighters, gains)
    for name, fighter in fighters.items():
        energy = fighter.energy
        if not (energy.attack and energy.defend and energy.grapple):
            zero = tuple(a for a in Action if a in fighter.zero or not energy.of(a))
            dead = fighter.dead or (lethal and not (energy.total or fighter.last_stand))
            if (zero, dead) != (fighter.zero, fighter.dead):
                fighters[name] = replace(fighter, zero=zero, dead=dead)
    result = _result_after(conflict, fighters, verdict)
    if result:
        fighters = {n: replace(f, dead=f.dead or f.last_stand) for n, f in fighters.items()}
    run = None if result else _run_after(conflict, fighters, verdict, moves)
    again = verdict.winner is not None and verdict.winner == conflict.winner
    return Conflict(
        scene=conflict.scene,
        fighters=fighters,
        run=run,
        turn=replace(turn, splits=losses, gains=gained),
        winner=verdict.winner,
        streak=conflict.streak + 1 if again else int(verdict.winner is not None),
        result=result,
    )


def decide(conflict: Conflict, side: str) -> Conflict:
    """The GM's word on an end that the book leaves to the GM (R10)."""
    if conflict.result is None:
        raise ValueError("the conflict has not ended")
    return replace(conflict, result=replace(conflict.result, winner=side))


def _count(conflict: Conflict, name: str) -> Conflict:
    fighter = conflict.fighters[name]
    counted = replace(fighter, turns=fighter.turns + 1)
    return replace(conflict, fighters={**conflict.fighters, name: counted})


def _judge_surrender(active: str, mine: Move | None, opponent: str, theirs: Move | None) -> Verdict:
    """No energy is lost; the other wins the turn, nobody if both surrender (R5)."""
    if mine is None and theirs is None:
        return Verdict(Outcome.SURRENDER, Why.SURRENDER)
    winner, loser = (opponent, active) if mine is None else (active, opponent)
    return Verdict(Outcome.SURRENDER, Why.SURRENDER, winner, loser)


def _judge_moves(conflict: Conflict, turn: Turn, mine: Move, theirs: Move) -> Verdict:
    """The active character's move against the opponent's (R1, R6, R7)."""
    active, opponent, fighters = turn.active, turn.opponent, conflict.fighters
    me, them = fighters[active], fighters[opponent]
    mine_marred, theirs_marred = at_disadvantage(me, mine), at_disadvantage(them, theirs)
    why, sign = contest(conflict.scene.edition, mine, mine_marred, theirs, theirs_marred)
    if sign == 0:
        losses = {
            active: loss_of_tie(theirs, me.energy.total),
            opponent: loss_of_tie(mine, them.energy.total),
        }
        return Verdict(Outcome.TIE, why, losses=losses)
    if sign > 0:
        winner, winning, loser, losing, marred = active, mine, opponent, theirs, theirs_marred
    else:
        winner, winning, loser, losing, marred = opponent, theirs, active, mine, mine_marred
    run, sheet, stances = conflict.run, conflict.scene.sheets[winner], turn.stances or {}
    continued = bool(run and run.victim == loser and follows(sheet, run.last, winning))
    loss = loss_of_win(
        winning,
        stances.get(winner),
        losing,
        stances.get(loser),
        left=fighters[loser].energy.total,
        combo=len(run.cards) if run and continued else 0,
        disadvantage=len(fighters[loser].face_up) if marred else 0,
    )
    return Verdict(Outcome.WIN, why, winner, loser, {loser: loss}, marred, continued)


def _disadvantage_after(
    fighter: Fighter, move: Move | None, name: str, verdict: Verdict
) -> tuple[Move, ...]:
    """The lost moves that lie face up after the turn (R2)."""
    if move is None or name != verdict.loser:
        return ()
    return (*fighter.face_up, move) if verdict.at_disadvantage else (move,)


def _run_after(
    conflict: Conflict,
    fighters: Mapping[str, Fighter],
    verdict: Verdict,
    moves: Mapping[str, Move | None],
) -> Run | None:
    """The run after the turn, if somebody can still go on with it (R3)."""
    winner, loser = verdict.winner, verdict.loser
    if winner is None or loser is None or fighters[loser].out:
        return None
    winning = moves[winner]
    if winning is None:
        return None
    before = conflict.run.cards if conflict.run and verdict.continued else ()
    sheets = conflict.scene.sheets
    for ally in conflict.scene.sides[sheets[winner].side]:
        if sheets[ally].combos.get(winning.id) and not fighters[ally].out:
            return Run(loser, (*before, (winner, winning)))
    return None


def _result_after(
    conflict: Conflict, fighters: Mapping[str, Fighter], verdict: Verdict
) -> Result | None:
    """Whether the conflict has ended, and for whom (R10)."""
    scene = conflict.scene
    if scene.minor:
        side = scene.sheets[verdict.winner].side if verdict.winner else None
        return Result(Reason.MINOR, side)
    (players, ours), (gms, theirs) = scene.sides.items()
    players_out = all(fighters[name].out for name in ours)
    gms_out = all(fighters[name].out for name in theirs)
    if players_out and gms_out:
        return Result(Reason.BOTH_OUT, gms if scene.edition.both_out_wins else None)
    if players_out or gms_out:
        return Result(Reason.SIDE_OUT, gms if players_out else players)
    return None
