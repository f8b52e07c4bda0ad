"""Reading a long journal reports progress, and commands that print it begin to print at once."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import TextIO

import msgspec
import pytest
from typer.testing import CliRunner

from hub.cli import progress
from hub.cli.main import app
from hub.cli.replay import replay
from hub.daemon import export_process
from hub.daemon.export_jobs import RecapJob
from hub.daemon.exports import write_recap_of
from hub.daemon.progress import Far
from hub.journal import JournalRows, SqliteJournal
from hub.themes import OURS
from hub.wire.log import Row
from hub.world import MACHINE
from tests.support.hub import FACEDOWN
from tests.support.longtable import LongTable

RECORDS = 4000
READERS = (
    ("replay", "{journal}"),
    ("replay", "{journal}", "--json"),
    ("replay", "{journal}", "--until", "3000"),
    ("recap", "{journal}", "-o", "{out}"),
    ("verify", "{journal}"),
    ("verify", "{log}"),
    ("log", "{journal}"),
    ("log", "{journal}", "--open", "3999"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of thousands of records, and its log."""
    folder = tmp_path_factory.mktemp("long")
    talk = LongTable()
    talk.play(RECORDS)
    with SqliteJournal.open(folder / "journal.db", "test") as journal:
        journal.append(talk.rows)
    (folder / "log").write_bytes(b"".join(row.line + b"\n" for row in talk.rows))
    return folder


@contextmanager
def a_terminal() -> Iterator[tuple[TextIO, list[bytes]]]:
    """A terminal's stream, and everything seen there once it is closed."""
    ours, theirs = os.openpty()
    seen: list[bytes] = []

    def watch() -> None:
        with suppress(OSError):  # its other end is closed
            while part := os.read(ours, 4096):
                seen.append(part)

    watching = Thread(target=watch)
    watching.start()
    with os.fdopen(theirs, "w", encoding="utf-8") as stream:
        yield stream, seen
    watching.join()
    os.close(ours)


def words(folder: Path, command: tuple[str, ...]) -> list[str]:
    places = {"journal": folder / "journal.db", "log": folder / "log", "out": folder / "out.html"}
    return [word.format(**places) for word in command]


def is_rising(percents: list[int]) -> bool:
    return len(percents) > 1 and all(a <= b for a, b in pairwise(percents)) and percents[-1] <= 100


@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_progress_is_a_line_now_and_then_without_a_terminal(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr(progress, "FIRST_S", 0.0)
    monkeypatch.setattr(progress, "EVERY_S", 0.0)
    told = CliRunner().invoke(app, words(folder, command))
    said = [
        line.removeprefix(f"{command[0]}: ") for line in told.stderr.splitlines() if "%" in line
    ]
    percents = [int(line.removesuffix(" %")) for line in said]
    assert is_rising(percents), told.stderr


def test_a_quick_command_shows_no_progress(folder: Path) -> None:
    told = CliRunner().invoke(app, words(folder, ("log", "{journal}")))
    assert (told.exit_code, told.stderr) == (0, "")


@pytest.mark.parametrize("command", READERS[3:5], ids=" ".join)
def test_a_terminal_shows_a_bar_until_the_command_is_done(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr(progress, "FIRST_S", 0.0)
    monkeypatch.setenv("TERM", "xterm")  # a dumb one has no bar
    with a_terminal() as (stream, seen):
        monkeypatch.setattr(progress, "stderr", lambda: stream)
        told = CliRunner().invoke(app, words(folder, command))
        assert told.exit_code in {0, 1}
    shown = b"".join(seen).decode()
    assert "━" in shown
    assert is_rising([int(percent) for percent in re.findall(r"(\d+)%", shown)])
    assert "\x1b[2K" in shown, "its line is cleared at the end"


@pytest.mark.parametrize("command", READERS[:2], ids=" ".join)
def test_a_replay_prints_its_first_lines_before_reading_the_last(
    folder: Path, command: tuple[str, ...]
) -> None:
    """The output exceeds a pipe's buffer: after its first line the command is still running."""
    with subprocess.Popen(
        [FACEDOWN, *words(folder, command)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as replay:
        assert replay.stdout
        assert b"The log of this table begins" in replay.stdout.readline()
        assert replay.poll() is None
        replay.stdout.close()


@pytest.mark.parametrize("as_json", [False, True])
def test_a_replay_prints_its_first_lines_at_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, as_json: bool
) -> None:
    """A reader of the pipe gets them before a page of rows was read."""
    out, into = os.pipe()
    os.set_blocking(out, False)
    seen: list[bytes] = []
    real = JournalRows.rows

    def rows(self: JournalRows, after: int = 0) -> Iterator[Row]:
        for row in real(self, after):
            if row.seq == 5:
                seen.append(os.read(out, 1 << 16))
            yield row

    monkeypatch.setattr(JournalRows, "rows", rows)
    with os.fdopen(into, "w", encoding="utf-8") as stream:
        monkeypatch.setattr("sys.stdout", stream)
        replay(folder / "journal.db", as_json=as_json, until=100)
    os.close(out)
    assert b"The log of this table begins" in seen[0]


async def test_the_consoles_recap_reports_progress(folder: Path) -> None:
    heard: list[int] = []
    written = await write_recap_of(MACHINE, folder / "journal.db", "test", OURS[0], heard.append)
    assert written is not None and written[0] == "test.html"
    assert is_rising(heard)


def test_the_process_that_writes_a_recap_reports_progress_as_json(folder: Path) -> None:
    job = msgspec.json.encode(RecapJob(str(folder / "journal.db"), OURS[0]))
    told = subprocess.run(
        [sys.executable, "-m", export_process.__name__, job], capture_output=True, check=True
    )
    lines = [msgspec.json.decode(line, type=Far) for line in told.stderr.splitlines()]
    assert is_rising([line.percent for line in lines])
    assert json.loads(told.stderr.splitlines()[0]).keys() == {"done", "of"}
    assert told.stdout.startswith(b"<!doctype html>")
