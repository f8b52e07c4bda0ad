"""The journal's thread: how long the loop waits for it, and when it hears of the end."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from threading import Event, current_thread, main_thread
from typing import Any, cast

import pytest

from hub.daemon import parts
from hub.daemon.parts import Writer
from hub.ports import Announcement, Hindrance, Journal, JournalError
from hub.table.acts import Command, Pause, Resume, StartScene
from hub.wire.log import Row
from hub.wire.replies import Reply
from tests.support.box import DECK, TAGS, Box

LONG_S, SHORT_S = 20.0, 0.02


class Disk:
    """A journal whose sync takes as long as ``free`` is unset, and fails with ``fault``."""

    def __init__(self) -> None:
        self.free, self.fault = Event(), None
        self.free.set()
        self.threads = set[str]()

    def append(
        self, rows: Sequence[Row], once: str = "", syncing: Callable[[], object] = lambda: None
    ) -> None:
        self.threads.add(current_thread().name)
        syncing()
        assert self.free.wait(LONG_S)
        if self.fault is not None:
            raise self.fault

    def probe(self) -> None: ...

    def close(self) -> None: ...


@asynccontextmanager
async def writing(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Writer, Any]]:
    """A writer whose loop waits for long, so that no slow machine changes the outcome."""
    monkeypatch.setattr(parts, "HEAD_START_S", LONG_S)
    disk: Any = Disk()
    writer = Writer(cast("Journal", disk))
    try:
        yield writer, disk
    finally:
        disk.free.set()
        await writer.close()
    assert main_thread().name not in disk.threads


async def test_the_end_of_a_quick_disk_is_heard_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async with writing(monkeypatch) as (writer, _):
        await writer.append(())
        assert writer.append(()).done()
        await writer.probe()


async def test_a_disk_that_was_slow_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async with writing(monkeypatch) as (writer, disk):
        disk.free.clear()
        stored = writer.append(())  # how quick it is, is not known yet
        assert not stored.done()
        monkeypatch.setattr(parts, "HEAD_START_S", 0)  # any time is slow now
        disk.free.set()
        await stored
        monkeypatch.setattr(parts, "HEAD_START_S", LONG_S)
        disk.free.clear()
        assert not writer.append(()).done()


async def test_a_quick_disk_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async with writing(monkeypatch) as (writer, disk):
        await writer.append(())
        monkeypatch.setattr(parts, "HEAD_START_S", SHORT_S)
        disk.free.clear()
        stored = writer.append(())
        assert not stored.done()
        disk.free.set()
        async with asyncio.timeout(LONG_S):
            await stored


async def test_a_fault_of_a_quick_disk_is_the_futures(monkeypatch: pytest.MonkeyPatch) -> None:
    async with writing(monkeypatch) as (writer, disk):
        await writer.append(())
        disk.fault = JournalError("full", Hindrance.FULL)
        assert writer.append(()).exception() is disk.fault


async def test_many_inputs_leave_the_loop_time_for_other_work() -> None:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async with Box(DECK, TAGS) as box:
        running = [asyncio.create_task(box.runner.run()), asyncio.create_task(count())]
        assert (await box.runner.inbox.ask(StartScene(id="start"), "gm")).ok
        turns = 0
        commands = [(Resume if n % 2 else Pause)(id=f"{n}") for n in range(60)]
        asked = [asyncio.create_task(box.runner.inbox.ask(each, "gm")) for each in commands]
        replies = await asyncio.gather(*asked)
        assert [reply.reason for reply in replies if not reply.ok] == []
        assert turns > len(replies)
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)


@pytest.mark.parametrize("was_quick", [False, True])
async def test_nothing_is_told_before_it_is_stored(
    monkeypatch: pytest.MonkeyPatch, *, was_quick: bool
) -> None:
    """The sync hangs, on a disk that was quick or slow before."""
    free, syncs = Event(), Event()
    heard: list[int] = []

    class Ear:
        def announce(self, announcement: Announcement) -> None:
            heard.append(announcement.view.seq)

    async with Box(DECK, TAGS) as box:
        assert (await told(box, StartScene(id="start"))).ok
        monkeypatch.setattr(parts, "HEAD_START_S", LONG_S if was_quick else 0)
        assert (await told(box, Pause(id="pause"))).ok
        monkeypatch.setattr(parts, "HEAD_START_S", SHORT_S)
        append = box.journal.append

        def hanging(
            rows: Sequence[Row], once: str = "", syncing: Callable[[], object] = lambda: None
        ) -> None:
            syncing()
            syncs.set()
            assert free.wait(LONG_S)
            append(rows, once)

        monkeypatch.setattr(box.journal, "append", hanging)
        box.runner.add_publisher(Ear())
        box.runner.add_log_listener(heard.append)
        before = len(heard)
        telling = asyncio.create_task(told(box, Resume(id="resume")))
        assert await asyncio.to_thread(syncs.wait, LONG_S)
        await asyncio.sleep(2 * SHORT_S)
        assert len(heard) == before and not telling.done()
        free.set()
        assert (await telling).ok
        assert len(heard) == before + 2


async def told(box: Box, command: Command) -> Reply:
    """Give the GM's command to a runner, and wait for its answer."""
    running = asyncio.create_task(box.runner.run())
    try:
        return await box.runner.inbox.ask(command, "gm")
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
