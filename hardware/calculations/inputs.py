"""Reads inputs.toml: what the calculations start from."""

import tomllib
from pathlib import Path

FILE = Path(__file__).parent / "inputs.toml"


def inputs() -> dict[str, dict[str, object]]:
    """Return the inputs, each with ``value``, ``unit``, ``source``."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def values(given: dict[str, dict[str, object]]) -> dict[str, float]:
    """Return only the numbers."""
    return {name: float(each["value"]) for name, each in given.items()}  # type: ignore[arg-type]
