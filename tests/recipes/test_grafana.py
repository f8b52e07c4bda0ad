"""docs/connect/recipes/grafana.json, checked against Grafana's own dashboard types."""

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
# JSON holds an enum's members as plain strings.
PLAIN = (
    "type Plain<T> = T extends string ? `${T}` "
    ": T extends object ? { [K in keyof T]: Plain<T[K]> } : T;"
)


def board() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((RECIPES / "grafana.json").read_text(encoding="utf-8"))
    return read


def faults(folder: Path, dashboard: dict[str, Any]) -> list[str]:
    """Return the compiler's type errors for this dashboard."""
    raw = GRAFANA / "dist" / "types" / "raw" / "dashboard" / "x" / "types.gen"
    program = folder / "dashboard.ts"
    program.write_text(
        f'import type {{ Dashboard }} from "{raw}";\n{PLAIN}\n'
        f"export const board: Plain<Dashboard> = {json.dumps(dashboard)};\n"
    )
    done = subprocess.run([TSC, *OPTIONS, *TARGET, program], capture_output=True, text=True)
    return done.stdout.splitlines()


def test_the_dashboard_has_no_type_errors(tmp_path: Path) -> None:
    assert faults(tmp_path, board()) == []


@pytest.mark.parametrize(
    "fault", [{"gridPoz": {}}, {"title": 1}, {"datasource": "prometheus"}, {"type": None}]
)
def test_a_fault_in_a_panel_is_found(tmp_path: Path, fault: dict[str, Any]) -> None:
    slipped = board()
    slipped["panels"][0] |= fault
    assert faults(tmp_path, slipped)
