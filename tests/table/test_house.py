"""House rules at the table: other elements, moves and names, from the first card to a restart."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import SetupError
from hub.games.registry import game_of
from hub.games.resolve import resolve_script
from hub.games.triangle.rules.house import derive
from hub.games.triangle.script import turn_object
from hub.kernel.faults import Faulty
from hub.table import acts as i
from hub.table.state import SeatFault
from tests.support.specialtalk import both
from tests.support.tabletalk import TableTalk

HOUSE: dict[str, Any] = {
    "id": "wuxing",
    "base": "iron-triangle",
    "elements": {
        "wood": ["earth"],
        "earth": ["water"],
        "water": ["fire"],
        "fire": ["metal"],
        "metal": ["wood"],
    },
    "moves": {
        "attack-wood": {"base": 5, "multiplier": 3},
        "attack-earth": {"base": 3, "multiplier": 2},
        "defend-water": {"base": 2, "multiplier": 1},
        "kick-low": {"action": "grapple", "element": "fire", "base": 7, "multiplier": 1},
    },
    "specials": {"wax-on": "willow"},
}
MOVES = ["attack-wood", "attack-earth", "defend-water", "kick-low"]
SIDES = {"players": ["ada", "bo"], "gm-side": ["ninja", "crow"]}
POINTS = {"attack": 20, "defend": 20, "grapple": 20}
SETUP: dict[str, Any] = {
    "ruleset": "iron-triangle",
    "house": HOUSE,
    "sides": SIDES,
    "characters": {
        name: {
            "energy": POINTS,
            "moves": MOVES,
            "combos": {"attack-wood": ["kick-low"]},
            "specials": ["willow-attack"],
        }
        for names in SIDES.values()
        for name in names
    },
}


def test_a_turn_by_house_rules_from_card_to_split() -> None:
    talk = TableTalk(SETUP)
    talk.begin_turn()
    both(talk, "stance attack 2", "stance none")
    assert "move kick-low" in talk.offers("ada")
    assert "special willow-attack" in talk.offers("ada")
    talk.place("ada", "move attack-low")
    assert "is not a move of wuxing" in talk.last_words("ada")
    talk.clear()
    both(talk, "move attack-wood", "move attack-earth")
    game = talk.view.game
    assert game is not None
    assert (game.turn.winner, game.turn.why) == ("ada", "element")
    assert game.turn.losses["ninja"].total == 2 * 3 + 5
    talk.decide("ninja", "split attack 11")
    talk.let_be()
    talk.decide("ada", "active ada")
    both(talk, "stance none", "stance none")
    both(talk, "move kick-low", "move defend-water")
    game = talk.view.game
    assert game is not None
    assert (game.turn.winner, game.turn.why) == ("ada", "action")
    assert (game.turn.losses["ninja"].base, game.turn.losses["ninja"].combo) == (7, 1)
    assert game.turn.combo_missed == 0
    worth = {name: (each.base, each.times) for name, each in game.turn.worth.items()}
    assert worth == {"ada": (7, 1), "ninja": (2, 1)}


@pytest.mark.parametrize(
    ("move", "against", "combo", "missed"),
    [
        ("kick-low", "defend-water", 1, 0),
        ("attack-earth", "kick-low", 0, 1),
        ("kick-low", "attack-earth", 0, 0),
    ],
)
def test_a_combo_the_winner_does_not_use_is_reported(
    move: str, against: str, combo: int, missed: int
) -> None:
    talk = TableTalk(SETUP)
    talk.begin_turn()
    both(talk, "stance none", "stance none")
    both(talk, "move attack-wood", "move attack-earth")
    talk.decide("ninja", "split attack 5")
    talk.let_be()
    talk.decide("ada", "active ada")
    both(talk, "stance none", "stance none")
    both(talk, f"move {move}", f"move {against}")
    turn = talk.view.game.turn  # type: ignore[union-attr]
    loss = turn.losses.get("ninja")
    assert (loss.combo if loss else 0, turn.combo_missed) == (combo, missed)


def test_resolve_and_the_table_agree() -> None:
    talk = TableTalk(SETUP)
    talk.begin_turn()
    both(talk, "stance grapple 2", "stance attack 1")
    both(talk, "move attack-wood", "move kick-low")
    talk.decide("ninja", "split attack 3 defend 2")
    talk.let_be()
    turn = {
        "active": "ada",
        "opponent": "ninja",
        "stance": {"ada": "grapple 2", "ninja": "attack 1"},
        "move": {"ada": "attack-wood", "ninja": "kick-low"},
        "loss": {"ninja": {"attack": 3, "defend": 2}},
    }
    scene = talk.state.scene
    assert scene is not None
    found = turn_object(scene.game)
    inside = json.dumps({**SETUP, "turns": [turn]}).encode()
    assert next(resolve_script(inside)) == found
    plain = {key: value for key, value in SETUP.items() if key not in ("house", "ruleset")}
    beside = json.dumps({**plain, "turns": [turn]}).encode()
    assert next(resolve_script(beside, derive(HOUSE))) == found
    assert found["loss"]["ninja"]["total"] == 5


def test_the_view_names_the_house_and_reveals_no_secret() -> None:
    talk = TableTalk(SETUP)
    talk.begin_turn()
    game = talk.view.game
    assert game is not None
    assert game.house == "wuxing"
    assert game.characters["ninja"].moves is None
    book = TableTalk()
    book.begin_turn()
    assert book.view.game is not None
    assert book.view.game.house is None
    public = b"".join(row.line for row in talk.rows)
    assert not any(word in public for word in (b"wuxing", b"kick-low", b"willow"))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"base": "unroll"}, 'house.base: is "unroll", but this game is iron-triangle'),
        ({"elements": {"wood": ["wood"]}}, "house.elements.wood: wood cannot beat itself"),
        ({"moves": {"attack-wood": {}}}, "house.moves.attack-wood: attack-wood is new and needs"),
        ({"luck": 1}, "house.luck: unknown key (known: id,"),
    ],
)
def test_a_setup_with_bad_house_rules_cannot_begin(changes: dict[str, Any], problem: str) -> None:
    setup = {**SETUP, "house": {**HOUSE, **changes}}
    with pytest.raises(SetupError) as caught:
        game_of("iron-triangle").begin(setup)
    assert any(str(each).startswith(problem) for each in caught.value.faults), caught.value
    talk = TableTalk(SETUP)
    with pytest.raises(SeatFault):
        talk.give(i.Request(i.StartScene(), scene=("x", replace(talk.setup, game=setup))))
    assert talk.state.scene is None


@pytest.mark.parametrize("house", [None, [], "wuxing", 3, {}])
def test_an_invalid_house_is_refused(house: object) -> None:
    with pytest.raises(Faulty):
        derive(house)
    with pytest.raises(SetupError, match="house"):
        game_of("iron-triangle").begin({**SETUP, "house": house})


def test_tables_can_override_the_houses_numbers() -> None:
    setup = {**SETUP, "tables": {"moves": {"kick-low": {"base": 1}}}}
    conflict: Any = game_of("iron-triangle").begin(setup)
    move = conflict.scene.edition.moves["kick-low"]
    assert (move.base, move.multiplier, move.element) == (1, 1, "fire")
