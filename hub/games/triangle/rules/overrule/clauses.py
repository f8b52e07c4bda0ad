"""All that the GM can overrule in a conflict: when, by which form, and the consequences (R11).

Nothing can be overruled while cards are being sealed: that could make a sealed card illegal, and so
reveal it. After the reveal, until the turn is settled, the GM can overrule its winner and its
losses; between turns, everything else.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from hub.games.game import IllegalChoice, Kind
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.conflict import Conflict, Ending, Outcome
from hub.games.triangle.rules.overrule import characters as of
from hub.games.triangle.rules.overrule import turns
from hub.games.triangle.rules.overrule import word as w
from hub.games.triangle.rules.specials import left_of
from hub.games.triangle.rules.step import turn_of, verdict_of
from hub.games.triangle.rules.steps import FIRST, JUDGED, NEXT, OPPONENT, VERDICT, go_on, step_of
from hub.games.triangle.rules.turn import result_of_sides, run_stands
from hub.games.words import Clause, Form, GmsWord, Holds, of_each, tag
from hub.kernel.faults import shown
from hub.kernel.forms import Field, each_of, flag, number, one, several

BETWEEN = (FIRST, NEXT, OPPONENT)
SETTLING = (w.TurnIs, w.LossIs, w.EndIs)
Change = Callable[[Conflict, Any], Conflict]


def open_now(conflict: Conflict) -> tuple[type[Holds], ...]:
    """Return what the GM can overrule now."""
    step = step_of(conflict)
    if step is None or step.kind is Kind.SEALED:
        return ()
    if step in BETWEEN:
        return (*OF_SOMEBODY, w.ComboIs, w.EndIs)
    if step is VERDICT:
        return (*OF_SOMEBODY, w.EndIs)
    verdict = conflict.turn.verdict if conflict.turn else None
    if step in JUDGED and verdict and verdict.outcome is not Outcome.SURRENDER:
        return SETTLING
    return (w.EndIs,)


def not_now(conflict: Conflict, kind: type[Holds], clause: str) -> Reason:
    """Why the GM cannot overrule this now; ``clause`` is its name in the refusal."""
    step = step_of(conflict)
    if step is None:
        return Reason("conflict-over")
    if step.kind is Kind.SEALED:
        return Reason("cards-sealed")
    now = open_now(conflict)
    if now == (w.EndIs,):
        return Reason("settle-first")
    if now == SETTLING:
        return Reason("turn-settled-first", clause=clause)
    if kind is w.ComboIs:
        return Reason("only-winner-left")
    return Reason("said-in-losses")


def nobody(conflict: Conflict, name: str) -> IllegalChoice:
    """The error for a character that is not in the conflict."""
    general = [*map(tag, w.OF_NOBODY)]
    return IllegalChoice(
        Reason("nobody-begins-with", name=shown(name), names=[*conflict.fighters], words=general)
    )


# book: specials.in-question
def _of_somebody(kind: type[Holds], change: Change, form: Form[Conflict]) -> Clause[Conflict]:
    def follow(conflict: Conflict, holds: Any) -> Conflict:
        if holds.name not in conflict.fighters:
            raise nobody(conflict, holds.name)
        after = _aftermath(conflict, change(conflict, holds))
        if step_of(conflict) is OPPONENT and not after.result:
            active = after.turn.active if after.turn else ""
            if active and after.fighters[active].out:
                raise IllegalChoice(Reason("named-for-turn", who=active))
        return after

    return Clause(kind, follow, form)


def _aftermath(before: Conflict, said: Conflict) -> Conflict:
    """Apply the rules after the GM's word over a character. A character that came back is no longer
    bound (R12). A combo ends if its victim is out, or no foe who is in could follow up (R3). A side
    whose members are all out has lost; if one is back, it has not (R10)."""
    after = said
    for name, fighter in said.fighters.items():
        if before.fighters[name].out and not fighter.out:
            after = of.unbound(after, name)
    if after.run and not run_stands(after, after.fighters, after.run):
        after = replace(after, run=None)
    if after.result and after.result.reason is Ending.MINOR:
        return after
    result = result_of_sides(after, after.fighters)
    return turns.ended(after, result) if result else replace(after, result=None)


def _of_nobody(kind: type[Holds], change: Change, form: Form[Conflict]) -> Clause[Conflict]:
    def follow(conflict: Conflict, holds: Any) -> Conflict:
        said = change(conflict, holds)
        return said if said.result else go_on(said)

    return Clause(kind, follow, form)


def _everybody(fields: Callable[[Conflict, str], tuple[Field, ...]]) -> Form[Conflict]:
    return of_each(lambda conflict: conflict.fighters, fields)


def _energy(conflict: Conflict, name: str) -> tuple[Field, ...]:
    return w.energy_fields(conflict.fighters[name].energy, conflict.scene.sheets[name].max)


def _moves(conflict: Conflict, name: str) -> tuple[Field, ...]:
    known = map(str, conflict.scene.sheets[name].moves)
    return (several("moves", "move", known, map(str, conflict.fighters[name].face_up)),)


def _gifted(conflict: Conflict) -> list[str]:
    return [name for name, sheet in conflict.scene.sheets.items() if sheet.specials]


def _specials(conflict: Conflict, name: str) -> tuple[Field, ...]:
    left = left_of(conflict, name)
    return w.special_fields({str(s): s in left for s in conflict.scene.sheets[name].specials})


def _combo(conflict: Conflict) -> tuple[Field, ...]:
    """End a live combo, or lay moves of the other side against a victim."""
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


def _turn(conflict: Conflict) -> tuple[Field, ...]:
    turn = turn_of(conflict)
    return (one("winner", "winner", (turn.active, turn.opponent, None)),)


def _loss(conflict: Conflict) -> tuple[Field, ...]:
    """All who are still in, with the turn's losers first."""
    lost = {name: loss.total for name, loss in verdict_of(conflict).losses.items()}
    names = sorted(conflict.still_in(), key=lambda name: name not in lost)
    most = {name: conflict.fighters[name].energy.total for name in names}
    return each_of(names, lambda n: (number("points", first=lost.get(n, 0), most=most[n]),))


CLAUSES = (
    _of_somebody(w.EnergyIs, of.energy, _everybody(_energy)),
    _of_somebody(
        w.OutIs, of.out, _everybody(lambda c, name: (flag("out", first=not c.fighters[name].out),))
    ),
    _of_somebody(
        w.DeadIs,
        of.dead,
        _everybody(lambda c, name: (flag("dead", first=not c.fighters[name].dead),)),
    ),
    _of_somebody(w.DisadvantageIs, of.disadvantage, _everybody(_moves)),
    _of_somebody(w.SpecialIs, of.special, of_each(_gifted, _specials)),
    _of_somebody(
        w.TurnsIs,
        of.turns,
        _everybody(lambda c, n: (number("turns", first=c.fighters[n].turns, most=w.MOST_TURNS),)),
    ),
    _of_somebody(w.IsFree, of.free, of_each(lambda c: filter(c.bond, c.fighters))),
    _of_nobody(w.ComboIs, turns.combo, _combo),
    _of_nobody(w.TurnIs, turns.turn, _turn),
    _of_nobody(w.LossIs, turns.loss, _loss),
    _of_nobody(w.EndIs, turns.end, lambda c: (one("winner", "side", (None, *c.scene.sides)),)),
)
OF_SOMEBODY = tuple(each.kind for each in CLAUSES if each.kind not in w.OF_NOBODY)
WORD = GmsWord(clauses=CLAUSES, open_now=open_now, not_now=not_now)
