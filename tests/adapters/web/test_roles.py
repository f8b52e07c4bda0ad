"""Streams and keys of the GM and of each seat: who receives what, and who may ask what."""

import asyncio
import json
from io import BytesIO
from typing import Any

import aiohttp
import pytest
import segno

from hub.games.game import GM
from hub.table import acts as c
from hub.table import acts as i
from hub.table.sealed import Sealed
from hub.web.feeds import MOST_ENTRIES
from hub.web.keys import GM_PAGE, TABLE, seat_role
from hub.web.settings import PageAddresses
from tests.adapters.web.conftest import OpenPages, Pages
from tests.adapters.web.playing import SEATS

NORTH, SOUTH = seat_role("north"), seat_role("south")
ID = "0123456789abcdefghijkl"


class Follower:
    """A page with a role, and the frames it received, in order."""

    def __init__(self, pages: Pages, role: str) -> None:
        self.pages = pages
        self.role = role
        self.http = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
        self.stream: aiohttp.ClientWebSocketResponse

    async def __aenter__(self) -> "Follower":
        page = self.role.replace("seat:", "seat/")
        if self.role:
            key = self.pages.server.keys.of(self.role)
            async with self.http.get(self.pages.url(f"{page}?key={key}")) as answer:
                assert answer.status == 200
        self.stream = await self.http.ws_connect(
            self.pages.url(f"ws/{page}".rstrip("/")), origin=self.pages.url().rstrip("/")
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stream.close()
        await self.http.close()

    async def sent(self, quiet_s: float = 0.1) -> list[dict[str, Any]]:
        """Return all frames until no more come."""
        return [json.loads(data) for data in await self.bytes_sent(quiet_s)]

    async def bytes_sent(self, quiet_s: float = 0.1) -> list[str]:
        found: list[str] = []
        try:
            while True:
                message = await self.stream.receive(quiet_s)
                if message.type is not aiohttp.WSMsgType.TEXT:
                    return found
                found.append(message.data)
        except TimeoutError:
            return found

    async def ask(self, **command: Any) -> dict[str, Any]:
        await self.stream.send_json({"do": "command", "command": {"id": ID, **command}})
        return await self.reply()

    async def reply(self) -> dict[str, Any]:
        while True:
            found: dict[str, Any] = json.loads((await self.stream.receive(5)).data)
            if found["type"] == "reply":
                return found


def kinds(frames: list[dict[str, Any]]) -> list[str]:
    return [" ".join(filter(None, (f["type"], f.get("seat")))) for f in frames]


async def test_each_role_has_its_snapshot(pages: Pages) -> None:
    pages.table.start()
    asked = ["questions", "deeds", "console"]
    hands = [f"hand {seat}" for seat in SEATS]
    for role, expected in {
        "": ["state"],
        GM_PAGE: ["state", *asked, "hand gm", "sound", "chronicle"],
        NORTH: ["state", "questions", "hand north", "company north"],
        TABLE: ["state", *asked, *hands, "tabletop", "sound", "chronicle"],
    }.items():
        async with Follower(pages, role) as page:
            assert kinds(await page.sent()) == expected, role


async def test_a_seat_is_asked_what_its_own_actors_decide(pages: Pages) -> None:
    pages.table.start()
    async with (
        Follower(pages, NORTH) as north,
        Follower(pages, SOUTH) as south,
        Follower(pages, GM_PAGE) as gm,
    ):
        for page in (north, south, gm):
            await page.sent()
        pages.table.decide(GM, "active ada")
        asked = {}
        for page in (north, south, gm):
            frames = await page.sent()
            found = [f["questions"] for f in frames if f["type"] == "questions"]
            asked[page.role] = [q["actor"] for q in found[-1]] if found else None
        assert asked == {NORTH: ["ada"], SOUTH: None, GM_PAGE: ["ada", "ninja", "sensei"]}


async def test_frames_for_few_are_sent_only_when_they_have_changed(pages: Pages) -> None:
    pages.table.start()
    async with Follower(pages, GM_PAGE) as gm, Follower(pages, TABLE) as table:
        await gm.sent()
        await table.sent()
        pages.table.announce()
        assert kinds(await gm.sent()) == ["state"]
        assert kinds(await table.sent()) == ["state"]


async def test_no_frames_are_built_for_roles_without_followers(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> dict[str, Any]:
        raise AssertionError

    for frame in ("questions", "deeds", "cast", "console", "hand", "chronicle"):
        monkeypatch.setattr(pages.table, frame, never)
    async with Follower(pages, "") as page:
        pages.table.start()
        assert "state" in kinds(await page.sent())


async def test_a_fault_in_one_frame_does_not_end_the_stream(
    pages: Pages, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> dict[str, Any]:
        raise KeyError("move attack-high")

    for frame in ("console", "chronicle"):
        monkeypatch.setattr(pages.table, frame, broken)
    async with Follower(pages, GM_PAGE) as gm:
        pages.table.start()
        assert {"state", "questions", "hand gm"} <= set(kinds(await gm.sent()))
    assert "a frame of console cannot be shown" in caplog.text
    assert "attack-high" not in caplog.text


async def test_a_signal_goes_to_its_own_seat(open_pages: OpenPages) -> None:
    for with_tabletop in (True, False):
        pages = await open_pages(with_tabletop=with_tabletop)
        roles = ["", GM_PAGE, NORTH, SOUTH, *([TABLE] if with_tabletop else [])]
        told = []
        followers = [Follower(pages, role) for role in roles]
        for page in followers:
            await page.__aenter__()
            await page.sent()
        pages.server.tell("north", "refused", "not this card")
        for page in followers:
            if "tell north" in kinds(await page.sent()):
                told.append(page.role)
            await page.__aexit__()
        assert told == ([NORTH, TABLE] if with_tabletop else [NORTH])


# The chronicle


async def test_the_chronicle_continues_where_it_was(pages: Pages) -> None:
    pages.table.start()
    async with Follower(pages, GM_PAGE) as first:
        (begun,) = [f for f in await first.sent() if f["type"] == "chronicle"]
        assert begun["reset"]
        pages.table.decide(GM, "active ada")
        (went_on,) = [f for f in await first.sent() if f["type"] == "chronicle"]
        assert not went_on["reset"]
        assert went_on["entries"][0]["seq"] > begun["entries"][-1]["seq"]
        async with Follower(pages, GM_PAGE) as late:
            (whole,) = [f for f in await late.sent() if f["type"] == "chronicle"]
            assert whole["entries"] == begun["entries"] + went_on["entries"]
            pages.table.decide("ada", "opponent ninja")
            news = [f for f in await late.sent() if f["type"] == "chronicle"]
            assert news == [f for f in await first.sent() if f["type"] == "chronicle"]
            assert len(news) == 1


async def test_after_a_gap_the_chronicle_has_no_repeats_and_no_omissions(pages: Pages) -> None:
    async with Follower(pages, GM_PAGE) as page:
        await page.sent()
    pages.table.start()
    pages.table.decide(GM, "active ada")
    async with Follower(pages, GM_PAGE) as page:
        (whole,) = [f for f in await page.sent() if f["type"] == "chronicle"]
        numbers = [entry["seq"] for entry in whole["entries"]]
        assert numbers == sorted(set(numbers))
        assert numbers[-1] == pages.table.state.seq


async def test_a_chronicle_frame_is_bounded(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    def long(after: int) -> list[dict[str, Any]]:
        return [{"seq": seq} for seq in range(after + 1, 1000)]

    monkeypatch.setattr(pages.table, "chronicle", long)
    async with Follower(pages, GM_PAGE) as page:
        (whole,) = [f for f in await page.sent() if f["type"] == "chronicle"]
        assert len(whole["entries"]) == MOST_ENTRIES
        assert whole["entries"][-1] == {"seq": 999}


# Commands


async def test_a_seat_commits_and_takes_back_for_its_own(pages: Pages) -> None:
    pages.table.start()
    pages.table.decide(GM, "active ada")
    async with Follower(pages, NORTH) as north, Follower(pages, SOUTH) as south:
        reply = await north.ask(command="decide", actor="ada", choice="opponent ninja")
        assert (reply["ok"], reply["code"], reply["id"]) == (True, "done", ID)
        card = {"command": "commit", "actor": "ada", "choice": "stance grapple 3"}
        refused = await south.ask(**card)
        assert (refused["ok"], refused["code"]) == (False, "illegal")
        assert (await north.ask(**card))["ok"]
        assert pages.table.state.scene.seals.keys() == {"ada"}  # type: ignore[union-attr]
        assert (await north.ask(command="take-back", actor="ada"))["ok"]
    asked, by, once = pages.table.asked[0]
    assert isinstance(asked, c.Decide)
    assert (by, once) == ("north", f"seat:north:{ID}")


@pytest.mark.parametrize("seat", ["north", "gm"])
async def test_a_seat_does_nothing_for_others_even_if_it_is_called_gm(
    pages: Pages, seat: str
) -> None:
    pages.table.start()
    before = pages.table.state
    async with Follower(pages, seat_role(seat)) as page:
        for command in (
            *({"command": each} for each in ("start-scene", "end-scene", "undo", "pause")),
            {"command": "drop-seal", "actor": "ada"},
            {"command": "tell-story", "deed": "countdown mark The tide"},
            {"command": "decide", "actor": "gm", "choice": "active ada"},
            {"command": "decide", "actor": "bo", "choice": "opponent ninja"},
            {"command": "commit", "actor": "bo", "choice": "stance none"},
            {"command": "take-back", "actor": "bo"},
            {"command": "withdraw", "actor": "bo", "choice": "special yojimbo"},
        ):
            reply = await page.ask(**command)
            answer = (reply["ok"], reply["code"], reply["id"])
            assert answer == (False, "illegal", ID), command
    assert pages.table.state == before
    assert pages.table.asked == []


async def test_the_gm_commands_and_only_the_table_moves_cards(pages: Pages) -> None:
    async with Follower(pages, GM_PAGE) as gm:
        assert (await gm.ask(command="start-scene"))["ok"]
        assert pages.table.asked[-1][1:] == (GM, f"gm:{ID}")
        assert (await gm.ask(command="undo", id="7"))["id"] == "7"
        assert pages.table.asked[-1][1:] == (GM, "")
        await gm.stream.send_json({"do": "unplug", "reader": "reader-north", "id": "8"})
        reply = await gm.reply()
        assert (reply["id"], reply["ok"]) == ("8", False)
    assert pages.tabletop.fields["north"].plugged


async def test_a_malformed_command_is_answered_by_its_id(pages: Pages) -> None:
    async with Follower(pages, NORTH) as north:
        reply = await north.ask(command="commit", actor="ada", choice=["strong"])
        assert (reply["id"], reply["code"]) == (ID, "malformed")
        assert "strong" not in reply["reason"]


# Keys and codes


async def test_the_gm_has_every_seats_key(pages: Pages, http: aiohttp.ClientSession) -> None:
    base, keys = pages.url().rstrip("/"), pages.server.keys
    async with http.get(pages.gm_url) as answer:
        assert answer.status == 200
    async with http.get(pages.url("gm/keys")) as answer:
        assert answer.headers["Cache-Control"] == "no-store"
        entries = await answer.json()
    assert entries == [
        *(
            {"seat": seat, "characters": list(actors), "url": pages.seat_url(seat)}
            for seat, actors in SEATS.items()
        ),
        {"seat": None, "url": f"{base}/gm?key={keys.of(GM_PAGE)}"},
        {"seat": None, "display": True, "url": f"{base}/display"},
    ]
    headers = {"Host": f"localhost:{pages.server.port}"}
    addresses = {
        "gm/keys/seat/north.svg": pages.seat_url("north"),
        "gm/keys/seat/gm.svg": pages.seat_url("gm"),
        "gm/keys/gm.svg": pages.gm_url,
        "gm/keys/display.svg": pages.url("display"),
    }
    for path, url in addresses.items():
        async with http.get(pages.url(path), headers=headers) as answer:
            assert (answer.content_type, answer.status) == ("image/svg+xml", 200)
            assert answer.headers["Cache-Control"] == "no-store"
            svg = await answer.text()
        assert svg == code_of(url.replace("127.0.0.1", "localhost"))
        assert 'fill="#fff"' in svg
        assert "script" not in svg
    for path in ("gm/keys/seat/west.svg", "gm/keys/north.svg", "gm/keys/seat/..%2fgm"):
        async with http.get(pages.url(path)) as answer:
            assert answer.status == 404


def code_of(url: str) -> str:
    """Return the picture of an address's code, with the border that readers need."""
    svg = BytesIO()
    code = segno.make(url, micro=False)
    code.save(svg, kind="svg", border=4, dark="#000", light="#fff", omitsize=True)
    return svg.getvalue().decode()


async def test_codes_for_phones_do_not_name_the_gms_own_machine(
    open_pages: OpenPages, http: aiohttp.ClientSession
) -> None:
    pages = await open_pages(host="0.0.0.0", where=PageAddresses(lambda: "127.0.0.2"))
    assert pages.url().startswith("http://127.0.0.2:")
    local = f"http://127.0.0.1:{pages.server.port}"
    async with http.get(f"{local}/gm?key={pages.server.keys.of(GM_PAGE)}") as answer:
        assert answer.status == 200
    async with http.get(f"{local}/gm/keys") as answer:
        assert {e["url"].split("/")[2].split(":")[0] for e in await answer.json()} == {"127.0.0.2"}


async def test_a_script_of_another_site_reads_no_keys(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    async with http.get(pages.gm_url) as answer:
        assert answer.status == 200
    origin = {"Origin": pages.url().rstrip("/")}
    for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200)):
        headers = {"Sec-Fetch-Site": site}
        for path in ("gm/keys", "gm/keys/seat/north.svg", "gm/keys/gm.svg"):
            async with http.get(pages.url(path), headers=headers) as answer:
                assert answer.status == status
        post = http.post(pages.url("gm/keys/seat/north"), headers=headers | origin)
        async with post as answer:
            assert answer.status == status
    async with http.post(pages.url("gm/keys/seat/north")) as answer:
        assert answer.status == 403


async def test_a_new_key_ends_what_the_old_one_opened(pages: Pages) -> None:
    pages.table.start()
    old = pages.server.keys.of(NORTH)
    async with (
        Follower(pages, NORTH) as lost,
        Follower(pages, SOUTH) as other,
        Follower(pages, GM_PAGE) as gm,
        Follower(pages, TABLE) as table,
    ):
        origin = {"Origin": pages.url().rstrip("/")}
        by_table = await table.http.ws_connect(pages.url("ws/seat/north"), origin=origin["Origin"])
        async with gm.http.post(pages.url("gm/keys/seat/north"), headers=origin) as answer:
            assert answer.status == 200
            entry = await answer.json()
        assert entry == {"seat": "north", "characters": ["ada"], "url": pages.seat_url("north")}
        assert old not in entry["url"]
        pages.table.decide(GM, "active ada")
        frames = await lost.bytes_sent()
        assert not any("active ada" in frame or '"decided"' in frame for frame in frames)
        assert lost.stream.close_code == aiohttp.WSCloseCode.POLICY_VIOLATION
        for stream in (other.stream, gm.stream, by_table):
            assert not stream.closed
        async with lost.http.get(pages.url("seat/north")) as answer:
            assert answer.status == 401
        async with lost.http.get(pages.url(f"seat/north?key={old}")) as answer:
            assert answer.status == 403
        async with lost.http.get(entry["url"]) as answer:
            assert answer.status == 200
        assert (await other.sent())[-1]["type"] == "state"
        await by_table.close()


async def test_a_revoked_role_is_no_longer_heard(pages: Pages) -> None:
    """Not even messages already under way."""
    pages.table.start()
    pages.table.decide(GM, "active ada")
    async with Follower(pages, NORTH) as page:
        command = {"command": "decide", "actor": "ada", "choice": "opponent ninja"}
        pages.server._login.sessions.end(NORTH)
        await page.stream.send_json({"do": "command", "command": command})
        await page.bytes_sent(1)
        assert page.stream.close_code == aiohttp.WSCloseCode.POLICY_VIOLATION
    assert pages.table.asked == []


# Bounds


async def test_each_role_has_its_own_room(open_pages: OpenPages) -> None:
    pages = await open_pages(max_role_clients=2)
    async with Follower(pages, NORTH), Follower(pages, NORTH):
        third = Follower(pages, NORTH)
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await third.__aenter__()
        await third.http.close()
        assert refused.value.status == 503
        async with Follower(pages, SOUTH), Follower(pages, GM_PAGE):
            pass
    async with asyncio.timeout(60):
        while len(pages.server._live._clients):
            await asyncio.sleep(0.01)


# Nothing sealed


async def everything_sent(pages: Pages, card: str, other: str) -> dict[str, list[str]]:
    """Return everything sent to every role except the two players': a card is laid and taken back,
    then another one sealed."""
    roles = ["", GM_PAGE, SOUTH]
    followers = [Follower(pages, role) for role in roles]
    for page in followers:
        await page.__aenter__()
    table = pages.table
    table.start()
    table.decide(GM, "active ada")
    table.decide("ada", "opponent ninja")
    table.lay("north", card)
    table.tell(i.Request(i.TakeBack("ada"), "north"))
    table.tell(i.Request(i.Commit("ada", Sealed(c.Choice.parse(other))), "north"))
    table.announce()
    found = {page.role: await page.bytes_sent() for page in followers}
    async with Follower(pages, SOUTH) as late, Follower(pages, GM_PAGE) as late_gm:
        found["late"] = [*await late.bytes_sent(), *await late_gm.bytes_sent()]
    for page in followers:
        await page.__aexit__()
    return found


def without_hashes(frames: dict[str, list[str]]) -> dict[str, list[Any]]:
    """Return the frames without the seals' digests and the hashes built on them."""

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: bare(v) for k, v in value.items() if k not in {"digest", "head", "prev"}}
        return [bare(v) for v in value] if isinstance(value, list) else value

    return {role: [bare(json.loads(frame)) for frame in sent] for role, sent in frames.items()}


async def test_others_see_the_same_whatever_is_sealed(open_pages: OpenPages) -> None:
    first = await everything_sent(await open_pages(), "stance grapple 3", "stance attack 1")
    second = await everything_sent(await open_pages(), "stance none", "stance defend 2")
    assert without_hashes(first) == without_hashes(second)
    assert {len(frame) for sent in first.values() for frame in sent} == {
        len(frame) for sent in second.values() for frame in sent
    }
    assert any('"type":"hand"' in frame for frame in first[GM_PAGE])
    assert any('"type":"chronicle"' in frame for frame in first[GM_PAGE])
