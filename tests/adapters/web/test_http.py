"""Pages, files, keys, and access."""

import asyncio
import gzip
import logging
import re
from pathlib import Path

import aiohttp
import pytest
from yarl import URL

import hub.kernel.catalogues
import hub.web
from hub.web.keys import AddressLimit, hash_key, key_fits, new_key
from tests.adapters.web.conftest import OpenPages, Pages
from tests.support.page_files import page_files

STATIC = Path(hub.web.__file__).parent / "static"
CATALOGUES = Path(hub.kernel.catalogues.__file__).parent
FOREIGN = {"Origin": "http://evil.example"}


async def test_every_answer_carries_the_headers(pages: Pages, http: aiohttp.ClientSession) -> None:
    for path in ("", "display", "healthz", "nowhere", "static/js/nowhere.js"):
        async with http.get(pages.url(path)) as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy, path
            assert "script-src 'self'" in policy
            assert "unsafe" not in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            assert answer.headers["X-Frame-Options"] == "DENY"
            assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
            assert "aiohttp" not in answer.headers["Server"]


async def test_health(pages: Pages, http: aiohttp.ClientSession) -> None:
    async with http.get(pages.url("healthz")) as answer:
        assert (answer.status, await answer.text()) == (200, "ok\n")
        assert answer.headers["Cache-Control"] == "no-store"


def without_space(style: str) -> str:
    """Return a style sheet without white space, comments and characters without meaning: a 0 before
    a point, a rule's last semicolon."""
    style = re.sub(r"(?<![\w.])0(?=\.\d)", "", style)
    return re.sub(r"\s|/\*.*?\*/", "", style, flags=re.DOTALL).replace(";}", "}")


async def test_every_file_of_the_pages_is_served_and_cached(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    for path, file in page_files().items():
        url = pages.url(f"static/{path}")
        async with http.get(url) as answer:
            assert answer.status == 200, url
            body = await answer.read()
            assert body == file.read_bytes() or file.suffix in {".html", ".js", ".css"}, url
            if file.suffix == ".css":
                assert without_space(body.decode()) == without_space(file.read_text()), url
            etag = answer.headers["ETag"]
            assert answer.headers["Cache-Control"] == "no-cache"
        async with http.get(url, headers={"If-None-Match": etag}) as answer:
            assert (answer.status, await answer.read()) == (304, b"")


async def test_only_the_pages_files_are_served(pages: Pages, http: aiohttp.ClientSession) -> None:
    for path in ("..%2fserver.py", "%2e%2e/server.py", "/etc/passwd", "js/", ""):
        async with http.get(URL(pages.url(f"static/{path}"), encoded=True)) as answer:
            assert answer.status == 404, path


async def test_no_file_needs_another_site() -> None:
    """No file contains the address of another site, except the namespace of SVG."""
    for file in (*page_files().values(), *CATALOGUES.glob("*.json")):
        if file.suffix == ".png":
            continue
        rest = file.read_text().replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|\"//|@import|url\(", rest), file


async def test_only_a_known_host_is_answered(
    open_pages: OpenPages, http: aiohttp.ClientSession
) -> None:
    pages = await open_pages(hosts=("Table.local",))
    for host in ("localhost", "LOCALHOST.:99", "127.0.0.1:1", "[::1]", "table.local:8080"):
        async with http.get(pages.url("display"), headers={"Host": host}) as answer:
            assert answer.status == 200, host
    foreign = ("evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1@evil")
    for host in (*foreign, "", "["):
        async with http.get(pages.url("display"), headers={"Host": host}) as answer:
            assert answer.status in {400, 421}, host
            assert "script" not in await answer.text()


async def test_the_address_of_the_connection_is_a_known_host(
    open_pages: OpenPages, http: aiohttp.ClientSession
) -> None:
    pages = await open_pages(host="0.0.0.0")
    async with http.get(f"http://127.0.0.2:{pages.server.port}/healthz") as answer:
        assert answer.status == 200
    headers = {"Host": "127.0.0.3"}
    async with http.get(pages.url("healthz"), headers=headers) as answer:
        assert answer.status == 421


async def test_other_sites_are_refused(pages: Pages, http: aiohttp.ClientSession) -> None:
    async with http.get(pages.url("display"), headers=FOREIGN) as answer:
        assert answer.status == 403
    async with http.post(pages.url("display"), headers=FOREIGN) as answer:
        assert answer.status == 403
    async with http.post(pages.url("display")) as answer:
        assert answer.status == 403
    own = {"Origin": pages.url().rstrip("/")}
    async with http.post(pages.url("display"), headers=own) as answer:
        assert answer.status == 405
    for origin in ("null", "http://[", "file://", f"ftp://127.0.0.1:{pages.server.port}"):
        async with http.get(pages.url("display"), headers={"Origin": origin}) as answer:
            assert answer.status == 403


async def test_without_simulated_readers_there_is_no_virtual_table(
    open_pages: OpenPages, http: aiohttp.ClientSession
) -> None:
    pages = await open_pages(with_tabletop=False)
    for path in ("table", "table?key=x", "ws/table"):
        async with http.get(pages.url(path)) as answer:
            assert answer.status == 404
    async with http.get(pages.url()) as answer:
        assert "table" not in re.findall(r'href="(\w+)"', await answer.text())


async def test_no_log_holds_a_key(
    pages: Pages, http: aiohttp.ClientSession, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    keys = pages.server.keys
    north = keys.of("seat:north")
    for page, key in (("table", pages.key), ("gm", keys.of("gm")), ("seat/north", north)):
        for shown in (key, "almost-" + key):
            async with http.get(pages.url(f"{page}?key={shown}")) as answer:
                assert key not in await answer.text()
    own = {"Origin": pages.url().rstrip("/")}
    async with http.post(pages.url("gm/keys/seat/north"), headers=own) as answer:
        assert keys.of("seat:north") in await answer.text()
    assert "GET /table" in caplog.text
    assert "wrong key" in caplog.text
    for key in (pages.key, keys.of("gm"), north, keys.of("seat:north")):
        assert key not in caplog.text


async def test_no_repr_shows_a_key(pages: Pages) -> None:
    assert pages.key not in repr(pages.settings)
    assert pages.key not in repr(pages.server.keys)


def test_keys() -> None:
    keys = {new_key() for _ in range(100)}
    assert len(keys) == 100
    assert all(re.fullmatch(r"[\w-]{22}", key) for key in keys)
    key = keys.pop()
    assert key_fits(key, hash_key(key))
    assert not key_fits(key + "x", hash_key(key))
    assert not key_fits("", "")


def test_the_limit_on_wrong_keys_recovers_and_forgets() -> None:
    now = 0.0
    limit = AddressLimit(6, lambda: now, max_addresses=2)
    for _ in range(6):
        assert not limit.exceeded("10.0.0.1")
        limit.note("10.0.0.1")
    assert limit.exceeded("10.0.0.1")
    assert not limit.exceeded("10.0.0.2")
    now = 11
    assert not limit.exceeded("10.0.0.1")
    for host in range(9):
        limit.note(f"10.0.1.{host}")
    assert len(limit._spent) == 2


def test_an_ipv6_network_counts_as_one_address() -> None:
    limit = AddressLimit(1, lambda: 0.0)
    limit.note("2001:db8::1")
    assert limit.exceeded("2001:db8::ffff")
    assert not limit.exceeded("2001:db8:0:1::1")
    limit.note("fe80::1%eth0")
    assert limit.exceeded("fe80::2")


async def test_exit_is_idempotent_and_the_port_is_free_again(open_pages: OpenPages) -> None:
    pages = await open_pages()
    port = pages.server.port
    for _ in range(2):
        await pages.server.__aexit__(None, None, None)
    assert pages.server.port == 0
    again = await open_pages(port=port)
    assert again.server.port == port


async def test_a_taken_port_is_reported(open_pages: OpenPages) -> None:
    pages = await open_pages()
    with pytest.raises(OSError, match="in use"):
        await open_pages(port=pages.server.port)


async def raw(pages: Pages, request: bytes) -> bytes:
    """Send bytes that no proper client would, and return the answer's status line."""
    reader, writer = await asyncio.open_connection("127.0.0.1", pages.server.port)
    writer.write(request + b"\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    await writer.drain()
    answer = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    await writer.wait_closed()
    return answer.splitlines()[0]


async def test_a_cookie_of_odd_bytes_is_no_session(pages: Pages) -> None:
    cookie = f"Cookie: facedown-{pages.server.port}=".encode() + b"\xff\xfe"
    assert b" 401 " in await raw(pages, b"GET /ws/table HTTP/1.1\r\n" + cookie)


async def test_a_malformed_request_leaves_no_key_in_the_log(
    pages: Pages, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    status = await raw(pages, f"GET /table?key={pages.key}\x01 HTTP/1.1".encode())
    assert b" 400 " in status
    assert pages.key not in caplog.text


async def test_a_file_is_fetched_once_and_compressed(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    """A browser keeps a file for good under an address with the version. A request for an older
    version gets the current file, uncached."""
    async with http.get(pages.url("display")) as answer:
        script = re.search(
            r'src="(static/([0-9a-f]{12})/js/pages/display.js)"', await answer.text()
        )
    assert script is not None
    path, version = script.groups()
    bodies = set()
    for way, kept in (
        (path, "max-age=31536000, immutable"),
        (path.replace(version, "0123456789ab"), "no-cache"),
        ("static/js/pages/display.js", "no-cache"),
    ):
        for coding, packed in (("gzip, br", True), ("identity", False), ("gzip;q=0", False)):
            async with http.get(
                pages.url(way), headers={"Accept-Encoding": coding}, auto_decompress=False
            ) as answer:
                assert answer.headers["Cache-Control"] == kept
                assert answer.headers["Vary"] == "Accept-Encoding"
                assert ("Content-Encoding" in answer.headers) is packed
                body = await answer.read()
                bodies.add(gzip.decompress(body) if packed else body)
    assert len(bodies) == 1
    async with http.get(pages.url(path), headers={"If-None-Match": answer.headers["ETag"]}) as same:
        assert same.status == 304
