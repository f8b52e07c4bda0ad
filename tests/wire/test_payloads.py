"""The public documents: their content, byte for byte, and what they leave out."""

import json

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from hub.games.registry import rulebooks
from hub.table.views import PublicView, SeatView, TimerView, moment_of, public_view, seat_views, utc
from hub.wire.payloads import (
    events_payload,
    lines_of,
    moment_payload,
    reply_payload,
    seat_payload,
    state_payload,
    timer_payload,
)
from hub.wire.replies import Reply
from tests.support.tabletalk import TableTalk

HEAD = "ab" * 32


def shown(talk: TableTalk) -> PublicView:
    return public_view(talk.state, seat_views(talk.state, talk.settings), HEAD)


def test_the_state_of_a_table_without_a_scene() -> None:
    talk = TableTalk()
    seats = ",".join(
        f'{{"awaited":false,"characters":{json.dumps(list(actors), separators=(",", ":"))},'
        f'"committed":false,"reader":"ok","seat":"{seat}"}}'
        for seat, actors in talk.settings.seats.items()
    )
    assert state_payload(shown(talk)).decode() == (
        '{"answers":[],"awaited":[],"away":[],"beside":[],'
        f'"commit_seconds":0.0,"committed":[],"counted":{{}},"ended":null,"evening":"","evening_over":false,"game":null,"gm_plays":[],"head":"{HEAD}",'
        f'"hub_plays":[],"log":"{talk.state.log}","one_of":[],'
        '"phase":"idle","portraits":{},"results":[],"reveal_at":null,"revealed_at":null,'
        f'"scene":0,"schema":2,"seats":[{seats}],"seq":1,"sits_out":[],"step":"","story":null,"table":"test",'
        '"timer":null,"title":"","turn_number":0,'
        '"version":{"phase":0,"revision":0,"scene":0}}'
    )


def test_a_scenes_game_has_its_own_key() -> None:
    talk = TableTalk(commit_s=30)
    talk.begin_turn()
    talk.place("ada", "stance attack 2")
    state = json.loads(state_payload(shown(talk)))
    game = state["game"]
    assert game["ruleset"] == "unroll"
    assert state["phase"] == "sealed"
    assert (state["awaited"], state["committed"]) == (["ada", "ninja"], ["ada"])
    assert game["characters"]["ada"]["energy"]["attack"] == 5
    assert game["turn"]["number"] == state["turn_number"] == 1
    assert state["timer"] == {"deadline": "1970-01-01T00:17:10.000Z", "seconds": 30, "warnings": []}
    assert state["step"] == talk.view.step
    assert "stance attack" not in json.dumps(state)
    talk.place("gm", "stance defend 1")
    locked = json.loads(state_payload(shown(talk)))
    assert locked["phase"] == "locked"
    assert locked["reveal_at"].endswith("Z")


def test_seats_and_timer_are_the_same_in_the_state_and_alone() -> None:
    talk = TableTalk(commit_s=30)
    talk.begin_turn()
    view = shown(talk)
    state = msgspec.json.decode(state_payload(view))
    assert [msgspec.json.decode(seat_payload(seat)) for seat in view.seats] == state["seats"]
    assert msgspec.json.decode(timer_payload(view.timer)) == state["timer"]


def test_a_steps_events_are_its_lines_byte_for_byte() -> None:
    lines = [b'{"at_ms":1,"seq":1}', '{"at_ms":2,"name":"Zoë","seq":2}'.encode()]
    told = events_payload(lines)
    assert told == b'{"events":[' + lines[0] + b"," + lines[1] + b'],"schema":2}'
    assert lines_of(told) == lines


def test_no_game_repeats_a_field_of_the_table() -> None:
    for game in rulebooks().games.values():
        assert not {*game.view_type.__struct_fields__} & {*PublicView.__struct_fields__}


def test_keys_are_sorted_at_every_depth() -> None:
    talk = TableTalk(commit_s=30)
    talk.begin_turn()
    text = state_payload(shown(talk))
    parsed = json.loads(text)
    assert json.dumps(parsed, sort_keys=True, separators=(",", ":")).encode() == text


def test_the_document_of_a_seat() -> None:
    view = SeatView(seat="süd", characters=("ada",), reader="lost", awaited=True, committed=False)
    assert seat_payload(view).decode() == (
        '{"awaited":true,"characters":["ada"],"committed":false,"reader":"lost","seat":"süd"}'
    )


def test_the_document_of_a_timer_and_of_none() -> None:
    running = timer_payload(TimerView(utc(1_769_882_400_123), 30.0, (10.0, 5.0)))
    assert running == (
        b'{"deadline":"2026-01-31T18:00:00.123Z","seconds":30.0,"warnings":[10.0,5.0]}'
    )
    assert timer_payload(None) == b""


def test_a_moment_holds_what_a_clock_needs() -> None:
    talk = TableTalk()
    talk.start()
    view = public_view(talk.state)
    at_ms = 1_769_882_400_123
    told = msgspec.json.decode(moment_payload(moment_of(view, at_ms)))
    assert told == {
        "at": "2026-01-31T18:00:00.123Z", "awaited": len(view.awaited), "committed": 0,
        "phase": str(view.phase), "reveal_at": None, "revealed_at": None,
    }  # fmt: skip


def test_the_document_of_a_reply() -> None:
    assert reply_payload(Reply("7", True, seq=42)) == (
        b'{"code":"done","id":"7","ok":true,"reason":"","seq":42,"why":null}'
    )


@given(st.integers(0, 253_402_300_799_999))
def test_times_are_exact_to_the_millisecond(at_ms: int) -> None:
    text = utc(at_ms)
    assert len(text) == 24
    assert int(text[20:23]) == at_ms % 1000
    assert int(text[17:19]) == at_ms // 1000 % 60
