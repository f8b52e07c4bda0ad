"""The captive-portal checks of phones in the hub's own Wi-Fi, answered to the byte."""

import asyncio
import errno
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hub.web.captive import ANYWHERE, ASKED, OTHER_ADDRESSES, Probes, name_server

TABLE = "http://facedown.local:8080/"
GUIDE = Path(__file__).parents[3] / "docs/build/networks.md"


@pytest.fixture
async def probes() -> AsyncIterator[Probes]:
    async with Probes("127.0.0.1", 0, lambda: TABLE) as probes:
        yield probes


async def say(probes: Probes, request: str) -> tuple[str, bytes]:
    """Send a request and return the answer's head and body, read until the hub hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", probes.port)
    writer.write(request.replace("\n", "\r\n").encode())
    head, _, body = (await asyncio.wait_for(reader.read(), 10)).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    return head.decode(), body


async def ask(probes: Probes, host: str, path: str, method: str = "GET") -> tuple[str, bytes]:
    return await say(probes, f"{method} {path} HTTP/1.1\nHost: {host}\n\n")


# Repeated here from the systems' expectations, independently of the hub's own table.
APPLE = b"<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>\n"
FIREFOX = (
    b'<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'
)


@pytest.mark.parametrize(
    ("host", "path", "status", "body"),
    [
        ("connectivitycheck.gstatic.com", "/generate_204", 204, b""),
        ("clients3.google.com", "/generate_204", 204, b""),
        ("www.google.com", "/gen_204", 204, b""),
        ("connect.rom.miui.com", "/generate_204", 204, b""),
        ("captive.apple.com", "/hotspot-detect.html", 200, APPLE),
        ("CAPTIVE.APPLE.COM.:80", "/", 200, APPLE),
        ("www.apple.com", "/library/test/success.html", 200, APPLE),
        ("www.msftconnecttest.com", "/connecttest.txt", 200, b"Microsoft Connect Test"),
        ("www.msftncsi.com", "/ncsi.txt", 200, b"Microsoft NCSI"),
        ("detectportal.firefox.com", "/success.txt?ipv4", 200, b"success\n"),
        ("detectportal.firefox.com", "/canonical.html", 200, FIREFOX),
        ("nmcheck.gnome.org", "/check_network_status.txt", 200, b"NetworkManager is online\n"),
        ("network-test.debian.org", "/nm", 200, b"NetworkManager is online\n"),
        ("fedoraproject.org", "/static/hotspot.txt", 200, b"OK\n"),
        ("networkcheck.kde.org", "/", 200, b"OK\n"),
        ("connectivity-check.ubuntu.com", "/", 204, b""),
    ],
)
async def test_phones_are_told_that_the_internet_is_there(
    probes: Probes, host: str, path: str, status: int, body: bytes
) -> None:
    head, said = await ask(probes, host, path)
    assert head.startswith(f"HTTP/1.1 {status} "), head
    assert said == body
    assert "Cache-Control: no-store" in head and "Connection: close" in head
    assert (f"Content-Length: {len(body)}" in head) == (status == 200)
    if "NetworkManager" in body.decode():
        assert "X-NetworkManager-Status: online" in head
    head, said = await ask(probes, host, path, "HEAD")
    assert head.startswith(f"HTTP/1.1 {status} ") and not said


@pytest.mark.parametrize(
    ("host", "path"),
    [
        ("facedown.local", "/"),
        ("example.org", "/seat/ada?key=stolen"),
        ("captive.apple.com", "/something"),
        ("evil.example", "/hotspot-detect.html"),
        ("[::1]", "/display"),
    ],
)
async def test_other_requests_are_redirected_to_the_table_without_an_echo(
    probes: Probes, host: str, path: str
) -> None:
    head, body = await ask(probes, host, path)
    assert head.startswith("HTTP/1.1 302 ")
    assert f"Location: {TABLE}" in head.split("\r\n")
    assert "stolen" not in head + body.decode() and "evil" not in head + body.decode()
    assert (await ask(probes, "captive.apple.com", "/", "POST"))[0].startswith("HTTP/1.1 302 ")


async def test_nonsense_is_refused_and_the_next_one_answered(probes: Probes) -> None:
    head, _ = await say(probes, "\x16\x03\x01 what a browser says over TLS\n\n")
    assert head.startswith("HTTP/1.1 400 ") or head.startswith("HTTP/1.0 400 ")
    assert (await ask(probes, "a", "/generate_204"))[0].startswith("HTTP/1.1 204 ")


async def test_the_number_of_connections_is_limited(probes: Probes) -> None:
    lines = [await asyncio.open_connection("127.0.0.1", probes.port) for _ in range(80)]
    try:
        assert (await ask(probes, "a", "/generate_204"))[0].startswith("HTTP/1.1 204 ")
        ended = await asyncio.gather(
            *(asyncio.wait_for(reader.read(), 0.5) for reader, _ in lines), return_exceptions=True
        )
        assert sum(not isinstance(each, TimeoutError) for each in ended) >= 20
    finally:
        for _, writer in lines:
            writer.close()


async def test_the_address_may_come_up_later_and_a_taken_port_raises() -> None:
    async with Probes("10.42.0.1", 0, lambda: TABLE) as early:
        assert early.port
    async with Probes("127.0.0.1", 0, lambda: TABLE) as first:
        with pytest.raises(OSError) as fault:
            async with Probes("127.0.0.1", first.port, lambda: TABLE):
                pass
        assert fault.value.errno == errno.EADDRINUSE


def test_the_name_server_is_told_every_name() -> None:
    said = name_server("10.42.0.1", ["facedown.local"])
    assert "address=/#/10.42.0.1\n" in said and "address=/facedown.local/10.42.0.1\n" in said
    for name, address in OTHER_ADDRESSES.items():
        assert f"address=/{name}/{address}\n" in said


def test_the_guide_names_every_answered_check() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    for path in ANYWHERE:
        assert f"`{path}`" in guide
    for host in re.findall(r"`((?:www|captive|detectportal)\.[a-z.]+)`", guide):
        assert host in {named for named, _ in ASKED}
