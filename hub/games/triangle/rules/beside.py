"""Specials set down beside another step's cards: who may lay one, and which (R11, R12)."""

# ruff: noqa: D102  (what each method means is said once, on Beside)

from collections.abc import Iterator

from hub.games.game import Choice, Kind, Offer
from hub.games.steps import Beside
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules import windows
from hub.games.triangle.rules.conflict import Conflict
from hub.games.triangle.rules.special_steps import SPECIAL
from hub.games.triangle.rules.step import Step, turn_of
from hub.games.triangle.rules.turn import judge_again


class Specials(Beside[Conflict]):
    """Specials beside the other cards of a step. Their window has the step's name."""

    word = SPECIAL

    def may(self, state: Conflict, step: Step) -> tuple[str, ...]:
        turn = turn_of(state)
        if step.name != windows.MOVE:
            return windows.bystanders(state, turn)
        return tuple(n for n in state.fighters if windows.may_use(state, turn, step.name, n))

    def why_not(self, state: Conflict, step: Step, actor: str, value: str) -> Reason | None:
        turn = state.turn
        if turn is None or step.name not in windows.MOMENTS:
            return Reason("specials-not-here", what=step.word)
        if actor not in state.fighters:
            return Reason("no-character", who=actor)
        if why := windows.why_not_window(state, turn, step.name, actor, value):
            return why
        return None if step.beside else Reason("say-use-first", special=value)

    def offers(self, state: Conflict, step: Step, actor: str) -> Iterator[Offer]:
        hears = step.kind is Kind.SEALED or actor in self.may(state, step)
        if not hears or actor not in state.fighters:
            return
        for card in windows.cards(state, turn_of(state), step.name, actor):
            why = self.why_not(state, step, actor, card)
            yield Offer(Choice(SPECIAL, card), why)

    def show(self, state: Conflict, step: Step, actor: str, value: str) -> Conflict:
        turn = turn_of(state)
        use = windows.read_use(state, turn, step.name, actor, value)
        return windows.show(state, turn, [use])

    def lay(self, state: Conflict, step: Step, actor: str, value: str) -> Conflict:
        """Show the special and recompute the losses at once (R17)."""
        use = windows.read_use(state, turn_of(state), step.name, actor, value)
        shown = self.show(state, step, actor, value)
        return judge_again(shown, turn_of(shown), use)
