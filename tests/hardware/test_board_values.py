"""The boards' data against the calculations and the guides: each part has the calculated value,
every board is in a build, and a guide's test points are on its board."""

import heapq
import math
import re
import tomllib
from typing import Any

import pytest

from hardware.boards.make import check
from hardware.boards.make.sexpr import all_of, fields, one, text
from hardware.boards.make.sexpr import number as figure
from hardware.builds import bom
from hardware.calculations.inputs import inputs, values

VALUES = {
    ("seat-board", "R7"): "bias_resistor",
    ("seat-board", "R8"): "bias_resistor",
    ("seat-board", "R6"): "termination_end",
    ("seat-board", "R4"): "series_ohm",
    ("seat-board", "R5"): "series_ohm",
    ("seat-board", "R1"): "gate_resistor",
    ("seat-board", "C1"): "capacitor",
    ("seat-board", "DZ1"): "zener",
    ("seat-board", "F1"): "polyfuse_holds",
    ("hub-carrier", "R7"): "bias_resistor",
    ("hub-carrier", "R8"): "bias_resistor",
    ("hub-carrier", "R6"): "termination_head",
    ("hub-carrier", "R4"): "series_ohm",
    ("hub-carrier", "R5"): "series_ohm",
    ("hub-carrier", "R10"): "base_ohm",
    ("hub-carrier", "F1"): "head_fuse",
    ("hub-carrier", "R13"): "vbat_ohm",
    **{("hub-carrier", f"R2{at}"): "led_ohm" for at in range(1, 9)},
}
"""The input of hardware/calculations/inputs.toml that gives each part its value."""
Point = tuple[float, float]
_FACTORS = {"": 1.0, "M": 1e6, "k": 1e3, "u": 1e-6, "n": 1e-9}


def data(board: str) -> dict[str, Any]:
    return tomllib.loads((bom.BOARDS / f"{board}.toml").read_text(encoding="utf-8"))


def number(value: str) -> float:
    """Parse '4k7', '100u 35V', '12V', '0.9A 30V' or 'T4A 5x20'."""
    found = re.match(r"T?(\d+)([Mkun.]?)(\d*)", value)
    assert found is not None, value
    return float(f"{found[1]}.{found[3] or 0}") * _FACTORS[found[2].strip(".")]


def test_values_are_read() -> None:
    said = {
        "10M": 1e7,
        "0.9A 30V": 0.9,
        "4k7": 4700.0,
        "100u 50V": 1e-4,
        "12V": 12.0,
        "T4A 5x20": 4.0,
        "330": 330.0,
    }
    assert all(math.isclose(number(text), value) for text, value in said.items())


@pytest.mark.parametrize(("board", "ref"), VALUES)
def test_each_part_has_the_calculated_value(board: str, ref: str) -> None:
    given = values(inputs())[VALUES[board, ref]]
    value = data(board)["part"][ref]["value"]
    assert math.isclose(number(value), given), (
        f"hardware/boards/{board}.toml has {ref} of {value}, and "
        f"hardware/calculations/inputs.toml {VALUES[board, ref]} = {given:g}"
    )


def test_the_transceiver_holds_the_line_for_longer_than_a_bit() -> None:
    """Its pin-compatible substitute, a THVD1426, lets go after 0.8 µs. Ref: TI, E2E 1633869."""
    given = values(inputs())
    assert given["releases_1426"] * given["baud"] < 1 < given["releases_least"] * given["baud"]
    assert data("hub-carrier")["part"]["U1"]["value"] == "THVD1406"
    assert data("hub-carrier")["part"]["U1"]["instead"].startswith("none: a THVD1426 lets go")


def test_the_note_leaves_open_whether_the_carrier_s_receiver_hears_itself() -> None:
    """Its data sheet and its maker's forum disagree."""
    note = data("hub-carrier")["group"]["bus"]["note"]
    assert "deaf" not in note
    assert "open" in note


def _way(board: str, net: str, ends: tuple[str, str], wide: float) -> float:
    """Return the shortest way between two pads, along tracks of this width, in m. A pad is where a
    track of its net ends in it."""
    laid = check.read(bom.BOARDS / "kicad" / board / f"{board}.kicad_pcb")
    names = {text(each, 1): text(each, 2) for each in all_of(laid, "net")}
    beside: dict[Point, dict[Point, float]] = {}
    for track in all_of(laid, "segment"):
        if names[text(one(track, "net"))] == net and figure(one(track, "width"), 1) == wide:
            a, b = (
                (figure(xy, 1), figure(xy, 2)) for xy in (one(track, "start"), one(track, "end"))
            )
            beside.setdefault(a, {})[b] = beside.setdefault(b, {})[a] = math.dist(a, b)
    places = [_pads(laid, *end.split(".")) for end in ends]
    first, last = (
        [at for at in beside if min(math.dist(at, pad) for pad in pads) < reach]
        for pads, reach in places
    )
    assert first and last, (net, places)
    far, waiting = dict.fromkeys(first, 0.0), [(0.0, at) for at in first]
    while waiting:
        so_far, at = heapq.heappop(waiting)
        for other, step in beside[at].items():
            if so_far + step < far.get(other, math.inf):
                far[other] = so_far + step
                heapq.heappush(waiting, (so_far + step, other))
    return min(far[at] for at in last if at in far) / 1000


def _pads(laid: list[Any], ref: str, number: str) -> tuple[list[Point], float]:
    """Return the positions of the pads with this number, and how far from one a track may end."""
    (part,) = (each for each in all_of(laid, "footprint") if fields(each)["Reference"] == ref)
    at = one(part, "at")
    turn = math.radians(figure(at, 3) if len(at) > 3 else 0)
    found, reach = [], 0.0
    for pad in all_of(part, "pad"):
        if text(pad) == number:
            x, y = figure(one(pad, "at"), 1), figure(one(pad, "at"), 2)
            found.append(
                (
                    figure(at, 1) + x * math.cos(turn) + y * math.sin(turn),
                    figure(at, 2) - x * math.sin(turn) + y * math.cos(turn),
                )
            )
            reach = max(reach, figure(one(pad, "size"), 1) / 2, figure(one(pad, "size"), 2) / 2)
    return found, reach


def test_the_copper_of_the_carrier_s_supply_has_the_calculated_size() -> None:
    """The 12 V path from the socket through fuse and switch to the bus, and its width."""
    given = values(inputs())
    wide = data("hub-carrier")["width"]["Bus"]
    long = sum(
        _way("hub-carrier", net, ends, wide)
        for net, ends in (
            ("/SUPPLY", ("J2.1", "F1.1")),
            ("/FUSED", ("F1.2", "Q1.2")),
            ("+12V", ("Q1.3", "J3.4")),
        )
    )
    assert given["head_copper_wide"] == wide / 1000
    assert long <= given["head_copper"] <= 1.25 * long, long


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
