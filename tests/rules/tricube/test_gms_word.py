"""The GM overrules a tale: no overrule loses anything."""

import json
from typing import Any

import pytest

from hub.games.game import GM, Choice, IllegalChoice, Word
from hub.games.tricube.rules.table import Table
from tests.rules.tricube.wander import GAME

PEOPLE: dict[str, Any] = {
    "ada": {"trait": "agile", "concept": "ranger", "perks": ["rope"], "quirks": ["greedy"]},
    "bo": {"trait": "brawny", "concept": "priest", "perks": ["song"], "resolve": 1},
}


def scene(**more: Any) -> Table:
    state: Table = GAME.begin({"characters": PEOPLE, "dice": "hand"} | more)
    return state


def go(state: Table, *steps: dict[str, str]) -> Table:
    for each in steps:
        chosen = {who: Choice.parse(text, 1000) for who, text in each.items()}
        state = GAME.advance(state, chosen)
    return state


def held(state: Table, what: str, **holds: Any) -> Table:
    given = Word(holds={"what": what, **holds}, because="so")
    found: Table = GAME.overrule(state, GAME.word(state, given))
    return found


def called(state: Table, *rollers: str, challenge: Any = "wall", **more: Any) -> Table:
    said = {"challenge": challenge, "type": "agile", "rollers": {who: {} for who in rollers}}
    return go(state, {GM: f"call {json.dumps(said | more)}"})


WALL = {"wall": {"effort": 3}}
NO_PERKS = {who: {**each, "perks": []} for who, each in PEOPLE.items()}


def at_the_price(dice: str = "2 3") -> Table:
    state = scene(challenges=WALL, characters=NO_PERKS)
    return go(called(state, "bo"), {"bo": "approach plain"}, {"bo": f"dice {dice}"})


@pytest.mark.book("c15.changed")
def test_corrected_dice_are_judged_again() -> None:
    state = at_the_price()
    assert GAME.pending(state).step == "price"
    after = held(state, "dice", name="bo", dice=[5, 6])
    assert GAME.pending(after).step == "scene"
    assert after.tale.challenges["wall"].left == 1
    assert after.tale.characters["bo"].resolve == 1


def test_correcting_dice_takes_back_the_rolls_settlement() -> None:
    state = go(at_the_price(), {GM: "price"})
    assert GAME.pending(state).step == "fate"
    after = held(state, "dice", name="bo", dice=[1, 5])
    assert GAME.pending(after).step == "scene"
    assert after.tale.characters["bo"].resolve == 1
    assert after.tale.challenges["wall"].left == 2


def test_correcting_dice_restores_removed_tokens() -> None:
    state = scene(challenges={"wall": {"effort": 1}}, characters=NO_PERKS)
    state = go(called(state, "bo"), {"bo": "approach plain"}, {"bo": "dice 5 5"})
    assert GAME.pending(state).step == "victor"
    after = held(state, "dice", name="bo", dice=[2, 2])
    assert GAME.pending(after).step == "price"
    assert (after.tale.challenges["wall"].left, after.tale.challenges["wall"].over) == (1, False)


@pytest.mark.parametrize("effort", [0, 1])
def test_a_challenge_overcome_by_an_earlier_roll_stays_overcome(effort: int) -> None:
    """The dice of a later roll of the same call are corrected (C16)."""
    people = NO_PERKS | {"bo": NO_PERKS["bo"] | {"quirks": ["loud"], "karma": 1}}
    state = scene(challenges={"wall": {"effort": effort}}, characters=people)
    state = go(called(state, "ada", "bo"), {"ada": "approach plain", "bo": "approach quirk loud"})
    state = go(state, {"ada": "dice 6 6 2", "bo": "dice 6 6"})
    if effort:
        state = go(state, {"ada": "told"})
    assert GAME.pending(state).step == "regain"
    after = held(state, "dice", name="bo", dice=[6, 2])
    wall = after.tale.challenges["wall"]
    assert (wall.left, wall.over) == (0, True)
    assert GAME.pending(after).step == "regain"
    after = held(after, "dice", name="bo", dice=[2, 2])
    assert after.tale.challenges["wall"].over


def test_an_overruled_difficulty_is_for_this_roll_alone() -> None:
    after = held(at_the_price("4 4"), "difficulty", name="bo", difficulty=4)
    assert after.tale.challenges["wall"].left == 1
    assert after.tale.challenges["wall"].difficulty == 5


def test_a_cancelled_roll_costs_nothing() -> None:
    state = scene(challenges=WALL)
    state = go(called(state, "bo"), {"bo": "approach plain"}, {"bo": "dice 4 3"})
    assert GAME.pending(state).step == "karma"
    state = go(state, {"ada": 'karma {"perks":["rope"],"for":"bo"}', "bo": "karma none"})
    assert GAME.pending(state).step == "scene"
    with pytest.raises(IllegalChoice, match="no roll is being made"):
        held(state, "no-roll")
    state = go(called(state, "bo"), {"bo": "approach plain"}, {"bo": "dice 3 3"})
    assert GAME.pending(state).step == "price"
    after = held(state, "no-roll")
    assert GAME.pending(after).step == "scene"
    assert after.tale == state.tale


def test_a_character_put_out_is_not_awaited() -> None:
    state = called(scene(challenges=WALL), "ada", "bo")
    assert GAME.pending(state).must == ("ada", "bo")
    state = held(state, "out", name="ada")
    assert GAME.pending(state).must == ("bo",)
    state = held(state, "dead", name="bo")
    assert GAME.pending(state).step == "scene"
    state = held(held(state, "dead", name="bo", dead=False), "out", name="ada", out=False)
    assert GAME.pending(called(state, "ada", "bo")).must == ("ada", "bo")


def test_restored_resolve_undoes_a_defeat() -> None:
    state = go(at_the_price(), {GM: "price"})
    assert GAME.pending(state).step == "fate"
    after = held(state, "tokens", name="bo", resolve=2)
    assert GAME.pending(after).step == "scene"
    assert after.tale.characters["bo"].afflictions == ()


def test_a_seal_that_no_longer_fits_is_asked_for_again() -> None:
    state = called(scene(challenges=WALL), "ada")
    before = GAME.pending(state).anew
    after = held(state, "no-quirk", name="ada", quirk="greedy")
    assert GAME.pending(after).anew != before
    assert GAME.why_not(after, "ada", Choice.parse("approach quirk greedy")) is not None


def test_a_fourth_affliction_retires_and_its_removal_reverts_that() -> None:
    state = scene(challenges=WALL)
    for wound in ("leg", "arm", "eye", "ear"):
        state = held(state, "affliction", name="ada", affliction=wound, lasts="permanent")
    assert GAME.view(state).cast["ada"].absent == "retired"
    state = held(state, "no-affliction", name="ada", affliction="eye")
    assert GAME.view(state).cast["ada"].absent is None


def test_a_difficulty_cannot_be_overruled_while_sealed() -> None:
    state = called(scene(), "ada", challenge={"name": "gate"}, sealed=True)
    with pytest.raises(IllegalChoice, match="being sealed"):
        held(state, "challenge", name="gate", difficulty=6)
    with pytest.raises(IllegalChoice):
        held(state, "difficulty", name="ada", difficulty=6)
    shown = go(state, {"ada": "approach plain", GM: "difficulty 4"})
    assert held(shown, "challenge", name="gate", difficulty=6)


@pytest.mark.book("c15.changed")
def test_a_challenge_is_changed_or_removed() -> None:
    state = held(scene(challenges=WALL), "challenge", name="wall", effort=5, deadly=True)
    wall = state.tale.challenges["wall"]
    assert (wall.effort, wall.left, wall.deadly) == (5, 5, True)
    assert held(state, "no-challenge", name="wall").tale.challenges == {}
    with pytest.raises(IllegalChoice, match="a roll against"):
        held(called(state, "ada"), "no-challenge", name="wall")


@pytest.mark.parametrize(
    ("what", "holds", "why"),
    [
        ("tokens", {"name": "bo", "karma": 4}, "0 to 3"),
        ("tokens", {"name": "bo", "resolve": 0}, "1 to 3"),
        ("tokens", {"name": "bo", "resolve_max": 0}, "at least 1"),
        ("tokens", {"name": "bo", "karma": 3}, "already"),
        ("tokens", {"name": "eve", "karma": 1}, "ada"),
        ("affliction", {"name": "ada", "affliction": "greedy"}, "already"),
        ("affliction", {"name": "ada", "affliction": " "}, "printable"),
        ("quirk", {"name": "ada", "quirk": "greedy"}, "already"),
        ("no-affliction", {"name": "ada", "affliction": "leg"}, "not one of its afflictions"),
        ("challenge", {"name": "wall", "left": 4}, "0 to 3"),
        ("challenge", {"name": "sea", "left": 1}, "wall"),
        ("challenge", {"name": "wall", "difficulty": 7}, "difficulty"),
        ("bypassed", {"name": "wall", "who": "eve"}, "ada"),
        ("dice", {"name": "bo", "dice": [1, 2]}, "no roll"),
        ("cheer", {"name": "bo"}, "cheer"),
    ],
)
def test_an_impossible_overrule_is_refused_with_its_reason(
    what: str, holds: dict[str, Any], why: str
) -> None:
    state = scene(challenges=WALL)
    with pytest.raises(IllegalChoice, match=why):
        held(state, what, **holds)


def test_overruling_to_alive_does_not_skip_the_fate() -> None:
    state = go(at_the_price(), {GM: "price"})
    with pytest.raises(IllegalChoice, match="already"):
        held(state, "dead", name="bo", dead=False)
    assert GAME.pending(state).step == "fate"


def test_a_character_put_out_still_gets_a_fate() -> None:
    state = held(go(at_the_price(), {GM: "price"}), "out", name="bo")
    assert GAME.pending(state).step == "fate"
    state = go(state, {GM: 'fate {"affliction":"a bruise"}'})
    assert state.tale.characters["bo"].resolve == 3
    dead = held(go(at_the_price(), {GM: "price"}), "dead", name="bo")
    assert GAME.pending(dead).step == "scene"


def test_regained_karma_is_taken_back_as_far_as_there_is_any() -> None:
    people = {**NO_PERKS, "ada": {**NO_PERKS["ada"], "karma": 0, "resolve": 3}}
    state = scene(challenges=WALL, characters=people)
    state = go(called(state, "ada"), {"ada": "approach quirk greedy"}, {"ada": "dice 2 3 4"})
    assert (GAME.pending(state).step, state.tale.characters["ada"].karma) == ("price", 1)
    spent = held(state, "tokens", name="ada", karma=0)
    assert held(spent, "no-roll").tale.characters["ada"].karma == 0
    assert held(state, "no-roll").tale.characters["ada"].karma == 0
