"""Mistakes at a table: each gets one clear sentence, nothing is lost, and play goes on."""

import json
from typing import Any

import pytest

from hub.games.game import Choice, SetupError
from hub.games.registry import game_of
from hub.table import acts as i
from hub.table.signals import Signal
from hub.table.state import SeatFault
from tests.rules.tricube.test_at_table import SCENE, call, view
from tests.support.tabletalk import TableTalk


@pytest.fixture
def talk() -> TableTalk:
    talk = TableTalk(SCENE)
    talk.start()
    return talk


def refused(talk: TableTalk, actor: str, choice: str, by: str = "gm") -> str:
    before = talk.state
    with pytest.raises(SeatFault) as fault:
        talk.decide(actor, choice, by)
    assert talk.state == before, "a refused word changes nothing"
    return str(fault.value)


def rolled(talk: TableTalk, *dice: str, kind: str = "ranged", **more: Any) -> None:
    """Call ada (and bo) to a new challenge, and play until these dice are entered."""
    who = ("ada", "bo")[: len(dice)]
    talk.decide("gm", call({"name": "goblins", "effort": 4}, kind, *who, **more))
    for actor in who:
        talk.place(actor, "approach plain")
    talk.reveal()
    talk.clear()
    for actor, lie in zip(who, dice, strict=True):
        talk.decide(actor, f"dice {lie}", actor)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ('call {"challenge": "goblins"}', "type"),
        ("call goblins", "JSON"),
        ("call []", "object"),
        (call("goblins", "ranged", "ada"), 'there is no challenge "goblins"'),
        (call({"name": "wall"}, "ranged"), "at least one character must roll"),
        (call({"name": "wall"}, "ranged", "crow"), 'no one here is called "crow"'),
        (call({"name": "wall"}, "luck", "ada"), "luck"),
        (call({"name": "wall", "difficulty": 7}, "agile", "ada"), "from 4 to 6"),
        (call({"name": "wall", "effort": -1}, "agile", "ada"), "from 0 to"),
        (call({"name": " "}, "agile", "ada"), "a name is"),
        (call({"name": "x" * 101}, "agile", "ada"), "a name is"),
        (call({"name": "wall", "colour": "red"}, "agile", "ada"), "colour"),
        ("oppose " + json.dumps({"sides": {"ada": {"type": "agile"}}}), "two sides"),
        ("npcs " + json.dumps({"sides": {"ada": 2, "ogre": 2}}), "is the name of a character"),
        ("npcs " + json.dumps({"sides": {"wolf": 4, "ogre": 2}}), "1 to 3 dice"),
        ("offer " + json.dumps({"who": "ada", "quirk": "shy"}), "is not one of its quirks"),
        (
            "recover " + json.dumps({"who": "ada", "affliction": "cold"}),
            "not one of its afflictions",
        ),
    ],
)
def test_a_bad_call_is_refused_with_its_reason(talk: TableTalk, said: str, why: str) -> None:
    assert why in refused(talk, "gm", said)


def test_players_do_not_call_for_rolls(talk: TableTalk) -> None:
    assert refused(talk, "ada", call({"name": "wall"}, "agile", "ada"), "ada")
    assert refused(talk, "ada", "offer " + json.dumps({"who": "ada"}), "ada")


def test_another_characters_quirk_is_refused_at_the_reader(talk: TableTalk) -> None:
    talk.decide("gm", call({"name": "goblins"}, "ranged", "ada"))
    talk.place("ada", "approach quirk shy")
    assert talk.last_signal("ada") is Signal.REFUSED
    assert "not one of its quirks" in talk.last_words("ada")
    talk.clear()
    talk.place("ada", "approach quirk greedy")
    assert talk.committed == ("ada",)


def test_a_sealed_difficulty_can_be_replaced_until_the_reveal(talk: TableTalk) -> None:
    talk.decide("gm", call({"name": "goblins"}, "ranged", "ada", sealed=True))
    talk.place("gm", "difficulty 6")
    talk.lift("gm")
    talk.place("gm", "difficulty 4")
    assert talk.committed == ("gm",)
    with pytest.raises(SeatFault, match="seal"):
        talk.give(i.Request(i.Commit("gm", i.Sealed(Choice("difficulty", "5"))), browser="b"))
    talk.place("ada", "approach plain")
    talk.reveal()
    assert view(talk).challenges["goblins"].difficulty == 4


@pytest.mark.parametrize("dice", ["5 3", "5 3 2 1", "7 1 1", "0 1 1", "a b c", "5,3,2", ""])
def test_dice_of_a_wrong_number_or_value_are_refused(talk: TableTalk, dice: str) -> None:
    talk.decide("gm", call({"name": "goblins", "effort": 4}, "ranged", "ada"))
    talk.place("ada", "approach plain")
    talk.reveal()
    assert refused(talk, "ada", f"dice {dice}".strip(), "ada")
    assert (talk.step, talk.view.awaited) == ("dice", ("ada",))


def test_dice_are_tapped_one_by_one_and_taken_back(talk: TableTalk) -> None:
    talk.decide("gm", call({"name": "goblins", "effort": 4}, "ranged", "ada"))
    talk.show(ada="approach plain")
    for card in ("die 5", "die 6", "take-back", "die 3", "die 2"):
        assert talk.step == "dice"
        talk.place("ada", card)
        talk.clear()
    assert view(talk).last_rolling.rolls["ada"].dice == (5, 3, 2)


def test_a_defeated_character_cannot_roll(talk: TableTalk) -> None:
    rolled(talk, "2 2 2", "1 1", kind="agile")
    talk.decide("gm", "price")
    talk.decide("gm", 'price {"resolve": true}')
    talk.decide("gm", 'fate {"affliction": "an arrow"}')
    assert view(talk).cast["bo"].absent == "out"
    assert "is out of this scene" in refused(talk, "gm", call("goblins", "melee", "bo"))


def test_a_friend_may_take_karma_back_until_all_have_answered(talk: TableTalk) -> None:
    rolled(talk, "4 4 2")
    talk.decide("bo", "karma " + json.dumps({"perks": ["healer"], "for": "ada"}), "bo")
    talk.decide("bo", "karma none", "bo")
    assert talk.view.awaited == ("ada", "bo")
    talk.decide("ada", "karma none", "ada")
    roll = view(talk).rolling.rolls["ada"]
    assert (roll.karma, view(talk).cast["bo"].karma) == (None, 2)
    late = "karma " + json.dumps({"perks": ["healer"], "for": "ada"})
    assert refused(talk, "bo", late, "bo"), "the roll is being settled"


def test_the_rollers_own_karma_comes_before_a_friends(talk: TableTalk) -> None:
    rolled(talk, "4 4 2")
    assert talk.view.awaited == ("ada", "bo")
    talk.decide("bo", "karma " + json.dumps({"perks": ["healer"], "for": "ada"}), "bo")
    talk.decide("ada", "karma marksman", "ada")
    roll = view(talk).last_rolling.rolls["ada"]
    assert roll.karma.by == "ada", "one karma for each roll, the roller's own first"
    assert view(talk).cast["bo"].karma == 2, "who was not needed pays nothing"


def test_karma_without_effect_is_refused(talk: TableTalk) -> None:
    rolled(talk, "4 4 2", "1 1")
    why = refused(talk, "ada", "karma " + json.dumps({"perks": ["marksman"], "for": "bo"}), "ada")
    assert "would not change the roll" in why
    assert refused(talk, "ada", "karma luck", "ada")
    assert refused(talk, "ada", 'karma {"perks": []}', "ada")
    assert refused(talk, "ada", 'karma {"perks": ["marksman", "marksman"]}', "ada")


def test_the_gm_throws_for_a_player_who_leaves_during_a_roll(talk: TableTalk) -> None:
    talk.decide("gm", "npcs " + json.dumps({"sides": {"ogre": 2, "wolf": 3}, "by": {"ogre": "bo"}}))
    assert talk.view.awaited == ("bo", "gm")
    talk.give(i.SitOut("bo", out=True))
    assert (talk.step, talk.view.awaited) == ("dice", ("gm",))
    talk.decide("gm", "dice 5 5")
    assert talk.view.awaited == ("gm",)
    talk.restart()
    talk.decide("gm", "dice 1 2 3")
    thrown = {npc: roll.dice for npc, roll in view(talk).last_rolling.rolls.items()}
    assert thrown == {"ogre": (5, 5), "wolf": (1, 2, 3)}
    assert (talk.step, talk.view.awaited) == ("scene", ("gm",))


def test_death_needs_a_warning(talk: TableTalk) -> None:
    rolled(talk, "2 2 2", "1 1", kind="agile")
    talk.decide("gm", "price")
    talk.decide("gm", "price")
    fatal = 'fate {"affliction": "an arrow", "fatal": true}'
    assert "no warning of death" in refused(talk, "gm", fatal)
    assert refused(talk, "gm", 'fate {"affliction": ""}')
    assert refused(talk, "gm", 'fate {"affliction": "broken arm"}')
    talk.decide("gm", 'fate {"affliction": "an arrow", "stays": true}')
    assert view(talk).cast["bo"].absent is None


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"dice": "computer"}, "not one of table, hand"),
        ({"characters": {}}, "at least one"),
        ({"characters": {"gm": {"trait": "agile", "concept": "x"}}}, "gm"),
        (
            {"characters": {"ada": {"trait": "agile", "concept": "x", "quirks": ["q" * 300]}}},
            "be laid",
        ),
        ({"characters": {"ada": {"trait": "agile", "concept": "x", "perks": ["none"]}}}, "none"),
        ({"challenges": {"wall": {"difficulty": 9}}}, "from 4 to 6"),
        ({"challenges": {"": {}}}, "name"),
        ({"foes": {}}, "foes"),
    ],
)
def test_a_scene_that_cannot_begin_says_why(change: dict[str, Any], why: str) -> None:
    setup = {key: value for key, value in SCENE.items() if key != "ruleset"} | change
    with pytest.raises(SetupError) as fault:
        game_of("tricube").begin(setup)
    assert why in str(fault.value)
