"""Tools that the recipe tests need; `make recipes` fetches them."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ROOT / "docs" / "connect" / "recipes"
NODE_RED = ROOT / ".recipes" / "node_modules" / ".bin" / "node-red"
GRAFANA = ROOT / ".recipes" / "node_modules" / "@grafana" / "schema"
ESPHOME = ROOT / ".recipes" / "esphome" / "bin" / "esphome"


def as_at_the_test_table(page: str) -> str:
    """The recipes' page with the test table's characters in place of the demo's."""
    return page.replace("Ada", "ada").replace("Crow", "ninja")
