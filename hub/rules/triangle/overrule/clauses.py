"""Which of the GM's words are open at a step of a conflict, and what each leads to (R11).

While cards are being sealed nothing can be overruled: it could make a sealed card illegal, and
nobody may learn which. After a reveal, as long as the losses of the turn are not settled, it is
their winner and their amount that can be said; between turns everything else.
"""

from hub.rules.game import IllegalChoice, Kind
from hub.rules.triangle.conflict import Conflict, Outcome
from hub.rules.triangle.edition import Action
from hub.rules.triangle.overrule.aftermath import aftermath
from hub.rules.triangle.overrule.characters import CHARACTER, ENERGY
from hub.rules.triangle.overrule.turns import COMBO, END, GENERAL, LOSS, TURN
from hub.rules.triangle.overrule.written import name_first, without_why
from hub.rules.triangle.reading import shown
from hub.rules.triangle.steps import FIRST, JUDGED, NEXT, OPPONENT, VERDICT, go_on, step_of

BETWEEN = (FIRST, NEXT, OPPONENT)


def overrules(conflict: Conflict) -> tuple[str, ...]:
    """The clauses that are open now."""
    step = step_of(conflict)
    if step is None or step.kind is Kind.SEALED:
        return ()
    if step in BETWEEN:
        return (*CHARACTER, COMBO, END)
    if step is VERDICT:
        return (*CHARACTER, END)
    verdict = conflict.turn.verdict if conflict.turn else None
    if step in JUDGED and verdict and verdict.outcome is not Outcome.SURRENDER:
        return (TURN, LOSS, END)
    return (END,)


def overrule_problem(conflict: Conflict, text: str) -> str | None:
    """Why the GM's word cannot be taken like this now; None if it can."""
    try:
        overrule(conflict, text)
    except IllegalChoice as error:
        return str(error)
    return None


def overrule(conflict: Conflict, text: str) -> Conflict:
    """The conflict as the GM says. Raises :class:`IllegalChoice` with one sentence."""
    name, clause, rest = _read(conflict, without_why(text))
    if clause not in overrules(conflict):
        raise IllegalChoice(_not_now(conflict, clause))
    if not name:
        said = GENERAL[clause](conflict, rest)
        return said if said.result else go_on(said)
    after = aftermath(conflict, CHARACTER[clause](conflict, name, rest))
    if step_of(conflict) is OPPONENT and not after.result:
        active = after.turn.active if after.turn else ""
        if active and after.fighters[active].out:
            raise IllegalChoice(
                f"{active} has been named for this turn; undo, and say it before somebody is named"
            )
    return after


def _read(conflict: Conflict, what: str) -> tuple[str, str, str]:
    """Whom it is about, if anybody; the clause; and what it says."""
    name, rest = name_first([*conflict.fighters], what)
    word, _, said = rest.partition(" ")
    if name and word in [*Action]:
        return name, ENERGY, rest
    if name and word in CHARACTER and word != ENERGY:
        return name, word, said.strip()
    word, _, said = what.partition(" ")
    if word in GENERAL:
        return "", word, said.strip()
    if name:
        kinds = ", ".join(each for each in CHARACTER if each != ENERGY)
        raise IllegalChoice(f"after {name} comes energy such as 'attack 3 defend 2', or {kinds}")
    raise IllegalChoice(
        f"nobody here is called {shown(word)} (begin with {', '.join(conflict.fighters)}, "
        f"or with {', '.join(GENERAL)})"
    )


def _not_now(conflict: Conflict, clause: str) -> str:
    step = step_of(conflict)
    if step is None or step.kind is Kind.SEALED:
        return "cards are being sealed; overrule after the reveal, or undo to before it"
    now = overrules(conflict)
    if now == (END,):
        return f"settle this first, and say '{clause}' then; '{END}' can be said now"
    if TURN in now:
        return f"the turn is being settled: say {', '.join(now)} now, and '{clause}' after it"
    if clause == COMBO:
        return "the conflict is over but for its winner; name it, or undo"
    return (
        f"'{clause}' is said while the losses of a turn are being settled; now say what "
        "somebody has, such as 'NAME attack 3', or undo"
    )
