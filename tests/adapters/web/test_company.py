"""Two browsers at one seat: each knows of the other, and neither learns what the other has
sealed."""

import json
from pathlib import Path
from typing import Any

import aiohttp

from hub.web.keys import GM_PAGE, seat_role
from tests.adapters.web.conftest import Looker, OpenPages, Pages
from tests.adapters.web.playing import SCENE
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import tabs_of
from tests.adapters.web.test_doors import show_key
from tests.adapters.web.test_roles import Follower

NORTH = seat_role("north")
CHARACTERS: dict[str, dict[str, object]] = SCENE["characters"]  # type: ignore[assignment]
GIFTED = {
    **CHARACTERS,
    "ada": {**CHARACTERS["ada"], "specials": ["wax-on-attack", "wax-on-grapple"]},
}
SPECIALS = ("special wax-on-attack", "special wax-on-grapple")


def of_type(kind: str, frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [frame for frame in frames if frame["type"] == kind]


def to_the_moves(pages: Pages) -> None:
    table = pages.table
    table.start(characters=GIFTED)
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", ada="none", ninja="none")


async def test_a_second_browser_is_announced_to_the_first(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    async with Follower(pages, NORTH) as first:
        assert of_type("company", await first.sent()) == [
            {"type": "company", "seat": "north", "browsers": 1}
        ]
        await show_key(pages, http, NORTH)  # the browser has not even opened the page
        assert of_type("company", await first.sent())[-1]["browsers"] == 2
        await show_key(pages, http, seat_role("south"))
        await show_key(pages, http, GM_PAGE)
        await show_key(pages, http, NORTH)  # still the same browser
        assert of_type("company", await first.sent()) == []
        async with Follower(pages, NORTH) as third:
            assert of_type("company", await third.sent())[-1]["browsers"] == 3
            assert of_type("company", await first.sent())[-1]["browsers"] == 3


async def test_a_browser_that_came_while_no_page_was_open_is_announced_later(
    open_pages: OpenPages, http: aiohttp.ClientSession, tmp_path: Path
) -> None:
    pages = await open_pages(sessions=tmp_path / "s")
    await show_key(pages, http, NORTH)
    async with Follower(pages, NORTH) as second:
        assert of_type("company", await second.sent())[-1]["browsers"] == 2


async def test_the_first_sees_the_seconds_requests_but_never_the_card(pages: Pages) -> None:
    to_the_moves(pages)
    async with Follower(pages, NORTH) as first, Follower(pages, NORTH) as second:
        for page in (first, second):
            await page.sent()
        assert (await first.ask(command="commit", actor="ada", choice=SPECIALS[0]))["ok"]
        assert of_type("elsewhere", await first.sent()) == []
        assert len(of_type("elsewhere", await second.sent())) == 1
        for command in ("commit", "withdraw"):
            await second.ask(command=command, actor="ada", choice=SPECIALS[0])
        assert (await second.ask(command="withdraw", actor="ada"))["ok"]
        said = await first.bytes_sent()
        heard = of_type("elsewhere", [json.loads(data) for data in said])
        assert [(frame["command"], frame["ok"]) for frame in heard] == [
            ("commit", False),
            ("withdraw", False),
            ("withdraw", True),
        ]
        assert all("wax-on" not in data for data in said if '"elsewhere"' in data)


async def test_the_second_gets_the_same_answer_whatever_the_first_has_sealed(
    open_pages: OpenPages,
) -> None:
    heard = []
    for special in SPECIALS:
        pages = await open_pages()
        to_the_moves(pages)
        async with Follower(pages, NORTH) as first, Follower(pages, NORTH) as second:
            await second.sent()
            assert (await first.ask(command="commit", actor="ada", choice=special))["ok"]
            frames = []
            for command in ("commit", "withdraw"):
                for other in (*SPECIALS, "special yojimbo"):
                    frames.append(await second.ask(command=command, actor="ada", choice=other))
            frames += [frame for frame in await second.sent() if frame["type"] != "state"]
            heard.append(frames)
            assert (await first.ask(command="withdraw", actor="ada", choice=special))["ok"]
    assert heard[0] == heard[1]
    assert not any(frame["ok"] for frame in heard[0] if frame["type"] == "reply")


async def test_a_new_key_shuts_the_others_out(pages: Pages, http: aiohttp.ClientSession) -> None:
    await show_key(pages, http, NORTH)
    await show_key(pages, http, GM_PAGE)
    own = {"Origin": pages.url().rstrip("/")}
    async with http.post(pages.url("gm/keys/seat/north"), headers=own) as answer:
        assert answer.status == 200
    async with Follower(pages, NORTH) as owner:
        assert of_type("company", await owner.sent())[-1]["browsers"] == 1


async def test_a_player_sees_that_another_device_has_come(
    looker: Looker, http: aiohttp.ClientSession, tmp_path: Path
) -> None:
    async with RunningTable(tmp_path) as table, tabs_of(looker) as tabs:
        ada = await tabs.sit(table, "north")
        await ada.says("Ada")
        assert not await ada.has(".own-company")
        async with http.get(table.address("north")) as answer:
            assert answer.status == 200
        await ada.says("Another device has opened this page", ".own-company")
        await ada.run("location.reload()")
        await ada.says("ask the GM for a new key", ".own-company")
        await ada.click(".own-company [data-company]")
        assert not await ada.has(".own-company")
        await table.face("ada", "ninja")
        origin = table.server.url.rstrip("/")
        stream = await http.ws_connect(f"{table.server.url}ws/seat/north", origin=origin)
        command = {"command": "commit", "actor": "ada", "choice": "stance none", "id": "1"}
        await stream.send_json({"do": "command", "command": command})
        await ada.says("It did this for you: seal a card.", ".own-company")
        await stream.close()


async def test_specials_set_beside_by_another_device_are_withdrawn_all_together(
    looker: Looker, tmp_path: Path
) -> None:
    async with (
        RunningTable(tmp_path, scene={"characters": GIFTED}) as table,
        tabs_of(looker) as tabs,
    ):
        ada = await tabs.sit(table, "north")
        await table.face("ada", "ninja")
        await table.both("stance", ada="none", ninja="none")
        await table.commit("ada", SPECIALS[0])  # by a browser without a name
        await ada.click('[data-command="withdraw"]')
        await table.until_told("withdrawn")
        await ada.says("One tap seals it beside your card", ".own-beside")
        assert not await ada.has('[data-command="withdraw"]')
