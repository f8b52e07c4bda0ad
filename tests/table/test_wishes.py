"""Players' wishes: recorded, granted by the deed itself, declined, taken back, undone."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import GM
from hub.table import acts as i
from hub.table.private_views import console_view, hand_view
from hub.table.state import SeatFault, Undoes
from hub.wire.private_frames import console_frame, hand_frame
from tests.rules.cast import starting, with_marks
from tests.support.evening import Evening, sheets


@pytest.fixture
def table() -> Evening:
    """Both players can reach a level."""
    ada, bo, *others = sheets()
    return Evening(party=[with_marks(ada), with_marks(bo), *others], gm_seat="gm")


def level_up(name: str, **choices: Any) -> dict[str, Any]:
    return {"do": "level-up", "name": name, "choices": choices or {"energy": "attack"}}


def wish(table: Evening, name: str, wants: dict[str, Any] | None, by: str | None = None) -> None:
    table.give(i.Request(i.WishFor(name, wants), by or name))


def why_not(table: Evening, name: str, wants: dict[str, Any] | None, by: str | None = None) -> str:
    before = table.state
    with pytest.raises(SeatFault) as refused:
        wish(table, name, wants, by)
    assert table.state is before
    return str(refused.value)


def hand(table: Evening, name: str) -> dict[str, Any]:
    (actor,) = hand_frame(hand_view(table.state, table.settings, name))["actors"]
    return dict(actor)


def wished(table: Evening) -> list[Any]:
    return [
        each["deed"] for each in console_frame(console_view(table.state, table.settings))["wishes"]
    ]


def test_a_wish_lies_with_the_gm_until_it_is_granted(table: Evening) -> None:
    wants = level_up("ada")
    wish(table, "ada", wants)
    assert hand(table, "ada")["wish"] == wants and hand(table, "bo")["wish"] is None
    assert wished(table) == [wants] and table.sheet("ada").level == 1
    table.restart()
    assert wished(table) == [wants]
    table.give(i.TellStory(wants))
    assert not wished(table) and hand(table, "ada")["wish"] is None
    assert (table.sheet("ada").level, table.sheet("ada").max.attack) == (2, 5)


def test_two_players_wish_at_once_and_each_ones_latest_counts(table: Evening) -> None:
    wish(table, "ada", level_up("ada"))
    wish(table, "bo", level_up("bo"))
    wish(table, "ada", other := level_up("ada", move="attack-low"))
    assert wished(table) == [level_up("bo"), other]
    wish(table, "bo", None)
    assert wished(table) == [other]


def test_a_refusal_keeps_its_reason_until_the_next_wish(table: Evening) -> None:
    wish(table, "ada", wants := level_up("ada"))
    table.give(
        i.TellStory({"do": "decline", "name": "ada", "because": "First the scene on the quay"})
    )
    declined = hand(table, "ada")["declined"]
    assert (declined.wants, declined.because) == (wants, "First the scene on the quay")
    assert not wished(table)
    wish(table, "ada", wants)
    assert hand(table, "ada")["declined"] is None and wished(table) == [wants]


def test_an_undone_grant_becomes_a_wish_again(table: Evening) -> None:
    wish(table, "ada", wants := level_up("ada"))
    table.give(i.TellStory(wants))
    table.give(i.Undo(Undoes.DEED))
    assert wished(table) == [wants] and table.sheet("ada").level == 1
    table.give(i.Undo(Undoes.DEED))
    assert not wished(table)


def test_an_invalid_wish_is_refused_with_its_reason(table: Evening) -> None:
    assert "is not played at your seat" in why_not(table, "ada", level_up("ada"), "bo")
    assert "has to be for ada" in why_not(table, "ada", level_up("bo"))
    assert "can wish for: level-up, rewrite" in why_not(
        table, "ada", {"do": "rest", "kind": "full"}
    )
    assert "can wish for: level-up, rewrite" in why_not(table, "ada", {"do": ["x"]})
    assert "not a living player character" in why_not(table, "ninja", level_up("ninja"), "gm")
    assert "not a living player character" in why_not(table, "cy", level_up("cy"), GM)
    assert "has no open wish" in why_not(table, "ada", None)
    assert "not-a-move" in why_not(table, "ada", level_up("ada", move="not-a-move"))
    table.duel()
    assert "scene" in why_not(table, "ada", level_up("ada"))


def test_a_wish_that_became_impossible_says_why(table: Evening) -> None:
    wish(table, "ada", level_up("ada"))
    table.do("unmark goal ada")
    (offer,) = console_view(table.state, table.settings).wishes
    assert "goal" in str(offer.reason)


def test_the_page_lists_level_up_options_and_their_use() -> None:
    ada, bo, *others = sheets()
    table = Evening(party=[with_marks(ada), bo, *others], gm_seat="gm")
    level = hand(table, "ada")["own"]["level_up"]
    assert level["why"] is None and level["most"]["combos"] >= 1
    moves = {
        o["choices"]["move"]: o for o in level["options"] if o["kind"] == "move" and not o["reason"]
    }
    facts = moves["attack-low"]["move"]
    assert [*facts["beats"], *facts["beats_elements"]] == ["grapple", "high"]
    assert "attack-high" in facts["follows"]
    not_yet = hand(table, "bo")["own"]["level_up"]
    assert not_yet["reason"] and not not_yet["options"]
    table.duel()
    assert hand(table, "ada")["own"] is None


def test_a_dead_character_cannot_wish() -> None:
    ada, bo, *others = sheets()
    dead = replace(starting(name="cy"), dead=True)
    table = Evening(party=[ada, bo, dead, *others], gm_seat="gm")
    assert "not a living player character" in why_not(table, "cy", level_up("cy"), GM)
