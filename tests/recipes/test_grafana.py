"""docs/recipes/grafana.json, held to Grafana's own types of a dashboard."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.recipes.tools import GRAFANA, RECIPES, ROOT

pytestmark = pytest.mark.recipes
TSC = ROOT / "node_modules" / ".bin" / "tsc"
OPTIONS = ("--noEmit", "--strict", "--skipLibCheck", "--moduleResolution", "bundler")
TARGET = ("--module", "esnext", "--target", "es2022")
# In JSON the members of an enum are their texts.
PLAIN = (
    "type Plain<T> = T extends string ? `${T}` "
    ": T extends object ? { [K in keyof T]: Plain<T[K]> } : T;"
)


def board() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((RECIPES / "grafana.json").read_text(encoding="utf-8"))
    return read


def faults(folder: Path, dashboard: dict[str, Any]) -> list[str]:
    """What the types say against it."""
    raw = GRAFANA / "dist" / "types" / "raw" / "dashboard" / "x" / "types.gen"
    program = folder / "dashboard.ts"
    program.write_text(
        f'import type {{ Dashboard }} from "{raw}";\n{PLAIN}\n'
        f"export const board: Plain<Dashboard> = {json.dumps(dashboard)};\n"
    )
    done = subprocess.run([TSC, *OPTIONS, *TARGET, program], capture_output=True, text=True)
    return done.stdout.splitlines()


def test_it_is_a_dashboard(tmp_path: Path) -> None:
    assert faults(tmp_path, board()) == []


@pytest.mark.parametrize(
    "fault", [{"gridPoz": {}}, {"title": 1}, {"datasource": "prometheus"}, {"type": None}]
)
def test_a_slip_in_a_panel_is_found(tmp_path: Path, fault: dict[str, Any]) -> None:
    slipped = board()
    slipped["panels"][0] |= fault
    assert faults(tmp_path, slipped)
