"""The toy in the installed hub: readers, journal, broker, a kill in the middle, every command."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

COMMAND = (sys.executable, str(Path(__file__).with_name("__main__.py")))


def facedown(*arguments: str) -> Any:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=True)


def test_a_script_is_resolved(tmp_path: Path) -> None:
    script = tmp_path / "river.json"
    scene = {"ruleset": "toy-dice", "number": 8, "players": {"Ada": {"tokens": 5}, "Bo": {}}}
    rounds = [
        {"throws": {"Ada": [1, 2, 5], "Bo": [4, 4]}, "spend": {"Ada": 1}},
        {"throws": {"Ada": [1, 1, 1]}},
    ]
    script.write_text(json.dumps({**scene, "rounds": rounds}), encoding="utf-8")
    assert [*map(json.loads, facedown("resolve", str(script)).stdout.splitlines())] == [
        {"round": 1, "reached": ["Ada", "Bo"], "tokens": {"Ada": 4, "Bo": 3}},
        {"round": 2, "reached": [], "tokens": {"Ada": 3, "Bo": 3}},
        {"over": True, "tokens": {"Ada": 3, "Bo": 3}},
    ]
    script.write_text(json.dumps({**scene, "rounds": [{"throws": {"Ada": [7]}}]}))
    wrong = subprocess.run([*COMMAND, "resolve", str(script)], capture_output=True, text=True)
    assert wrong.returncode == 2
    assert wrong.stderr == "rounds[0].throws.Ada: has to be 2 or 3 dice\n"
