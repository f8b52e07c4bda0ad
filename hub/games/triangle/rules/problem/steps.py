"""The steps of a problem and its open declarations: who chooses what, and what follows (R13).

The current step follows from the state alone (:func:`step_of`).
"""

# ruff: noqa: D102  (what each method of a step means is said once, on Step)

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from hub.games import steps
from hub.games.game import GM, IllegalChoice, Kind
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.faults import naming_faults
from hub.games.triangle.rules.problem.state import (
    WAYS,
    Option,
    ProblemState,
    Way,
    background_means,
    candidates,
    decider,
    means_of,
    parse_means,
    vetoers,
    why_not_means,
)
from hub.kernel.faults import shown

Declaration = steps.Declaration[ProblemState]
VETO = "veto"
NO = "no"


# book: escalation.next-number
class NextHighest(Declaration):
    """The GM rejects what the decider would tell, and lets the next highest decide."""

    word = "next-highest"

    def why_not(self, state: ProblemState, actor: str, value: str) -> Reason | None:
        return not_the_gm(self, actor) or _not_alone(self, value)

    def follow(self, state: ProblemState, actor: str, value: str) -> ProblemState:
        return pass_on(state)


class Veto(Declaration):
    """A character other than the decider vetoes, which uses up its veto, or declines. A character
    that declines is no longer waited for, and cannot veto this outcome any more."""

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
    """The GM records that it was another character who said veto first."""

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
    """Why this actor cannot make a declaration of the GM's; None for the GM."""
    return Reason("gm-says", gm=GM, what=declaration.word) if actor != GM else None


def _not_alone(declaration: Declaration, value: str) -> Reason | None:
    return Reason("alone", what=declaration.word) if value else None


# book: escalation.next-number
def pass_on(state: ProblemState) -> ProblemState:
    """Return the problem with its decider passed over, so that the next highest decides."""
    by = decider(state)
    return replace(state, refused=(*state.refused, *([by] if by else [])), named="")


REFUSE = "refuse"
_SUBSTITUTES = (Way.IDEA, Way.BACKGROUND)
OUTCOMES = {"success": True, "failure": False}


class Step(steps.Step[ProblemState]):
    """A step of a problem. The default answer is the first legal value; a sealed step has none."""

    def default(self, state: ProblemState, actor: str) -> str | None:
        if self.kind is Kind.SEALED:
            return None
        values = self.values(state, actor)
        return next((value for value in values if not self.why_not(state, actor, value)), None)


class GmStep(Step):
    """A step in which the GM decides."""

    def must(self, state: ProblemState) -> tuple[str, ...]:
        return (GM,)


# book: problems.numbers
class OptionStep(Step):
    """All interested characters show a number from 1 to 4 at the same time."""

    name = "option"
    kind = Kind.SEALED
    word = "option"

    def must(self, state: ProblemState) -> tuple[str, ...]:
        return state.interested

    def values(self, state: ProblemState, actor: str) -> Iterator[str]:
        return (str(int(option)) for option in Option)

    def why_not(self, state: ProblemState, actor: str, value: str) -> Reason | None:
        if value not in self.values(state, actor):
            return Reason("no-option", text=shown(value))
        option, player = Option(int(value)), state.players[actor]
        if any(player.has(way) for way in WAYS[option]):
            return None
        if option is Option.BACKGROUND:
            return Reason("no-background-of", who=actor)
        return Reason("belief-and-flaw-marked", who=actor)

    def follow(self, state: ProblemState, values: Mapping[str, str], chance: bytes) -> ProblemState:
        options = {name: Option(int(values[name])) for name in state.interested}
        return replace(state, options=options)


# book: problems.gm-names
class TieStep(GmStep):
    """The GM names the decider from characters who are tied."""

    name = "tie"
    word = "decider"

    def values(self, state: ProblemState, actor: str) -> Iterator[str]:
        return iter(candidates(state))

    def why_not(self, state: ProblemState, actor: str, value: str) -> Reason | None:
        tied = candidates(state)
        return None if value in tied else Reason("not-tied", name=shown(value), names=[*tied])

    def follow(self, state: ProblemState, values: Mapping[str, str], chance: bytes) -> ProblemState:
        return replace(state, named=values[GM])


class _MeansStep(Step):
    """A step in which a player tells an outcome and names the means."""

    def ways(self, state: ProblemState, actor: str) -> tuple[Way, ...]:
        """Return the ways in which the actor can tell the outcome."""
        return _SUBSTITUTES

    def values(self, state: ProblemState, actor: str) -> Iterator[str]:
        for way in self.ways(state, actor):
            if way is Way.BACKGROUND:
                yield from background_means(state.players[actor])
            else:
                yield str(way)

    def why_not(self, state: ProblemState, actor: str, value: str) -> Reason | None:
        means = parse_means(value)
        ways = self.ways(state, actor)
        if means is None:
            return Reason("not-told-with", text=shown(value), ways=[*ways])
        return why_not_means(state.players[actor], ways, means)

    def why_not_new(self, state: ProblemState, actor: str, value: str) -> Reason | None:
        means, player = parse_means(value), state.players[actor]
        if means is None or not means.background:
            return None
        name = player.background(means.background)
        new = [name] if name not in player.backgrounds else []
        return next(naming_faults(new, player.backgrounds), None)


# book: escalation.for-nobody
class DescribeStep(_MeansStep):
    """The decider tells the outcome or refuses. The GM can pass the decider over for the next
    highest."""

    name = "describe"
    word = "describe"
    declarations = (NextHighest(),)

    def must(self, state: ProblemState) -> tuple[str, ...]:
        by = decider(state)
        return (by,) if by else ()

    def ways(self, state: ProblemState, actor: str) -> tuple[Way, ...]:
        return WAYS[(state.options or {})[actor]]

    def values(self, state: ProblemState, actor: str) -> Iterator[str]:
        yield from super().values(state, actor)
        yield REFUSE

    def why_not(self, state: ProblemState, actor: str, value: str) -> Reason | None:
        return None if value == REFUSE else super().why_not(state, actor, value)

    def follow(self, state: ProblemState, values: Mapping[str, str], chance: bytes) -> ProblemState:
        ((name, value),) = values.items()
        if value == REFUSE:
            return pass_on(state)
        return replace(state, told=means_of(state.players[name], value))


# book: using-veto.moment, using-veto.used-up
class VetoStep(GmStep):
    """Each character who still has a veto, except the decider, can use it until the GM goes on or
    all of them have declined."""

    name = "veto"
    word = "outcome"
    declarations = (Veto(),)

    def values(self, state: ProblemState, actor: str) -> Iterator[str]:
        yield "stands"

    def why_not(self, state: ProblemState, actor: str, value: str) -> Reason | None:
        return None if value == "stands" else Reason("outcome-form")

    def follow(self, state: ProblemState, values: Mapping[str, str], chance: bytes) -> ProblemState:
        return replace(state, stands=True)


# book: using-veto.replaced
class SubstituteStep(_MeansStep):
    """The character who vetoed tells a success in place of the vetoed outcome, with an idea or a
    background."""

    name = "substitute"
    word = "substitute"
    declarations = (First(),)

    def must(self, state: ProblemState) -> tuple[str, ...]:
        return (state.vetoer,)

    def follow(self, state: ProblemState, values: Mapping[str, str], chance: bytes) -> ProblemState:
        ((name, value),) = values.items()
        return replace(state, substitute=means_of(state.players[name], value))


# book: escalation.all-refuse
class OutcomeStep(GmStep):
    """The GM tells the outcome after all have refused."""

    name = "outcome"
    word = "outcome"

    def values(self, state: ProblemState, actor: str) -> Iterator[str]:
        return iter(OUTCOMES)

    def why_not(self, state: ProblemState, actor: str, value: str) -> Reason | None:
        return None if value in OUTCOMES else Reason("no-outcome", text=shown(value))

    def follow(self, state: ProblemState, values: Mapping[str, str], chance: bytes) -> ProblemState:
        return replace(state, gm_success=OUTCOMES[values[GM]])


OPTION, TIE, DESCRIBE = OptionStep(), TieStep(), DescribeStep()
VETOES, SUBSTITUTE, OUTCOME = VetoStep(), SubstituteStep(), OutcomeStep()


def step_of(state: ProblemState) -> Step | None:
    """Return the current step; None when the problem is over."""
    if state.options is None:
        return OPTION
    if state.told:
        if state.vetoer:
            return None if state.substitute else SUBSTITUTE
        return None if state.stands or not vetoers(state) else VETOES
    if decider(state):
        return DESCRIBE
    if candidates(state):
        return TIE
    return OUTCOME if state.gm_success is None else None


def leave(state: ProblemState, actor: str) -> ProblemState:
    """Return the problem without this character; unchanged if nothing depends on the character.
    Raises :class:`IllegalChoice` if no character would be left to show a number, and once the
    problem is over."""
    step = step_of(state)
    if step is OPTION and actor in state.interested:
        left = tuple(name for name in state.interested if name != actor)
        if not left:
            raise IllegalChoice(Reason("last-to-choose", who=actor))
        return replace(state, interested=left, left=(*state.left, actor))
    if step is SUBSTITUTE and actor == state.vetoer:
        return replace(state, vetoer="", substitute=None)
    if state.told is None and actor in candidates(state):
        named = "" if state.named == actor else state.named
        return replace(state, refused=(*state.refused, actor), named=named)
    if step is None:
        raise IllegalChoice(Reason("goes-on-anyway", who=actor))
    return state


def come_back(state: ProblemState, actor: str) -> ProblemState:
    """Return the problem with this character back. Raises :class:`IllegalChoice` if the character
    had left or refused, and the numbers are already shown."""
    if actor not in {*state.left, *state.refused}:
        return state
    if step_of(state) is not OPTION:
        raise IllegalChoice(Reason("back-next-scene", who=actor))
    interested = {*state.interested, actor}
    left = tuple(name for name in state.left if name != actor)
    return replace(state, interested=tuple(n for n in state.players if n in interested), left=left)
