"""The public view of a problem, built field by field from public data, and the consequences that
lead from one view to the next.

The sheets of player characters are public; numbers are public once they are revealed.
"""

from typing import TypeVar

from msgspec import Struct

from hub.games.game import GM, Consequence, GameView, view_of
from hub.games.triangle.rules.problem.state import (
    Because,
    Change,
    Option,
    ProblemState,
    because,
    candidates,
    changes,
    decider,
)


class PlayerView(Struct, frozen=True, kw_only=True):
    """The part of a character's sheet that counts in a problem. ``backgrounds``: background →
    points left. ``undecided``: points for backgrounds that are named in play."""

    backgrounds: dict[str, int]
    undecided: int
    belief: bool
    flaw: bool
    veto: bool
    decided: int


class ProblemResultView(Struct, frozen=True, kw_only=True):
    """How a problem ended, and the changes that it makes on sheets: character → changes."""

    decider: str
    """The character whose outcome counts, or the GM."""
    success: bool
    means: str | None
    vetoed: str | None
    """The character whose outcome was vetoed; None if there was no veto."""
    changes: dict[str, Change]


class ProblemView(GameView, frozen=True, kw_only=True):
    """A problem of one of the three books."""

    problem: str
    interested: tuple[str, ...]
    players: dict[str, PlayerView]
    options: dict[str, int] | None
    refused: tuple[str, ...]
    tied: tuple[str, ...]
    """Tied characters, among whom the GM must choose."""
    decider: str | None
    because: tuple[Because, ...]
    """Why the decider decides, or why there is none; empty before the reveal."""
    told: str | None
    let_happen: tuple[str, ...]
    """Characters who have declined to veto."""
    vetoer: str | None
    result: ProblemResultView | None


class UnrollProblemView(ProblemView, frozen=True, kw_only=True, tag="unroll-problem"):
    """A problem of Unroll."""


class TriangleProblemView(ProblemView, frozen=True, kw_only=True, tag="iron-triangle-problem"):
    """A problem of Iron Triangle, second text."""


class FirstTriangleProblemView(
    ProblemView, frozen=True, kw_only=True, tag="iron-triangle-1e-problem"
):
    """A problem of Iron Triangle, first text."""


ViewT = TypeVar("ViewT", bound=ProblemView)


def public_view(view: type[ViewT], state: ProblemState, *, over: bool) -> ViewT:
    """Return the public parts of a problem; with ``over``, the result is one of them."""
    by, tied = decider(state), candidates(state)
    options = state.options
    return view_of(
        view,
        state,
        players={name: view_of(PlayerView, player) for name, player in state.players.items()},
        options=options if options is None else {n: int(option) for n, option in options.items()},
        tied=tied if by is None else (),
        decider=by,
        because=because(state),
        told=str(state.told) if state.told else None,
        vetoer=state.vetoer or None,
        result=_result(state, by) if over else None,
    )


def _result(state: ProblemState, by: str | None) -> ProblemResultView:
    means = state.substitute or state.told
    option = (state.options or {}).get(by or "")
    return ProblemResultView(
        decider=state.vetoer or by or GM,
        success=bool(state.gm_success)
        if by is None
        else bool(state.vetoer) or option is not Option.FAILURE,
        means=str(means) if means else None,
        vetoed=by if state.vetoer else None,
        changes=changes(state),
    )


class ProblemOver(Consequence, frozen=True, kw_only=True, tag="problem-over"):
    """The problem is over, with a ``success`` or a failure. ``decider`` has told the outcome."""

    decider: str
    success: bool


def of_problem(before: ProblemView | None, after: ProblemView) -> list[ProblemOver]:
    """Return the consequence if the problem ended between these two views; else nothing."""
    if after.result is None or (before and before.result):
        return []
    return [ProblemOver(decider=after.result.decider, success=after.result.success)]
