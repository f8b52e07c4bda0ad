"""Braille support that takes over USB adapters is named when a reader's device is gone."""

import errno
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

import pytest

from hub.ports import ReaderDown, ReaderEvent
from hub.readers import causes
from hub.readers.causes import Model
from hub.readers.devices import SERIAL
from hub.readers.driver import Driver
from hub.readers.supervisor import Supervisor
from tests.support.hub import FACEDOWN
from tests.support.process import with_us

TAKES = 'ENV{PRODUCT}=="1a86/7523/*", ENV{BRLTTY_BRAILLE_DRIVER}="bm", GOTO="brltty_usb_run"\n'
"""As brltty 6.4 has it in Ubuntu 22.04."""
OF_DISPLAYS = 'ENV{PRODUCT}=="904/2000/*", ENV{BRLTTY_BRAILLE_DRIVER}="fs"\n'


@contextmanager
def brltty(folder: Path) -> Iterator[int]:
    """Run a program of that name which does nothing; yield its pid."""
    program = folder / "brltty"
    program.write_text("#!/bin/sh\necho up\nread _\n")
    program.chmod(0o755)
    with subprocess.Popen(
        with_us(str(program)), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"up\n"
        try:
            yield running.pid
        finally:
            running.kill()


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Folders of udev's rules, the administrator's first."""
    folders = tmp_path / "etc", tmp_path / "lib"
    for each in folders:
        each.mkdir()
    monkeypatch.setattr(causes, "_RULES", folders)
    return folders


def said(*words: str) -> str:
    done = subprocess.run([FACEDOWN, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done
    return " ".join(done.stdout.split())


def test_a_running_brltty_is_named_with_a_missing_device(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    look = "readers", f"pn532:{gone}", "--test", "--seconds", "1"
    with brltty(tmp_path) as pid:
        told = said(*look)
        assert f"no device at {gone}" in told
        assert f"brltty, process {pid}" in told
        assert "sudo apt remove brltty" in told
    assert "brltty" not in said(*look).replace(str(gone), "")


def test_the_doctor_names_it(tmp_path: Path) -> None:
    made = [FACEDOWN, "init", str(tmp_path / "den"), "--seats", "3", "--ruleset", "unroll", "--yes"]
    subprocess.run(made, check=True, capture_output=True)
    config = tmp_path / "den" / "hub.toml"
    text = config.read_text()
    config.write_text(text.replace('"sim:gm"', f'"pn532:{tmp_path}/gone"'))
    with brltty(tmp_path) as pid:
        assert f"brltty, process {pid}" in said("doctor", "--config", str(config))


def test_finding_no_device_names_it(tmp_path: Path) -> None:
    (tmp_path / "serial").mkdir()
    with brltty(tmp_path) as pid:
        done = subprocess.run(
            [FACEDOWN, "readers"],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env=os.environ | {SERIAL: str(tmp_path / "serial")},
        )
        reader = Supervisor(
            "ada", f"{tmp_path}/gone", Model("", "", ""), lambda: _missing(tmp_path)
        )
        heard: Queue[ReaderEvent] = Queue()
        reader.open(heard.put)
        down = heard.get(timeout=30)
        reader.close()
    assert f"brltty, process {pid}" in " ".join(done.stderr.split())
    assert isinstance(down, ReaderDown)
    assert f"brltty, process {pid}" in str(down.why)


def _missing(folder: Path) -> Driver:
    raise FileNotFoundError(errno.ENOENT, "gone", str(folder))


def test_a_rule_that_starts_it_is_named(rules: tuple[Path, Path]) -> None:
    etc, lib = rules
    assert causes.taker() is None
    rule = lib / "85-brltty.rules"
    rule.write_text(OF_DISPLAYS)
    assert causes.taker() is None
    rule.write_text(OF_DISPLAYS + "# " + TAKES)
    assert causes.taker() is None
    rule.write_text(OF_DISPLAYS + TAKES)
    assert str(rule) in str(causes.taker())
    (etc / rule.name).symlink_to("/dev/null")  # brltty's documented way to turn it off
    assert causes.taker() is None


@pytest.mark.parametrize("of_others", [b"\xff\xfe", b""])
def test_unreadable_rules_name_nothing(rules: tuple[Path, Path], of_others: bytes) -> None:
    etc, lib = rules
    (lib / "90-brltty-device.rules").write_bytes(of_others)
    (lib / "91-brltty").mkdir()
    (etc / "92-brltty.rules").symlink_to(lib / "nowhere")
    assert causes.taker() is None
