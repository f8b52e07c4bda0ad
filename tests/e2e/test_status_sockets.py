"""The hub's local sockets, next to threads that open files all the time."""

import asyncio
import errno
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hub.daemon.addresses import KeysSocket, Pages, ask_pages, keys_socket_of
from hub.daemon.status import StatusSocket, said_at, socket_of

TIMES = 2000
PAGES = Pages(display="d", gm="g", seats={}, table=None, phones=False)


@contextmanager
def opening_files(*folders: Path) -> Iterator[None]:
    """Open files in one thread per folder, so that a freed descriptor number is soon reused."""
    over = threading.Event()

    def open_and_close(folder: Path) -> None:
        while not over.is_set():
            for number in [os.open(folder, os.O_RDONLY) for _ in range(8)]:
                os.close(number)

    threads = [threading.Thread(target=open_and_close, args=(each,)) for each in folders]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize("long", [False, True])
async def test_they_open_beside_a_thread_that_opens_files(long: bool, tmp_path: Path) -> None:
    folder = tmp_path / ("a-long-name-" * 12) if long else tmp_path
    folder.mkdir(exist_ok=True)
    journal, other = folder / "j", tmp_path / "other"
    other.write_bytes(b"")
    with opening_files(other, Path("/dev/null")):
        for _ in range(TIMES):
            async with StatusSocket(journal, lambda: b"{}"), KeysSocket(journal, lambda: PAGES):
                assert stat.S_ISSOCK(socket_of(journal).stat().st_mode)
            assert not socket_of(journal).exists()
            assert not keys_socket_of(journal).exists()


async def test_a_file_that_another_program_put_in_its_place_stays(tmp_path: Path) -> None:
    journal = tmp_path / "j"
    async with StatusSocket(journal, lambda: b"first"):
        assert await asyncio.to_thread(said_at, socket_of(journal)) == b"first\n"
        socket_of(journal).unlink()
        socket_of(journal).write_text("mine")
    assert socket_of(journal).read_text() == "mine"


async def test_a_system_without_listening_sockets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The table plays without them, and logs a line for each."""
    journal = tmp_path / "j"

    async def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))

    monkeypatch.setattr(asyncio, "start_server", refuse)
    async with StatusSocket(journal, lambda: b"{}"), KeysSocket(journal, lambda: PAGES):
        pass
    said = [record.getMessage() for record in caplog.records]
    assert said == [
        f"{command} cannot ask this hub: {path}: Not a directory"
        for command, path in (
            ("facedown status", socket_of(journal)),
            ("facedown addresses", keys_socket_of(journal)),
        )
    ]
    assert not socket_of(journal).exists()


def test_addresses_are_available_at_a_long_path(tmp_path: Path) -> None:
    folder = tmp_path / ("a-long-name-" * 12)
    folder.mkdir()

    async def asked() -> Pages:
        async with KeysSocket(folder / "j", lambda: PAGES):
            return await asyncio.to_thread(ask_pages, folder / "j")

    assert asyncio.run(asked()) == PAGES
