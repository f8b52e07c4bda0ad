"""A pipe, folder, socket or device in place of a file is reported in one line, without waiting."""

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Collection, Iterable
from contextlib import closing
from pathlib import Path

import pytest

from hub.journal import SqliteJournal
from tests.adapters.journal.rows import rows
from tests.support.smallhub import FACEDOWN, facedown, make_folder
from tests.support.thinned import thinned

ODD = "odd.toml"


def fifo(path: Path) -> str:
    os.mkfifo(path)
    return "a pipe (FIFO)"


def folder(path: Path) -> str:
    path.mkdir()
    return "a folder"


def a_socket(path: Path) -> str:
    with closing(socket.socket(socket.AF_UNIX)) as made:
        here = os.open(path.parent, os.O_PATH)
        made.bind(f"/proc/self/fd/{here}/{path.name}")
        os.close(here)
    return "a socket"


def device(path: Path) -> str:
    path.symlink_to("/dev/zero")
    return "a device"


KINDS: dict[str, Callable[[Path], str]] = {
    "fifo": fifo,
    "folder": folder,
    "socket": a_socket,
    "device": device,
}

COMMANDS = [
    "run --config odd.toml",
    "check-config odd.toml",
    "doctor --config odd.toml",
    "status --config odd.toml",
    "cards write --config odd.toml",
    "cards list odd.toml",
    "verify odd.toml",
    "verify den.journal --opened odd.toml",
    "verify den.journal --witness odd.toml",
    "log odd.toml",
    "replay odd.toml",
    "recap odd.toml",
    "resolve odd.toml",
    "resolve --rules odd.toml deck.toml",
    "backup odd.toml new",
    "restore odd.toml new",
    "restore odd.toml new --replace",
    "sheet check odd.toml",
    "sheet level-up odd.toml",
    "init new --yes --deck odd.toml",
    "init new --yes --character odd.toml",
    "init new --yes --broker 127.0.0.1 --broker-user me --broker-password-file odd.toml",
    "init new --yes --broker 127.0.0.1 --broker-ca odd.toml",
    "witness den --out new --key odd.toml",
    "witness den --out odd.toml --key new",
    "witness den --out new --key key --username me --password-file odd.toml",
    "witness den --out new --key key --ca odd.toml",
]


def said_of(folder: Path, command: str) -> str:
    done = facedown(folder, *command.split())
    assert done.returncode in {1, 2} and "Traceback" not in done.stderr, done.stderr
    assert "fault of the program" not in done.stderr, done.stderr
    return done.stderr + done.stdout


def each(some: Iterable[str], of_all_kinds: Collection[str]) -> list[tuple[str, str]]:
    """A pipe for each command, since a pipe may hang; the other kinds for some."""
    return [(one, kind) for one in some for kind in KINDS if kind == "fifo" or one in of_all_kinds]


@pytest.mark.parametrize(
    ("command", "kind"), each(COMMANDS, [COMMANDS[0], "verify odd.toml", "log odd.toml"])
)
def test_an_odd_file_on_the_command_line_is_reported(
    tmp_path: Path, command: str, kind: str
) -> None:
    SqliteJournal.open(make_folder(tmp_path), "test").close()
    called = KINDS[kind](tmp_path / ODD)
    said = said_of(tmp_path, command)
    assert called in said and said.count("\n") == 1, said


LOOKS = ["status", "addresses", "doctor", "verify den.journal", "replay den.journal",
    "recap den.journal", "log den.journal", "backup new", "restore kept --replace"]  # fmt: skip


@pytest.mark.parametrize("command", thinned((each,) for each in LOOKS))
def test_commands_do_not_wait_for_a_pipe_beside_the_journal(tmp_path: Path, command: str) -> None:
    path = make_folder(tmp_path)
    SqliteJournal.open(path, "test").close()
    shutil.copyfile(path, tmp_path / "kept")
    for suffix in ("-journal", "-lock", "-told", "-wal", "-restored", ".status", ".keys", ""):
        odd = path.with_name(path.name + suffix)
        odd.unlink(missing_ok=True)
        os.mkfifo(odd)
        done = facedown(tmp_path, *command.split())
        assert "Traceback" not in done.stderr and "fault of" not in done.stderr, suffix
        assert done.stderr.count("\n") < 2, done.stderr
        if suffix:
            odd.unlink(missing_ok=True)


NAMED = {
    'deck = "deck.toml"': 'deck = "odd.toml"',
    'journal = "den.journal"': 'journal = "odd.toml"',
    'file = "scene.toml"': 'file = "odd.toml"',
    "[web]\n": '[web]\ntheme_file = "odd.toml"\n',
    "[log]\n": '[story]\ncharacters = ["odd.toml"]\n[log]\n',
    '[scene]\nfile = "scene.toml"\n': '[story]\ncharacters = []\nrules = "odd.toml"\n',
    "[log]": '[mqtt]\nenabled = true\n[mqtt.tls]\nca = "odd.toml"\n[log]',
    "[log]\nlevel": '[mqtt]\nusername = "me"\npassword_file = "odd.toml"\n[log]\nlevel',
}


@pytest.mark.parametrize(("old", "kind"), each(NAMED, ['file = "scene.toml"']))
def test_an_odd_file_in_the_configuration_is_reported(tmp_path: Path, old: str, kind: str) -> None:
    make_folder(tmp_path)
    config = tmp_path / "hub.toml"
    text = config.read_text()
    assert old in text
    config.write_text(text.replace(old, NAMED[old]))
    called = KINDS[kind](tmp_path / ODD)
    said = [line for line in said_of(tmp_path, "run").splitlines() if "remark" not in line]
    told = [line for line in said if called in line or "password_file" in line]
    assert len(told) == 1, said


def test_pipes_from_a_shell_are_read(tmp_path: Path) -> None:
    path = make_folder(tmp_path)
    with SqliteJournal.open(path, "test") as journal:
        journal.append(rows(3))
    (tmp_path / "log").write_text(facedown(tmp_path, "log", path).stdout)
    for words in ("verify <(cat log) --table test", "verify /dev/stdin --table test < log"):
        done = subprocess.run(
            ["bash", "-c", f"{FACEDOWN} {words}"], cwd=tmp_path, capture_output=True, text=True
        )
        assert "never opened" in done.stdout, done


def test_a_demo_does_not_wait_for_a_pipe(tmp_path: Path) -> None:
    fifo(tmp_path / "hub.toml")
    assert "is not this demo's" in said_of(tmp_path, "demo --data .")
