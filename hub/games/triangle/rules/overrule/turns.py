"""The GM's word over a turn's outcome, a loss, the combo, and the end of the conflict (R11)."""

from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.conflict import Conflict, Ending, Result, Run
from hub.games.triangle.rules.overrule import word as w
from hub.games.triangle.rules.overrule.characters import moves_of
from hub.games.triangle.rules.step import turn_of
from hub.games.triangle.rules.turn import last_stands_end, rule, run_stands, say_loss
from hub.kernel.faults import shown

NOBODY = "nobody"
COMBO_FORM = Reason("combo-clause-form")


def turn(conflict: Conflict, holds: w.TurnIs) -> Conflict:
    """Set the winner; losses are computed again."""
    turn = turn_of(conflict)
    if holds.winner is None:
        return rule(conflict, turn, "")
    if holds.winner not in (turn.active, turn.opponent):
        raise IllegalChoice(turn_form(conflict))
    return rule(conflict, turn, holds.winner)


def turn_form(conflict: Conflict) -> Reason:
    """The refusal that lists the valid outcomes of the turn."""
    turn = turn_of(conflict)
    return Reason("turn-form", one=turn.active, second=turn.opponent)


def loss(conflict: Conflict, holds: w.LossIs) -> Conflict:
    """Set a character's total loss. It is split again, and gains by specials follow from it. A loss
    that a special has already returned to the opponent does not change."""
    if holds.name not in conflict.still_in():
        raise IllegalChoice(loss_form(conflict))
    left = conflict.fighters[holds.name].energy.total
    points = w.within(holds.points, Reason("what-is-lost", who=holds.name), left)
    return say_loss(conflict, turn_of(conflict), holds.name, points)


def loss_form(conflict: Conflict) -> Reason:
    """The refusal that lists who can lose energy."""
    return Reason("loss-form", names=[*conflict.still_in()])


def combo(conflict: Conflict, holds: w.ComboIs) -> Conflict:
    """Set the combo, or end it (R3)."""
    victim, sheets, fighters = holds.against, conflict.scene.sheets, conflict.fighters
    if not victim and not holds.cards:
        if conflict.run is None:
            raise IllegalChoice(Reason("no-combo"))
        return replace(conflict, run=None)
    if victim not in conflict.still_in() or not holds.cards:
        raise IllegalChoice(combo_form(conflict))
    cards = []
    for card in holds.cards:
        if card.name not in fighters or sheets[card.name].side == sheets[victim].side:
            raise IllegalChoice(Reason("not-of-side", move=shown(card.move), who=victim))
        (move,) = moves_of(sheets[card.name].moves, card.name, [card.move])
        if move in fighters[card.name].face_up or (card.name, move) in cards:
            raise IllegalChoice(Reason("on-table", move=str(move), who=card.name))
        cards.append((card.name, move))
    run = Run(victim, tuple(cards))
    if not run_stands(conflict, fighters, run):
        raise IllegalChoice(Reason("nobody-follows", move=str(run.last)))
    return replace(conflict, run=run)


def combo_form(conflict: Conflict) -> Reason:
    """The refusal that explains the form of a combo."""
    return Reason("still-in", why=COMBO_FORM, names=[*conflict.still_in()])


def end(conflict: Conflict, holds: w.EndIs) -> Conflict:
    """End the conflict; unsettled losses are not taken."""
    if holds.winner is not None and holds.winner not in conflict.scene.sides:
        raise IllegalChoice(end_form(conflict))
    return ended(conflict, Result(Ending.OVERRULED, holds.winner))


def end_form(conflict: Conflict) -> Reason:
    """The refusal that lists the valid winners."""
    return Reason("end-form", names=[*conflict.scene.sides], words=NOBODY)


def ended(conflict: Conflict, result: Result) -> Conflict:
    """Return the conflict, ended with this result (R10)."""
    fighters = last_stands_end(conflict.fighters)
    return replace(conflict, fighters=fighters, run=None, result=result)
