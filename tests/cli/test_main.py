"""The command line as a whole: quick to answer, and clear about faults."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hub.cli.main import app
from hub.version import VERSION

COMMANDS = [
    "run",
    "readers",
    "doctor",
    "demo",
    "init",
    "check-config",
    "example-config",
    "resolve",
    "replay",
    "log",
    "verify",
    "backup",
    "restore",
]
HEAVY = ["rich", "msgspec", "aiohttp", "nfc", "aiomqtt", "hub.config", "hub.games", "hub.wire"]
SERVING = ["asyncio", "aiohttp", "aiomqtt", "nfc", "sqlite3", "hub.daemon.runner"]


def test_the_version_is_printed_without_loading_the_hub() -> None:
    assert loaded("--version", HEAVY) == f"facedown {VERSION}\n[]\n"


def test_a_configuration_is_checked_without_loading_what_serves_it(tmp_path: Path) -> None:
    """This would double the time of every command that reads a configuration."""
    folder = str(tmp_path / "table")
    made = CliRunner().invoke(app, ["init", folder, "--yes", "--ruleset", "unroll"])
    assert made.exit_code == 0, made.output
    assert loaded(f"check-config {folder}/hub.toml", SERVING).endswith("characters\n[]\n")


def loaded(words: str, modules: list[str]) -> str:
    """What a command prints, and then which of ``modules`` it has loaded."""
    code = (
        "import sys; from hub.cli.main import app\n"
        f"try: app({words.split()})\n"
        f"except SystemExit: print([m for m in {modules} if m in sys.modules])"
    )
    child = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    return child.stdout


@pytest.mark.parametrize("plain", [["--config", "{}"], ["--config={}"], []])
def test_a_service_starts_alike_without_the_command_line_library(
    plain: list[str], tmp_path: Path
) -> None:
    """The last of several ``--config`` counts; the command line's library has to decide that."""
    config = tmp_path / "hub.toml"
    config.write_text("[table]\nname = 'A B'\n")
    code = (
        "import sys; from hub.cli.process import run\n"
        "try: run()\n"
        "except SystemExit as ended: print(ended.code, 'typer' in sys.modules, file=sys.stderr)"
    )
    said = []
    for words in ([each.format(config) for each in plain], ["--config", "x", "--config", config]):
        child = subprocess.run(
            [sys.executable, "-c", code, "run", *words],
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        )
        *told, ended = child.stderr.replace(f"{config}:", "hub.toml:").splitlines()
        said.append((told, ended))
    (quick, ended), (slow, ended_slow) = said
    assert quick == slow
    assert quick[0].startswith("hub.toml:")
    assert (ended, ended_slow) == ("2 False", "2 True")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_listed_and_shows_an_example(command: str) -> None:
    assert f"  {command} " in CliRunner().invoke(app, ["--help"]).output
    result = CliRunner().invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert "Examples:" in result.output
    assert f"facedown {command}" in result.output


def test_the_example_configuration_is_checked_once_its_files_are_there(tmp_path: Path) -> None:
    run = CliRunner()
    config = tmp_path / "hub.toml"
    config.write_text(run.invoke(app, ["example-config"]).stdout)
    result = run.invoke(app, ["check-config", str(config)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{config}:" in result.stderr
    assert "deck.toml" in result.stderr
    assert "scene.toml" in result.stderr

    (tmp_path / "deck.toml").write_text('[cards]\nt1 = "stance none"\n')
    characters = "".join(
        f"[characters.{name}]\nenergy = {{attack = 1, defend = 1, grapple = 1}}\n"
        'moves = ["attack-high"]\n'
        for name in ("Ada", "Bo", "Crow", "Heron")
    )
    (tmp_path / "scene.toml").write_text(
        f'[sides]\nplayers = ["Ada", "Bo"]\nothers = ["Crow", "Heron"]\n{characters}'
    )
    result = run.invoke(app, ["check-config", str(config)])
    assert result.exit_code == 0
    assert "usb-0:1.2:1.0-port0 is not there" in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == f"{config}: sound: 3 seats, 1 cards, a scene of unroll\n"


@pytest.mark.usefixtures("unblocked")
@pytest.mark.parametrize(
    "words", [["run", "--config", "none.toml"], ["check-config", "none.toml"], ["replay", "none"]]
)
def test_a_missing_file_is_refused_in_one_line(words: list[str]) -> None:
    result = CliRunner().invoke(app, words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words", [["nonsense"], ["verify", "backup", "restore"], ["run", "--nonsense"]]
)
def test_wrong_usage_is_refused(words: list[str]) -> None:
    result = CliRunner().invoke(app, words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: " in result.stderr
