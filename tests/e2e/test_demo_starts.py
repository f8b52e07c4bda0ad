"""Demos that start at the same moment, or on machines that lack something."""

import asyncio
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp

from tests.support.demo import Demo
from tests.support.hub import FACEDOWN
from tests.support.subscriber import subscriber

STATE = "facedown/demo/state"
MANY = 4


@asynccontextmanager
async def started(*arguments: str) -> AsyncIterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [str(FACEDOWN), "demo", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        await asyncio.to_thread(process.communicate)


def said(process: "subprocess.Popen[str]") -> str:
    """Return its output up to its ready message or its end."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if "Stop with" in line:
            break
    return "".join(lines)


async def test_four_at_once_all_play() -> None:
    """Each takes other ports, counting up from the usual ones."""
    async with (
        started() as one,
        started() as two,
        started() as three,
        started() as four,
        aiohttp.ClientSession() as anybody,
    ):
        processes = (one, two, three, four)
        told = await asyncio.gather(*(asyncio.to_thread(said, each) for each in processes))
        assert ["Stop with" in each for each in told] == [True] * MANY
        tables = [Demo(*each) for each in zip(processes, told, strict=True)]
        assert len({table.port for table in tables}) == MANY
        assert len({table.broker_port for table in tables}) == MANY
        for table in tables:
            async with anybody.get(table.display) as answer:
                assert answer.status == 200
            async with subscriber(table.broker_port, STATE) as heard:
                await heard.until(lambda heard=heard: STATE in heard.newest())


def test_missing_pseudo_terminals_are_reported() -> None:
    hidden = 'mount -t tmpfs tmpfs /dev/pts && exec "$@"'
    alone = ["unshare", "--map-root-user", "--mount", "sh", "-c", hidden, "sh"]
    done = subprocess.run([*alone, str(FACEDOWN), "demo"], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("facedown: simulated readers stand on pseudo-terminals")
    assert "mount -t devpts" in line
