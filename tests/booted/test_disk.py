"""A hanging disk under the table is named in the log; the hub is killed and continues when the disk
does."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.booted.machine import FACEDOWN, TABLES
from tests.booted.table import booted, until_waiting
from tests.support.broker import free_port
from tests.support.hub import seat_of

pytestmark = [pytest.mark.booted, pytest.mark.timeout(900)]


@contextmanager
def disk(folder: Path, at: Path) -> Iterator[None]:
    """A file system in a file, which can be frozen."""
    image = folder / "disk"
    with image.open("wb") as file:
        file.truncate(64 * 1024 * 1024)
    subprocess.run(["mkfs.ext4", "-q", image], check=True)
    at.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-o", "loop", image, at], check=True)
    try:
        yield
    finally:
        subprocess.run(["fsfreeze", "--unfreeze", at], capture_output=True)
        subprocess.run(["umount", "--lazy", at], check=True)


async def test_a_hanging_disk_is_named_and_the_table_continues_afterwards(tmp_path: Path) -> None:
    outside = tmp_path / "mounted"
    with disk(tmp_path, outside):
        async with booted("bookworm", tmp_path, free_port(), start=False) as (hub, watch, _):
            place = f"{TABLES}/table"
            # Both machines share the loop device, so this mounts the same file system inside.
            device = subprocess.run(
                ["findmnt", "-no", "SOURCE", outside], check=True, capture_output=True, text=True
            ).stdout.strip()
            number = Path(device).stat().st_rdev
            words = ("mknod", "/disk", "b", str(number >> 8), str(number & 0xFF))
            hub.machine.run(*words, check=True)
            hub.machine.run("mount", "-t", "ext4", "/disk", place, check=True)
            hub.furnish_inside()
            hub.tune("[Service]\nWatchdogSec=6\nTimeoutStopSec=2\n")
            hub.up()
            await watch.until_ready()
            first = await until_waiting(watch)
            await watch.commit(first, watch.cards(first, watch.state["step"]))
            told = watch.lines()

            subprocess.run(["fsfreeze", "--freeze", outside], check=True)
            other = next(a for a in watch.state["awaited"] if a != first)
            watch.lay(seat_of(other), watch.cards(other, watch.state["step"])[0])
            await hub.until_told("the table stands still")
            await hub.until_told("watchdog is not fed: the journal does not answer")
            await watch.until_status(b"offline")
            assert hub.machine.log().count("watchdog is not fed") == 1
            subprocess.run(["fsfreeze", "--unfreeze", outside], check=True)

            await hub.again(watch)
            assert watch.lines()[: len(told)] == told
            sound = hub.machine.run(FACEDOWN, "verify", f"{place}/journal.db", "--table", "test")
            assert sound.returncode == 0, sound.stdout
            await watch.play(until=lambda now: now["turn_number"] > 1 or now["phase"] == "over")
