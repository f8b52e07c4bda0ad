"""The public documents: what is in them, byte for byte, and what is not."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.books.registry import rulebooks
from hub.table.views import PublicView, SeatView, TimerView
from hub.wire.commands import Reply
from hub.wire.payloads import (
    GAME_KEYS_LEFT_OUT,
    StatePayload,
    reply_payload,
    seat_payload,
    state_payload,
    timer_payload,
    utc,
)
from tests.support.tabletalk import TableTalk

HEAD = "ab" * 32
VIEWS = tuple(game.view_type for game in rulebooks().games.values())


def names(struct: type) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(struct)}


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_no_key_of_a_game_hides_one_of_the_table(view: type) -> None:
    assert names(view) & names(StatePayload) == GAME_KEYS_LEFT_OUT
    assert "ruleset" not in names(StatePayload)


def test_every_field_of_the_public_view_is_shown() -> None:
    elsewhere = {"turn": "turn_number", "game": "head"}
    elsewhere |= {"reveal_at_ms": "reveal_at", "revealed_at_ms": "revealed_at"}
    assert {elsewhere.get(name, name) for name in names(PublicView)} == names(StatePayload)


def test_a_table_without_a_scene() -> None:
    talk = TableTalk()
    assert state_payload(talk.view, HEAD).decode() == (
        '{"answers":[],"awaited":[],"basis":{"phase":0,"scene":0,"told":0},"beside":[],"committed":[],"head":"'
        + HEAD
        + f'","log":"{talk.state.log}'
        '","phase":"idle","reveal_at":null,"revealed_at":null,'
        '"scene":0,"schema":1,"seq":1,"step":"","story":null,"table":"test","timer":null,"title":"",'
        '"turn_number":0}'
    )


def test_a_scene_has_the_game_beside_the_table() -> None:
    talk = TableTalk(commit_s=30)
    talk.begin_turn()
    talk.place("ada", "stance attack 2")
    state = json.loads(state_payload(talk.view, HEAD))
    assert state["ruleset"] == "unroll"
    assert state["phase"] == "sealed"
    assert (state["awaited"], state["committed"]) == (["ada", "ninja"], ["ada"])
    assert state["characters"]["ada"]["energy"]["attack"] == 5
    assert state["turn"]["number"] == state["turn_number"] == 1
    assert state["timer"] == {
        "deadline": "1970-01-01T00:17:10.000Z",
        "seconds": 30,
        "warnings": [],
    }
    assert state["step"] == talk.view.step
    assert "stance attack" not in json.dumps(state)
    talk.place("gm", "stance defend 1")
    locked = json.loads(state_payload(talk.view, HEAD))
    assert locked["phase"] == "locked"
    assert locked["reveal_at"].endswith("Z")


def test_the_game_says_the_same_step_as_the_table() -> None:
    talk = TableTalk()
    talk.begin_turn()
    for _ in range(3):
        assert talk.view.game is not None
        assert talk.view.game.step == talk.view.step
        for seat, card in (("ada", "stance attack 2"), ("gm", "stance defend 1")):
            talk.place(seat, card)
        talk.reveal()
        talk.clear()


def test_keys_are_sorted_at_every_depth() -> None:
    talk = TableTalk(commit_s=30)
    talk.begin_turn()
    text = state_payload(talk.view, HEAD)
    parsed = json.loads(text)
    assert json.dumps(parsed, sort_keys=True, separators=(",", ":")).encode() == text


def test_a_seat() -> None:
    view = SeatView(seat="süd", characters=("ada",), reader="lost", awaited=True, committed=False)
    assert seat_payload(view).decode() == (
        '{"awaited":true,"characters":["ada"],"committed":false,"reader":"lost","seat":"süd"}'
    )


def test_a_timer_and_none() -> None:
    running = timer_payload(TimerView(1_769_882_400_123, 30.0, (10.0, 5.0)))
    assert running == (
        b'{"deadline":"2026-01-31T18:00:00.123Z","seconds":30.0,"warnings":[10.0,5.0]}'
    )
    assert timer_payload(None) == b""


def test_a_reply() -> None:
    assert reply_payload(Reply("7", True, seq=42)) == (
        b'{"code":"done","id":"7","ok":true,"reason":"","seq":42}'
    )


@given(st.integers(0, 253_402_300_799_999))
def test_times_are_exact_to_the_millisecond(at_ms: int) -> None:
    text = utc(at_ms)
    assert len(text) == 24
    assert int(text[20:23]) == at_ms % 1000
    assert int(text[17:19]) == at_ms // 1000 % 60
