"""Access under load: crowds of strangers, slow and silent clients, and those who still get in."""

import asyncio
import resource
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import aiohttp
import pytest

from hub.web.connection_limits import ConnectionLimits, Guest, limits_of, places_on_this_machine
from hub.web.keys import GM_PAGE
from tests.adapters.web.conftest import OpenPages, Pages
from tests.adapters.web.test_doors import show_key

FEW = 20
LIMITS = limits_of(FEW)


class Caller:
    """A connection without a network."""

    def __init__(self, address: str, *, own: bool = False, proxy: bool = False) -> None:
        self.address = address
        self.own = own
        self.guest = Guest.PROXY if proxy else Guest.STRANGER
        self.roles: frozenset[str] = frozenset()
        self.viewer: str | None = None
        self.streams = False
        self.dropped = False

    def drop(self) -> None:
        self.dropped = True


def crowd(places: ConnectionLimits, address: str, count: int, **how: bool) -> list[Caller]:
    callers = [Caller(address, **how) for _ in range(count)]
    for caller in callers:
        places.admit(caller)
    return callers


def staying(callers: list[Caller]) -> int:
    return sum(not caller.dropped for caller in callers)


@pytest.mark.parametrize("total", [20, 64, 168, 800])
def test_fifty_phones_behind_one_address_find_room(total: int) -> None:
    limits = limits_of(total)
    parts = limits.strangers + limits.own + limits.known
    assert parts == limits.total == total
    assert limits.viewers_at_address < limits.address <= limits.strangers
    assert limits.viewers < limits.strangers
    if total >= 168:  # three seats, with 256 descriptors
        assert limits.viewers_at_address >= 50


@pytest.mark.parametrize(
    ("descriptors", "seats", "places"),
    [(256, 3, 168), (1024, 16, 800), (64, 3, 20), (resource.RLIM_INFINITY, 4, 800)],
)
def test_connection_limits_leave_descriptors_for_the_rest(
    monkeypatch: pytest.MonkeyPatch, descriptors: int, seats: int, places: int
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (descriptors, descriptors))
    assert places_on_this_machine(seats) == places


def test_one_address_makes_room_for_itself() -> None:
    places = ConnectionLimits(LIMITS)
    loud = crowd(places, "10.0.0.1", 3 * FEW)
    assert staying(loud) == LIMITS.address
    assert not any(caller.dropped for caller in loud[-LIMITS.address :])
    assert places.admit(Caller("10.0.0.2"))
    assert staying(loud) == LIMITS.address


def test_the_most_crowded_address_makes_room_for_others() -> None:
    places = ConnectionLimits(LIMITS)
    quiet = crowd(places, "10.0.0.1", 1)
    loud = crowd(places, "10.0.0.2", LIMITS.address)
    others = [crowd(places, f"10.0.1.{n}", 1)[0] for n in range(5)]
    assert (staying(quiet), staying(others)) == (1, 5)
    assert staying(loud) < LIMITS.address
    assert len(places) == LIMITS.strangers


def test_a_client_with_a_key_stays_however_many_strangers_come() -> None:
    places = ConnectionLimits(LIMITS)
    (gm,) = crowd(places, "10.0.0.1", 1)
    places.heard(gm, frozenset({"gm"}))
    for number in range(3 * FEW):
        crowd(places, f"10.0.1.{number}", 1)
    assert not gm.dropped
    assert len(places) == LIMITS.strangers + 1


def test_one_key_does_not_take_the_places_of_the_others() -> None:
    places = ConnectionLimits(LIMITS)
    for role in ("seat:ada", "gm"):
        for number in range(FEW):
            (one,) = crowd(places, f"10.0.0.{number}", 1)
            places.heard(one, frozenset({role}))
        known = [line for line in places._lines if line.roles == {role}]
        assert 0 < len(known) <= LIMITS.for_a_role < LIMITS.known
    assert len(places) <= LIMITS.total


def test_silent_connections_do_not_push_viewers_out() -> None:
    places = ConnectionLimits(LIMITS)
    (display,) = crowd(places, "10.0.0.1", 1)
    places.follow(display, "10.0.0.1", public=True)
    crowd(places, "10.0.0.1", 3 * FEW)
    crowd(places, "10.0.0.2", 3 * FEW)
    assert not display.dropped


def viewers(places: ConnectionLimits, address: str, count: int, **how: bool) -> list[Caller]:
    found = []
    for _ in range(count):
        found += crowd(places, address, 1, **how)
        places.follow(found[-1], address, public=True)
    return found


def test_too_many_viewers_do_not_lock_a_display_out_nor_push_one_away() -> None:
    places = ConnectionLimits(LIMITS)
    first = viewers(places, "10.0.0.1", 1)
    many = viewers(places, "10.0.0.2", 5 * FEW)
    late = viewers(places, "10.0.0.3", 1)
    assert (staying(first), staying(late)) == (1, 1)
    assert not many[0].dropped
    assert staying(many) <= LIMITS.viewers_at_address
    for number in range(5 * FEW):
        viewers(places, f"10.0.1.{number}", 1)
    own = viewers(places, "127.0.0.1", 1, own=True)
    assert staying(first) == staying(own) == 1
    assert sum(line.viewer is not None for line in places._lines) <= LIMITS.viewers + 1
    assert len(places) <= LIMITS.total


def test_viewers_through_a_proxy_are_counted_by_caller() -> None:
    places = ConnectionLimits(LIMITS)
    lines = [Caller("127.0.0.1", proxy=True) for _ in range(FEW)]
    for number, line in enumerate(lines):
        assert places.admit(line)
        places.follow(line, "192.0.2.1" if number else "192.0.2.2", public=True)
    assert not lines[0].dropped
    assert staying(lines) == 1 + LIMITS.viewers_at_address


# At a server


def request(
    port: int, *, headers: str = "", target: str = "/healthz", end: str = "\r\n\r\n"
) -> bytes:
    return f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}{headers}{end}".encode()


UPGRADE = (
    "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"
    "\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg=="
)
SILENT: dict[str, Callable[[int], bytes]] = {
    "says nothing": lambda _: b"",
    "slow headers": lambda port: request(port, end="\r\nX-Slow: "),
    "kept alive": request,
    "unread pages": lambda port: request(port, target="/display") * 20,
    "unfinished body": lambda port: (
        f"POST /gm/keys/seat/north HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Origin: http://127.0.0.1:{port}\r\nContent-Length: 4000\r\n\r\nx"
    ).encode(),
    "half-open stream": lambda port: request(port, headers=UPGRADE, target="/ws"),
}


@asynccontextmanager
async def flood(
    pages: Pages, say: Callable[[int], bytes], sources: list[str]
) -> AsyncIterator[None]:
    """Connections that stay open, one from each source."""
    port = pages.server.port
    held = []
    for source in sources:
        held.append(socket.create_connection(("127.0.0.1", port), 5, (source, 0)))
        held[-1].setblocking(False)
        try:
            held[-1].sendall(say(port))
        except OSError:
            continue  # already turned away
        await asyncio.sleep(0)
    try:
        yield
    finally:
        for one in held:
            one.close()


SOURCES = {
    "one address": ["127.0.0.2"] * 3 * FEW,
    "this machine": ["127.0.0.1"] * 3 * FEW,
    "many addresses": [f"127.0.1.{number + 1}" for number in range(3 * FEW)],
}


@pytest.mark.parametrize("sources", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("say", SILENT.values(), ids=SILENT)
async def test_strangers_lock_no_one_out(
    open_pages: OpenPages,
    http: aiohttp.ClientSession,
    say: Callable[[int], bytes],
    sources: list[str],
) -> None:
    pages = await open_pages(places=FEW)
    await show_key(pages, http, GM_PAGE)
    origin = pages.url().rstrip("/")
    async with flood(pages, say, sources):
        async with http.get(pages.url("gm")) as answer:
            assert answer.status == 200
        gm = await http.ws_connect(pages.url("ws/gm"), origin=origin)
        async with aiohttp.ClientSession() as stranger:
            async with stranger.get(pages.gm_url, allow_redirects=False) as answer:
                assert answer.status == 303  # a key is accepted in the middle of the crowd
            display = await stranger.ws_connect(pages.url("ws"))
            pages.table.start()
            for stream in (display, gm):
                assert (await stream.receive(5)).type is aiohttp.WSMsgType.TEXT
                await stream.close()
        assert len(pages.server.places) <= FEW


async def test_a_request_that_takes_too_long_is_dropped(open_pages: OpenPages) -> None:
    pages = await open_pages(header_s=0.2)
    port = pages.server.port
    for said in (b"", request(port, end="\r\nX-Slow: "), request(port), request(port) + b"GET /"):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said)
        async with asyncio.timeout(60):
            assert (await reader.read()).endswith(b"ok\n" if b"\r\n\r\n" in said else b"")
        writer.close()
    async with asyncio.timeout(60):
        while len(pages.server.places):
            await asyncio.sleep(0.01)


async def test_a_stream_that_does_not_answer_gives_its_place_back(open_pages: OpenPages) -> None:
    pages = await open_pages(heartbeat_s=0.2)
    reader, writer = await asyncio.open_connection("127.0.0.1", pages.server.port)
    writer.write(request(pages.server.port, headers=UPGRADE, target="/ws"))
    assert b"101 Switching Protocols" in await reader.readuntil(b"\r\n\r\n")
    async with asyncio.timeout(60):
        while len(pages.server.places):
            await asyncio.sleep(0.01)
    writer.close()


async def test_garbage_and_clients_that_vanish_do_not_fill_the_log(
    pages: Pages, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(40):
        reader, writer = await asyncio.open_connection("127.0.0.1", pages.server.port)
        writer.write(b"GET /\xff\xfe HTTP/9.9\r\n\r\n" if number % 2 else b"\x16\x03\x01" * 99)
        await reader.read()
        writer.close()
    assert len([r for r in caplog.records if "a request failed" in r.getMessage()]) <= 10
