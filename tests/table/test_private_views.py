"""The private views of a seat and of the GM."""

from typing import Any

import msgspec
from msgspec.structs import replace

from hub.games.game import GM, Choice
from hub.table import acts as i
from hub.table.acts import ways_back
from hub.table.private_views import console_view, hand_view
from hub.table.sealed import Sealed
from hub.table.state import AtZero, TableState, Undoes
from hub.wire.private_frames import console_frame, hand_frame
from tests.support.evening import Evening
from tests.support.tabletalk import GIFTED, TableTalk


def shown(table: TableTalk) -> dict[str, Any]:
    """The console as its page receives it."""
    frame = console_frame(console_view(table.state, table.settings))
    found: dict[str, Any] = msgspec.to_builtins(frame)
    return found


def undo_to_seq(state: TableState) -> int | None:
    """The seq to which an undo of play would go back."""
    return next((way.to_seq for way in ways_back(state) if way.what is Undoes.PLAY), None)


def test_undo_after_undo_goes_further_back() -> None:
    table = TableTalk(commit_s=30)
    table.begin_turn()
    start = next(r.seq for r in table.records if type(r.event).__name__ == "SceneStarted")
    assert undo_to_seq(table.state) == start
    for seat in ("ada", "gm"):
        table.place(seat, "stance none")
    table.reveal()
    reveal = next(r.seq for r in table.records if type(r.event).__name__ == "Revealed")
    assert undo_to_seq(table.state) == start
    table.clear()
    table.place("ada", "move attack-mid")
    assert undo_to_seq(table.state) == reveal
    table.give(i.Undo())
    assert undo_to_seq(table.state) == start
    table.give(i.Undo())
    assert undo_to_seq(table.state) is None


def test_a_hand_lists_possible_cards_and_not_the_one_laid() -> None:
    table = TableTalk(GIFTED)
    table.begin_turn()
    (ada,) = hand_view(table.state, table.settings, "ada").actors
    assert (ada.name, ada.awaited, ada.committed, ada.beside) == ("ada", True, False, 0)
    assert ada.kinds == ("stance",) and ada.sheet is None
    assert any(o.choice == Choice("stance", "attack 2") and not o.reason for o in ada.offers)
    table.give(i.Request(i.Commit("ada", Sealed(Choice("stance", "attack 2"))), "ada"))
    (after,) = hand_view(table.state, table.settings, "ada").actors
    assert after.committed and after.offers == ada.offers
    (bo,) = hand_view(table.state, table.settings, "bo").actors
    assert (bo.awaited, bo.kinds) == (False, ())
    names = [each.name for each in hand_view(table.state, table.settings, "gm").actors]
    assert names == ["ninja", "crow"]
    assert hand_view(table.state, table.settings, "nobody").actors == ()


def test_a_hand_counts_the_cards_beside() -> None:
    table = TableTalk(GIFTED)
    table.begin_turn()
    table.show(ada="stance none", gm="stance none")
    (before,) = hand_view(table.state, table.settings, "ada").actors
    assert before.beside_kinds == ("special",)
    offer = next(o for o in before.offers if o.choice.kind == "special" and not o.reason)
    table.give(i.Request(i.Commit("ada", Sealed(offer.choice)), "ada"))
    (after,) = hand_view(table.state, table.settings, "ada").actors
    assert after.beside == 1 and after.offers == before.offers


def test_a_seat_has_its_sheets_in_and_out_of_a_scene() -> None:
    table = Evening()
    (ada,) = hand_view(table.state, table.settings, "ada").actors
    assert ada.sheet == table.sheets["ada"] and ada.offers == ()
    table.duel(players=("ada",), others=("ninja",))
    (bo,) = hand_view(table.state, table.settings, "bo").actors
    assert bo.sheet == table.sheets["bo"] and not bo.awaited and bo.offers == ()
    frame = hand_frame(hand_view(table.state, table.settings, "gm"))
    assert [actor["name"] for actor in frame["actors"]] == ["ninja", "crow"]
    assert frame["actors"][1]["sheet"]["max"] == {"attack": 1, "defend": 1, "grapple": 1}


def test_the_console_knows_the_npcs_and_how_far_an_undo_goes() -> None:
    table = Evening(gm_seat="gm")
    frame = shown(table)
    assert not frame["undo"] and frame["gm_seat"] == "gm"
    assert list(frame["npcs"]) == ["ninja", "crow"]
    assert [each["scene"]["type"] for each in frame["scenes"]] == ["conflict", "problem"]
    assert frame["npcs"]["ninja"]["npc"] is True
    assert "energy" in [each["value"] for each in frame["overrules"]]
    assert list(frame["own"]["level_ups"]) == ["ada", "bo"]
    options = frame["own"]["level_ups"]["ada"]["options"]
    assert {"choices", "kind", "move", "special", "reason", "why"} == set(options[0])
    table.duel()
    table.decide(GM, "active ada")
    frame = shown(table)
    assert frame["undo"] == [{"what": "play", "to_seq": len(table.records) - 1}]
    assert frame["own"]["level_ups"] == {} and frame["overrules"] and not frame["scenes"]
    table.give(i.Pause())
    assert not console_view(table.state, table.settings).overrules


def test_a_table_without_a_story_has_a_console() -> None:
    table = TableTalk()
    frame = shown(table)
    assert set(frame) == {
        *("undo", "npcs", "own", "wishes", "scenes", "overrules", "unreliable", "gm_seat"),
        *("stand_ins", "plays_for", "sitting", "lies", "seen_ms", "blind", "hindrances", "stuck"),
        "directs",
    }
    assert not any(frame.values())


def test_the_console_lists_choices_the_gm_may_make_for_late_players() -> None:
    table = Evening(commit_s=30, at_zero=AtZero.GM_DECIDES, gm_seat="gm")
    table.duel()
    table.decide(GM, "active ada")
    table.decide("ada", "opponent ninja")

    def open_to() -> dict[str, list[str]]:
        console = console_view(table.state, table.settings)
        late = console_frame(console)["stand_ins"]
        return {name: [offer["choice"] for offer in each] for name, each in late.items()}

    assert open_to() == {}
    table.wait(30_000)
    held = hand_view(table.state, table.settings, "ada").actors[0]
    assert open_to() == {
        "ada": [str(each.choice) for each in held.offers if each.choice.kind == "stance"]
    }
    table.settings = replace(table.settings, at_zero=AtZero.NOTHING)
    assert open_to() == {}
