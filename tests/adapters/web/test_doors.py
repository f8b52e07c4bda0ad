"""Access to pages: roles, keys, cookies, and sessions over a restart."""

import json
import os
import re
import stat
import time
from itertools import product
from pathlib import Path

import aiohttp
import pytest
from msgspec.structs import replace

from hub.web.keys import GM_PAGE, TABLE, seat_role
from hub.web.sessions import MOST_SESSIONS
from tests.adapters.web.conftest import Looker, OpenPages, Pages
from tests.adapters.web.playing import SEATS

ROLES = (GM_PAGE, TABLE, *map(seat_role, SEATS))
OPEN = ("", "display", "healthz", "ws")
LOCKED = {
    "gm": {GM_PAGE, TABLE},
    "ws/gm": {GM_PAGE, TABLE},
    "gm/keys": {GM_PAGE, TABLE},
    "gm/keys/gm.svg": {GM_PAGE, TABLE},
    "gm/keys/display.svg": {GM_PAGE, TABLE},
    "gm/keys/seat/north.svg": {GM_PAGE, TABLE},
    "POST gm/keys/seat/south": {GM_PAGE, TABLE},
    "table": {TABLE},
    "ws/table": {TABLE},
    "seat/north": {seat_role("north"), TABLE},
    "ws/seat/north": {seat_role("north"), TABLE},
    "seat/gm": {seat_role("gm"), TABLE},
    "ws/seat/gm": {seat_role("gm"), TABLE},
}
"""Path → the roles that may open it."""


def page_of(role: str) -> str:
    return role.replace("seat:", "seat/")


def key_url(pages: Pages, role: str) -> str:
    return pages.url(f"{page_of(role)}?key={pages.server.keys.of(role)}")


async def show_key(pages: Pages, http: aiohttp.ClientSession, role: str) -> str:
    """Open the page with its key; return the Set-Cookie header."""
    async with http.get(key_url(pages, role), allow_redirects=False) as answer:
        assert answer.status == 303
        assert answer.headers["Location"] == f"/{page_of(role)}"
        return answer.headers["Set-Cookie"]


async def status_of(pages: Pages, http: aiohttp.ClientSession, path: str) -> int:
    """Return the status of a page of this server; 101 for a stream that opens."""
    origin = pages.url().rstrip("/")
    if "ws" in path.split("/"):
        try:
            stream = await http.ws_connect(pages.url(path), origin=origin)
        except aiohttp.WSServerHandshakeError as refused:
            return refused.status
        await stream.close()
        return 101
    method, _, path = path.rpartition(" ")
    headers = {"Origin": origin} if method else {}
    async with http.request(method or "GET", pages.url(path), headers=headers) as answer:
        return answer.status


@pytest.mark.parametrize("role", ["", *ROLES])
async def test_every_route_opens_only_for_its_roles(
    pages: Pages, http: aiohttp.ClientSession, role: str
) -> None:
    if role:
        await show_key(pages, http, role)
    for path in OPEN:
        assert await status_of(pages, http, path) in {200, 101}, path
    for path, roles in LOCKED.items():
        expected = {200, 101} if role in roles else {401}
        assert await status_of(pages, http, path) in expected, path


async def test_no_route_answers_other_sites(pages: Pages, http: aiohttp.ClientSession) -> None:
    await show_key(pages, http, TABLE)
    for foreign in (
        *({"Origin": "http://evil.example"}, {"Origin": "null"}),
        {"Host": "evil.example"},  # a rebound name
    ):
        for path in ("ws", *LOCKED):
            method, _, where = path.rpartition(" ")
            headers = ({"Origin": pages.url().rstrip("/")} if method else {}) | foreign
            async with http.request(method or "GET", pages.url(where), headers=headers) as answer:
                assert answer.status in {403, 421}, (path, foreign)
                assert "key=" not in await answer.text()


@pytest.mark.parametrize("role", ["", TABLE])
async def test_locked_pages_cannot_be_framed_or_cached(
    pages: Pages, http: aiohttp.ClientSession, role: str
) -> None:
    if role:
        await show_key(pages, http, role)
    for path in (path for path in LOCKED if "ws" not in path):
        method, _, where = path.rpartition(" ")
        headers = {"Origin": pages.url().rstrip("/")} if method else {}
        async with http.request(method or "GET", pages.url(where), headers=headers) as answer:
            policy = answer.headers["Content-Security-Policy"]
            for part in ("default-src 'none'", "frame-ancestors 'none'", "form-action 'self'"):
                assert part in policy, path
            assert answer.headers["X-Frame-Options"] == "DENY"
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            assert answer.headers["Cache-Control"] in {"no-store", "no-cache"}
            assert "unsafe" not in policy


async def test_scripts_cannot_read_the_cookie(pages: Pages, http: aiohttp.ClientSession) -> None:
    for role in ROLES:
        cookie = await show_key(pages, http, role)
        assert cookie.startswith(f"facedown-{pages.server.port}=")
        for part in ("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=86400"):
            assert part in cookie, role
        assert pages.server.keys.of(role) not in cookie


async def test_keys_add_up_in_one_browser(pages: Pages, http: aiohttp.ClientSession) -> None:
    first = await show_key(pages, http, GM_PAGE)
    second = await show_key(pages, http, seat_role("north"))
    assert await status_of(pages, http, "gm") == 200
    assert await status_of(pages, http, "seat/north") == 200
    assert await status_of(pages, http, "seat/south") == 401
    assert first.split(";")[0] != second.split(";")[0]
    http.cookie_jar.clear()
    name, _, value = first.split(";")[0].partition("=")
    async with http.get(pages.url("seat/north"), cookies={name: value}) as answer:
        assert answer.status == 401  # an attacker who knew the old id has gained nothing


async def test_the_tables_key_opens_every_page_where_it_is_shown(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    async with http.get(pages.url(f"seat/north?key={pages.key}")) as answer:
        assert (answer.status, answer.url.path) == (200, "/seat/north")
    assert await status_of(pages, http, "table") == 200


async def test_no_other_key_opens_a_page(
    open_pages: OpenPages, http: aiohttp.ClientSession
) -> None:
    pages = await open_pages(wrong_keys_per_minute=100)
    for role, other in product(ROLES, ROLES):
        if other not in {role, TABLE}:
            key = pages.server.keys.of(other)
            async with http.get(pages.url(f"{page_of(role)}?key={key}")) as answer:
                assert answer.status == 403, (role, other)
                assert "This key does not fit." in await answer.text()
                assert '<input id="key" name="key"' in await answer.text()
                assert "Set-Cookie" not in answer.headers


async def test_wrong_keys_are_counted_for_all_roles_together(
    pages: Pages, http: aiohttp.ClientSession, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(pages.settings.wrong_keys_per_minute):
        wrong = page_of(ROLES[number % len(ROLES)])
        async with http.get(pages.url(f"{wrong}?key=wrong")) as answer:
            assert answer.status == 403
    for role in ROLES:
        async with http.get(pages.url(f"{page_of(role)}?key=wrong")) as answer:
            assert answer.status == 429, role
            assert answer.headers["Retry-After"] == "60"
            assert "Only the right key opens" in await answer.text()
            assert "<form" not in await answer.text()
    said = [each for each in caplog.messages if "a wrong key for " in each]
    assert len(said) == pages.settings.wrong_keys_per_minute and "127.0.0.1" in said[0]
    for role in ROLES:
        await show_key(pages, http, role)


NOBODY: tuple[dict[str, str], ...] = (
    {"Sec-Fetch-Dest": "image", "Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Dest": "image", "Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Dest": "embed"},
    {"Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "no-cors"},  # a script's fetch
    {"Sec-Purpose": "prefetch", "Sec-Fetch-Dest": "document"},
    {"Sec-Purpose": "prefetch;prerender"},
    *({header: "prefetch"} for header in ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")),
    # Browsers send no Sec-Fetch headers over plain HTTP.
    {"Accept": "image/avif,image/webp,image/*,*/*;q=0.8"},
    *({"Accept": kind} for kind in ("image/*", "text/css,*/*", "video/*", "audio/*", "font/woff2")),
)
"""Headers of requests for which no user has opened the page."""


async def test_a_key_opens_nothing_unless_a_user_opens_the_page(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    for headers, role in product(NOBODY, (GM_PAGE, seat_role("north"))):
        async with http.get(key_url(pages, role), headers=headers, allow_redirects=False) as answer:
            assert answer.status == 403, headers
            assert "Set-Cookie" not in answer.headers
            assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    async with http.head(key_url(pages, GM_PAGE), allow_redirects=False) as answer:
        assert "Set-Cookie" not in answer.headers


async def test_a_link_from_another_site_takes_one_more_step(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    site = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    for headers in (site, {"Referer": "http://chat.example/"}):
        async with http.get(pages.gm_url, headers=headers) as answer:
            assert (answer.status, answer.headers["Refresh"]) == (200, "0"), headers
            assert "Set-Cookie" not in answer.headers
            assert pages.server.keys.of(GM_PAGE) not in await answer.text()


async def test_another_site_cannot_change_what_a_browser_may_open(
    pages: Pages, looker: Looker
) -> None:
    seat = pages.seat_url("north")
    await looker.open(pages.gm_url)
    await looker.open(
        "data:text/html,<body><p id=out></p>"
        f"<img src='{seat}' onerror='out.textContent=\"failed\"'>"
        f"<iframe src='{seat}'></iframe><a href='{seat}'>go</a>"
    )
    await looker.until_says("failed", "#out")
    for path, locked in (("seat/north", True), ("gm", False)):
        await looker.open(pages.url(path))
        assert ("needs its key" in await looker.text("body")) is locked, path
    await looker.open(f"data:text/html,<a href='{seat}'>go</a>")
    await looker.run("document.querySelector('a').click()")
    await looker.until("location.pathname === '/seat/north' && !location.search")
    await looker.open(pages.url("gm"))
    assert "needs its key" not in await looker.text("body")


async def test_a_locked_page_has_a_form_for_the_key(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    for path, said in (
        ("table", "The virtual table needs its key."),
        ("seat/north", "The page of seat north needs its key."),
    ):
        async with http.get(pages.url(path)) as answer:
            assert answer.status == 401
            page = await answer.text()
        assert said in page
    assert re.search(r'<form method="get">.*<input id="key" name="key"', page, re.DOTALL)
    (script,) = re.findall(r"<script[^>]*>", page)  # only translates; the form is plain HTML
    path = r"/static/[0-9a-f]{12}/js/pages/plain.js"
    assert re.fullmatch(f'<script type="module" src="{path}">', script)
    for shown in (f" {pages.server.keys.of('gm')}\n", pages.gm_url):
        http.cookie_jar.clear()
        async with http.get(pages.url("gm"), params={"key": shown}) as answer:
            assert answer.status == 200


async def test_after_a_link_from_another_site_the_page_reloads_by_itself(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    """A browser withholds a SameSite=Strict cookie for the whole navigation from another site."""
    for site, refresh in (("cross-site", "0"), ("same-origin", None), ("none", None)):
        async with http.get(pages.url("gm"), headers={"Sec-Fetch-Site": site}) as answer:
            assert answer.status == 401
            assert answer.headers.get("Refresh") == refresh


async def test_an_old_key_does_not_lock_an_open_page(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    await show_key(pages, http, GM_PAGE)
    async with http.get(pages.url("gm?key=of-the-last-start")) as answer:
        assert (answer.status, answer.url.query_string) == (200, "")


async def test_a_missing_seat(pages: Pages, http: aiohttp.ClientSession) -> None:
    for path in ("seat/west", "seat/west?key=x", "seat/NORTH", "seat/"):
        async with http.get(pages.url(path)) as answer:
            assert answer.status == 404, path
            text = await answer.text()
        assert not any(seat in text for seat in ("north", "south"))
    assert await status_of(pages, http, "ws/seat/west") == 404


async def test_a_head_request_tells_whether_the_page_is_locked(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    async with http.head(pages.url("seat/north")) as answer:
        assert answer.status == 401


# Sessions over a restart


async def restarted(pages: Pages, **changes: object) -> None:
    port = pages.server.port
    await pages.server.__aexit__(None, None, None)
    pages.server = pages.make(replace(pages.settings, port=port, **changes))
    await pages.server.__aenter__()


async def test_sessions_outlive_a_restart(
    open_pages: OpenPages, http: aiohttp.ClientSession, tmp_path: Path
) -> None:
    path = tmp_path / "table.sessions"
    pages = await open_pages(sessions=path)
    cookie = await show_key(pages, http, GM_PAGE)
    await show_key(pages, http, seat_role("north"))
    old_key = pages.server.keys.of(GM_PAGE)
    await restarted(pages)
    assert await status_of(pages, http, "gm") == 200
    assert await status_of(pages, http, "ws/seat/north") == 101
    assert await status_of(pages, http, "seat/south") == 401
    assert pages.server.keys.of(GM_PAGE) != old_key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    held = path.read_text()
    for secret in (old_key, cookie.split(";")[0].partition("=")[2]):
        assert secret not in held
    http.cookie_jar.clear()
    async with http.get(key_url(pages, GM_PAGE).replace(pages.server.keys.of("gm"), old_key)) as no:
        assert no.status == 403


async def test_setting_the_clock_locks_no_one_out(
    open_pages: OpenPages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Raspberry Pi boots with a past time and learns the right one when phones are already
    connected."""
    truth = time.time()
    monkeypatch.setattr(time, "time", lambda: 3600.0)
    pages = await open_pages(sessions=tmp_path / "s")
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
        cookie = (await show_key(pages, http, GM_PAGE)).partition(";")[0]

        async def opens() -> bool:
            async with http.get(pages.url("gm"), headers={"Cookie": cookie}) as answer:
                return answer.status == 200

        for now in (truth, truth + 10 * 365 * 86400, 3600.0, truth):
            monkeypatch.setattr(time, "time", lambda now=now: now)
            assert await opens()
            await restarted(pages)
            assert await opens()


async def test_a_removed_seat_has_no_session(
    open_pages: OpenPages, http: aiohttp.ClientSession, tmp_path: Path
) -> None:
    pages = await open_pages(sessions=tmp_path / "s")
    await show_key(pages, http, seat_role("north"))
    await restarted(pages, seats={"south": ("bo",)})
    await restarted(pages)
    assert await status_of(pages, http, "seat/north") == 200  # the file was not written in between
    await restarted(pages, seats={"south": ("bo",)})
    await show_key(pages, http, seat_role("south"))
    await restarted(pages)
    assert await status_of(pages, http, "seat/north") == 401


SESSION = {"id": "0" * 64, "ends": {"gm": 1e10}}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 5000,
        b"{}",
        b'{"sessions":7}',
        json.dumps({"sessions": [SESSION], "more": 1}).encode(),
        json.dumps({"sessions": [SESSION | {"id": "short"}]}).encode(),
        json.dumps({"sessions": [SESSION | {"ends": {"gm": "late"}}]}).encode(),
        json.dumps({"sessions": [SESSION] * (MOST_SESSIONS + 1)}).encode(),
        b" " * (2 << 20),
    ],
)
async def test_a_damaged_file_costs_one_warning(
    open_pages: OpenPages,
    http: aiohttp.ClientSession,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    content: bytes,
) -> None:
    path = tmp_path / "s"
    path.write_bytes(content)
    pages = await open_pages(sessions=path)
    (record,) = (r for r in caplog.records if "sessions' file" in r.message)
    assert str(path) in record.message
    await show_key(pages, http, GM_PAGE)
    await restarted(pages)
    assert await status_of(pages, http, "gm") == 200


@pytest.mark.parametrize("kind", ["folder", "link", "open to others", "fifo"])
async def test_anything_but_a_regular_file_is_ignored(
    open_pages: OpenPages, tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    path, other = tmp_path / "s", tmp_path / "other"
    other.write_text(json.dumps({"sessions": [SESSION]}))
    match kind:
        case "folder":
            path.mkdir()
        case "link":
            path.symlink_to(other)
        case "open to others":
            other.chmod(0o666)
            other.rename(path)
        case "fifo":
            os.mkfifo(path)
    await open_pages(sessions=path)
    assert "sessions' file" in caplog.text


async def test_a_file_that_cannot_be_written_costs_one_warning(
    open_pages: OpenPages,
    http: aiohttp.ClientSession,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    pages = await open_pages(sessions=tmp_path / "no" / "such" / "folder")
    await show_key(pages, http, GM_PAGE)
    await show_key(pages, http, TABLE)
    assert await status_of(pages, http, "gm") == 200
    assert caplog.text.count("sessions' file") == 1
    assert "cannot be written" in caplog.text


async def test_a_session_ends(open_pages: OpenPages, http: aiohttp.ClientSession) -> None:
    pages = await open_pages(session_s=0.2)
    async with http.get(pages.gm_url, allow_redirects=False) as answer:
        value = answer.cookies[f"facedown-{pages.server.port}"].value
    cookies = {f"facedown-{pages.server.port}": value}
    headers = {"Origin": pages.url().rstrip("/")}
    stream = await http.ws_connect(pages.url("ws/gm"), headers=headers | {
        "Cookie": f"facedown-{pages.server.port}={value}"
    })  # fmt: skip
    while (message := await stream.receive(5)).type is aiohttp.WSMsgType.TEXT:
        pass
    assert stream.close_code == aiohttp.WSCloseCode.POLICY_VIOLATION, message
    async with http.get(pages.url("gm"), cookies=cookies) as answer:
        assert answer.status == 401
