"""The GM's word over a turn's outcome, a loss, the combo, and the end of the conflict (R11)."""

from collections.abc import Callable, Mapping
from functools import partial

from msgspec.structs import replace

from hub.rules.faults import shown
from hub.rules.game import IllegalChoice
from hub.rules.triangle.conflict import Conflict, Reason, Result, Run
from hub.rules.triangle.grammar import NONE
from hub.rules.triangle.names import first_that_holds, name_alone, name_first, readings
from hub.rules.triangle.overrule.written import moves_of, number
from hub.rules.triangle.step import turn_of
from hub.rules.triangle.turn import last_stands_end, rule, run_stands, say_loss

COMBO, TURN, LOSS, END = "combo", "turn", "loss", "end"
NOBODY = "nobody"
_COMBO_FORM = "write: combo none, or: combo against NAME; NAME MOVE; NAME MOVE"


def _turn(conflict: Conflict, text: str) -> Conflict:
    """``won NAME`` or ``tied``: the moves that lie there count as if it had come out so, with
    stances, combo, disadvantage and specials (R6, R7)."""
    turn = turn_of(conflict)
    if text == "tied":
        return rule(conflict, turn, "")
    won, _, who = text.partition(" ")
    name = name_alone((turn.active, turn.opponent), who)
    if won != "won" or not name:
        raise IllegalChoice(
            f"write: turn won {turn.active}, turn won {turn.opponent}, or: turn tied"
        )
    return rule(conflict, turn, name)


def _loss(conflict: Conflict, text: str) -> Conflict:
    """``NAME 4``: what somebody loses in all this turn, at most what it has. From which types is
    decided anew. What a special regains by it follows; what one has returned to the other by the
    loss before stays."""
    still_in = conflict.still_in()
    unread = IllegalChoice(f"write: loss NAME 4; still in are: {', '.join(still_in)}")
    return first_that_holds(readings(still_in, text), partial(_loses, conflict), unread)


def _loses(conflict: Conflict, read: tuple[str, str]) -> Conflict:
    """Somebody loses so much."""
    name, amount = read
    left = conflict.fighters[name].energy.total
    return say_loss(conflict, turn_of(conflict), name, number(amount, f"what {name} loses", left))


def _combo(conflict: Conflict, text: str) -> Conflict:
    """``none``, or ``against NAME; NAME MOVE; NAME MOVE``: the moves that lie in front of the
    victim, oldest first, with who played each (R3)."""
    if text == NONE:
        if conflict.run is None:
            raise IllegalChoice("no combo is alive")
        return replace(conflict, run=None)
    word, _, against = text.partition(" ")
    victim, played = name_first(conflict.still_in(), against)
    if word != "against" or not victim or not played.startswith(";"):
        raise IllegalChoice(f"{_COMBO_FORM}; still in are: {', '.join(conflict.still_in())}")
    cards = []
    sheets, fighters = conflict.scene.sheets, conflict.fighters
    while played:
        name, rest = name_first(fighters, played.removeprefix(";").strip())
        moves, more, played = rest.partition(";")
        if not name or sheets[name].side == sheets[victim].side:
            raise IllegalChoice(f"{shown(rest)} is no move of the side against {victim}")
        played = more + played
        for move in moves_of(sheets[name].moves, name, moves.strip()):
            if move in fighters[name].face_up or (name, move) in cards:
                raise IllegalChoice(f"{move} of {name} lies on the table already")
            cards.append((name, move))
    run = Run(victim, tuple(cards))
    if not run_stands(conflict, fighters, run):
        raise IllegalChoice(f"nobody who is in could follow up on {run.last}")
    return replace(conflict, run=run)


def _end(conflict: Conflict, text: str) -> Conflict:
    """``SIDE`` or ``nobody``: it is over. What is not settled by then costs nothing. A side that
    is called like this is written in double quotes."""
    sides = conflict.scene.sides
    winner = None if text == NOBODY else name_alone(sides, text)
    if winner == "":
        raise IllegalChoice(f"write: end SIDE; the sides are {', '.join(sides)}, or {NOBODY}")
    return ended(conflict, Result(Reason.OVERRULED, winner))


def ended(conflict: Conflict, result: Result) -> Conflict:
    """The conflict at its end (R10)."""
    fighters = last_stands_end(conflict.fighters)
    return replace(conflict, fighters=fighters, run=None, result=result)


GENERAL: Mapping[str, Callable[[Conflict, str], Conflict]] = {
    COMBO: _combo,
    TURN: _turn,
    LOSS: _loss,
    END: _end,
}
"""The clauses that follow no name."""
