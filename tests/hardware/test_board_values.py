"""The boards' data against the calculations and the guides: a part has the value that was reckoned
with, every board is in a build, and a guide's test points are on its board."""

import math
import re
import tomllib
from typing import Any

import pytest

from hardware.builds import bom
from hardware.calculations import documents

VALUES = {
    ("seat-board", "R7"): "bias_resistor",
    ("seat-board", "R8"): "bias_resistor",
    ("seat-board", "R6"): "termination_end",
    ("seat-board", "R4"): "series_ohm",
    ("seat-board", "R5"): "series_ohm",
    ("seat-board", "R1"): "gate_resistor",
    ("seat-board", "C1"): "capacitor",
    ("seat-board", "DZ1"): "zener",
    ("hub-carrier", "R7"): "bias_resistor",
    ("hub-carrier", "R8"): "bias_resistor",
    ("hub-carrier", "R6"): "termination_head",
    ("hub-carrier", "R4"): "series_ohm",
    ("hub-carrier", "R5"): "series_ohm",
    ("hub-carrier", "R10"): "base_ohm",
    ("hub-carrier", "F1"): "head_fuse",
    **{("hub-carrier", f"R2{at}"): "led_ohm" for at in range(1, 9)},
}
"""Which part has which value of hardware/calculations/inputs.toml."""
_FACTORS = {"": 1.0, "k": 1e3, "u": 1e-6, "n": 1e-9}


def data(board: str) -> dict[str, Any]:
    return tomllib.loads((bom.BOARDS / f"{board}.toml").read_text(encoding="utf-8"))


def number(value: str) -> float:
    """'4k7', '100u 35V', '12V', 'T4A 5x20' as a number."""
    found = re.match(r"T?(\d+)([kun]?)(\d*)", value)
    assert found is not None, value
    return float(f"{found[1]}.{found[3] or 0}") * _FACTORS[found[2]]


def test_values_are_read() -> None:
    said = {"4k7": 4700.0, "100u 50V": 1e-4, "12V": 12.0, "T4A 5x20": 4.0, "330": 330.0}
    assert all(math.isclose(number(text), value) for text, value in said.items())


@pytest.mark.parametrize(("board", "ref"), VALUES)
def test_a_part_has_the_value_that_was_reckoned_with(board: str, ref: str) -> None:
    given = documents.values(documents.inputs())[VALUES[board, ref]]
    value = data(board)["part"][ref]["value"]
    assert math.isclose(number(value), given), (
        f"hardware/boards/{board}.toml has {ref} of {value}, and "
        f"hardware/calculations/inputs.toml {VALUES[board, ref]} = {given:g}"
    )


def test_every_board_is_in_a_build() -> None:
    made = {file.stem for file in bom.BOARDS.glob("*.toml") if "part" in data(file.stem)}
    listed = {
        line.number.removeprefix("facedown ")
        for build in bom.builds()
        for line in bom.lines(build)
        if line.number.startswith("facedown ")
    }
    assert made == listed and len(made) == 3


@pytest.mark.parametrize(
    ("board", "build"),
    [("seat-board", "b-seat-boards"), ("hub-carrier", "c-hub"), ("clock-board", "led-clock")],
)
def test_a_guides_test_points_are_on_the_board(board: str, build: str) -> None:
    text = (bom.FOLDER / build / "README.md").read_text(encoding="utf-8")
    there = {part["value"] for ref, part in data(board)["part"].items() if ref.startswith("TP")}
    named = set(re.findall(r"test point (\w+)", text))
    assert named and named <= there, f"{build} measures at {sorted(named - there)}"
