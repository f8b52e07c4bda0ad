"""``facedown resolve``: files and standard input, exit statuses, one line of error."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hub.cli.main import app

ENERGY = {"attack": 4, "defend": 3, "grapple": 3}
DUEL = {
    "sides": {"players": ["ada"], "gm": ["ñinja"]},
    "characters": {name: {"energy": ENERGY, "moves": ["attack-low"]} for name in ("ada", "ñinja")},
    "turns": [
        {"active": "ada", "opponent": "ñinja", "move": {"ada": "attack-low", "ñinja": "attack-low"}}
    ],
}


@pytest.fixture
def run() -> CliRunner:
    return CliRunner()


def test_a_script_from_a_file(run: CliRunner, tmp_path: Path) -> None:
    script = tmp_path / "duel.json"
    script.write_text(json.dumps(DUEL), encoding="utf-8")
    result = run.invoke(app, ["resolve", str(script)])
    assert (result.exit_code, result.stderr) == (0, "")
    turn, closing = result.stdout_bytes.decode().splitlines()
    assert "ñinja" in turn
    assert closing == '{"over": false}'


def test_a_script_from_standard_input(run: CliRunner, tmp_path: Path) -> None:
    script = tmp_path / "duel.json"
    script.write_text(json.dumps(DUEL), encoding="utf-8")
    from_file = run.invoke(app, ["resolve", str(script)])
    from_input = run.invoke(app, ["resolve", "-"], input=json.dumps(DUEL).encode())
    assert from_input.stdout_bytes == from_file.stdout_bytes


def test_the_turns_before_a_fault_are_printed(run: CliRunner) -> None:
    document = {**DUEL, "turns": [*DUEL["turns"], {"active": "ada"}]}
    result = run.invoke(app, ["resolve", "-"], input=json.dumps(document).encode())
    assert result.exit_code == 2
    assert [json.loads(line)["turn"] for line in result.stdout.splitlines()] == [1]
    assert result.stderr == "turns[1].opponent: is missing\nturns[1].move: is missing\n"


def test_a_script_with_house_rules(run: CliRunner, tmp_path: Path) -> None:
    rules = tmp_path / "house.toml"
    rules.write_text('id = "hard"\nbase = "unroll"\n[moves.attack-low]\nbase = 9\n')
    result = run.invoke(
        app, ["resolve", "--rules", str(rules), "-"], input=json.dumps(DUEL).encode()
    )
    assert result.exit_code == 0
    assert json.loads(result.stdout.splitlines()[0])["loss"]["ada"]["base"] == 9


def test_bad_house_rules_are_refused(run: CliRunner, tmp_path: Path) -> None:
    rules = tmp_path / "house.toml"
    rules.write_text('id = "hard"\nbase = "unroll"\nluck = 1\n')
    result = run.invoke(
        app, ["resolve", "--rules", str(rules), "-"], input=json.dumps(DUEL).encode()
    )
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"{rules}:3: luck: unknown key")
    result = run.invoke(app, ["resolve", "--rules", str(tmp_path / "none.toml"), "-"], input=b"{}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "cannot be read" in result.stderr


def test_a_missing_file_is_refused(run: CliRunner, tmp_path: Path) -> None:
    result = run.invoke(app, ["resolve", str(tmp_path / "none.json")])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("$: cannot be read")
    assert result.stderr.count("\n") == 1


TALE: dict[str, Any] = {
    "ruleset": "tricube",
    "characters": {"ñora": {"trait": "agile", "concept": "thief"}},
    "events": [
        {"do": "challenge", "name": "wall"},
        {"do": "roll", "who": "ñora", "challenge": "wall", "type": "agile", "dice": [2, 3, 5]},
    ],
}


def test_a_script_of_a_tale(run: CliRunner, tmp_path: Path) -> None:
    script = tmp_path / "tale.json"
    script.write_text(json.dumps(TALE), encoding="utf-8")
    result = run.invoke(app, ["resolve", str(script)])
    assert (result.exit_code, result.stderr) == (0, "")
    _, rolled, closing = map(json.loads, result.stdout_bytes.decode().splitlines())
    assert (rolled["event"], rolled["outcome"], rolled["over"]) == (2, "success", True)
    again = run.invoke(app, ["resolve", "-"], input=json.dumps(TALE).encode())
    assert again.stdout_bytes == result.stdout_bytes
    on = {**TALE, "characters": closing["characters"]}
    goes_on = run.invoke(app, ["resolve", "-"], input=json.dumps(on).encode())
    assert goes_on.stdout_bytes == result.stdout_bytes, "it begins with what the first has printed"


def test_the_events_before_a_fault_are_printed(run: CliRunner) -> None:
    one_more = {**TALE["events"][1], "dice": [6, 6]}
    document = {**TALE, "events": [*TALE["events"], {"do": "challenge", "name": "dog"}, one_more]}
    result = run.invoke(app, ["resolve", "-"], input=json.dumps(document, indent=1).encode())
    assert result.exit_code == 2
    assert [json.loads(line)["event"] for line in result.stdout.splitlines()] == [1, 2, 3]
    assert result.stderr.startswith('events[3].challenge: the challenge "wall" has been overcome')
    assert result.stderr.count("\n") == 1
    del one_more["challenge"], one_more["who"]
    result = run.invoke(app, ["resolve", "-"], input=json.dumps(document).encode())
    missing = [f"events[3].{key}: is missing" for key in ("who", "challenge")]
    assert result.stderr.splitlines() == missing


def test_help_shows_examples(run: CliRunner) -> None:
    assert "facedown resolve - < duel.json" in run.invoke(app, ["resolve", "--help"]).stdout
