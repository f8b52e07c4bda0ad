"""Portraits on pages: uploaded and chosen on a phone, shown to everyone, refused in a sentence."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest
from selenium.webdriver.common.by import By

from hub.pictures.store import Pictures
from hub.table import acts as c
from hub.table.looks import Colour, Portrait
from hub.web.keys import GM_PAGE, seat_role
from hub.web.portraits import MOST_BYTES
from tests.adapters.test_pictures import SVG, WHOLE, halves, png_of, saved
from tests.adapters.web.conftest import Looker
from tests.adapters.web.led import LedTable
from tests.support.accessibility import violations
from tests.support.browser import console, resize

PHONE = (390, 844)


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[LedTable]:
    pictures = Pictures(tmp_path / "pictures")
    async with LedTable(pictures=pictures) as led:
        pictures.worn = lambda: {each.picture for each in led.state.portraits.values()}
        yield led


def door(table: LedTable, seat: str) -> str:
    return table.url(f"seat/{seat}?key={table.server.keys.of(seat_role(seat))}")


def headers(table: LedTable) -> dict[str, str]:
    address = urlsplit(table.url(""))
    return {"Origin": f"{address.scheme}://{address.netloc}"}


async def enter(http: aiohttp.ClientSession, table: LedTable, role: str = GM_PAGE) -> None:
    url = table.door if role == GM_PAGE else door(table, role)
    async with http.get(url) as answer:
        assert answer.status == 200


async def send(
    http: aiohttp.ClientSession, table: LedTable, body: object
) -> tuple[int, dict[str, str]]:
    async with http.post(table.url("portraits"), data=body, headers=headers(table)) as answer:
        return answer.status, await answer.json()


async def test_only_clients_with_a_key_upload_a_picture_and_all_see_it(
    table: LedTable, http: aiohttp.ClientSession
) -> None:
    body = saved(halves(), "JPEG")
    async with http.post(table.url("portraits"), data=body, headers=headers(table)) as answer:
        assert answer.status == 401
    await enter(http, table, "bo")
    async with http.post(
        table.url("portraits"), data=body, headers={"Origin": "http://elsewhere"}
    ) as answer:
        assert answer.status == 403
    status, said = await send(http, table, body)
    assert status == 200 and re.fullmatch("[0-9a-f]{64}", said["digest"])
    async with (
        aiohttp.ClientSession() as anybody,
        anybody.get(table.url(f"portraits/{said['digest']}.webp")) as answer,
    ):
        assert (answer.status, answer.content_type) == (200, "image/webp")
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "img-src 'self' data:;" in answer.headers["Content-Security-Policy"]
        assert len(await answer.read()) < 64_000
    async with http.get(table.url(f"portraits/{'0' * 64}.webp")) as answer:
        assert answer.status == 404


async def test_a_file_that_is_no_picture_is_refused_in_one_sentence(
    table: LedTable, http: aiohttp.ClientSession
) -> None:
    await enter(http, table)
    for body, status, why in (
        (b"This is a text.", 415, "kind"),
        (SVG, 415, "kind"),
        (b"", 415, "kind"),
        (png_of(30_000, 30_000), 422, "pixels"),
        (WHOLE[:5000], 422, "damaged"),
    ):
        found, said = await send(http, table, body)
        assert (found, said["why"]) == (status, why) and said["said"].endswith(".")

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(MOST_BYTES // 1_000_000 + 2):
            yield b"\0" * 1_000_000

    assert (await send(http, table, endless()))[0] == 413
    assert (await send(http, table, saved(halves(), "PNG")))[0] == 200


@pytest.mark.parametrize("asks", [True, False])
async def test_fifty_megabytes_are_refused_before_they_are_sent(
    table: LedTable, http: aiohttp.ClientSession, asks: bool
) -> None:
    await enter(http, table)
    address = urlsplit(table.url("portraits"))
    cookie = "; ".join(f"{one.key}={one.value}" for one in http.cookie_jar)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    lines = [
        "POST /portraits HTTP/1.1", f"Host: {address.netloc}", f"Cookie: {cookie}",
        f"Origin: http://{address.netloc}", "Content-Length: 50000000",
        *(["Expect: 100-continue"] * asks),
    ]  # fmt: skip
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    async with asyncio.timeout(60):
        answer = await reader.readuntil(b"}")
    writer.close()
    assert answer.startswith(b"HTTP/1.1 413") and b"larger than 8 MB" in answer


async def test_a_portrait_needs_a_picture_that_the_hub_has(table: LedTable) -> None:
    wanted = c.Portray(name="ada", portrait=Portrait(picture="ab" * 32))
    reply = await table.runner.inbox.ask(wanted, "ada")
    assert not reply.ok and "does not have this picture" in reply.reason


async def picks(looker: Looker, place: str) -> None:
    await looker.click(f'[data-place="{place}"]')


async def test_a_player_is_shown_as_chosen_on_the_phone(
    table: LedTable, looker: Looker, tmp_path: Path
) -> None:
    """Colour, shape and an uploaded picture are on the display at once; the GM removes the picture
    and restores it."""
    await table.duel()
    browser = looker.browser
    await looker.open(table.url("display?near"))
    here = browser.current_window_handle
    browser.switch_to.new_window("window")
    try:
        resize(browser, PHONE)
        await looker.open(door(table, "bo"))
        await table.obey(c.Portray(name="ada", portrait=Portrait(colour=Colour.SKY)))
        await looker.click('[data-fold="looks-bo"]')
        await looker.until(
            "document.querySelector('[data-place=\"portray bo sky\"]').ariaDisabled === 'true'"
        )
        await picks(looker, "portray bo red")
        await picks(looker, "portray bo heart")
        await looker.until(
            "document.querySelector('.own-name .portrait rect').getAttribute('stroke')"
            " === '#e2221f'"
        )
        assert table.state.portraits["bo"].colour is Colour.RED
        picture = tmp_path / "me.jpg"
        picture.write_bytes(saved(halves(size=(3000, 2000)), "JPEG"))
        text = tmp_path / "text.jpg"
        text.write_bytes(b"a text" * 100)
        browser.find_element(By.CSS_SELECTOR, "input[data-portray=bo]").send_keys(str(text))
        await looker.until_says("cannot read this picture")
        browser.find_element(By.CSS_SELECTOR, "input[data-portray=bo]").send_keys(str(picture))
        await looker.until("document.querySelector('.own-name .portrait image')")
        digest = table.state.portraits["bo"].picture
        assert digest and table.state.portraits["bo"].colour is Colour.RED
        assert await asyncio.to_thread(violations, browser) == []
        browser.close()
        browser.switch_to.window(here)
        shown = "document.querySelector('.person[data-name=bo] .portrait image')"
        await looker.until(shown)
        assert (
            await looker.run(f"return {shown}.getAttribute('href')") == f"/portraits/{digest}.webp"
        )
        await looker.run(
            f"fetch({shown}.getAttribute('href')).then((one) => one.blob())"
            ".then(createImageBitmap).then(({ width }) => (window.seen = width))"
        )
        await looker.until("window.seen === 256")
        await looker.open(table.door)
        await looker.click('[data-tab="keys"]')
        await looker.click('[data-fold="looks-bo"]')
        await picks(looker, "portray bo away")
        await looker.until("document.querySelector('[data-place=\"portray bo back\"]')")
        assert table.state.portraits["bo"].picture == ""
        await picks(looker, "portray bo back")
        await looker.until("document.querySelector('[data-place=\"portray bo away\"]')")
        assert table.state.portraits["bo"].picture == digest
        refused = [one["message"] for one in console(browser) if " 415 " not in one["message"]]
        assert refused == []
    finally:
        browser.switch_to.window(here)


async def test_no_two_characters_share_a_colour(table: LedTable, looker: Looker) -> None:
    """A character without a choice gets a colour by name, avoiding those that others have
    chosen."""
    browser = looker.browser
    await table.duel()
    await looker.open(table.url("display?near"))
    colours = (
        "[...document.querySelectorAll('.person')].map((one) =>"
        " one.querySelector('.portrait rect')?.getAttribute('stroke'))"
    )
    await looker.until(f"{colours}.every(Boolean) && {colours}.length > 2")
    before = await looker.run(f"return {colours}")
    assert isinstance(before, list) and len({*before}) == len(before)
    mine = {each.value for each in Colour}
    drawn = await looker.run(
        "return import('/static/js/core/painter.js').then(({ COLOURS }) => COLOURS)"
    )
    assert isinstance(drawn, dict) and {*drawn} == mine
    taken = next(name for name, tint in drawn.items() if tint == before[0])
    await table.obey(c.Portray(name="bo", portrait=Portrait(colour=Colour(taken))))
    await looker.until(f"{colours}[0] !== arguments[0]", before[0])
    after = await looker.run(f"return {colours}")
    assert isinstance(after, list) and len({*after}) == len(after)
    assert [entry["message"] for entry in console(browser)] == []
