"""Both editions of Iron Triangle, turn by turn: scripts, and the game step by step."""

from typing import Any

import pytest

from hub.games.game import Choice
from hub.games.registry import game_of
from hub.games.triangle.rules.edition import Edition
from tests.rules.duel import play, play_until_fault, setup, turn
from tests.rules.walk import with_let_be
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E

EACH = pytest.mark.parametrize(
    "edition", [IRON_TRIANGLE, IRON_TRIANGLE_1E], ids=lambda edition: edition.id
)
ALONE = {"players": ["ada"], "gm": ["ninja"]}
LOST_LOW = turn("ninja", "ada", "defend-mid", "attack-low")
"""Ada has lost with attack-low."""


def played(edition: Edition, *turns: Any, **keys: Any) -> list[dict[str, Any]]:
    """The result of each turn, without the closing."""
    return play({**setup(edition=edition, **keys), "turns": list(turns)})[:-1]


def refusal(edition: Edition, *turns: Any, **keys: Any) -> str:
    """The reason why the last turn is refused; those before it must be legal."""
    found, fault = play_until_fault({**setup(edition=edition, **keys), "turns": list(turns)})
    assert fault is not None and len(found) == len(turns) - 1
    return str(fault.faults[0].reason)


def begun(edition: Edition, **keys: Any) -> tuple[Any, Any]:
    game = game_of(edition.id)
    return game, game.begin(setup(edition=edition, **keys))


def go(game: Any, state: Any, **chosen: str) -> Any:
    """The state after these choices; bystanders decline to bear a loss."""
    choices = {name: Choice.parse(text) for name, text in chosen.items()}
    return game.advance(state, with_let_be(state, choices))


def fought(game: Any, state: Any, one: str, other: str, mine: str, theirs: str) -> Any:
    """Play a turn from the naming of the active character until its moves are revealed."""
    (who,) = game.pending(state).must
    state = go(game, state, **{who: f"active {one}"})
    if game.pending(state).step == "opponent":
        state = go(game, state, **{one: f"opponent {other}"})
    state = go(game, state, **{one: "stance none", other: "stance none"})
    return go(game, state, **{one: f"move {mine}", other: f"move {theirs}"})
