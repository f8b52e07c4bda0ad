"""What a state asks is worked out once, however many questions the table puts to it."""

from typing import Any

import pytest

from hub.games.game import GM, Choice
from hub.games.registry import game_of
from tests.support.tabletalk import DUEL

GAME: Any = game_of("unroll")


def stances() -> Any:
    """A turn at its stances, which are sealed."""
    state = GAME.advance(GAME.begin(DUEL), {GM: Choice("active", "ada")})
    return GAME.advance(state, {"ada": Choice("opponent", "ninja")})


def test_a_state_is_asked_for_its_step_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, step_of = [], GAME.step_of
    monkeypatch.setattr(GAME, "step_of", lambda state: asked.append(state) or step_of(state))
    state = GAME.begin(DUEL)
    assert GAME.pending(state).must == (GM,)
    assert GAME.offers(state, GM)
    assert GAME.why_not(state, GM, Choice("active", "ada")) is None
    assert GAME.why_not(state, GM, Choice("active", "nobody"))
    GAME.advance(state, {GM: Choice("active", "ada")})
    assert asked == [state]


def test_an_open_choice_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    state, judged = GAME.begin(DUEL), []
    step = type(GAME.step_of(state))
    why_not = step.why_not

    def noted(self: Any, conflict: Any, actor: str, value: str) -> Any:
        judged.append(value)
        return why_not(self, conflict, actor, value)

    monkeypatch.setattr(step, "why_not", noted)
    for name in ("ada", "bo"):
        GAME.why_not(state, GM, Choice("active", name))
    GAME.advance(state, {GM: Choice("active", "bo")})
    assert judged == ["ada", "bo"]


def test_a_sealed_choice_is_not_kept() -> None:
    state = stances()
    assert GAME.why_not(state, "ada", Choice("stance", "attack 1")) is None
    assert GAME.asked(state).judged == {}
