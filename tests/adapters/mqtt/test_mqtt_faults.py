"""Brokers that are missing, die, hang or refuse; cables that are unplugged."""

import asyncio
import logging
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from paho.mqtt.publish import single

from hub.mqtt import own
from hub.mqtt.settings import MqttSettings, MqttSettingsError, Protocol, Tls
from hub.ports import Hindrance, JournalError
from hub.wire.log import Row
from hub.wire.payloads import state_payload
from tests.adapters.mqtt.conftest import STATUS, TOPICS, Table
from tests.support.broker import Mosquitto, free_port
from tests.support.cable import Cable
from tests.support.papers import made_in
from tests.support.publisher import Publisher
from tests.support.subscriber import Subscriber, subscriber


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]


async def until(held: Callable[[], object]) -> None:
    """Wait for a state that no event announces."""
    async with asyncio.timeout(60):
        while not held():
            await asyncio.sleep(0.005)


def failures(caplog: pytest.LogCaptureFixture) -> int:
    """Return how often a failed connection was logged, at any level."""
    return sum("no connection to the broker" in r.getMessage() for r in caplog.records)


async def shown_whole(display: Subscriber, table: Table) -> None:
    now = table.announcement()
    await display.until_payload(TOPICS[0], state_payload(now.view))
    await display.until_payload(STATUS, b"online")
    assert {*TOPICS[:-1], STATUS} <= set(display.newest())


async def test_a_broker_that_comes_late(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "hub.mqtt")
    late = Mosquitto(tmp_path)
    async with table.publisher(late.port) as publisher:
        publisher.announce(table.announcement())
        await until(lambda: failures(caplog) >= 3)
        assert not publisher.connected
        with late:
            await publisher.wait_connected()
            async with subscriber(late.port) as display:
                await shown_whole(display, table)
            (line,) = warnings(caplog)
    assert line.startswith(f"no connection to the broker 127.0.0.1:{late.port}: ")
    assert "refused" in line
    assert set(table.hindrances[:-1]) == {Hindrance.BROKER_AWAY}
    assert table.hindrances[-1] is None, "it is there again"


async def test_a_broker_that_is_killed_and_restarted_in_play(
    table: Table, broker: Mosquitto
) -> None:
    table.begin_turn()
    async with Cable(broker.port) as cable, table.publisher(cable.port) as publisher:
        async with subscriber(broker.port) as display:
            publisher.announce(table.announcement())
            await display.until(lambda: len(table.rows) in display.events())
            await until(lambda: table.saved[-1:] == [len(table.rows)])
        told = display.events()
        broker.kill()
        await until(lambda: not publisher.connected)
        table.talk.place("ada", "stance attack 2")
        publisher.announce(table.announcement())
        table.flicker(20)
        publisher.announce(table.announcement())
        await cable.pull()
        broker.restart()
        async with subscriber(broker.port) as display:
            await cable.plug()
            await shown_whole(display, table)
            await display.until(lambda: len(table.rows) in display.events())
            topics = [m.topic for m in display.heard]
            assert topics[: len(TOPICS) + 1] == [*TOPICS, STATUS]
            told += display.events()
    assert told == list(range(1, len(table.rows) + 1))


async def test_another_table_of_the_same_name(
    table: Table, broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    async with table.publisher(broker.port) as publisher:
        publisher.announce(table.announcement())
        await publisher.wait_connected()
        other = replace(table.announcement().view, log="f" * 64)
        who = {"port": broker.port, "client_id": "facedown-test", "hostname": "127.0.0.1"}
        said = state_payload(other)
        await asyncio.to_thread(single, TOPICS[0], said, qos=1, retain=True, **who)
        await until(lambda: any("another table is called test" in w for w in warnings(caplog)))
        await publisher.wait_connected()
        async with subscriber(broker.port) as display:
            await shown_whole(display, table)
    told = [line for line in warnings(caplog) if "another table" in line]
    assert len(told) == 1


async def test_a_broker_that_hangs(table: Table, broker: Mosquitto) -> None:
    async with table.publisher(broker.port, timeout_s=0.3) as publisher:
        async with subscriber(broker.port) as display:
            publisher.announce(table.announcement())
            await display.until(lambda: len(table.rows) in display.events())
            broker.freeze()
            for _ in range(300):
                table.flicker()
                publisher.announce(table.announcement())
            await until(lambda: not publisher.connected)
            broker.thaw()
            await shown_whole(display, table)
            await display.until(lambda: len(table.rows) in display.events())
        numbers = display.events()
        assert sorted(set(numbers)) == list(range(1, len(table.rows) + 1))
        lines = display.lines()
        assert set(lines) == {row.line for row in table.rows}


async def test_a_broker_that_hangs_while_there_is_nothing_to_publish(
    table: Table, broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    async with table.publisher(broker.port, keepalive_s=1, timeout_s=0.3) as publisher:
        await publisher.wait_connected()
        broker.freeze()
        await until(lambda: not publisher.connected)
        broker.thaw()
        await publisher.wait_connected()
    assert "keep alive" in warnings(caplog)[0]


async def test_a_stop_does_not_wait_for_a_hanging_broker(table: Table, broker: Mosquitto) -> None:
    async with table.publisher(broker.port, timeout_s=0.3) as publisher:
        await publisher.wait_connected()
        broker.freeze()
        publisher.announce(table.announcement())
    broker.thaw()
    async with subscriber(broker.port) as display:
        await display.until_payload(STATUS, b"offline")


async def test_an_event_with_a_lost_acknowledgement_is_repeated_unchanged(
    table: Table, broker: Mosquitto
) -> None:
    async with (
        Cable(broker.port) as cable,
        subscriber(broker.port) as display,
        table.publisher(cable.port) as publisher,
    ):
        publisher.announce(table.announcement())
        await publisher.wait_connected()
        await until(lambda: table.saved[-1:] == [len(table.rows)])
        cable.lose_answers()
        table.flicker(2)
        publisher.announce(table.announcement())
        await display.until(lambda: len(table.rows) in display.events())
        await cable.pull()
        cable.pass_answers()
        await cable.plug()
        await until(lambda: table.saved[-1] == len(table.rows))
        await display.until(lambda: display.events().count(len(table.rows)) == 2)
    lines = display.lines()
    assert sorted(set(lines), key=lines.index) == [row.line for row in table.rows]
    assert len(lines) == len(table.rows) + 4


async def test_the_last_will_when_the_line_breaks(table: Table, broker: Mosquitto) -> None:
    async with (
        Cable(broker.port) as cable,
        subscriber(broker.port) as display,
        table.publisher(cable.port) as publisher,
    ):
        await publisher.wait_connected()
        await cable.pull()
        await display.until_payload(STATUS, b"offline")
        assert display.payloads(STATUS) == [b"online", b"offline"]


async def test_a_cancelled_publisher_leaves_nothing_behind(table: Table, broker: Mosquitto) -> None:
    async def run(port: int) -> None:
        async with table.publisher(port, timeout_s=0.1) as publisher:
            publisher.announce(table.announcement())
            await asyncio.Event().wait()

    before = asyncio.all_tasks()
    async with Cable(broker.port) as cable:
        cable.lose_answers()
        for turns in (0, 1, 2, 5, 20):
            running = asyncio.create_task(run(cable.port))
            for _ in range(turns):
                await asyncio.sleep(0.005)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
    await until(lambda: asyncio.all_tasks() == before)


async def test_a_publisher_cancelled_while_a_thread_connects_waits_for_it(
    table: Table, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    connecting, go_on = threading.Event(), threading.Event()
    create = socket.create_connection

    def slowly(*args: Any, **kwargs: Any) -> socket.socket:
        connecting.set()
        go_on.wait()
        return create(*args, **kwargs)

    async def run() -> None:
        async with table.publisher(broker.port):
            await asyncio.Event().wait()

    monkeypatch.setattr(socket, "create_connection", slowly)
    running = asyncio.create_task(run())
    await until(connecting.is_set)
    try:
        for _ in range(2):  # the second one cancels the stop itself
            running.cancel()
            for _ in range(10):
                await asyncio.sleep(0)
            assert not running.done()
    finally:
        go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await running


@pytest.mark.parametrize(
    ("error", "said"),
    [(JournalError("the disk is full"), "the disk is full"), (KeyError("secret"), "KeyError")],
    ids=["journal", "fault"],
)
async def test_an_unreadable_journal_takes_the_table_offline(
    broker: Mosquitto, table: Table, caplog: pytest.LogCaptureFixture, error: Exception, said: str
) -> None:
    def unreadable(seq: int, limit: int) -> Sequence[Row]:
        raise error

    settings = MqttSettings(table="test", port=broker.port, retry_first_s=0.05)
    async with (
        subscriber(broker.port) as display,
        Publisher(settings, unreadable, table.saved.append) as publisher,
    ):
        publisher.announce(table.announcement())
        await display.until(lambda: len(display.payloads(STATUS)) > 3)
    assert display.payloads(STATUS)[:4] == [b"online", b"offline"] * 2
    (line,) = warnings(caplog)
    assert line.endswith(said)
    assert "secret" not in caplog.text


async def test_a_failure_is_logged_again_after_a_connection_that_held(
    broker: Mosquitto,
    table: Table,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.DEBUG, "hub.mqtt")
    async with Cable(broker.port) as cable, table.publisher(cable.port) as publisher:
        for stable_s in (10.0, 10.0, 0.0, 0.0):
            monkeypatch.setattr(own, "STABLE_S", stable_s)
            await publisher.wait_connected()
            await cable.pull()
            await until(lambda: not publisher.connected)
            await cable.plug()
    lost = [r.levelname for r in caplog.records if "the connection broke" in r.getMessage()]
    assert lost[:4] == ["WARNING", "DEBUG", "WARNING", "WARNING"]


@pytest.mark.parametrize("protocol", list(Protocol))
async def test_user_name_and_password(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture, protocol: Protocol
) -> None:
    caplog.set_level(logging.DEBUG)
    users = tmp_path / "users"
    subprocess.run(["mosquitto_passwd", "-b", "-c", users, "hub", "swordfish"], check=True)
    lines = ("allow_anonymous false", f"password_file {users}")
    with Mosquitto(tmp_path, lines) as broker:
        for password in ("swordfish", "haddock"):
            who = {"username": "hub", "password": password, "protocol": protocol}
            async with table.publisher(broker.port, **who) as publisher:
                publisher.announce(table.announcement())
                if password == "swordfish":
                    await publisher.wait_connected()
                    async with subscriber(
                        broker.port, username="hub", password="swordfish"
                    ) as display:
                        await shown_whole(display, table)
                    assert not warnings(caplog)
                else:
                    await until(lambda: failures(caplog) >= 3)
    (line,) = warnings(caplog)
    assert "refuses the login" in line
    assert table.hindrances[-1] is Hindrance.BROKER_REFUSES
    assert "swordfish" not in caplog.text
    assert "haddock" not in caplog.text


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_in(tmp_path_factory.mktemp("papers"))


def guarded(papers: Path) -> tuple[str, ...]:
    return (
        f"cafile {papers}/ca.pem",
        f"certfile {papers}/broker.pem",
        f"keyfile {papers}/broker.key",
        "require_certificate true",
        "use_identity_as_username true",
        "allow_anonymous false",
    )


async def test_tls_with_certificates_on_both_sides(
    table: Table, tmp_path: Path, papers: Path
) -> None:
    tls = Tls(ca=f"{papers}/ca.pem", cert=f"{papers}/hub.pem", key=f"{papers}/hub.key")
    context = ssl.create_default_context(cafile=tls.ca)
    context.load_cert_chain(tls.cert, tls.key)
    with Mosquitto(tmp_path, guarded(papers)) as broker:
        async with table.publisher(broker.port, tls=tls, commands=True) as publisher:
            publisher.announce(table.announcement())
            await publisher.wait_connected()
            async with subscriber(broker.port, tls_context=context) as display:
                await shown_whole(display, table)


@pytest.mark.parametrize(
    ("ca", "host", "said"),
    [
        ("other.pem", "127.0.0.1", "certificate verify failed"),
        ("ca.pem", "localhost", "Hostname mismatch"),
        ("ca.pem", "127.0.0.1", "client certificate"),
    ],
    ids=["other-ca", "other-name", "no-certificate"],
)
async def test_tls_that_fails(
    table: Table, tmp_path: Path, papers: Path, caplog: pytest.LogCaptureFixture,
    ca: str, host: str, said: str,
) -> None:  # fmt: skip
    caplog.set_level(logging.DEBUG, "hub.mqtt")
    tls = Tls(ca=f"{papers}/{ca}")
    with Mosquitto(tmp_path, guarded(papers)) as broker:
        async with table.publisher(broker.port, host=host, tls=tls, timeout_s=0.2):
            await until(lambda: failures(caplog) >= 3)
    (line,) = warnings(caplog)
    assert said in line


def test_unusable_tls_files_are_refused(papers: Path, table: Table) -> None:
    for files in (
        Tls(ca="/nowhere/ca.pem"),
        Tls(ca=f"{papers}/ca.key"),
        Tls(cert=f"{papers}/hub.pem", key=f"{papers}/broker.key"),
    ):
        with pytest.raises(MqttSettingsError, match="mqtt tls"):
            table.publisher(1, tls=files)


async def test_a_stop_without_a_broker_is_quick(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    async with table.publisher(free_port(), retry_first_s=60, retry_most_s=60) as publisher:
        publisher.announce(table.announcement())
        await until(lambda: failures(caplog))
    assert not publisher.connected
