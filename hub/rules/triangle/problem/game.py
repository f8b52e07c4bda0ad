"""Problems at the table: the Game protocol over the steps of R13."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from hub.rules.faults import shown
from hub.rules.game import GM, RULINGS, Choice, IllegalChoice, Kind, Offer, Pending, SetupError
from hub.rules.reading import Reader
from hub.rules.triangle.edition import Edition
from hub.rules.triangle.overrule.written import OVERRULE
from hub.rules.triangle.problem.consequences import ProblemOver, of_problem
from hub.rules.triangle.problem.overrule import overrule, overrules, why_not_overrule
from hub.rules.triangle.problem.setup import read_problem
from hub.rules.triangle.problem.state import ProblemState, vetoers
from hub.rules.triangle.problem.steps import FIRST, NEXT_HIGHEST, VETO, Step, pass_on, step_of
from hub.rules.triangle.problem.views import ProblemView, public_view

OVER = "over"


class ProblemGame:
    """A problem by one book. Every player character of the scene is an actor, as each may veto."""

    def __init__(self, book: Edition, view: type[ProblemView]) -> None:
        self.book = book
        self._view = view

    @property
    def ruleset(self) -> str:
        """The book's id, and that it is a problem."""
        return f"{self.book.id}-problem"

    def begin(self, setup: Mapping[str, Any], rulings: int = RULINGS) -> ProblemState:
        """A problem from its description. Raises :class:`SetupError` with every fault."""
        reader = Reader()
        state = read_problem(reader, self.book, self.ruleset, setup)
        if state is None:
            raise SetupError(*reader.faults)
        return state

    def actors(self, state: ProblemState) -> tuple[str, ...]:
        """The player characters."""
        return tuple(state.players)

    def sides(self, state: ProblemState) -> tuple[str, ...]:
        """None: everybody stands against the problem."""
        del state
        return ()

    def pending(self, state: ProblemState) -> Pending:
        """The step, and whom it waits for."""
        step = step_of(state)
        if step is None:
            return Pending(OVER, Kind.DECISION, (), ())
        return Pending(
            step.name, step.kind, step.must(state), (step.word,), asides=(*step.asides, OVERRULE)
        )

    def why_not(
        self, state: ProblemState, actor: str, choice: Choice, beside: Sequence[Choice] = ()
    ) -> str | None:
        """Why this is not open to the actor now, as its choice or as an open declaration."""
        step = step_of(state)
        closed = _closed(state, step, actor, choice)
        if closed is None and step is not None and choice.kind == step.word:
            return step.deceiving(state, actor, choice.value)
        return closed

    def offers(self, state: ProblemState, actor: str) -> tuple[Offer, ...]:
        """What to put before the actor: its choices in this step, and what it may declare."""
        step = step_of(state)
        if step is None:
            return ()
        own = [*_own_offers(state, step, actor)] if actor in step.must(state) else []
        declared = (
            Offer(choice)
            for choice in _asides(state, step)
            if _why_not_aside(state, actor, choice) is None
        )
        return (*own, *declared)

    def advance(
        self,
        state: ProblemState,
        choices: Mapping[str, Choice],
        chance: bytes = b"",
        beside: Mapping[str, Sequence[Choice]] = {},
    ) -> ProblemState:
        """What follows when all awaited have chosen. No chance is used, nothing lies beside."""
        step = step_of(state)
        if step is None:
            raise IllegalChoice("the problem is over")
        must = step.must(state)
        for actor in must:
            if actor not in choices:
                raise IllegalChoice(f"{actor} has not chosen: {step.word}")
        for actor, choice in choices.items():
            if choice.kind in (*step.asides, OVERRULE):
                raise IllegalChoice(f"{choice.kind} is declared openly, not chosen")
            why = _closed(state, step, actor, choice)
            if why:
                raise IllegalChoice(why)
        return step.follow(state, {actor: choices[actor].value for actor in must})

    def aside(self, state: ProblemState, actor: str, choice: Choice) -> ProblemState:
        """``next-highest``, ``first NAME`` and ``overrule …`` by the GM, ``veto`` by anybody but
        the decider."""
        step = step_of(state)
        if step is None or choice.kind not in (*step.asides, OVERRULE):
            raise IllegalChoice(f"{shown(choice.kind)} cannot be declared now")
        why = _why_not_aside(state, actor, choice)
        if why:
            raise IllegalChoice(why)
        if choice.kind == NEXT_HIGHEST:
            return pass_on(state)
        if choice.kind == OVERRULE:
            return overrule(state, choice.value)
        return replace(state, vetoer=actor if choice.kind == VETO else choice.value)

    def overrules(self, state: ProblemState) -> tuple[str, ...]:
        """The clauses of ``overrule`` that are open."""
        return overrules(state)

    def turn(self, state: ProblemState) -> int:
        """A problem is not repeated: it has one turn."""
        return 1

    def view(self, state: ProblemState) -> ProblemView:
        """The public fields."""
        step = step_of(state)
        return public_view(self._view, state, step.name if step else OVER, over=step is None)

    @property
    def view_type(self) -> type[ProblemView]:
        """The book's view."""
        return self._view

    def consequences(self, before: ProblemView | None, after: ProblemView) -> list[ProblemOver]:
        """How it ended."""
        return of_problem(before, after)


def _closed(state: ProblemState, step: Step | None, actor: str, choice: Choice) -> str | None:
    """Why this has no meaning now. A log in which something was done before anybody asked what it
    is called goes on as it was."""
    if step is None:
        return "the problem is over"
    if choice.kind in (*step.asides, OVERRULE):
        return _why_not_aside(state, actor, choice)
    if choice.kind != step.word:
        return f"{step.word} is awaited now, this is {shown(choice.kind)}"
    must = step.must(state)
    if actor not in must:
        return f"{actor} has nothing to choose now (awaited: {', '.join(must)})"
    return step.why_not(state, actor, choice.value)


def _own_offers(state: ProblemState, step: Step, actor: str) -> Iterator[Offer]:
    """The step's values. Outside the sealed step the first that is open is the sensible one."""
    default = step.kind is Kind.DECISION
    for value in step.values(state, actor):
        reason = step.why_not(state, actor, value) or ""
        yield Offer(Choice(step.word, value), reason, default=default and not reason)
        default = default and bool(reason)


def _asides(state: ProblemState, step: Step) -> Iterator[Choice]:
    """Everything that anybody could declare beside the step."""
    if NEXT_HIGHEST in step.asides:
        yield Choice(NEXT_HIGHEST)
    if VETO in step.asides:
        yield Choice(VETO)
    if FIRST in step.asides:
        yield from (Choice(FIRST, name) for name in vetoers(state))


def _why_not_aside(state: ProblemState, actor: str, choice: Choice) -> str | None:
    """Why the actor may not declare this now."""
    able = vetoers(state)
    if choice.kind == VETO:
        if actor not in able:
            return f"{actor} cannot veto this (those who can: {', '.join(able)})"
        return f"{VETO} stands alone" if choice.value else None
    if actor != GM:
        return f"only the GM ({GM}) can say {choice.kind}"
    if choice.kind == OVERRULE:
        return why_not_overrule(state, choice.value)
    if choice.kind == NEXT_HIGHEST:
        return f"{NEXT_HIGHEST} stands alone" if choice.value else None
    if choice.value == state.vetoer:
        return f"{state.vetoer} has the veto already"
    return None if choice.value in able else f"{shown(choice.value)} cannot veto this"
