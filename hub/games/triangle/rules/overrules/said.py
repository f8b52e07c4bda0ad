"""When the GM can overrule something in a conflict, and what follows from it by the rules (R11).

Nothing can be overruled while cards are being sealed: that could make a sealed card illegal, and so
reveal it. From the reveal until the turn is settled, the GM can overrule its winner and its losses;
from then until the next opponent is chosen, characters and the combo; at both times, the end.
"""

from typing import Any

from msgspec.structs import replace

from hub.games.game import IllegalChoice, Kind
from hub.games.overrules import Clause, GmsWord, Holds, tag
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.conflict import Conflict, Ending, Outcome
from hub.games.triangle.rules.overrules import people, turns
from hub.games.triangle.rules.steps import FIRST, JUDGED, NEXT, OPPONENT, VERDICT, go_on, step_of
from hub.games.triangle.rules.turn import result_of_sides, run_stands
from hub.kernel.faults import shown

BETWEEN = (FIRST, NEXT, OPPONENT)
OF_SOMEBODY = tuple(each.kind for each in people.CLAUSES)
OF_NOBODY = tuple(each.kind for each in turns.CLAUSES)
SETTLING = (turns.TurnIs, turns.LossIs, turns.EndIs)


def why_not(conflict: Conflict, kind: type[Holds], clause: str) -> Reason | None:
    """Why the GM cannot make an overrule of this kind now; None if it can be made. ``clause`` is
    the overrule's name in the refusal."""
    step = step_of(conflict)
    if step is None:
        return Reason("conflict-over")
    if step.kind is Kind.SEALED:
        return Reason("cards-sealed")
    if kind is turns.EndIs:
        return None
    if step in (*BETWEEN, VERDICT):
        if kind is turns.ComboIs:
            return Reason("only-winner-left") if step is VERDICT else None
        return None if kind in OF_SOMEBODY else Reason("said-in-losses")
    verdict = conflict.turn.verdict if conflict.turn else None
    if step in JUDGED and verdict and verdict.outcome is not Outcome.SURRENDER:
        return None if kind in SETTLING else Reason("turn-settled-first", clause=clause)
    return Reason("settle-first")


def nobody(conflict: Conflict, name: str) -> IllegalChoice:
    """Return the error for an overrule about ``name``, who is not in the conflict."""
    general = [*map(tag, OF_NOBODY)]
    return IllegalChoice(
        Reason("nobody-begins-with", name=shown(name), names=[*conflict.fighters], words=general)
    )


# book: specials.in-question
def _of_somebody(clause: Clause[Conflict]) -> Clause[Conflict]:
    def follow(conflict: Conflict, holds: Any) -> Conflict:
        if holds.name not in conflict.fighters:
            raise nobody(conflict, holds.name)
        return clause.follow(conflict, holds)

    return replace(clause, follow=follow)


def _after(before: Conflict, said: Conflict, holds: Holds) -> Conflict:
    if type(holds) in OF_NOBODY:
        return said if said.result else go_on(said)
    after = _aftermath(before, said)
    if step_of(before) is OPPONENT and not after.result:
        active = after.turn.active if after.turn else ""
        if active and after.fighters[active].out:
            raise IllegalChoice(Reason("named-for-turn", who=active))
    return after


def _aftermath(before: Conflict, said: Conflict) -> Conflict:
    """Apply the rules after an overrule about a character. A character that came back is no longer
    bound (R12). A combo ends if its victim is out, or if no foe who is in could follow up (R3). A
    side whose members are all out has lost; if one is back, it has not (R10)."""
    after = said
    for name, fighter in said.fighters.items():
        if before.fighters[name].out and not fighter.out:
            after = people.unbound(after, name)
    if after.run and not run_stands(after, after.fighters, after.run):
        after = replace(after, run=None)
    if after.result and after.result.reason is Ending.MINOR:
        return after
    result = result_of_sides(after, after.fighters)
    return turns.ended(after, result) if result else replace(after, result=None)


WORD = GmsWord(
    clauses=(*map(_of_somebody, people.CLAUSES), *turns.CLAUSES), why_not=why_not, after=_after
)
