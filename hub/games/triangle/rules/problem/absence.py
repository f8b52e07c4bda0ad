"""Continue a problem without a character whose player has left."""

from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.problem.state import ProblemState, candidates
from hub.games.triangle.rules.problem.steps import OPTION, SUBSTITUTE, step_of


def leave(state: ProblemState, actor: str) -> ProblemState:
    """Return the problem without this character; unchanged if it is not awaited. Raises
    :class:`IllegalChoice` if no character would be left to choose, and once the problem is over."""
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
    """Return the problem with this character back in. Raises :class:`IllegalChoice` if it should
    have shown a number and the numbers are already shown."""
    if actor not in {*state.left, *state.refused}:
        return state
    if step_of(state) is not OPTION:
        raise IllegalChoice(Reason("back-next-scene", who=actor))
    interested = {*state.interested, actor}
    left = tuple(name for name in state.left if name != actor)
    return replace(state, interested=tuple(n for n in state.players if n in interested), left=left)
