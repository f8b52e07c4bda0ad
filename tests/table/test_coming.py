"""A configured scene before it begins: each seat sees its own characters' sheets, and no more."""

from typing import Any

import msgspec
import pytest

from hub.table.coming import coming
from hub.table.private_views import hand_view
from hub.table.records import SceneSetup
from hub.wire.private_frames import hand_frame
from tests.support.tabletalk import TableTalk

TALE: dict[str, Any] = {
    "characters": {
        "ada": {"trait": "agile", "concept": "runner", "perks": ["ledges"], "karma": 2},
        "bo": {"trait": "brawny", "concept": "bell ringer", "quirks": ["hums"]},
    },
    "challenges": {"the tower guards": {"effort": 4}},
}
CONFLICT: dict[str, Any] = {
    "draws": "table",
    "parties": {
        "watch": {
            "goal": "keep the bridge",
            "characters": {
                "ada": {
                    "attribute": {"name": "Paper", "value": 4},
                    "aspects": ["knows the river"],
                    "reserve": ["33 upright"],
                    "reserve_max": 2,
                },
                "bo": {"attribute": {"name": "Stone", "value": 3}, "reserve_max": 1},
            },
        },
        "flood": {"gm": True, "attribute": {"name": "Water", "value": 6}},
    },
}


def hand(ruleset: str, game: dict[str, Any], seat: str = "ada") -> dict[str, Any]:
    """The frame of a seat's page while nothing is played."""
    talk = TableTalk()
    found = coming(talk.state.rulebooks, SceneSetup(ruleset=ruleset, game=game))
    view = hand_view(talk.state, talk.settings, seat, coming=found)
    frame: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(hand_frame(view)))
    return frame | {"coming": view.coming}


def test_a_tales_character_has_its_sheet_before_the_scene() -> None:
    frame = hand("tricube", TALE)
    assert frame["coming"] == "tricube"
    (ada,) = frame["actors"]
    shown = ("trait", "concept", "perks", "karma", "karma_max", "resolve")
    assert [ada["sheet"][key] for key in shown] == ["agile", "runner", ["ledges"], 2, 3, 3]


def test_so_has_a_tourist_and_a_reserve_still_to_be_laid_is_unknown() -> None:
    frame = hand("tourists", CONFLICT)
    assert frame["coming"] == "tourists"
    assert frame["actors"][0]["sheet"] == {
        "attributes": {"Paper": 4},
        "aspects": ["knows the river"],
        "weaknesses": [],
        "reserve": [{"number": 33, "reversed": False}],
        "reserve_max": 2,
    }
    (bo,) = hand("tourists", CONFLICT, "bo")["actors"]
    assert bo["sheet"]["reserve"] is None


@pytest.mark.parametrize(("ruleset", "game"), [("tricube", TALE), ("tourists", CONFLICT)])
def test_nothing_else_of_the_scene_is_told(ruleset: str, game: dict[str, Any]) -> None:
    told = msgspec.json.encode(hand(ruleset, game)).decode()
    for secret in ("tower", "bell ringer", "hums", "Stone", "keep the bridge", "Water"):
        assert secret not in told


@pytest.mark.parametrize(
    ("ruleset", "game"),
    [
        ("tricube", {"characters": {"ada": {"trait": "slow"}}}),
        ("none-such", TALE),
        ("unroll", {"sides": {}, "characters": {}}),
    ],
    ids=["faults", "unknown", "its setup is secret"],
)
def test_a_scene_that_cannot_begin_or_is_secret_shows_no_sheet(
    ruleset: str, game: dict[str, Any]
) -> None:
    frame = hand(ruleset, game)
    assert frame["coming"] is None
    assert [actor["sheet"] for actor in frame["actors"]] == [None]
