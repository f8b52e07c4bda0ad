"""Reads inputs.toml: what the calculations start from."""

import tomllib
from pathlib import Path
from typing import NotRequired, TypedDict

FILE = Path(__file__).parent / "inputs.toml"


class Input(TypedDict):
    """A value, its unit, and where it is from."""

    value: float
    unit: str
    source: str
    estimate: NotRequired[bool]


def inputs() -> dict[str, Input]:
    """Return all inputs by name."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def values(given: dict[str, Input]) -> dict[str, float]:
    """Return only the numbers."""
    return {name: float(each["value"]) for name, each in given.items()}
