"""The GM's overrules about a turn's winner, a loss, the combo, and the end of the conflict
(R11)."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.overrules import Clause, Holds, HoldsOf, Name
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.conflict import Conflict, Ending, Result, Run
from hub.games.triangle.rules.overrules.people import MOST_CARDS, Number, moves_of, within
from hub.games.triangle.rules.step import turn_of, verdict_of
from hub.games.triangle.rules.turn import last_stands_end, rule, run_stands, say_loss
from hub.kernel.faults import shown
from hub.kernel.forms import Field, each_of, number, one, several

NOBODY = "nobody"
COMBO_FORM = Reason("combo-clause-form")


class Played(Struct, frozen=True, forbid_unknown_fields=True):
    """A move in a combo, and who played it."""

    name: Name
    move: Name


class ComboIs(Holds, frozen=True, kw_only=True, tag="combo"):
    """The moves of a combo against a victim, oldest first (R3). With both fields
    empty, the combo is over."""

    against: Name = ""
    cards: Annotated[tuple[Played, ...], Meta(max_length=MOST_CARDS)] = ()


class TurnIs(Holds, frozen=True, kw_only=True, tag="turn"):
    """The turn is won by ``winner`` with the shown moves; None means a tie. Losses follow by the
    rules (R6, R7)."""

    winner: Name | None


class LossIs(HoldsOf, frozen=True, kw_only=True, tag="loss"):
    """The total that a character loses this turn, at most the energy it has."""

    points: Number


class EndIs(Holds, frozen=True, kw_only=True, tag="end"):
    """The conflict is over. ``winner``: the side that won; None if neither did."""

    winner: Name | None


def _turn(conflict: Conflict, holds: TurnIs) -> Conflict:
    """Set the winner; losses are computed again."""
    turn = turn_of(conflict)
    if holds.winner is None:
        return rule(conflict, turn, "")
    if holds.winner not in (turn.active, turn.opponent):
        raise IllegalChoice(turn_form(conflict))
    return rule(conflict, turn, holds.winner)


def turn_form(conflict: Conflict) -> Reason:
    """Return the reason against a wrong winner of the turn, which names the two possible ones."""
    turn = turn_of(conflict)
    return Reason("turn-form", one=turn.active, second=turn.opponent)


def _loss(conflict: Conflict, holds: LossIs) -> Conflict:
    """Set a character's total loss. It is split again, and what specials gain from it changes, too;
    but not what a special has already returned to the opponent."""
    if holds.name not in conflict.still_in():
        raise IllegalChoice(loss_form(conflict))
    left = conflict.fighters[holds.name].energy.total
    points = within(holds.points, Reason("what-is-lost", who=holds.name), left)
    return say_loss(conflict, turn_of(conflict), holds.name, points)


def loss_form(conflict: Conflict) -> Reason:
    """Return the reason against a wrong loss, which names the characters who can lose energy."""
    return Reason("loss-form", names=[*conflict.still_in()])


def _combo(conflict: Conflict, holds: ComboIs) -> Conflict:
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
    """Return the reason against a wrong combo, which explains how to describe one."""
    return Reason("still-in", why=COMBO_FORM, names=[*conflict.still_in()])


def _end(conflict: Conflict, holds: EndIs) -> Conflict:
    """End the conflict; unsettled losses are not taken."""
    if holds.winner is not None and holds.winner not in conflict.scene.sides:
        raise IllegalChoice(end_form(conflict))
    return ended(conflict, Result(Ending.OVERRULED, holds.winner))


def end_form(conflict: Conflict) -> Reason:
    """Return the reason against a wrong winner of the conflict, which names the possible ones."""
    return Reason("end-form", names=[*conflict.scene.sides], words=NOBODY)


def ended(conflict: Conflict, result: Result) -> Conflict:
    """Return the conflict, ended with this result (R10)."""
    fighters = last_stands_end(conflict.fighters)
    return replace(conflict, fighters=fighters, run=None, result=result)


def _combo_fields(conflict: Conflict) -> tuple[Field, ...]:
    """Fields to end the combo, or to choose a victim and the moves of its foes against it."""
    sheets, fighters = conflict.scene.sheets, conflict.fighters
    found: dict[str, tuple[Field, ...]] = {"": ()} if conflict.run else {}
    for victim in conflict.still_in():
        now = conflict.run.cards if conflict.run and conflict.run.victim == victim else ()
        cards = [
            {"name": name, "move": str(move)}
            for name, sheet in sheets.items()
            for move in sheet.moves
            if sheet.side != sheets[victim].side and move not in fighters[name].face_up
        ]
        lie = [{"name": name, "move": str(move)} for name, move in now]
        found[victim] = (several("cards", "played", cards, lie),)
    return (one("against", "victim", found),)


def _turn_fields(conflict: Conflict) -> tuple[Field, ...]:
    turn = turn_of(conflict)
    return (one("winner", "winner", (turn.active, turn.opponent, None)),)


def _loss_fields(conflict: Conflict) -> tuple[Field, ...]:
    """A field for the loss of each character who is still in, with the turn's losers first."""
    lost = {name: loss.total for name, loss in verdict_of(conflict).losses.items()}
    names = sorted(conflict.still_in(), key=lambda name: name not in lost)
    most = {name: conflict.fighters[name].energy.total for name in names}
    return each_of(names, lambda n: (number("points", first=lost.get(n, 0), most=most[n]),))


CLAUSES: tuple[Clause[Conflict], ...] = (
    Clause(ComboIs, _combo, _combo_fields),
    Clause(TurnIs, _turn, _turn_fields),
    Clause(LossIs, _loss, _loss_fields),
    Clause(EndIs, _end, lambda c: (one("winner", "side", (None, *c.scene.sides)),)),
)
