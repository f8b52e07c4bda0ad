"""Which of the GM's words are open at a step of a conflict, and what each leads to (R11).

While cards are being sealed nothing can be overruled: it could make a sealed card illegal, and
nobody may learn which. After a reveal, as long as the losses of the turn are not settled, it is
their winner and their amount that can be said; between turns everything else.
"""

from collections.abc import Iterator

from hub.rules.faults import shown
from hub.rules.game import IllegalChoice, Kind
from hub.rules.triangle.conflict import Conflict, Outcome
from hub.rules.triangle.edition import Action
from hub.rules.triangle.names import first_that_holds, readings
from hub.rules.triangle.overrule.aftermath import aftermath
from hub.rules.triangle.overrule.characters import CHARACTER, ENERGY
from hub.rules.triangle.overrule.turns import COMBO, END, GENERAL, LOSS, TURN
from hub.rules.triangle.overrule.written import as_said
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


def why_not_overrule(conflict: Conflict, text: str) -> str | None:
    """Why the GM's word cannot be taken like this now; None if it can."""
    try:
        overrule(conflict, text)
    except IllegalChoice as error:
        return str(error)
    return None


# book: specials.in-question
def overrule(conflict: Conflict, text: str) -> Conflict:
    """The conflict as the GM says. Raises :class:`IllegalChoice` with one sentence."""
    names = [*conflict.fighters, *conflict.scene.sides]
    return as_said(names, text, lambda what: _overrule(conflict, what))


Clause = tuple[str, str, str]
"""Whom it is about, if anybody; the clause; and what it says."""


def _overrule(conflict: Conflict, what: str) -> Conflict:
    """Of several readings one that is open now goes first."""
    now = overrules(conflict)
    found = sorted(_readings(conflict, what), key=lambda reading: reading[1] not in now)
    return first_that_holds(found, lambda read: _said(conflict, read), _unread(conflict, what))


def _said(conflict: Conflict, read: Clause) -> Conflict:
    name, clause, rest = read
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


def _readings(conflict: Conflict, what: str) -> Iterator[Clause]:
    """A clause's word that stands alone is the clause, even where somebody is called like it."""
    word, _, said = what.partition(" ")
    if word in GENERAL:
        yield "", word, said.strip()
    for name, rest in readings(conflict.fighters, what):
        word, _, said = rest.partition(" ")
        if word in [*Action]:
            yield name, ENERGY, rest
        elif word in CHARACTER and word != ENERGY:
            yield name, word, said.strip()


def _unread(conflict: Conflict, what: str) -> IllegalChoice:
    """Why this is no clause at all."""
    name = next((name for name, _ in readings(conflict.fighters, what)), "")
    if name:
        kinds = ", ".join(each for each in CHARACTER if each != ENERGY)
        return IllegalChoice(f"after {name} comes energy such as 'attack 3 defend 2', or {kinds}")
    word, _, _ = what.partition(" ")
    return IllegalChoice(
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
