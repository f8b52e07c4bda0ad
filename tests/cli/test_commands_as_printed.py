"""Printed commands work when they are copied into the shell that showed them."""

import ast
import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

from hub.cli.main import app
from tests.support.hub import FACEDOWN

HUB = Path(__file__).resolve().parents[2] / "hub"
TYPED = ".venv/bin/facedown"
PLAIN = re.compile(r"(?<![\w/.-])facedown +(?:[a-z-]+)")
"""The program without a folder in front, and one of its commands."""


def shell(folder: Path, typed: str, path: str = "/usr/bin:/bin") -> subprocess.CompletedProcess:
    env = {"HOME": str(folder), "PATH": path, "COLUMNS": "200"}
    return subprocess.run(
        ["sh", "-c", typed], cwd=folder, env=env, capture_output=True, text=True, timeout=60
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the program installed beside a table, and in no PATH."""
    (tmp_path / ".venv").symlink_to(FACEDOWN.parent.parent)
    return tmp_path


def test_commands_printed_by_init_can_be_copied(folder: Path) -> None:
    made = shell(folder, f"{TYPED} init 'my den' --seats 3 --yes")
    assert made.returncode == 0, made.stderr
    printed = [line.strip() for line in made.stdout.splitlines() if " --config " in line]
    printed += [line.strip() for line in made.stdout.splitlines() if "check-config" in line]
    assert [line.split()[1] for line in printed] == ["cards", "run", "check-config"]
    for typed in printed:
        if " run " in typed:
            _runs(folder, typed)
            continue
        done = shell(folder, typed)
        assert done.returncode == 0, (typed, done.stderr)


def _runs(folder: Path, typed: str) -> None:
    process = subprocess.Popen(
        ["sh", "-c", f"exec {typed}"],
        cwd=folder,
        env={"HOME": str(folder), "PATH": "/usr/bin:/bin"},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        assert any("GM console" in line for line in process.stderr)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert process.returncode == 0


def test_commands_printed_by_the_doctor_can_be_copied(folder: Path) -> None:
    shell(folder, f"{TYPED} init den --seats 3 --yes")
    for locale in ("en", "de"):
        told = shell(folder, f"{TYPED} doctor --config den/hub.toml --locale {locale}").stdout
        (write,) = re.findall(rf"{TYPED} cards write --config \S+", told)
        assert not PLAIN.search(told)
        done = shell(folder, f"{write.rstrip(';')}")
        assert "No such" not in done.stderr  # there is no reader to write at
        assert "simulated" in done.stderr


def test_the_help_shows_the_program_as_typed(folder: Path) -> None:
    for command in ("", "cards new", "sheet", "doctor"):
        told = shell(folder, f"{TYPED} {command} --help").stdout
        assert f"  {TYPED} {command}".rstrip() in told
        assert not PLAIN.search(told.partition("Examples:")[2].partition("─")[0])


def test_a_program_in_the_path_is_called_by_its_name(folder: Path) -> None:
    path = f"{FACEDOWN.parent}{os.pathsep}/usr/bin:/bin"
    for typed in ("facedown", TYPED):
        made = shell(folder, f"{typed} init {len(typed)} --seats 2 --yes", path)
        assert f"  facedown run --config {len(typed)}/hub.toml" in made.stdout


def _docstrings(tree: ast.AST) -> set[int]:
    """The lines on which docstrings begin; help is made of them and shows the program as typed."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    found = {id(node.body[0].value) for node in nodes if node.body and isinstance(node.body[0], ast.Expr)}  # fmt: skip # noqa: E501
    bodies = [node.body for node in ast.walk(tree) if isinstance(getattr(node, "body", None), list)]
    found |= {
        id(each.value) for body in bodies for each in body
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
    }  # fmt: skip
    return found


COMMANDS = get_command(app).list_commands(None)  # type: ignore[attr-defined,arg-type]
IN_FILES = {
    "hub/config/starter.py", "hub/setup/draft.py", "hub/install/broker.py",
    "hub/install/mosquitto.py",
    "hub/games/tricube/sheets.py", "hub/games/tourists/sheets.py", "hub/games/triangle/sheets.py",
    "hub/web/captive.py",
}  # fmt: skip
"""Modules that write comments into files, which outlast the shell."""
ALWAYS = {
    "hub/cli/install.py": "as another user, with the link that was just made, or the service's",
    "hub/cli/sheet.py": "help, which is shown as it was typed",
    "hub/games/triangle/sheet_commands.py": "help, which is shown as it was typed",
    "hub/wire/asyncapi.py": "a description of the wire",
}


def test_all_sentences_name_the_program_by_one_mechanism() -> None:
    named = re.compile(rf"(?<![\w/.-])facedown (?:{'|'.join(map(re.escape, COMMANDS))})\b")
    found = []
    for file in sorted(HUB.rglob("*.py")):
        place = str(file.relative_to(HUB.parent))
        if place in IN_FILES or place in ALWAYS:
            continue
        tree = ast.parse(file.read_text())
        skipped = _docstrings(tree)
        found += [
            f"{place}:{node.lineno}: {node.value[:60]}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in skipped
            and named.search(node.value)
        ]
    for file in sorted(HUB.rglob("catalogues/*.json")):
        texts = json.loads(file.read_text())
        if isinstance(texts, dict):
            found += [f"{file.name}: {key}" for key, each in texts.items() if named.search(each)]
    assert found == []
