"""A scene at a table: sealed approaches, dice, karma, what a roll comes to."""

import json
from typing import Any

import pytest

from tests.support.tabletalk import TableTalk

SCENE: dict[str, Any] = {
    "ruleset": "tricube",
    "dice": "hand",
    "characters": {
        "ada": {
            "trait": "agile",
            "concept": "ranger",
            "perks": ["marksman"],
            "quirks": ["greedy"],
        },
        "bo": {
            "trait": "brawny",
            "concept": "priest",
            "perks": ["berserker", "healer"],
            "karma": 2,
            "resolve": 1,
            "afflictions": [{"name": "broken arm"}],
        },
    },
}


def call(challenge: Any, kind: str, *rollers: str, **more: Any) -> str:
    said = {"challenge": challenge, "type": kind, "rollers": {who: {} for who in rollers}}
    return "call " + json.dumps(said | more)


@pytest.fixture
def talk() -> TableTalk:
    talk = TableTalk(SCENE)
    talk.start()
    assert (talk.step, talk.view.awaited) == ("scene", ("gm",))
    return talk


def test_the_fight_with_the_goblins_by_hand(talk: TableTalk) -> None:
    """The book's example, all at one challenge of six effort tokens."""
    talk.decide("gm", call({"name": "goblins", "effort": 6}, "ranged", "ada"))
    assert (talk.step, talk.view.awaited) == ("approach", ("ada",))
    talk.place("ada", "approach plain")
    talk.reveal()
    talk.clear()
    assert (talk.step, talk.view.awaited) == ("dice", ("ada",))
    talk.decide("ada", "dice 5 3 2")
    assert goblins(talk) == 5
    talk.decide("gm", call("goblins", "agile", "ada", "bo", defense=True))
    talk.place("ada", "approach plain")
    talk.place("bo", "approach plain")
    talk.reveal()
    talk.clear()
    talk.decide("ada", "dice 1 6 5")
    talk.decide("bo", "dice 3 5")
    assert (talk.step, goblins(talk)) == ("scene", 5)
    talk.decide("gm", call("goblins", "melee", "bo"))
    talk.place("bo", "approach plain")
    talk.reveal()
    talk.clear()
    talk.decide("bo", "dice 4 2 4")
    assert (talk.step, talk.view.awaited) == ("karma", ("ada", "bo"))
    talk.decide("ada", "karma none")
    talk.decide("bo", "karma berserker")
    assert (talk.step, goblins(talk)) == ("scene", 3)
    talk.decide("gm", "turn")
    talk.decide("gm", call("goblins", "ranged", "ada"))
    talk.place("ada", "approach plain")
    talk.reveal()
    talk.clear()
    talk.decide("ada", "dice 5 4 4")
    talk.decide("bo", "karma none")
    talk.decide("ada", "karma marksman")
    assert (talk.step, talk.view.awaited, goblins(talk)) == ("victor", ("ada",), 0)
    talk.decide("ada", "told One arrow for the rest of them.")
    assert (talk.step, view(talk).turns) == ("scene", 2)
    assert (view(talk).cast["ada"].karma, view(talk).cast["bo"].karma) == (2, 1)


def view(talk: TableTalk) -> Any:
    return talk.view.game


def goblins(talk: TableTalk) -> int:
    left: int = view(talk).challenges["goblins"].left
    return left


def test_a_difficulty_is_sealed_and_the_table_throws(talk: TableTalk) -> None:
    talk.decide("gm", call({"name": "goblins"}, "ranged", "ada", "bo", sealed=True, dice="table"))
    assert (talk.step, talk.view.awaited) == ("approach", ("ada", "bo", "gm"))
    assert view(talk).challenges["goblins"].difficulty is None
    talk.place("gm", "difficulty 6")
    talk.place("ada", "approach quirk greedy")
    assert view(talk).challenges["goblins"].difficulty is None
    talk.place("bo", "approach plain")
    talk.reveal()
    talk.clear()
    game = view(talk)
    assert game.challenges["goblins"].difficulty == 6
    rolls = (game.rolling or game.last_rolling).rolls
    assert (rolls["ada"].difficulty.final, len(rolls["ada"].dice)) == (7, 3)
    assert (rolls["bo"].difficulty.set, len(rolls["bo"].dice)) == (6, 2)
