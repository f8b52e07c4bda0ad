"""Each limit by itself: which places a connection takes, and what happens to one without a
place."""

import asyncio
import logging
import os
import resource
import socket
import time
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from hub.web import gate
from hub.web.connection_limits import ConnectionLimits, Guest, limits_of, places_on_this_machine
from hub.web.gate import Gate, Line
from hub.web.guard import Proxies
from hub.web.kept import write_kept
from hub.web.keys import GM_PAGE, AddressLimit, network_of
from hub.web.server import _quiet_logger
from hub.web.sessions import Register, Sessions, load_sessions
from tests.adapters.web.conftest import OpenPages, Pages
from tests.adapters.web.test_connection_limits import FEW, LIMITS, Caller, crowd, staying, viewers
from tests.adapters.web.test_doors import restarted, show_key
from tests.adapters.web.test_sessions import Clock, no_descriptors


def full_of_strangers() -> tuple[ConnectionLimits, list[Caller]]:
    places = ConnectionLimits(LIMITS)
    return places, [crowd(places, f"10.0.1.{n}", 1)[0] for n in range(LIMITS.strangers)]


def test_the_machine_itself_has_its_own_places_and_no_more() -> None:
    assert limits_of(FEW).own > 0
    places, strangers = full_of_strangers()
    own = crowd(places, "10.0.0.9", LIMITS.own, own=True)
    assert not any(one.dropped for one in strangers)
    assert {one.guest for one in own} == {Guest.OWN}
    (late,) = crowd(places, "10.0.0.9", 1, own=True)
    assert late.guest is Guest.STRANGER
    assert sum(one.dropped for one in strangers) == 1


def test_many_clients_with_keys_leave_the_strangers_their_places() -> None:
    places = ConnectionLimits(LIMITS)
    for number in range(2 * FEW):
        (one,) = crowd(places, f"10.0.0.{number}", 1)
        places.heard(one, frozenset({f"seat:{number}"}))
    known = [line for line in places._lines if line.guest is Guest.KNOWN]
    assert len(known) == LIMITS.known
    assert len(places) <= LIMITS.total


def test_the_most_recently_active_goes_last() -> None:
    places, strangers = full_of_strangers()
    places.heard(strangers[0], frozenset())
    crowd(places, "10.0.2.1", 1)
    assert [one.dropped for one in strangers[:3]] == [False, True, False]


def test_proxies_are_bounded_by_the_total_of_places() -> None:
    places = ConnectionLimits(LIMITS)
    lines = [Caller("127.0.0.1", proxy=True) for _ in range(FEW + 3)]
    assert [places.admit(line) for line in lines] == [True] * FEW + [False] * 3
    assert not places.admit(Caller("10.0.0.1"))
    assert len(places) == FEW


def test_one_viewer_too_many_drops_the_newest_of_the_largest_crowd() -> None:
    places = ConnectionLimits(LIMITS)
    many = viewers(places, "10.0.0.1", LIMITS.viewers_at_address)
    others = [viewers(places, f"10.0.1.{n}", 1)[0] for n in range(LIMITS.viewers - len(many))]
    viewers(places, "10.0.0.3", 1)
    assert not any(one.dropped for one in others)
    assert [one.dropped for one in many] == [False] * (len(many) - 1) + [True]


def test_a_display_on_the_machine_itself_takes_no_viewers_place() -> None:
    places = ConnectionLimits(LIMITS)
    before = [viewers(places, f"10.0.1.{n}", 1)[0] for n in range(LIMITS.viewers)]
    (own,) = viewers(places, "10.0.0.9", 1, own=True)
    assert staying(before) == LIMITS.viewers
    assert not own.dropped


def test_a_client_with_a_key_or_its_own_page_is_no_viewer() -> None:
    places = ConnectionLimits(LIMITS)
    (known,) = crowd(places, "10.0.0.1", 1)
    places.heard(known, frozenset({"gm"}))
    places.follow(known, "10.0.0.1", public=True)
    (seat,) = crowd(places, "10.0.0.2", 1)
    places.follow(seat, "10.0.0.2", public=False)
    assert (known.viewer, seat.viewer) == (None, None)
    before = [viewers(places, f"10.0.1.{n}", 1)[0] for n in range(LIMITS.viewers)]
    assert staying([known, seat, *before]) == LIMITS.viewers + 2


def test_serial_lines_get_only_descriptors_that_select_can_wait_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (65536, 65536))
    assert places_on_this_machine(40) == 1024 - 64 - 40 * 8


# At the gate


class Peer:
    """An accepted socket, with the parts that the gate reads."""

    def __init__(self, here: str) -> None:
        self.here = here
        self.sent = b""
        self.closed = False

    def getsockname(self) -> tuple[str, int]:
        return self.here, 80

    def setblocking(self, _: bool) -> None:
        pass

    def send(self, data: bytes) -> int:
        self.sent += data
        return len(data)

    def close(self) -> None:
        self.closed = True


class Doorbook(ConnectionLimits):
    """Lets no one in, and remembers who came."""

    def __init__(self) -> None:
        super().__init__(LIMITS)
        self.came: list[Any] = []

    def admit(self, line: Any) -> bool:
        self.came.append(line)
        return False


def came(peer: str, here: str, *proxies: str) -> tuple[Any, Peer]:
    places, caller = Doorbook(), Peer(here)
    Gate(places, Proxies(proxies))._let_in(caller, peer)  # type: ignore[arg-type]
    return places.came[0], caller


@pytest.mark.parametrize(
    ("peer", "here", "own"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("127.0.0.2", "127.0.0.1", False),
        ("192.0.2.7", "192.0.2.1", False),
    ],
)
def test_a_call_from_its_own_address_is_the_machine_itself(peer: str, here: str, own: bool) -> None:
    line, _ = came(peer, here)
    assert line.own is own
    assert line.guest is Guest.STRANGER


def test_an_ipv6_network_is_one_address() -> None:
    here = "2001:db8:9::1"
    one, other, third = (
        came(peer, here)[0].address for peer in ("2001:db8::1", "2001:db8::ffff", "2001:db8:0:1::1")
    )
    assert one == other != third


def test_only_configured_proxies_are_proxies() -> None:
    assert came("192.0.2.7", "192.0.2.1", "192.0.2.0/24")[0].guest is Guest.PROXY
    assert came("192.0.3.7", "192.0.2.1", "192.0.2.0/24")[0].guest is Guest.STRANGER


def test_a_client_without_a_place_is_told_so_and_costs_no_descriptor() -> None:
    _, caller = came("192.0.2.7", "192.0.2.1")
    assert caller.sent.startswith(b"HTTP/1.1 503 ")
    assert b"Retry-After: 5" in caller.sent
    assert caller.closed


def test_a_connection_dropped_before_being_served_is_aborted() -> None:
    class Transport:
        aborted = False

        def abort(self) -> None:
            self.aborted = True

    line, transport = Line("192.0.2.7", Guest.STRANGER, lambda _: None), Transport()
    line.drop()
    line.connection_made(transport)  # type: ignore[arg-type]
    assert transport.aborted


async def without_descriptors(port: int, seconds: float) -> None:
    """Calls arrive while the machine is out of descriptors."""
    callers = [socket.socket() for _ in range(3)]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (callers[-1].fileno() + 1, hard))
    try:
        for caller in callers:
            caller.setblocking(False)
            with pytest.raises(BlockingIOError):
                caller.connect(("127.0.0.1", port))
        await asyncio.sleep(seconds)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for caller in callers:
            caller.close()


async def test_each_shortage_is_logged_once_however_long_it_lasts(
    open_pages: OpenPages,
    http: aiohttp.ClientSession,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gate, "_REST_S", 0.01)
    pages = await open_pages()
    for times in (1, 2):
        await without_descriptors(pages.server.port, 0.1)
        async with http.get(pages.url("healthz")) as answer:
            assert answer.status == 200
        assert caplog.text.count("no connection to the pages can be taken") == times


async def test_without_descriptors_the_gate_rests_between_attempts(
    open_pages: OpenPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests = []
    rest = Gate._rest

    def counted(self: Gate, error: OSError) -> None:
        rests.append(error)
        rest(self, error)

    monkeypatch.setattr(Gate, "_rest", counted)
    pages = await open_pages()
    await without_descriptors(pages.server.port, 0.1)
    assert len(rests) == 1


# At a server


async def test_a_browser_with_a_key_gives_up_its_strangers_place(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    await show_key(pages, http, GM_PAGE)
    async with http.get(pages.url("gm")) as answer:
        assert answer.status == 200
        assert [(line.guest, line.roles) for line in pages.server.places._lines] == [
            (Guest.KNOWN, {GM_PAGE})
        ]


@pytest.mark.parametrize(
    ("callers", "addresses"), [(("192.0.2.7", "192.0.2.8"), 2), (("2001:db8::1", "2001:db8::2"), 1)]
)
async def test_viewers_behind_a_proxy_are_told_apart_at_the_server(
    open_pages: OpenPages, http: aiohttp.ClientSession, callers: tuple[str, str], addresses: int
) -> None:
    pages = await open_pages(proxies=("127.0.0.1",))
    streams = [
        await http.ws_connect(pages.url("ws"), headers={"X-Forwarded-For": caller})
        for caller in callers
    ]
    assert len({line.viewer for line in pages.server.places._lines}) == addresses
    for stream in streams:
        await stream.close()


async def test_the_limit_per_role_does_not_apply_to_the_public(
    open_pages: OpenPages, http: aiohttp.ClientSession
) -> None:
    pages = await open_pages(max_role_clients=1)
    streams = [await http.ws_connect(pages.url("ws")) for _ in range(3)]
    assert len(pages.server.places) == 3
    for stream in streams:
        await stream.close()


async def test_a_page_that_takes_a_frame_too_slowly_is_dropped(open_pages: OpenPages) -> None:
    pages = await open_pages(max_pending_frames=100_000, send_timeout_s=0.2, heartbeat_s=60)
    pages.table.announce()
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.connect(("127.0.0.1", pages.server.port))
    slow.sendall(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{pages.server.port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    async with asyncio.timeout(20):
        heard = b""
        while b'"state"' not in heard:
            heard += await asyncio.to_thread(slow.recv, 4096)
        for _ in range(200):
            pages.table.announce((b'{"filler":"' + b"x" * 60_000 + b'"}',))
        while len(pages.server.places):
            await asyncio.sleep(0.01)
    slow.close()


def test_a_client_that_goes_away_is_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    quiet = _quiet_logger(time.monotonic)
    with caplog.at_level(logging.DEBUG):
        for error in (ConnectionResetError("gm?key=abc"), ValueError("gm?key=abc")):
            quiet.error("gm?key=abc", exc_info=error)
    assert [record.getMessage() for record in caplog.records] == ["a request failed: ValueError"]
    assert "abc" not in caplog.text


# Keys


def test_a_persistent_caller_is_forgiven_as_soon_as_others() -> None:
    now = 0.0
    limit = AddressLimit(6, lambda: now)
    for _ in range(1000):
        limit.note("10.0.0.1")
    assert limit.exceeded("10.0.0.1")
    now = 90.0
    assert not limit.exceeded("10.0.0.1")


def test_of_many_addresses_the_longest_quiet_one_is_forgotten() -> None:
    limit = AddressLimit(1, lambda: 0.0, max_addresses=2)
    for address in ("10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.3"):
        limit.note(address)
    lost = [limit.exceeded(f"10.0.0.{n}") for n in (1, 2, 3)]
    assert lost == [True, False, True]


def test_an_ipv4_address_is_one_in_every_notation() -> None:
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1")
    assert network_of("::ffff:192.0.2.1") != network_of("::ffff:192.0.2.2")


async def test_any_program_that_opens_an_address_may_show_a_key(
    pages: Pages, http: aiohttp.ClientSession
) -> None:
    chromium = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
    for accept in (chromium, "*/*", ""):  # a browser's, curl's, a camera's
        http.cookie_jar.clear()
        async with http.get(pages.gm_url, headers={"Accept": accept}) as answer:
            assert answer.status == 200, accept


async def test_sessions_ended_by_a_new_key_stay_ended_over_a_restart(
    open_pages: OpenPages, http: aiohttp.ClientSession, tmp_path: Path
) -> None:
    pages = await open_pages(sessions=tmp_path / "s")
    await show_key(pages, http, "seat:north")
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as gm:
        await show_key(pages, gm, GM_PAGE)
        own = {"Origin": pages.url().rstrip("/")}
        async with gm.post(pages.url("gm/keys/seat/north"), headers=own) as answer:
            assert answer.status == 200
        await restarted(pages)
        async with gm.get(pages.url("gm")) as answer:
            assert answer.status == 200
    async with http.get(pages.url("seat/north")) as answer:
        assert answer.status == 401


# The sessions' file


async def test_a_link_in_the_files_place_is_replaced(tmp_path: Path) -> None:
    path, clock = tmp_path / "s", Clock()
    path.symlink_to(tmp_path / "elsewhere")
    sessions = Sessions(10, clock)
    register_ = Register(path, sessions, {"gm"}, clock)
    id_ = sessions.open("gm")
    await register_.save()
    assert not path.is_symlink()
    assert len(load_sessions(path).sessions) == 1
    assert sessions.find(id_)


async def test_a_failed_write_is_repeated_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.web.sessions._AGAIN_S", 0.01)
    path, clock = tmp_path / "s", Clock()
    sessions = Sessions(10, clock)
    register_ = Register(path, sessions, {"gm"}, clock)
    sessions.open("gm")
    with no_descriptors():
        await register_.save()
    async with asyncio.timeout(60):
        while not path.exists():
            await asyncio.sleep(0.01)
    assert len(load_sessions(path).sessions) == 1
    await register_.close()


def test_the_file_is_replaced_as_a_whole_and_is_the_hubs_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced = tmp_path / "s", []
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (synced.append(os.fstat(fd).st_ino), fsync(fd)))
    before = os.umask(0)
    try:
        write_kept(path, b"old")
        (tmp_path / "held").hardlink_to(path)
        write_kept(path, b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "held").read_bytes() == b"old"
    assert path.stat().st_mode & 0o777 == 0o600
    assert synced[-2:] == [path.stat().st_ino, tmp_path.stat().st_ino], "and its name"
