"""Public entries such as dice on the table are not replaced from another page.

Where people may reconsider, they still can.
"""

import json

import pytest

from hub.games.game import GM, Choice
from hub.table import acts as i
from hub.table.acts import SceneSetup
from hub.table.state import SeatFault, Settings
from tests.adapters.web.playing import PlayedTable

SEATS: dict[str, tuple[str, ...]] = {"ada": ("ada",), "bo": ("bo",), "gm": ()}
CAST = {
    "ada": {"trait": "agile", "concept": "ranger", "perks": ["Marksman"]},
    "bo": {"trait": "brawny", "concept": "priest", "perks": ["Healer"]},
}


@pytest.fixture
def table() -> PlayedTable:
    """Two roll against a wall, by hand, and their approaches are revealed."""
    table = PlayedTable(lambda _: None)
    table.settings = Settings(seats=SEATS, gm_seat="gm")
    table.tell(
        i.Request(
            i.StartScene(),
            scene=("The ruins", SceneSetup("tricube", {"characters": CAST, "dice": "hand"})),
        )
    )
    said = {"challenge": {"name": "wall"}, "type": "agile", "rollers": {"ada": {}, "bo": {}}}
    table.decide(GM, f"call {json.dumps(said)}")
    for who in ("ada", "bo"):
        table.tell(i.Request(i.Commit(who, i.Sealed(Choice.parse("approach plain"))), who, who))
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    return table


def test_dice_are_entered_once(table: PlayedTable) -> None:
    table.decide("ada", "dice 4 2 1")
    for by in ("ada", GM):
        with pytest.raises(SeatFault) as refused:
            table.tell(i.Request(i.Decide("ada", "dice 6 6 6"), by))
        assert refused.value.reason.code == "stands-already"
    table.decide("ada", "dice 4 2 1")  # repeating it changes nothing
    table.decide("bo", "dice 4 1")
    scene = table.state.scene
    assert scene is not None and scene.pending.step == "karma"
    assert scene.rules.view(scene.game).rolling.rolls["ada"].dice == (4, 2, 1)
