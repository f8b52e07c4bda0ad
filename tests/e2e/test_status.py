"""``facedown status`` next to a hub that runs, hangs, or belongs to another user."""

import asyncio
import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hub.daemon import status as status_of
from hub.daemon.status import NotAnswered, StatusSocket, ask, socket_of
from tests.support.hub import FACEDOWN
from tests.support.process import with_us

NOBODY = 65534


def status(config: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [FACEDOWN, "status", "--config", config, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=30)


@contextmanager
def as_somebody(group: int) -> Iterator[None]:
    """Run as an unprivileged user, in this group only."""
    groups = os.getgroups()
    os.setgroups([])
    os.setegid(group)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A table's folder whose path is too long for a socket's, readable by all."""
    with TemporaryDirectory() as outer:
        Path(outer).chmod(0o755)
        folder = Path(outer) / ("a-long-name-" * 10)
        said = ("--seats", "2", "--ruleset", "unroll", "--name", "den", "--deck", "none")
        subprocess.run(
            [FACEDOWN, "init", folder, *said, "--port", "0"], check=True, stdin=subprocess.DEVNULL,
            capture_output=True,
        )  # fmt: skip
        folder.chmod(0o755)
        yield folder


def test_a_hub_reports_its_status_to_users_who_may_know(folder: Path) -> None:
    config, journal = folder / "hub.toml", folder / "den.journal"
    none = status(config)
    assert none.returncode == 1
    said, _, command = none.stderr.partition("at this table: ")
    assert said == "facedown: no hub runs "
    assert command.endswith(f"facedown run --config {config}\n")
    with subprocess.Popen(
        with_us(str(FACEDOWN), "run", "--config", str(config)), stderr=subprocess.PIPE, text=True
    ) as hub:
        try:
            told = iter(hub.stderr or ())
            ready = (each for each in told if "reader is ready" in each)
            assert next(ready) and next(ready)
            with subprocess.Popen(
                [FACEDOWN, "status", "--config", config, "--json", "--watch"],
                stdout=subprocess.PIPE,
            ) as watching:
                assert watching.stdout
                first, now = (json.loads(watching.stdout.readline()) for _ in range(2))
                watching.send_signal(signal.SIGINT)
                assert watching.wait(10) == 0
            assert first == now
            assert now["readers"] == {
                seat: {"state": "ok", "losses": 0, "disturbances": 0} for seat in ("ada", "gm")
            }
            assert (now["commits"], now["reveals"], now["broker"]) == (0, 0, None)
            assert now["records"] >= now["journal"]["count"] > 0
            assert now["journal"]["upto"][-1] == {"ms": 5000, "count": now["journal"]["count"]}
            plain = status(config)
            assert plain.returncode == 0
            assert "answers; lost: never; disturbed: never\n" in plain.stdout
            assert socket_of(journal).stat().st_mode & 0o777 == 0o660
            if os.geteuid() == 0:
                with as_somebody(os.getegid()):
                    assert ask(journal).records == now["records"]
                with as_somebody(NOBODY), pytest.raises(NotAnswered, match="closed"):
                    ask(journal)
            hub.send_signal(signal.SIGSTOP)
            hung = status(config)
            assert hung.returncode == 1
            assert f"(process {hub.pid}) has not answered for 2 s" in hung.stderr
            hub.send_signal(signal.SIGCONT)
        finally:
            hub.terminate()
            hub.communicate(timeout=10)
    assert not socket_of(journal).exists()


def why_not(journal: Path) -> str:
    with pytest.raises(NotAnswered) as found:
        ask(journal)
    return found.value.why


async def test_another_file_in_the_sockets_place(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    journal = tmp_path / "j"
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(socket_of(journal)))  # by a hub that was killed
    left.close()
    async with StatusSocket(journal, lambda: b"{}"):
        with pytest.raises(NotAnswered, match="other"):
            await asyncio.to_thread(ask, journal)
    assert not socket_of(journal).exists()
    socket_of(journal).write_text("mine")
    async with StatusSocket(journal, lambda: b"{}"):
        assert "facedown status cannot ask this hub" in caplog.text
    assert socket_of(journal).read_text() == "mine"


async def test_callers_who_do_not_read_hold_up_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "j"
    async with StatusSocket(journal, lambda: b"{" + b" " * 1_000_000 + b"}"):
        deaf = [await asyncio.open_unix_connection(socket_of(journal), limit=1) for _ in range(8)]
        with pytest.raises(NotAnswered, match="hangs"):
            await asyncio.to_thread(ask, journal)
        for _, writer in deaf:
            writer.transport.abort()
        async with asyncio.timeout(30):
            while await asyncio.to_thread(why_not, journal) != "other":
                await asyncio.sleep(0.01)  # their end is not noticed at once
        monkeypatch.setattr(status_of, "ANSWER_S", 0.05)
        (patient, last) = await asyncio.open_unix_connection(socket_of(journal), limit=1)
        while await asyncio.wait_for(patient.read(65536), 10):
            await asyncio.sleep(0.1)  # slower than allowed
        last.transport.abort()
