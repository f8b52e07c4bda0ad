"""``make counts``: instructions of a small job, by a real callgrind, in a real repository."""

import subprocess
from pathlib import Path

import pytest

from tests.bench.counts import compare, heavier, reasons

JOBS = """
import os
os.getloadavg()
for _ in range({times}):
    pass
os.getloadavg()
print("loop")
"""
AUTHOR = ("-c", "user.name=someone", "-c", "user.email=someone@localhost")


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(root), *AUTHOR, *words], check=True, capture_output=True)


def write(root: Path, times: int, message: str = "") -> None:
    """The job's loop with this many rounds; committed, if there is a message."""
    (root / "tests/bench").mkdir(parents=True, exist_ok=True)
    (root / "tests/bench/counted.py").write_text(JOBS.format(times=times))
    if message:
        git(root, "add", ".")
        git(root, "commit", "-q", "-m", message)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text("__pycache__\n")
    return tmp_path


def test_a_heavier_job_fails_and_is_named(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(root, 100_000, "begun")
    assert compare(root) == 0
    assert "nothing earlier" in capsys.readouterr().out
    write(root, 107_000)
    assert compare(root) == 1, "what is not committed yet is compared with HEAD"
    assert "loop: over 3% more" in capsys.readouterr().out
    write(root, 107_000, "heavier\n\nCosts more: loop, because it has to")
    assert compare(root) == 0
    shown = capsys.readouterr().out
    assert "+6." in shown or "+7." in shown


def test_a_job_that_fails_is_not_passed_over(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(root, 1000, "begun")
    (root / "tests/bench/counted.py").write_text("raise SystemExit('no such table')")
    assert compare(root) == 2
    assert "no such table" in capsys.readouterr().err


def test_a_reason_names_its_job() -> None:
    assert reasons("Costs more: one resolve, because of R7\nCosts more: start\n") == {"one resolve"}


def test_what_is_a_little_heavier_or_new_passes() -> None:
    before = {"start": 1000, "one resolve": 1000, "one reveal": 1000}
    now = {"start": 1030, "one resolve": 1031, "one reveal": 1031, "one page": 5}
    assert heavier(before, now, {"one reveal"}) == ["one resolve"]
