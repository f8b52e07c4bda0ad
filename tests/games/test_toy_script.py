"""The toy's scripts, by ``facedown resolve``."""

import json
from pathlib import Path

from click.testing import Result
from typer.testing import CliRunner

from hub.cli.main import app


def test_a_script_is_resolved(tmp_path: Path) -> None:
    script = tmp_path / "river.json"
    scene = {"ruleset": "toy-dice", "number": 8, "players": {"Ada": {"tokens": 5}, "Bo": {}}}
    rounds = [
        {"throws": {"Ada": [1, 2, 5], "Bo": [4, 4]}, "spend": {"Ada": 1}},
        {"throws": {"Ada": [1, 1, 1]}},
    ]
    script.write_text(json.dumps({**scene, "rounds": rounds}), encoding="utf-8")
    assert [*map(json.loads, _resolved(script).stdout.splitlines())] == [
        {"round": 1, "reached": ["Ada", "Bo"], "tokens": {"Ada": 4, "Bo": 3}},
        {"round": 2, "reached": [], "tokens": {"Ada": 3, "Bo": 3}},
        {"over": True, "tokens": {"Ada": 3, "Bo": 3}},
    ]
    script.write_text(json.dumps({**scene, "rounds": [{"throws": {"Ada": [7]}}]}))
    wrong = _resolved(script)
    assert wrong.exit_code == 2
    assert wrong.stderr == "rounds[0].throws.Ada: has to be 2 or 3 dice\n"


def _resolved(script: Path) -> Result:
    return CliRunner().invoke(app, ["resolve", str(script)])
