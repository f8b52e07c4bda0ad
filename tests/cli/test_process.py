"""However the process is started: at most one clear line, and never a traceback."""

import errno
import gc
import os
import resource
import select
import signal
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from hub.daemon.main import settle
from hub.daemon.pages import _without_authorities
from hub.journal import SqliteJournal
from tests.adapters.journal.rows import rows
from tests.support.hub import FACEDOWN
from tests.support.process import with_us

C_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def facedown(
    *words: object,
    environment: Mapping[str, str] | None = None,
    limit: Callable[[], None] | None = None,
) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [FACEDOWN, *map(os.fsencode, map(str, words))],
        capture_output=True,
        env={**os.environ, **(environment or {})},
        preexec_fn=limit,
        timeout=60,
    )


def one_line(done: "subprocess.CompletedProcess[bytes]") -> str:
    text = done.stderr.decode()
    assert done.returncode in (1, 2), text
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    return text


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "Küche №1.journal"
    with SqliteJournal.open(path, "den") as made:
        made.append(rows(5))
    return path


COMMANDS = ["run --config", "check-config", "replay", "log", "verify", "resolve", "backup x",
            "restore", "sheet check"]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_an_overlong_path_is_refused_in_one_line(command: str, tmp_path: Path) -> None:
    for path in (tmp_path / ("x" * 300), Path("/" + "y/" * 3000)):
        one_line(facedown(*command.split(), path))


def test_an_overlong_path_in_a_configuration_is_refused_in_one_line(tmp_path: Path) -> None:
    for key in ("journal", "deck"):
        other = "deck" if key == "journal" else "journal"
        config = tmp_path / "hub.toml"
        config.write_text(
            f'[table]\nname = "a"\n{key} = "{"x" * 300}"\n{other} = "{other}.toml"\n'
            f'[[seat]]\nname = "a"\nreader = "sim:a"\ngm = true\n[scene]\nfile = "s.toml"\n'
        )
        for command in (("check-config", config), ("run", "--config", config)):
            done = facedown(*command)
            assert done.returncode == 2
            assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("words", [["log"], ["replay"], ["replay", "--json"], ["verify"]])
def test_an_ascii_locale_does_not_change_the_output(words: list[str], journal: Path) -> None:
    plain = facedown(*words, journal)
    in_c = facedown(*words, journal, environment=C_LOCALE)
    assert (in_c.returncode, in_c.stdout, in_c.stderr) == (
        plain.returncode,
        plain.stdout,
        plain.stderr,
    )
    assert "Küche" in one_line(facedown("replay", f"{journal}.none", environment=C_LOCALE))


def test_a_path_that_is_not_text_is_refused_in_one_line(tmp_path: Path) -> None:
    for command in COMMANDS:
        done = subprocess.run(
            [FACEDOWN, *command.split(), os.fsencode(tmp_path) + b"/\xff\xfe"],
            capture_output=True,
            timeout=60,
        )
        one_line(done)


def starved_to(megabytes: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


@cache
def least_for_python() -> int:
    """Megabytes of address space that the interpreter needs to reach the program's first line."""
    for megabytes in range(8, 64, 2):
        done = subprocess.run(
            [sys.executable, "-c", "import json, re, signal, subprocess"],
            preexec_fn=starved_to(megabytes),
            capture_output=True,
        )
        if (done.returncode, done.stderr) == (0, b""):
            return megabytes
    raise AssertionError("it never starts")


@pytest.mark.parametrize("more", [2, 20, 60])
def test_too_little_memory_gives_no_traceback(more: int, journal: Path, tmp_path: Path) -> None:
    starve = starved_to(least_for_python() + more)
    for words in (["replay", journal], ["run", "--config", tmp_path / "none"], ["verify", journal]):
        done = facedown(*words, limit=starve)
        assert b"Traceback" not in done.stderr, done.stderr
        assert done.stderr.count(b"\n") <= 1


BROKEN = """
import os
real = os.open
def broken(path, *how, **more):
    if str(path).endswith("{name}"):
        raise OSError({number}, os.strerror({number}), str(path))
    return real(path, *how, **more)
os.open = broken
"""
"""A disk that fails at one file, as the interpreter sees it."""


@pytest.mark.parametrize("name", ["hub.toml", "ada.toml"])
@pytest.mark.parametrize(
    ("number", "status"),
    [(errno.EIO, 1), (errno.ESTALE, 1), (errno.EMFILE, 1), (errno.EACCES, 2), (errno.ENOENT, 2)],
)
def test_a_hub_with_unreadable_files_ends_with_one_line(
    name: str, number: int, status: int, tmp_path: Path
) -> None:
    """Status 1: systemd tries again, because a disk may come back."""
    made = facedown("init", "--seats", "2", "--name", "den", "--deck", "none", tmp_path / "den")
    assert made.returncode == 0, made.stderr
    (tmp_path / "sitecustomize.py").write_text(BROKEN.format(name=name, number=number))
    hub = facedown(
        *("run", "--config", tmp_path / "den" / "hub.toml"),
        environment={"PYTHONPATH": str(tmp_path)},
    )
    text = hub.stderr.decode()
    assert (hub.returncode, text.count("\n")) == (status, 1), text
    assert name in text and os.strerror(number) in text


@pytest.mark.parametrize(
    "words", [["log", "{journal}"], ["example-config"], ["--help"]], ids=lambda words: words[0]
)
def test_a_full_disk_at_standard_output_is_reported(journal: Path, words: list[str]) -> None:
    command = [word.format(journal=journal) for word in words]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([FACEDOWN, *command], stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert "No space left" in one_line(done)


def test_a_closed_pipe_at_standard_output_is_quiet() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [FACEDOWN, "example-config"], stdout=writing, stderr=subprocess.PIPE, timeout=60
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]


@contextmanager
def starting(command: str, tmp_path: Path, **how: Any) -> Iterator["subprocess.Popen[bytes]"]:
    """A command that is still being imported.

    It has just found the module that reads the command line, or the hub itself.
    """
    (tmp_path / "tmp").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-X", "importtime", FACEDOWN, *command.split()],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
        **how,
    )
    try:
        assert process.stderr is not None
        line = b""
        while b"click" not in line and b"msgspec" not in line:
            line = process.stderr.readline()
            assert line, "it has ended"
        yield process
    finally:
        process.kill()
        process.wait()


def words_of(process: "subprocess.Popen[bytes]") -> bytes:
    """Its whole output until it ends, without the times of its imports."""
    said, complaints = process.communicate(timeout=90)
    lines = complaints.splitlines(keepends=True)
    return said + b"".join(line for line in lines if not line.startswith(b"import time:"))


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("command", ["run", "demo --port 0", "demo --port 0 --data kept"])
def test_a_hub_stopped_before_it_runs_ends_silently(
    command: str, number: signal.Signals, tmp_path: Path
) -> None:
    with starting(command, tmp_path) as process:
        process.send_signal(number)
        assert words_of(process) == b""
    assert process.returncode == 0
    assert [file.name for file in tmp_path.rglob("*")] == ["tmp"]


@pytest.mark.parametrize("number", SIGNALS)
def test_an_interrupted_command_ends_silently_with_its_signals_status(
    number: signal.Signals, tmp_path: Path
) -> None:
    for command, status in (("check-config hub.toml", 128 + number), ("witness den x", 0)):
        with TemporaryDirectory() as folder, starting(command, Path(folder)) as process:
            process.send_signal(number)
            assert words_of(process) == b""
            assert process.returncode == status


IN_A_CALLBACK = """
import os, sys, time, weakref
from hub.cli import process
process._end_by_signals(lasting=False)
thing = type("Thing", (), {})()
gone = weakref.ref(thing, lambda _: os.kill(os.getpid(), int(sys.argv[1])))
del thing
time.sleep(60)
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_in_a_callback_whose_exceptions_are_dropped_is_obeyed(
    number: signal.Signals,
) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", IN_A_CALLBACK, str(int(number))], capture_output=True, timeout=90
    )
    assert (ended.returncode, ended.stderr) == (128 + number, b"")


HANGS = """
import os, sys, time
real = os.open
def hanging(path, *how, **more):
    if str(path).endswith("hub.toml"):
        print("hangs", file=sys.stderr, flush=True)
        time.sleep(600)
    return real(path, *how, **more)
os.open = hanging
"""
"""A disk that does not answer at one file, as the interpreter sees it."""


def test_a_hub_with_hanging_files_can_be_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(HANGS)
    (tmp_path / "hub.toml").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with starting("run", tmp_path) as process:
        assert process.stderr is not None
        while b"hangs" not in process.stderr.readline():
            pass
        process.send_signal(signal.SIGTERM)
        assert words_of(process) == b""
        assert process.returncode == 0


def test_a_hub_under_nohup_ignores_its_terminal_closing(tmp_path: Path) -> None:
    def nohup() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    for command in ("run --config hub.toml", "check-config hub.toml"):
        with (
            TemporaryDirectory() as folder,
            starting(command, Path(folder), preexec_fn=nohup) as process,
        ):
            process.send_signal(signal.SIGHUP)
            assert b"No such file or directory" in words_of(process)
            assert process.returncode == 2


def test_processes_of_a_test_end_with_it() -> None:
    command = with_us("sh", "-c", "echo $$; exec sleep 600")
    code = f"import subprocess as s; s.run({command!r})"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as test:
        assert test.stdout is not None
        child = os.pidfd_open(int(test.stdout.readline()))
        test.kill()
    assert select.select([child], [], [], 30)[0], "it lives on"
    os.close(child)


def test_aiohttp_is_imported_without_authorities_but_tls_has_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/somewhere")
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    before = dict(os.environ)
    with _without_authorities():
        assert ssl.create_default_context().cert_store_stats()["x509"] == 0
    assert dict(os.environ) == before


def test_the_garbage_collector_of_a_ready_hub_skips_earlier_objects() -> None:
    gc.disable()
    gc.unfreeze()  # objects of the tests' own process
    try:
        settle()
        assert gc.isenabled()
        assert gc.get_freeze_count() > 0
    finally:
        gc.enable()
        gc.freeze()
