"""Whatever the process is started with: one clear line at most, and never a traceback."""

import os
import resource
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from hub.journal import SqliteJournal
from tests.adapters.journal.rows import rows
from tests.support.hub import FACEDOWN

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
def test_a_path_that_is_too_long(command: str, tmp_path: Path) -> None:
    for path in (tmp_path / ("x" * 300), Path("/" + "y/" * 3000)):
        one_line(facedown(*command.split(), path))


def test_a_path_that_is_too_long_in_a_configuration(tmp_path: Path) -> None:
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
def test_a_locale_that_knows_ascii_alone(words: list[str], journal: Path) -> None:
    plain = facedown(*words, journal)
    in_c = facedown(*words, journal, environment=C_LOCALE)
    assert (in_c.returncode, in_c.stdout, in_c.stderr) == (
        plain.returncode,
        plain.stdout,
        plain.stderr,
    )
    assert "Küche" in one_line(facedown("replay", f"{journal}.none", environment=C_LOCALE))


def test_a_name_that_is_no_text_at_all(tmp_path: Path) -> None:
    for command in COMMANDS:
        done = subprocess.run(
            [FACEDOWN, *command.split(), os.fsencode(tmp_path) + b"/\xff\xfe"],
            capture_output=True,
            timeout=60,
        )
        one_line(done)


@pytest.mark.parametrize("megabytes", [20, 80])
def test_too_little_memory(megabytes: int, journal: Path, tmp_path: Path) -> None:
    def starve() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    for words in (["replay", journal], ["run", "--config", tmp_path / "none"], ["verify", journal]):
        done = facedown(*words, limit=starve)
        assert b"Traceback" not in done.stderr, done.stderr
        assert done.stderr.count(b"\n") <= 1


def test_a_full_disk_behind_standard_output(journal: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [FACEDOWN, "log", journal], stdout=full, stderr=subprocess.PIPE, timeout=60
        )
    assert "No space left" in one_line(done)
