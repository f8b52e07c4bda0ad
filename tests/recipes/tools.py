"""Tools that the recipe tests need; `make recipes` fetches them."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ROOT / "docs" / "connect" / "recipes"
NODE_RED = ROOT / ".recipes" / "node_modules" / ".bin" / "node-red"
GRAFANA = ROOT / ".recipes" / "node_modules" / "@grafana" / "schema"
ESPHOME = ROOT / ".recipes" / "esphome" / "bin" / "esphome"
