"""Open declarations during the steps of a problem."""

# ruff: noqa: D102  (what each method of a declaration means is said once, on Declaration)

from collections.abc import Iterator

from msgspec.structs import replace

from hub.games import steps
from hub.games.game import GM
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.problem.state import ProblemState, decider, vetoers
from hub.kernel.faults import shown

Declaration = steps.Declaration[ProblemState]
VETO = "veto"
NO = "no"


# book: escalation.next-number
class NextHighest(Declaration):
    """The GM rejects a description that breaks the rules or the story; the next highest decides."""

    word = "next-highest"

    def why_not(self, state: ProblemState, actor: str, value: str) -> Reason | None:
        return not_the_gm(self, actor) or _not_alone(self, value)

    def follow(self, state: ProblemState, actor: str, value: str) -> ProblemState:
        return pass_on(state)


class Veto(Declaration):
    """A character other than the decider vetoes, or declines to. Saying veto uses it up. One who
    declines is no longer awaited, and cannot veto any more."""

    word = VETO

    def values(self, state: ProblemState) -> Iterator[str]:
        yield from ("", NO)

    def why_not(self, state: ProblemState, actor: str, value: str) -> Reason | None:
        able = vetoers(state)
        if actor not in able:
            return Reason("no-veto-but", who=actor, names=[*able])
        return None if value == NO else _not_alone(self, value)

    def follow(self, state: ProblemState, actor: str, value: str) -> ProblemState:
        if value == NO:
            return replace(state, let_happen=(*state.let_happen, actor))
        return replace(state, vetoer=actor)


# book: using-veto.two-at-once
class First(Declaration):
    """The GM records that another character said veto first."""

    word = "first"

    def values(self, state: ProblemState) -> Iterator[str]:
        yield from vetoers(state)

    def why_not(self, state: ProblemState, actor: str, value: str) -> Reason | None:
        if refused := not_the_gm(self, actor):
            return refused
        if value == state.vetoer:
            return Reason("veto-said", who=state.vetoer)
        return None if value in vetoers(state) else Reason("no-veto-here", who=shown(value))

    def follow(self, state: ProblemState, actor: str, value: str) -> ProblemState:
        return replace(state, vetoer=value)


def not_the_gm(declaration: Declaration, actor: str) -> Reason | None:
    """Why an actor other than the GM cannot make this declaration."""
    return Reason("gm-says", gm=GM, what=declaration.word) if actor != GM else None


def _not_alone(declaration: Declaration, value: str) -> Reason | None:
    return Reason("alone", what=declaration.word) if value else None


# book: escalation.next-number
def pass_on(state: ProblemState) -> ProblemState:
    """Let the decider pass; the next highest decides."""
    by = decider(state)
    return replace(state, refused=(*state.refused, *([by] if by else [])), named="")
