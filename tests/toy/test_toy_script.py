"""The toy's scripts, by the installed command."""

import json
import subprocess
import sys
from pathlib import Path

COMMAND = (sys.executable, str(Path(__file__).with_name("__main__.py")))


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
    assert wrong.returncode == 2
    assert wrong.stderr == "rounds[0].throws.Ada: has to be 2 or 3 dice\n"


def _resolved(script: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, "resolve", str(script)], capture_output=True, text=True)
