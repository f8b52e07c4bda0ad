"""Which of the GM's words are open at a step of a conflict, and what each leads to (R11).

While cards are being sealed nothing can be overruled: it could make a sealed card illegal, and
nobody may learn which. After a reveal, as long as the losses of the turn are not settled, it is
their winner and their amount that can be said; between turns everything else.
"""

from hub.rules.faults import shown
from hub.rules.game import IllegalChoice, Kind
from hub.rules.reasons import Reason
from hub.rules.triangle.conflict import Conflict, Outcome
from hub.rules.triangle.overrule import word as w
from hub.rules.triangle.overrule.aftermath import aftermath
from hub.rules.triangle.overrule.characters import CHARACTER
from hub.rules.triangle.overrule.turns import GENERAL
from hub.rules.triangle.steps import FIRST, JUDGED, NEXT, OPPONENT, VERDICT, go_on, step_of
from hub.rules.words import Holds, tag

BETWEEN = (FIRST, NEXT, OPPONENT)
SETTLING = (w.TurnIs, w.LossIs, w.EndIs)


def open_now(conflict: Conflict) -> tuple[type[Holds], ...]:
    """What can be said now."""
    step = step_of(conflict)
    if step is None or step.kind is Kind.SEALED:
        return ()
    if step in BETWEEN:
        return (*CHARACTER, w.ComboIs, w.EndIs)
    if step is VERDICT:
        return (*CHARACTER, w.EndIs)
    verdict = conflict.turn.verdict if conflict.turn else None
    if step in JUDGED and verdict and verdict.outcome is not Outcome.SURRENDER:
        return SETTLING
    return (w.EndIs,)


# book: specials.in-question
def overrule(conflict: Conflict, holds: w.InConflicts) -> Conflict:
    """The conflict as the GM says. Raises :class:`IllegalChoice` with one sentence."""
    if type(holds) not in open_now(conflict):
        raise IllegalChoice(not_now(conflict, type(holds), holds.clause))
    if type(holds) in GENERAL:
        said = GENERAL[type(holds)](conflict, holds)
        return said if said.result else go_on(said)
    if holds.name not in conflict.fighters:  # type: ignore[union-attr]
        raise nobody(conflict, holds.name)  # type: ignore[union-attr]
    after = aftermath(conflict, CHARACTER[type(holds)](conflict, holds))
    if step_of(conflict) is OPPONENT and not after.result:
        active = after.turn.active if after.turn else ""
        if active and after.fighters[active].out:
            raise IllegalChoice(Reason("named-for-turn", who=active))
    return after


def nobody(conflict: Conflict, name: str) -> IllegalChoice:
    """The refusal of somebody who is not there."""
    general = [*map(tag, GENERAL)]
    return IllegalChoice(
        Reason("nobody-begins-with", name=shown(name), names=[*conflict.fighters], words=general)
    )


def not_now(conflict: Conflict, kind: type[Holds], clause: str) -> Reason:
    """Why this cannot be said now; ``clause``: what it is called."""
    step = step_of(conflict)
    if step is None:
        return Reason("conflict-over")
    if step.kind is Kind.SEALED:
        return Reason("cards-sealed")
    now = open_now(conflict)
    if now == (w.EndIs,):
        return Reason("settle-first", clause=clause)
    if now == SETTLING:
        return Reason("turn-settled-first", clause=clause)
    if kind is w.ComboIs:
        return Reason("only-winner-left")
    return Reason("said-in-losses", clause=clause)
