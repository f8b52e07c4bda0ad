"""Combos, by hand from both editions of Iron Triangle, in cases that tell rules apart."""

from typing import Any

import pytest

from hub.games.game import Choice, IllegalChoice
from hub.games.triangle.rules.edition import Edition
from tests.rules.bout import ALONE, EACH, begun, fought, go, played, refusal
from tests.rules.duel import turn

KNOWS = {
    "attack-low": ["defend-high"],
    "defend-high": ["grapple-mid"],
    "grapple-mid": ["attack-high"],
    "attack-mid": ["grapple-high"],
}
WON = turn("ada", "ninja", "attack-low", "grapple-mid")


def combo(edition: Edition, *turns: Any, bo: Any = None) -> list[dict[str, Any]]:
    return played(
        edition, *turns, characters={"ada": {"combos": KNOWS}, "bo": {"combos": bo or {}}}
    )


@pytest.mark.book("combo.begins", "combo.ends", of=["iron-triangle", "iron-triangle-1e"])
@EACH
@pytest.mark.parametrize(
    ("second", "bonus", "lies"),
    [
        (turn("ada", "ninja", "defend-high", "attack-mid"), 1, ["attack-low", "defend-high"]),
        (turn("ada", "ninja", "grapple-high", "defend-low"), 0, None),  # follows another move
        (turn("ada", "ninja", "attack-mid", "grapple-low"), 0, ["attack-mid"]),  # starts again
    ],
    ids=["a follow-up", "a follow-up of another move", "a start of its own"],
)
def test_only_a_follow_up_of_the_last_winning_move_continues(
    edition: Edition, second: Any, bonus: int, lies: list[str] | None
) -> None:
    """Combos: a move that does not combo ends the run, and may begin a new one."""
    first = {**WON, "next": {"agreed": "ada"}}
    found = combo(edition, first, second)[1]
    assert found["loss"]["ninja"]["combo"] == bonus
    assert (found["combo"] and found["combo"]["moves"]) == lies


@pytest.mark.book("combo.begins", "combo.other-opponent", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_a_combo_needs_the_same_opponent_in_the_next_turn(edition: Edition) -> None:
    """Combos: 'the immediately prior turn was a loss for your opponent'."""
    other = turn("ada", "oni", "defend-high", "attack-mid")
    found = combo(edition, {**WON, "next": {"agreed": "ada"}}, other)[1]
    assert found["loss"]["oni"]["combo"] == 0
    assert found["combo"] == {"victim": "oni", "moves": ["defend-high"]}
    between = turn("bo", "oni", "attack-mid", "grapple-low")
    late = turn("ada", "ninja", "defend-high", "attack-mid")
    found = combo(edition, WON, {**between, "next": {"agreed": "ada"}}, late)[2]
    assert found["loss"]["ninja"]["combo"] == 0


@pytest.mark.book("combo.begins", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_a_victim_cannot_continue_the_combo_against_it(edition: Edition) -> None:
    """Combos: ninja wins with a move it knows as a follow-up of ada's winning move."""
    game, state = begun(edition, characters={n: {"combos": KNOWS} for n in ("ada", "ninja")})
    state = fought(game, state, "ada", "ninja", "attack-low", "grapple-mid")
    state = go(game, state, ninja="split attack 3")
    assert state.run.last.id == "attack-low"
    state = fought(game, state, "bo", "ninja", "attack-low", "defend-high")
    (loss,) = game.view(state).turn.losses.values()
    assert (game.view(state).turn.winner, loss.combo, loss.total) == ("ninja", 0, 2)


@pytest.mark.book(
    "combo.three-wins",
    "combo.grows",
    "combo.ally",
    "example-combo.ally",
    of=["iron-triangle", "iron-triangle-1e"],
)
@EACH
def test_three_wins_in_a_row_add_a_point_each_then_the_turn_passes(edition: Edition) -> None:
    """Combos: the run counts as one turn; an ally continues if it knows a follow-up."""
    turns = (
        turn("bo", "oni", "attack-mid", "grapple-low"),
        WON,
        turn("ada", "ninja", "defend-high", "attack-mid"),
        turn("ada", "ninja", "grapple-mid", "defend-low"),
    )
    bos = {"grapple-mid": ["defend-mid"]}
    found = combo(edition, *turns, bo=bos)
    assert [each["may_act"] for each in found] == [["ada"], ["ada", "bo"], ["ada", "bo"], ["bo"]]
    assert [each["loss"].get("ninja", {}).get("combo") for each in found] == [None, 0, 1, 2]
    assert found[3]["combo"]["moves"] == ["attack-low", "defend-high", "grapple-mid"]
    knows = combo(edition, *turns, turn("bo", "ninja", "defend-mid", "attack-high"), bo=bos)[4]
    adas = combo(edition, *turns, turn("bo", "ninja", "attack-high", "grapple-high"), bo=bos)[4]
    assert knows["loss"]["ninja"]["combo"] == 3
    assert adas["loss"]["ninja"]["combo"] == 0, "that follow-up is ada's alone"


@pytest.mark.book("combo.one-turn", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_a_kept_turn_is_not_counted(edition: Edition) -> None:
    """Combos: two wins of one turn, and then bo, who has had no turn."""
    lost = turn("ada", "ninja", "grapple-mid", "attack-low")
    turns = (WON, turn("ada", "ninja", "defend-high", "attack-mid"), lost)
    found = combo(edition, *turns, turn("ninja", "bo", "attack-mid", "defend-low"))
    assert [each["winner"] for each in found] == ["ada", "ada", "ninja", "bo"]
    assert found[3]["may_act"] == ["bo"]
    both = combo(edition, turn("bo", "oni", "attack-mid", "grapple-low"), *turns,
                 turn("ninja", "bo", "attack-mid", "defend-low"))[4]  # fmt: skip
    assert both["may_act"] == ["ada", "bo"], "one turn each"


@pytest.mark.book("combo.face-up", of=["iron-triangle", "iron-triangle-1e"])
@EACH
@pytest.mark.parametrize("card", ["attack-low", "defend-high"])
def test_the_cards_of_a_combo_cannot_be_played(edition: Edition, card: str) -> None:
    """Combos: 'this does restrict your available moves', and only for the player who laid them."""
    second = turn("ada", "ninja", "defend-high", "attack-mid")
    third = turn("ada", "ninja", card, "grapple-spin")
    both = {"ada": {"combos": KNOWS}}
    assert f"{card} is face up" in refusal(edition, WON, second, third, characters=both)
    ninjas = turn("ada", "ninja", "grapple-mid", card)
    assert played(edition, WON, second, ninjas, characters=both)


@pytest.mark.book("combo.given-up", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_only_its_own_side_can_end_a_combo(edition: Edition) -> None:
    """Combos: 'a player can voluntarily end the combo before choosing a move'."""
    game, state = begun(edition, sides=ALONE, characters={"ada": {"combos": KNOWS}})
    state = fought(game, state, "ada", "ninja", "attack-low", "grapple-mid")
    state = go(game, state, ninja="split attack 3")
    state = go(game, go(game, state, ada="active ada"), ada="opponent ninja")
    with pytest.raises(IllegalChoice, match="only ada may end it"):
        game.declare(state, "ninja", Choice("end-combo"))
    ended = game.declare(state, "ada", Choice("end-combo"))
    assert "attack-low" not in game.view(state).characters["ada"].available
    assert "attack-low" in game.view(ended).characters["ada"].available
    assert (ended.run, ended.fighters["ada"].turns) == (None, state.fighters["ada"].turns + 1)
