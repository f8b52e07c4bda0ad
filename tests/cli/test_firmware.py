"""``facedown firmware``: the real mpremote writes to a board, and the files there are checked."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hub.cli.firmware import PROGRAMS, Program
from hub.cli.main import app
from tests.support.micropython import FIRMWARE
from tests.support.prompt import Prompt


def flash(board: Prompt, program: str = "led_clock", *more: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["firmware", "flash", board.port, program, *more])
    return done.exit_code, done.output


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make programs of a few short files, because a prompt is slow."""
    whole = Program.files

    def some(program: Program) -> dict[str, bytes]:
        files = whole(program)
        paths = ("main.py", f"{program.name}/settings.py", "common/faces.py")
        return {path: files[path][:400] for path in paths}

    monkeypatch.setattr(Program, "files", some)


def on(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_a_board_is_flashed_checked_and_updated(tmp_path: Path) -> None:
    (tmp_path / "clock.json").write_text("mine")
    with Prompt(tmp_path) as board:
        status, said = flash(board)
        assert (status, "all checked; it starts now" in said) == (0, True), said
        files = PROGRAMS["led_clock"].files()
        there = on(tmp_path)
        mark = json.loads(there.pop("facedown.json"))
        assert mark == {"program": "led_clock", "sha256": PROGRAMS["led_clock"].digest()}
        assert there == {**files, "clock.json": b"mine"}
        assert f"{len(files) + 1} files written" in said and board.resets == 1
        assert board.most_unfed < 24  # the old program's watchdog is still running

        (tmp_path / "fault.txt").write_text("its own")
        assert "0 files written" in flash(board)[1]
        assert (tmp_path / "fault.txt").exists()
        (tmp_path / "common" / "faces.py").write_text("torn")
        assert "1 files written" in flash(board)[1]
        assert on(tmp_path)["common/faces.py"] == files["common/faces.py"]

        status, said = flash(board, "seat_reader")
        assert status == 2 and "that is a led_clock already; with --replace it becomes" in said
        assert flash(board, "seat_reader", "--replace")[0] == 0
        assert json.loads(on(tmp_path)["facedown.json"])["program"] == "seat_reader"
        assert not (tmp_path / "fault.txt").exists(), "the faults of another program"


@pytest.mark.parametrize(
    ("how", "program", "text"),
    [
        ({"machine": "Raspberry_Pi_Pico", "wifi": False}, "led_clock", "without Wi-Fi, which led"),
        ({"system": "esp32", "machine": "ESP32"}, "seat_reader", "seat_reader runs on rp2 boards"),
        ({"system": "samd", "machine": "Trinket"}, "led_clock", "runs on rp2 and esp32 boards"),
        ({"mute": True}, "led_clock", "no MicroPython answers"),
        ({"version": "1.23.1"}, "led_clock", "with MicroPython 1.23; it needs 1.24 or newer"),
    ],
)
def test_the_wrong_board_is_refused(
    tmp_path: Path, how: dict[str, Any], program: str, text: str
) -> None:
    with Prompt(tmp_path, **how) as board:
        status, said = flash(board, program)
    assert status == 2 and text in said.replace("\n", " "), said
    assert on(tmp_path) == {}


@pytest.mark.usefixtures("small")
def test_a_lost_write_is_noticed(tmp_path: Path) -> None:
    with Prompt(tmp_path, pastes=False) as board:
        board.spoils = b"The picture on a clock of lights"
        status, said = flash(board)
    assert status == 2 and "common/faces.py does not hold what was written" in said
    assert "main.py" not in on(tmp_path)


def test_unknown_ports_and_programs_are_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["firmware", "flash", str(tmp_path / "none"), "led_clock"])
    assert done.exit_code == 2 and "no MicroPython answers" in done.output
    done = CliRunner().invoke(app, ["firmware", "flash", "/dev/null", "clock"])
    assert done.exit_code == 2 and "there are led_clock, seat_reader" in done.output


def test_the_programs_are_listed() -> None:
    done = CliRunner().invoke(app, ["firmware", "list"])
    for program in PROGRAMS.values():
        assert program.name in done.output and program.digest()[:12] in done.output


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_programs_package_lists_every_file(name: str) -> None:
    ours = {f"{name}/{file.name}" for file in (FIRMWARE / name).glob("*.py")}
    common = {f"common/{file.name}" for file in (FIRMWARE / "common").glob("*.py")}
    files = PROGRAMS[name].files()
    common -= {"common/antenna.py"} if name == "led_clock" else set()  # a clock has no reader
    assert files.keys() == {"main.py", *ours, *common}
    for path, data in files.items():
        assert data == (FIRMWARE / (path if "/" in path else f"{name}/main.py")).read_bytes()
