"""A turn, transition by transition.

In order: :func:`name_active`, :func:`choose_opponent`, optionally :func:`end_combo`,
:func:`reveal_stances`, :func:`judge` (the moves are shown; who won and what is lost),
:func:`settle` (losses, then gains, then who is at zero or out). Specials are set down between them
(``specials``). Transitions do not check their arguments: call ``why_not_…`` first, which returns
the reason against an illegal one.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.cards import run_side
from hub.games.triangle.rules.conflict import (
    Conflict,
    Ending,
    Fighter,
    Result,
    Run,
    Stance,
    Turn,
    Use,
    Verdict,
    Why,
)
from hub.games.triangle.rules.edition import Action, Energy, Move
from hub.games.triangle.rules.interplay import aftermath, said_losses, special_losses, taken
from hub.games.triangle.rules.judging import judged, ruled
from hub.games.triangle.rules.passing import by_count, may_keep
from hub.kernel.faults import shown


def name_active(conflict: Conflict, name: str, *, agreed: bool = False) -> Conflict:
    """Return the conflict with the turn of ``name`` begun. With ``agreed`` it is an ordinary turn,
    however many turns the character has had."""
    number = conflict.turn.number + 1 if conflict.turn else 1
    turn = Turn(number, name, ordinary=agreed or name in by_count(conflict))
    return replace(conflict, turn=turn)


def opponents(conflict: Conflict, turn: Turn) -> list[str]:
    """The opponents that the active character may choose: its foes who are still in. If the
    character is bound, only its partner; if it keeps the turn for a combo, only the victim (R3, R9,
    R12)."""
    sheets, run = conflict.scene.sheets, conflict.run
    side = sheets[turn.active].side
    foes = [n for n, f in conflict.fighters.items() if sheets[n].side != side and not f.out]
    if partner := conflict.bond(turn.active):
        foes = [partner]
    if not turn.ordinary and run:
        foes = [name for name in foes if name == run.victim]
    return foes


# book: opponent.anybody, bind.effect, bind.others
def why_not_opponent(conflict: Conflict, turn: Turn, name: str) -> Reason | None:
    """Why the active character may not choose this opponent; None if it may."""
    scene = conflict.scene
    side = scene.sheets[turn.active].side
    foes = [n for n in conflict.still_in() if scene.sheets[n].side != side]
    advice = Reason("may-choose", who=turn.active, names=[*foes])
    if name not in conflict.fighters:
        return Reason("nobody-called", name=shown(name), advice=advice)
    if scene.sheets[name].side == side:
        return Reason("on-own-side", who=name, other=turn.active, advice=advice)
    if name not in foes:
        return Reason("out", who=name, advice=advice)
    if (partner := conflict.bond(turn.active)) and name != partner:
        return Reason("bound-to", who=turn.active, other=partner)
    if not turn.ordinary and conflict.run and name != conflict.run.victim:
        return Reason("kept-for-combo", who=turn.active, victim=conflict.run.victim)
    return None


# book: combo.other-opponent
def choose_opponent(conflict: Conflict, turn: Turn, opponent: str) -> Conflict:
    """Return the conflict with the opponent chosen. The turn is counted unless it is kept, and a
    combo ends if its victim is not in the turn (R3, R9)."""
    run = conflict.run
    if run and run.victim not in (turn.active, opponent):
        run = None
    follows_up = run is not None and run.victim == opponent and turn.active == conflict.winner
    kept = follows_up and may_keep(conflict)
    begun = replace(conflict, run=run, turn=replace(turn, opponent=opponent, kept=kept))
    return begun if kept else _count(begun, turn.active)


def begin_turn(conflict: Conflict, name: str, *, agreed: bool = False) -> Conflict:
    """Return the conflict with the active character named. If that character can only keep the
    turn, the combo's victim is chosen as its opponent (R9). Raises :class:`IllegalChoice` if that
    is not allowed."""
    named = name_active(conflict, name, agreed=agreed)
    turn = named.turn
    if turn is None or turn.ordinary or named.run is None:
        return named
    victim = named.run.victim
    if why := why_not_opponent(named, turn, victim):
        raise IllegalChoice(why)
    return choose_opponent(named, turn, victim)


def why_not_end_combo(conflict: Conflict, turn: Turn, name: str) -> Reason | None:
    """Why this character may not end the combo before the moves are shown (R3); None if it may."""
    if conflict.run is None:
        return Reason("no-combo")
    if name not in (turn.active, turn.opponent):
        return Reason("not-in-turn", who=name)
    if conflict.scene.sheets[name].side != run_side(conflict):
        return Reason("combo-not-theirs", who=name, other=turn.other(name))
    return why_not_kept(turn)


def why_not_kept(turn: Turn) -> Reason | None:
    """Why the combo must not end in this turn: the turn can only be kept (R9). None if it may
    end."""
    if turn.kept and not turn.ordinary:
        return Reason("combo-must-stand", who=turn.active)
    return None


# book: combo.given-up
def end_combo(conflict: Conflict, turn: Turn) -> Conflict:
    """Return the conflict without the combo, so that its moves can be played again. A kept turn
    becomes one that counts."""
    ended = replace(conflict, run=None, turn=replace(turn, kept=False))
    return _count(ended, turn.active) if turn.kept else ended


# book: stance.points, left.no-stance
def why_not_stance(fighter: Fighter, name: str, stance: Stance | None) -> Reason | None:
    """Why a character may not take this stance: it has too little energy of the type. None if it
    may."""
    if stance is None or stance.amount <= fighter.energy.of(stance.action):
        return None
    of, most = stance.action, fighter.energy.of(stance.action)
    may = Reason("stance-at-most", type=of, n=most) if most else Reason("no-stance-of", type=of)
    return Reason("energy-in", who=name, n=most, type=of, advice=may)


def reveal_stances(
    conflict: Conflict, turn: Turn, stances: Mapping[str, Stance | None]
) -> Conflict:
    """Return the conflict with both stances shown."""
    return replace(conflict, turn=replace(turn, stances=stances))


# book: opponent.same-rules, move.surrender
def judge(conflict: Conflict, turn: Turn, moves: Mapping[str, Move | None]) -> Conflict:
    """Return the conflict with both moves shown and judged: who has won, why, and the losses. No
    energy is taken yet."""
    return _judged(conflict, replace(turn, moves=moves), judged(conflict, turn, moves))


def rule(conflict: Conflict, turn: Turn, winner: str) -> Conflict:
    """Return the conflict in which the GM decides who has won with the shown moves; an empty
    ``winner`` means a tie. Losses follow as usual. Earlier splits, and totals that the GM has set,
    are dropped (R6, R7, R11)."""
    verdict = ruled(conflict, turn, winner)
    return _judged(conflict, _unsettled(replace(turn, said={})), verdict)


def say_loss(conflict: Conflict, turn: Turn, name: str, total: int) -> Conflict:
    """Return the conflict with a character's total loss set by the GM; nothing else in the verdict
    changes (R11)."""
    return _again(conflict, _unsettled(replace(turn, said={**turn.said, name: total})))


def judge_again(conflict: Conflict, turn: Turn, use: Use) -> Conflict:
    """Return the conflict with the losses recomputed after a character outside the turn has set
    ``use`` down, when the moves were already shown (R17). A loss that the GM has set for the
    protected character moves to its bearer."""
    if use.person in turn.said:
        said = {name: total for name, total in turn.said.items() if name != use.person}
        turn = replace(turn, said={**said, use.player: turn.said[use.person]})
    return _again(conflict, _unsettled(turn))


def _unsettled(turn: Turn) -> Turn:
    """Drop splits, spreads, and who declined to bear a loss, so that all are asked again."""
    return replace(turn, divided={}, spread={}, let_be=())


def _again(conflict: Conflict, turn: Turn) -> Conflict:
    """Judge the shown moves again. A winner whom the GM has named stays."""
    verdict, moves = turn.verdict, turn.moves
    if verdict is None or moves is None:
        raise ValueError("the turn has not been judged")
    if verdict.why is Why.OVERRULED:
        return _judged(conflict, turn, ruled(conflict, turn, verdict.winner or ""))
    return _judged(conflict, turn, judged(conflict, turn, moves))


def _judged(conflict: Conflict, turn: Turn, verdict: Verdict) -> Conflict:
    """Store the verdict, with its losses changed by specials and by the totals that the GM has
    set."""
    turn = replace(turn, verdict=verdict)
    if turn.uses or turn.said:
        losses = said_losses(conflict, turn, special_losses(conflict, turn, verdict.losses))
        turn = replace(turn, verdict=replace(verdict, losses=losses))
    return replace(conflict, turn=turn)


# book: end.lesser, minor.one-turn, disadvantage.ends, disadvantage.stays, combo.ends, tie.ends
# book: left.zero-of-one, left.dead, last.dead, end.lethal-only
def settle(
    conflict: Conflict,
    turn: Turn,
    splits: Mapping[str, Energy] = {},
    gains: Mapping[str, Energy] = {},
    *,
    kill: bool = False,
) -> Conflict:
    """Return the conflict with losses taken, then gains added, then types at zero marked; the combo
    and the conflict continue or end.

    Losses missing from ``splits``, and gains missing from ``gains``, are divided by default. With
    ``kill`` the character who surrendered dies, if the conflict is lethal.
    """
    verdict, moves = turn.verdict, turn.moves
    if verdict is None or moves is None:
        raise ValueError("the turn has not been judged")
    fighters = _after_cards(conflict, turn, verdict, moves, kill=kill)
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
            fighters[name] = _at_zero(conflict, name, fighter)
    result = _result_after(conflict, fighters, verdict)
    if result:
        fighters = last_stands_end(fighters)
    run = None if result else _run_after(conflict, fighters, verdict, moves)
    streak = conflict.streak if verdict.winner == conflict.winner else 0
    return Conflict(
        scene=conflict.scene,
        fighters=fighters,
        run=run,
        turn=replace(turn, splits=losses, gains=gained),
        winner=verdict.winner,
        streak=0 if verdict.winner is None else streak + 1,
        result=result,
    )


def _after_cards(
    conflict: Conflict,
    turn: Turn,
    verdict: Verdict,
    moves: Mapping[str, Move | None],
    *,
    kill: bool,
) -> dict[str, Fighter]:
    """The fighters with their new disadvantage (R2), and with those who surrendered marked."""
    fighters = dict(conflict.fighters)
    for name in (turn.active, turn.opponent):
        fighter, move = fighters[name], moves[name]
        surrendered = move is None and not fighter.last_stand
        lost = () if move is None or name != verdict.loser else (move,)
        fighters[name] = replace(
            fighter,
            face_up=(*fighter.face_up, *lost) if lost and verdict.at_disadvantage else lost,
            surrendered=surrendered,
            dead=conflict.scene.lethal and surrendered and kill,
        )
    return fighters


def _at_zero(conflict: Conflict, name: str, fighter: Fighter) -> Fighter:
    """Return the fighter with its types at zero marked, and dead if the conflict is lethal and no
    energy is left."""
    energy, before = fighter.energy, conflict.fighters[name]
    zero = tuple(a for a in Action if a in fighter.zero or not energy.of(a))
    exhausted = not (energy.total or fighter.last_stand)
    dead = fighter.dead or (conflict.scene.lethal and exhausted)
    if zero == fighter.zero and dead == fighter.dead and energy == before.energy:
        return fighter
    return replace(fighter, zero=zero, dead=dead, reached=reached_zero(before, energy))


def reached_zero(before: Fighter, energy: Energy) -> tuple[Action, ...]:
    """The types that have fallen to zero in this conflict (R20): those of ``before``, and those
    that ``energy`` brings to zero."""
    return tuple(
        action
        for action in Action
        if action in before.reached or before.energy.of(action) > energy.of(action) == 0
    )


# book: end.over, last.to-the-end
def decide(conflict: Conflict, side: str) -> Conflict:
    """Return an ended conflict with ``side`` as the winner, if the book leaves that to the GM
    (R10)."""
    if conflict.result is None:
        raise ValueError("the conflict has not ended")
    return replace(conflict, result=replace(conflict.result, winner=side))


def _count(conflict: Conflict, name: str) -> Conflict:
    fighter = conflict.fighters[name]
    counted = replace(fighter, turns=fighter.turns + 1)
    return replace(conflict, fighters={**conflict.fighters, name: counted})


def _run_after(
    conflict: Conflict,
    fighters: Mapping[str, Fighter],
    verdict: Verdict,
    moves: Mapping[str, Move | None],
) -> Run | None:
    winner, loser = verdict.winner, verdict.loser
    winning = moves[winner] if winner else None
    if winner is None or loser is None or winning is None:
        return None
    before = conflict.run.cards if conflict.run and verdict.continued else ()
    run = Run(loser, (*before, (winner, winning)))
    return run if run_stands(conflict, fighters, run) else None


def run_stands(conflict: Conflict, fighters: Mapping[str, Fighter], run: Run) -> bool:
    """Whether the combo stands: its victim is in, and a foe who is in knows a follow-up (R3)."""
    sheets = conflict.scene.sheets
    foes = (name for name in sheets if sheets[name].side != sheets[run.victim].side)
    able = any(sheets[foe].combos.get(run.last.id) and not fighters[foe].out for foe in foes)
    return able and not fighters[run.victim].out


def _result_after(
    conflict: Conflict, fighters: Mapping[str, Fighter], verdict: Verdict
) -> Result | None:
    if not conflict.scene.minor:
        return result_of_sides(conflict, fighters)
    sheets = conflict.scene.sheets
    return Result(Ending.MINOR, sheets[verdict.winner].side if verdict.winner else None)


def result_of_sides(conflict: Conflict, fighters: Mapping[str, Fighter]) -> Result | None:
    """The result if all members of a side are out; None if both sides still have members in
    (R10)."""
    scene = conflict.scene
    (players, ours), (gms, theirs) = scene.sides.items()
    players_out = all(fighters[name].out for name in ours)
    gms_out = all(fighters[name].out for name in theirs)
    if players_out and gms_out:
        return Result(Ending.BOTH_OUT, gms if scene.edition.both_out_wins else None)
    if players_out or gms_out:
        return Result(Ending.SIDE_OUT, gms if players_out else players)
    return None


def last_stands_end(fighters: Mapping[str, Fighter]) -> dict[str, Fighter]:
    """Return the fighters at the end of a conflict: those in a last stand die (R12, last)."""
    return {n: replace(f, dead=f.dead or f.last_stand) for n, f in fighters.items()}
