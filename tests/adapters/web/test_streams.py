"""The live streams: who receives what, and the commands of the virtual table."""

import asyncio
import json
import socket
from typing import Any

import aiohttp
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.games.triangle.reasons import Reason
from hub.table.acts import CommandFault
from hub.web.client import Outbox
from hub.web.frames import MAX_MESSAGE_BYTES, Frame, Gesture, decode_message
from tests.adapters.web.conftest import OpenPages, Pages
from tests.adapters.web.playing import SEATS


async def frames(stream: aiohttp.ClientWebSocketResponse, count: int) -> list[dict[str, Any]]:
    return [json.loads((await stream.receive(5)).data) for _ in range(count)]


async def frame_of(stream: aiohttp.ClientWebSocketResponse, kind: str) -> dict[str, Any]:
    """Return the next frame of a type."""
    while True:
        (frame,) = await frames(stream, 1)
        if frame["type"] == kind:
            return frame


async def table_stream(
    pages: Pages, http: aiohttp.ClientSession
) -> aiohttp.ClientWebSocketResponse:
    async with http.get(pages.url(f"table?key={pages.key}")) as answer:
        assert answer.status == 200
    return await http.ws_connect(pages.url("ws/table"), origin=pages.url().rstrip("/"))


async def test_a_snapshot_then_events(pages: Pages, http: aiohttp.ClientSession) -> None:
    pages.table.announce()
    async with http.ws_connect(pages.url("ws")) as stream:
        (idle,) = await frames(stream, 1)
        assert idle["type"] == "state"
        assert idle["phase"] == "idle"
        assert [seat["seat"] for seat in idle["seats"]] == ["north", "south", "gm"]
        pages.table.start()
        event, state = await frames(stream, 2)
        assert event["type"] == "event"
        assert event["line"]["type"] == "scene-started"
        assert state["phase"] == "decision"
        assert state["head"] == pages.table.head
        assert state["game"]["characters"]["ninja"]["moves"] is None
    async with http.ws_connect(pages.url("ws")) as late:
        assert (await frames(late, 1)) == [state]


async def test_frames_are_the_same_bytes_with_sorted_keys(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    def has_sorted_keys(data: str) -> bool:
        again = json.dumps(
            json.loads(data), sort_keys=True, ensure_ascii=False, separators=(",", ":")
        )
        return again == data

    async with http.ws_connect(pages.url("ws")) as one, http.ws_connect(pages.url("ws")) as other:
        pages.table.start()
        for _ in range(2):
            first, second = await one.receive(5), await other.receive(5)
            assert first.data == second.data
            assert has_sorted_keys(first.data)
            if '"type":"event"' in first.data:
                assert '"line":{' in first.data


async def test_messages_on_the_public_stream_end_it(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    async with http.ws_connect(pages.url("ws")) as stream:
        await stream.send_str('{"do":"command","command":{"command":"start-scene"}}')
        assert (await stream.receive(5)).type is aiohttp.WSMsgType.CLOSE
        assert stream.close_code == aiohttp.WSCloseCode.POLICY_VIOLATION
    assert pages.table.state.scene is None


async def test_the_tables_stream_needs_a_page_beside_the_key(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    async with http.get(pages.url(f"table?key={pages.key}")) as answer:
        assert answer.status == 200
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await http.ws_connect(pages.url("ws/table"))
    assert refused.value.status == 401


async def test_the_table_receives_more_than_the_public(
    open_pages: OpenPages, http: aiohttp.ClientSession
) -> None:
    pages = await open_pages()
    pages.table.start()
    async with http.ws_connect(pages.url("ws")) as public:
        stream = await table_stream(pages, http)
        told = await frames(stream, 4 + len(SEATS) + 1)
        kinds = [frame["type"] for frame in told]
        assert kinds == [
            "state",
            "questions",
            "deeds",
            "console",
            *["hand"] * len(SEATS),
            "tabletop",
        ]
        _, asked, deeds, *_, tabletop = told
        assert deeds["deeds"] == []
        (question,) = asked["questions"]
        assert question["actor"] == "gm"
        assert {"bounds", "choice", "default", "kind", "reason", "value", "why"} == set(
            question["offers"][0]
        )
        assert [reader["seat"] for reader in tabletop["readers"]] == ["north", "south", "gm"]
        first = {"label": "attack-high", "kind": "move", "value": "attack-high"}
        assert tabletop["hands"][0]["cards"][0] == first | {"tag": "ada-attack-high"}
        pages.server.tell("north", "refused", Reason("dead", who="ada"))
        assert await frame_of(stream, "tell") == {
            "type": "tell", "seat": "north", "signal": "refused", "reason": "ada is dead",
            "why": {"code": "dead", "values": {"who": "ada"}},
        }  # fmt: skip
        pages.table.decide("gm", "active ada")
        kinds = {frame["type"] for frame in await frames(public, 3)}
        assert kinds == {"state", "event"}
        await stream.close()


async def test_cards_are_placed_and_lifted(pages: Pages, http: aiohttp.ClientSession) -> None:
    pages.table.start()
    stream = await table_stream(pages, http)

    async def do(**message: object) -> dict[str, Any]:
        await stream.send_json({"id": "7", **message})
        return await frame_of(stream, "reply")

    north = "reader-north"
    reply = await do(do="place", reader=north, tag="ada-attack-low")
    assert (reply["id"], reply["ok"]) == ("7", True)
    assert pages.tabletop.fields["north"].tags() == ("ada-attack-low",)
    assert (await do(do="place", reader=north, tag="ada-none"))["ok"]
    assert (await do(do="lift", reader=north, tag="ada-none"))["ok"]
    assert pages.tabletop.fields["north"].tags() == ("ada-attack-low",)
    assert (await do(do="lift", reader=north))["ok"]
    assert pages.tabletop.fields["north"].tags() == ()
    assert (await do(do="unplug", reader=north))["ok"]
    assert not pages.tabletop.fields["north"].plugged
    assert (await do(do="replug", reader=north))["ok"]
    assert not (await do(do="place", reader=north, tag="bo-none"))["ok"]
    assert not (await do(do="place", reader="reader-east", tag="bo-none"))["ok"]
    assert not (await do(do="place", reader=north))["ok"]
    await stream.close()


async def test_commands_are_obeyed_and_answered(pages: Pages, http: aiohttp.ClientSession) -> None:
    stream = await table_stream(pages, http)
    command = {"command": "start-scene", "id": "a"}
    await stream.send_json({"do": "command", "command": command})
    reply = await frame_of(stream, "reply")
    done = {"id": "a", "ok": True, "code": "done", "reason": "", "seq": 1, "why": None}
    assert reply == {"type": "reply"} | done
    command = {"command": "decide", "id": "b", "actor": "gm", "choice": "active nobody"}
    await stream.send_json({"do": "command", "command": command})
    reply = await frame_of(stream, "reply")
    assert not reply["ok"]
    assert "nobody" in reply["reason"]
    await stream.close()


async def test_a_malformed_message_is_answered(
    open_pages: OpenPages, http: aiohttp.ClientSession
) -> None:
    pages = await open_pages(messages_per_s=100.0)
    stream = await table_stream(pages, http)
    for message in (
        *("", "{", "null", "[]", "{}", "[" * 4000),
        *('{"do":"fly"}', '{"do":"command"}', '{"do":"command","command":7}'),
        '{"do":"command","command":{"command":"decide","actor":"ada","choice":""}}',
        *('{"do":"lift","reader":7}', '{"do":"lift","more":1}'),
    ):
        await stream.send_str(message)
        reply = await frame_of(stream, "reply")
        assert not reply["ok"], message
        assert reply["reason"], message
    await stream.close()


KEYS = st.sampled_from(["do", "reader", "tag", "id", "command", "actor", "choice"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=5,
)


@given(JSON.map(json.dumps) | st.text(max_size=40))
def test_any_message_is_understood_or_refused(message: str) -> None:
    try:
        asked = decode_message(message)
    except CommandFault as fault:
        assert str(fault)
    else:
        assert isinstance(asked, Gesture | msgspec.Struct)


async def test_too_long_a_message_ends_the_stream(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    stream = await table_stream(pages, http)
    await stream.send_str(json.dumps({"do": "lift", "reader": "x" * MAX_MESSAGE_BYTES}))
    while (message := await stream.receive(5)).type is aiohttp.WSMsgType.TEXT:
        pass
    assert message.type is aiohttp.WSMsgType.CLOSE
    assert stream.close_code == aiohttp.WSCloseCode.MESSAGE_TOO_BIG


async def test_too_many_messages_end_the_stream(
    open_pages: OpenPages, http: aiohttp.ClientSession
) -> None:
    pages = await open_pages(messages_per_s=2.0)
    stream = await table_stream(pages, http)
    for _ in range(10):
        await stream.send_str("{}")
    while (message := await stream.receive(5)).type is aiohttp.WSMsgType.TEXT:
        pass
    assert stream.close_code == aiohttp.WSCloseCode.POLICY_VIOLATION
    assert message.type is aiohttp.WSMsgType.CLOSE


async def test_too_many_pages_make_room_for_each_other_and_leave_the_gm_alone(
    open_pages: OpenPages, http: aiohttp.ClientSession
) -> None:
    pages = await open_pages(places=20)
    gm = await table_stream(pages, http)
    async with aiohttp.ClientSession() as strangers:
        streams = [await strangers.ws_connect(pages.url("ws")) for _ in range(30)]
        async with asyncio.timeout(60):
            while len(pages.server._live._clients) > 8:  # seven from this machine, and the table
                await asyncio.sleep(0.01)
        pages.table.start()
        for stream in (gm, streams[0], streams[-1]):
            assert (await stream.receive(5)).type is aiohttp.WSMsgType.TEXT
        assert (await streams[-2].receive(5)).type is aiohttp.WSMsgType.CLOSED
        for stream in streams:
            await stream.close()
    await gm.close()


async def test_a_slow_page_is_dropped_and_delays_no_others(
    open_pages: OpenPages, http: aiohttp.ClientSession
) -> None:
    pages = await open_pages(max_pending_frames=20, send_timeout_s=0.3)
    pages.table.announce()
    slow = socket.create_connection(("127.0.0.1", pages.server.port))
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    handshake = (
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{pages.server.port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n"
    )
    slow.sendall(handshake.encode())
    async with http.ws_connect(pages.url("ws")) as quick:
        (first,) = await frames(quick, 1)
        line = b'{"filler":"' + b"x" * 60_000 + b'"}'
        async with asyncio.timeout(20):
            while len(pages.server._live._clients) == 2:
                pages.table.announce((line,))
                event, state = await frames(quick, 2)
                assert event["type"] == "event"
                assert state == first
    slow.close()


async def test_a_frame_can_be_put_off_only_so_far() -> None:
    outbox = Outbox(limit=4)
    state = [Frame("state", str(n).encode()) for n in range(50)]
    for frame in state:
        assert outbox.put([frame])
    assert outbox.put([Frame("event", b"e")])
    for _ in range(3):
        assert await outbox.take()
    assert not outbox.put([Frame("event", b"e")] * 5)


async def test_the_newest_state_stays_behind_its_events() -> None:
    outbox = Outbox(limit=3)
    outbox.put([Frame("event", b"1"), Frame("state", b"1"), Frame("event", b"2")])
    assert outbox.put([Frame("state", b"2")])
    assert [(await outbox.take()).data for _ in range(3)] == [b"1", b"2", b"2"]


async def test_each_seats_newest_hand_is_kept_and_the_whole_chronicle() -> None:
    outbox = Outbox(limit=4)
    outbox.put([Frame("chronicle", b"1"), Frame("hand", b"1", "ada"), Frame("hand", b"1", "bo")])
    assert outbox.put([Frame("chronicle", b"2"), Frame("hand", b"2", "bo")])
    assert [(await outbox.take()).data for _ in range(4)] == [b"1", b"1", b"2", b"2"]
    assert not outbox.put([Frame("chronicle", b"3")] * 5)


async def test_a_stopping_server_says_goodbye(pages: Pages, http: aiohttp.ClientSession) -> None:
    stream = await http.ws_connect(pages.url("ws"))
    await pages.server.__aexit__(None, None, None)
    message = await stream.receive(5)
    assert (message.type, message.data) == (aiohttp.WSMsgType.CLOSE, aiohttp.WSCloseCode.GOING_AWAY)


async def test_announcing_never_raises(pages: Pages) -> None:
    pages.server.announce(None)  # type: ignore[arg-type]


async def test_a_readers_error_does_not_end_the_stream(
    pages: Pages, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise OSError("no such device")

    monkeypatch.setattr(pages.tabletop.fields["north"], "unplug", broken)
    stream = await table_stream(pages, http)
    await stream.send_json({"do": "unplug", "reader": "reader-north"})
    reply = await frame_of(stream, "reply")
    assert not reply["ok"]
    assert "device" not in reply["reason"]
    await stream.close()
