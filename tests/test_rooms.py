"""README's map of the rooms against the import contracts and the folders."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DATA = {"systemd"}
"""Rooms without a module, which cannot be imported."""


def layers() -> list[set[str]]:
    """The rooms of the first import contract, lowest first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    first = project["tool"]["importlinter"]["contracts"][0]["layers"]
    return [
        {room.strip().removeprefix("hub.") for room in row.split("|")} for row in reversed(first)
    ]


def test_readmes_map_matches_the_import_contract() -> None:
    (drawn,) = re.findall(r"^`(\w[^`]* < [^`]*)`$", README, re.MULTILINE)
    assert [{room.strip() for room in row.split("|")} for row in drawn.split("<")] == layers()


def test_readme_describes_every_room() -> None:
    described = {*re.findall(r"^\| `hub/([\w.]+)` \|", README, re.MULTILINE)}
    assert {room.removesuffix(".py") for room in described} == set().union(*layers()) | DATA


def test_every_folder_is_a_room() -> None:
    folders = {path.name for path in (ROOT / "hub").iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders | {"ports"} == set().union(*layers()) | DATA
