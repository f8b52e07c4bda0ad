"""A clock whose broker has a name, on a network whose name server is slow or missing."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hub.sim.boards import Board
from tests.firmware.test_led_clock import BASE, Hub
from tests.support import micropython
from tests.support.broker import Mosquitto
from tests.support.clocks import clock
from tests.support.names import ASKED, NameServer, address, record, reply

PICTURES = 24
"""The clock blinks every half second, so this many pictures take longer than its watchdog
allows."""


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path) as broker:
        yield broker


@contextmanager
def hub_at(broker: Mosquitto) -> Iterator[Hub]:
    hub = Hub(broker.port)
    try:
        yield hub
    finally:
        hub.leave()


def finds_it(board: Board, broker: Mosquitto) -> None:
    """Wait until the clock connects to the broker."""
    with hub_at(broker) as hub:
        assert board.wait_for(lambda: BASE + "clock/clock/status" in hub.heard, 40), board.said


@pytest.mark.parametrize(
    "ntp",
    [False, pytest.param(True, marks=pytest.mark.faults)],
    ids=["broker", "time"],
)
def test_drawing_continues_during_a_name_lookup(
    broker: Mosquitto, tmp_path: Path, *, ntp: bool
) -> None:
    """However long the lookup takes. A blocking lookup used to trip the watchdog before its answer
    came."""
    slow, other = ("time.test", {"ntp": "time.test"}) if ntp else ("broker.test", {})
    shown: list[bytes] = []
    here = {"broker.test": "127.0.0.1", "time.test": "127.0.0.1"}
    with NameServer(here) as names:
        names.hold()
        board = clock(
            tmp_path / "board", broker.port, names=names.port, host="broker.test", **other
        )
        board.shown = lambda _, picture: shown.append(picture)
        with board:
            assert names.was_asked(slow), board.said
            before = len(shown)
            board.wait_for(lambda: len(shown) >= before + PICTURES or board.starts > 1, 40)
            assert board.starts == 1
            assert len(shown) >= before + PICTURES
            names.release()
            finds_it(board, broker)


def test_the_clock_reconnects_to_the_brokers_last_address(
    broker: Mosquitto, tmp_path: Path
) -> None:
    with NameServer({"broker.test": "127.0.0.1"}) as names:
        board = clock(tmp_path / "board", broker.port, names=names.port, host="broker.test")
        with board:
            finds_it(board, broker)
            names.hold()
            broker.restart()
            assert names.was_asked("broker.test")
            finds_it(board, broker)
            assert board.starts == 1


_FIND = """
import asyncio, sys
from led_clock import names
names.WAIT_S = 4
known = names.Names(lambda: sys.argv[1])
async def find():
    for name in sys.argv[2:]:
        try:
            print(await known.find(name))
        except OSError as error:
            print(error)
asyncio.run(find())
"""


def find(server: str, *asked: str, unicast: NameServer, multicast: NameServer) -> list[str]:
    ports = {"SIM_PORT_53": str(unicast.port), "SIM_PORT_5353": str(multicast.port)}
    return micropython.run(_FIND, server, *asked, environment=ports).splitlines()


def test_name_server_answers_are_parsed_or_ignored() -> None:
    def say(question: bytes, name: str) -> list[bytes]:
        good = reply(question, address(ASKED, "10.1.1.1"))
        alias = b"\5alias\4test\0"
        return {
            "plain.test": [good],
            "alias.test": [
                reply(question, record(ASKED, 5, alias), address(alias, "10.1.1.2")),
            ],
            "v6.test": [
                reply(question, record(ASKED, 28, bytes(16)), address(ASKED, "10.1.1.3")),
            ],
            "noise.test": [
                b"", b"x", question, good[:-5], good[:14], bytes([good[0] ^ 1]) + good[1:],
                good[:6] + b"\xff\xff" + good[8:12] + b"\xff" * 200, reply(question, code=2),
                reply(question, record(ASKED, 1, b"abc")), good,
            ],
            "none.test": [reply(question, code=3)],
            "empty.test": [reply(question)],
            "silent.test": [],
        }[name]  # fmt: skip

    with NameServer(say) as names, NameServer({}) as nobody:
        asked = ["plain.test", "alias.test", "v6.test", "noise.test", "none.test", "empty.test"]
        told = find("127.0.0.1", *asked, "silent.test", "10.9.9.9", unicast=names, multicast=nobody)
    assert told == [
        "10.1.1.1", "10.1.1.2", "10.1.1.3", "10.1.1.1", "no address for none.test",
        "no address for empty.test", "no address for silent.test", "10.9.9.9",
    ]  # fmt: skip
    assert names.asked.count("silent.test") > 1
    assert not nobody.asked


def test_a_local_name_is_queried_by_multicast() -> None:
    """This finds a hub without a name server. The answer's class has the cache-flush bit set."""

    def say(question: bytes, name: str) -> list[bytes]:
        name_itself = question[12:-4]
        answer = address(name_itself, "10.1.1.9", of=0x8001)
        return [question[:2] + b"\x84\0\0\0\0\1\0\0\0\0" + answer]

    with NameServer({}) as names, NameServer(say) as everybody:
        told = find("0.0.0.0", "hub.local", "HUB.local.", unicast=names, multicast=everybody)
    assert told == ["10.1.1.9", "10.1.1.9"]
    assert everybody.asked == ["hub.local", "HUB.local"]
    assert not names.asked


def test_a_missing_name_server_is_reported() -> None:
    with NameServer({}) as nobody:
        told = find("0.0.0.0", "broker.test", "a" * 64 + ".test", unicast=nobody, multicast=nobody)
    assert told == ["no address for broker.test", "no address for " + "a" * 64 + ".test"]
    assert not nobody.asked
