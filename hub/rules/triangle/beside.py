"""Specials beside a step: who may lay one, which lie together, who may ask (R11, R12)."""

from collections.abc import Iterator, Mapping, Sequence

from hub.rules.game import Choice, IllegalChoice, Kind, Offer
from hub.rules.triangle.conflict import Conflict
from hub.rules.triangle.special_steps import SPECIAL
from hub.rules.triangle.step import Step, turn_of
from hub.rules.triangle.turn import judge_again
from hub.rules.triangle.windows import (
    BEFORE,
    MOMENTS,
    MOVE,
    OPPONENT,
    STANCE,
    bystanders,
    cards,
    may_use,
    read_use,
    show,
    why_not_window,
)


def may_lay(state: Conflict, step: Step) -> tuple[str, ...]:
    """Who could set a special beside the step, as far as everybody knows."""
    if not step.beside:
        return ()
    turn = turn_of(state)
    if step.window != MOVE:
        return bystanders(state, turn)
    return tuple(name for name in state.fighters if may_use(state, turn, MOVE, name))


def why_not_special(state: Conflict, actor: str, step: Step, text: str) -> str | None:
    """Why a special cannot be set down beside this step."""
    turn = state.turn
    if turn is None or step.window not in MOMENTS:
        return f"specials are set down before a choice of the turn; a {step.word} is awaited now"
    if actor not in state.fighters:
        return f"{actor} is no character"
    if why := why_not_window(state, turn, step.window, actor, text):
        return why
    return None if step.beside else f"say 'use' first: then {text} is laid, and shown at once"


def special_offers(state: Conflict, step: Step, actor: str) -> Iterator[Offer]:
    """The specials of an actor, each with why it cannot be set beside this step."""
    for card in cards(state, turn_of(state), step.window, actor):
        why = why_not_special(state, actor, step, card)
        yield Offer(Choice(SPECIAL, card), why or "")


def lay_all(state: Conflict, step: Step, beside: Mapping[str, Sequence[Choice]]) -> Conflict:
    """What lay beside the step is shown, each card judged beside its player's earlier ones.

    Raises :class:`IllegalChoice` at the first that may not lie there.
    """
    for actor, choices in beside.items():
        for choice in choices:
            if choice.kind != SPECIAL or not step.beside or step.kind is not Kind.SEALED:
                raise IllegalChoice(f"a {choice.kind} cannot be set beside a {step.word}")
            if why := why_not_special(state, actor, step, choice.value):
                raise IllegalChoice(why)
            turn = turn_of(state)
            state = show(state, turn, [read_use(state, turn, MOVE, actor, choice.value)])
    return state


def lay_openly(state: Conflict, step: Step, actor: str, text: str) -> Conflict:
    """A special is laid beside what is lost, and changes it at once (R17)."""
    turn = turn_of(state)
    use = read_use(state, turn, step.window, actor, text)
    shown = show(state, turn, [use])
    return judge_again(shown, turn_of(shown), use)


def why_not_ask(state: Conflict, actor: str) -> str | None:
    """Why nobody need lay a special because of this actor (R11)."""
    if actor not in state.fighters:
        return f"{actor} is no character"
    turn = turn_of(state)
    window = STANCE if turn.opponent else OPPONENT
    if may_use(state, turn, window, actor):
        return None
    return f"{actor} has no special left for the moment before choosing {BEFORE[window]}"
