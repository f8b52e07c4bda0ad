"""Nothing outside can stop the table from playing, and nothing that hangs can keep it from
ending."""

import asyncio
import fcntl
import os
import re
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import aiohttp
import pytest

from hub.daemon.outlet import MOST_LINES
from hub.sim.pn532.uart import Fault
from tests.support.broker import Mosquitto, free_port
from tests.support.hanging import SilentBroker
from tests.support.hub import FACEDOWN, HubProcess, Watch, watched_hub
from tests.support.smallhub import SECONDS, make_folder

SOON_S = 4.0
"""The hub promises 2 s; much else runs during these tests."""
SLOW_DISK = """
import sys, time
from hub.journal import SqliteJournal
stored = SqliteJournal.append
def append(journal, rows, *rest):
    if journal.path.with_name("hang").exists():
        print("the disk hangs", file=sys.stderr, flush=True)
        time.sleep(600)
    stored(journal, rows, *rest)
SqliteJournal.append = append
"""
STUCK_LOOP = """
import sys, time
from hub.daemon.reports import Reports
from hub.daemon.runner import Runner
def stick(self, item):
    print("the loop hangs", file=sys.stderr, flush=True)
    time.sleep(600)
Runner._answer_failed = Reports.input_of = stick
"""
COMMAND = "from hub.cli.main import app; app()"


def hub_with(fault: str) -> list[str]:
    return [sys.executable, "-c", fault + COMMAND]


def ends_soon(watch: Watch | HubProcess) -> int:
    hub = watch.hub if isinstance(watch, Watch) else watch
    process, hub.process = hub.process, None
    assert process is not None
    try:
        process.send_signal(signal.SIGTERM)
        return process.wait(SOON_S)
    finally:
        process.kill()


async def test_a_hanging_broker_does_not_delay_the_end(tmp_path: Path) -> None:
    async with watched_hub(tmp_path) as (watch, broker):
        await watch.play(until=lambda now: now["phase"] == "sealed")
        broker.freeze()
        watch.lay("ada", "stance attack 2")
        await watch.hub.until_logged("msg=committed")
        assert ends_soon(watch) == 0
        broker.thaw()
        await watch.until_status(b"offline")


def test_a_silent_broker_does_not_delay_the_end(tmp_path: Path) -> None:
    with SilentBroker() as broker, ExitStack() as stack:
        hub = HubProcess(tmp_path, broker)  # type: ignore[arg-type]
        for reader in hub.readers.values():
            stack.enter_context(reader)
        stack.callback(hub.kill)
        hub.start()
        asyncio.run(hub.until_logged("reader is ready"))
        assert ends_soon(hub) == 0


async def test_a_hanging_disk_does_not_keep_the_table_from_going_offline(
    tmp_path: Path,
) -> None:
    async with watched_hub(tmp_path) as (watch, _):
        watch.hub.stop()
        await watch.until_status(b"offline")
        watch.hub.start(hub_with(SLOW_DISK))
        await watch.until_ready()
        await watch.play(until=lambda now: now["phase"] == "sealed")
        before = watch.state["seq"]
        (tmp_path / "hang").touch()
        for reader in watch.hub.readers.values():
            reader.unplug()
        await watch.hub.until_logged("the disk hangs")
        assert ends_soon(watch) == 0
        await watch.until_status(b"offline")
        assert watch.state["seq"] == before, "announced before it was stored"


async def test_a_hanging_loop_and_reader_do_not_delay_the_end(tmp_path: Path) -> None:
    async with watched_hub(tmp_path) as (watch, _):
        watch.hub.readers["ada"].suffer(Fault.HANG)
        assert ends_soon(watch) == 0
        await watch.until_status(b"offline")
        watch.hub.start(hub_with(STUCK_LOOP))
        await watch.hub.until_logged("the loop hangs")
        assert ends_soon(watch) == 0
        await watch.until_status(b"offline")  # by the last will


async def test_pages_that_do_not_read_do_not_delay_the_end(tmp_path: Path) -> None:
    async with watched_hub(tmp_path, web=True) as (watch, _):
        port = int(re.findall(r"Display\s+http://127.0.0.1:(\d+)/", watch.hub.output())[-1])
        half = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
        half[1].sendall(b"GET /ws HTTP/1.1\r\nHost: x\r\n")
        half[2].sendall(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        assert b" 101 " in await asyncio.to_thread(half[2].recv, 1 << 16)
        assert ends_soon(watch) == 0
        await watch.until_status(b"offline")
        for connection in half:
            connection.close()


@contextmanager
def unread_pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    try:
        yield reading, writing
    finally:
        os.close(reading)
        os.close(writing)


async def test_an_unread_log_stops_nothing(tmp_path: Path) -> None:
    """A turn at debug level fills a pipe of one page; the log is read only afterwards."""
    with unread_pipe() as (reading, writing):
        async with (
            watched_hub(tmp_path, web=True) as (watch, _),
            aiohttp.ClientSession() as session,
        ):
            watch.hub.stop()
            await watch.until_status(b"offline")
            port = free_port()
            text = watch.hub.config.read_text(encoding="utf-8")
            text = text.replace("port = 0", f"port = {port}")
            watch.hub.config.write_text(text, encoding="utf-8")
            watch.hub.start(stderr=writing)
            await watch.until_ready()

            async def chatter(lines: int) -> None:
                for _ in range(lines):
                    async with session.get(f"http://127.0.0.1:{port}/healthz") as answer:
                        assert answer.status == 200

            await chatter(MOST_LINES + 100)
            await watch.play(until=lambda now: now.get("step") == "move")
            told = b""
            while b"are missing here" not in told:
                told += await asyncio.to_thread(os.read, reading, 1 << 16)
            (lost,) = re.findall(rb"(\d+) log lines are missing here", told)
            assert int(lost) > 0
            await chatter(MOST_LINES + 100)
            assert ends_soon(watch) == 0
            await watch.until_status(b"offline")


@pytest.mark.parametrize("closed", ["2>&-", "<&- >&- 2>&-"])
async def test_closed_standard_streams_are_survived(tmp_path: Path, closed: str) -> None:
    async with watched_hub(tmp_path) as (watch, _):
        watch.hub.stop()
        await watch.until_status(b"offline")
        watch.hub.start(["sh", "-c", f'exec "$@" {closed}', "sh", str(FACEDOWN)])
        await watch.until_ready()
        process = watch.hub.process
        assert process is not None
        for number in (0, 1, 2):
            leads_to = Path(f"/proc/{process.pid}/fd/{number}").readlink()
            assert not re.search(r"journal\.db|socket|pipe|eventpoll", str(leads_to)), leads_to
        await watch.play(until=lambda now: now["phase"] == "sealed")
        assert ends_soon(watch) == 0


async def test_running_out_of_descriptors_is_logged_once(tmp_path: Path) -> None:
    async with watched_hub(tmp_path, web=True) as (watch, _):
        await watch.play(until=lambda now: now["phase"] == "sealed")
        process = watch.hub.process
        assert process is not None
        port = int(re.findall(r"Display\s+http://127.0.0.1:(\d+)/", watch.hub.output())[-1])
        used = {int(fd.name) for fd in Path(f"/proc/{process.pid}/fd").iterdir()}
        free = min(set(range(len(used) + 1)) - used)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (free, free))
        with ExitStack() as waiting:
            for _ in range(4):
                waiting.enter_context(socket.create_connection(("127.0.0.1", port)))
            await watch.hub.until_logged("no connection to the pages can be taken")
            watch.lay("ada", "stance attack 2")
            await watch.until(lambda now: now["committed"] == ["Ada"])
            assert ends_soon(watch) == 0
        assert watch.hub.output().count("no connection to the pages can be taken") == 1
        assert "out of system resource" not in watch.hub.output()


def test_no_core_is_dumped(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as broker, ExitStack() as stack:
        hub = HubProcess(tmp_path, broker)
        for reader in hub.readers.values():
            stack.enter_context(reader)
        stack.callback(hub.kill)
        hub.start()
        asyncio.run(hub.until_logged("connected to the broker"))
        assert hub.process is not None
        limits = Path(f"/proc/{hub.process.pid}/limits").read_text(encoding="utf-8")
        assert re.search(r"^Max core file size\s+0\s+0\s", limits, re.MULTILINE)


FAILS = """
import asyncio, os, signal, sys
from contextlib import AsyncExitStack
from pathlib import Path
from hub.config.loader import load_table
from hub.daemon.outputs import OUTPUTS
from hub.daemon.ending import Ending
from hub.daemon.main import supervise
from hub.ports import JournalError

async def is_asked_to_end():
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.Event().wait()

async def hub():
    async with AsyncExitStack() as stack:
        stack.push_async_callback(is_asked_to_end)
        raise JournalError("den.journal: was moved")

with Ending() as ending:
    sys.exit(supervise(load_table(Path("hub.toml"), OUTPUTS), hub, ending))
"""


def test_a_signal_during_a_failing_end_does_not_lose_the_error_line(tmp_path: Path) -> None:
    make_folder(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", FAILS], cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.stderr.splitlines()[-1] == "facedown: den.journal: was moved"
    assert done.returncode == 1
