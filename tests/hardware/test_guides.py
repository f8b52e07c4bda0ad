"""hardware/builds/*/README.md, followed step by step; and the multimeter readings they predict are
those of the calculations."""

import math
import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from hardware import pins
from hardware.builds import bom
from hardware.calculations import bias, clock, documents, supply, usb
from hardware.calculations.inputs import inputs
from hub.config.loader import load_config
from hub.daemon.outputs import OUTPUTS
from hub.daemon.panel import PANEL
from hub.kernel.faults import Faulty
from hub.panel import claims
from hub.wire.tags import tag_id
from tests.guides.test_seat_board import ADAPTER, BOARD, Workbench
from tests.support.guides import ROOT, Walk, blocks
from tests.support.prompt import Prompt

BUILDS = ROOT / "hardware" / "builds"
GIVEN = documents.stands_on(inputs())
SUPPLY, BIAS = supply.figures(GIVEN), bias.figures(GIVEN)
CLOCK, USB = clock.figures(GIVEN), usb.figures(GIVEN)
END, HEAD = GIVEN["termination_end"], GIVEN["termination_head"]
ALONE = bias.idle(
    GIVEN["bias_volts"], GIVEN["bias_resistor"], GIVEN["termination_head"], 1, GIVEN["unit_load"]
)


def unpowered(seats: int, *ends: float, rough: bool = False, bias_lies_beside: bool = False) -> str:
    """Return the range of resistance from A to B without power. The lower end counts the unit load
    of every receiver, the upper end none of them; ``rough`` adds the resistors' tolerance.
    ``bias_lies_beside``: closed bias jumpers connect A to 3.3 V and B to GND, and the resistance
    between those two in a Pi that is off is unknown."""
    off = GIVEN["resistor_tolerance"] if rough else 0
    loads = [2 * GIVEN["unit_load"] / seats] if seats else []
    if bias_lies_beside:
        loads.append(2 * GIVEN["bias_resistor"])
    least = bias.beside(*(each * (1 - off) for each in ends), *loads)
    most = bias.beside(*ends) * (1 + off)
    return f"{math.floor(least + 0.01)} to {math.ceil(most - 0.3)} Ω"


WORKED_OUT = {
    "a-usb-readers": {
        "all readers of six seats together, at the hub's supply": (
            f"{USB['usual_6']:.2f} A, {USB['peak_6']:.2f} A at the worst"
        ),
    },
    "b-seat-boards": {
        "without power: A to B, TERM closed (open it again)": unpowered(1, END, rough=True),
        "VSYS (the Pico's pin 39) to GND": (
            f"{math.floor(48.5 - 10 * GIVEN['schottky']) / 10} to "
            f"{math.ceil(51.5 - 10 * GIVEN['schottky_high']) / 10} V"
        ),
        "without power, the whole line with the carrier: A to B": unpowered(
            8, HEAD, END, bias_lies_beside=True
        ),
        "the same with a TERM too many": unpowered(8, HEAD, END, END, bias_lies_beside=True),
        "the same with no TERM at all": unpowered(8, HEAD, bias_lies_beside=True),
        "A above B, at rest": f"{BIAS['idle_usual']:.2f} V",
        "eight seats on an evening: the whole current": f"{SUPPLY['current_usual']:.1f} A",
        "eight seats on an evening: VIN at the last seat": f"{SUPPLY['left_usual']:.1f} V",
        "eight seats, all lamps white at 255: VIN at the last seat": f"{SUPPLY['left_0_75']:.1f} V",
    },
    "c-hub": {
        "without power: A to B, no line plugged in, TERM closed": unpowered(0, HEAD, rough=True),
        "test point 12V, behind the fuse, to GND": f"{12 * 0.95:.1f} to {12 * 1.05:.1f} V",
        "test point A above test point B, no line plugged in": f"{ALONE:.2f} V",
        "test point A above test point B, with the line and its TERM": (
            f"{BIAS['idle_usual']:.2f} V"
        ),
    },
    "led-clock": {
        "all 24 lights white, with the Pico": f"{CLOCK['clock_usual']:.2f} A",
        "all 24 lights dark": f"{CLOCK['dark']:.2f} A",
        "the brightest that a supply of 1 A bears": f"{CLOCK['brightest']:.0f} of 255",
    },
}
BY_THE_PARTS = {
    *("4.75 to 5.25 V", "3.0 to 3.5 V", "3.2 to 3.4 V", "4.85 to 5.15 V"),
    *("1 kΩ or more, rising", "1 kΩ or more", "500 Ω or more", "below 0.03 A", "below 0.08 A"),
    *("the supply's voltage, less 0.1 V at most", "below 0.001 A"),
    "0 V: the bus feeds nothing into the Pi",
}
"""Limits set by USB, a regulator's data sheet or a short circuit, and not calculated."""


def page(build: str) -> str:
    return (BUILDS / build / "README.md").read_text(encoding="utf-8")


def readings(build: str) -> Iterator[tuple[str, str]]:
    for table in re.findall(r"\| measure \| expect \|\n[ |:-]+\n((?: *\|.*\n)+)", page(build)):
        for row in table.splitlines():
            what, expected = (each.strip() for each in row.strip().strip("|").split("|"))
            yield what, expected


def test_the_builds_can_be_done_by_their_guides(tmp_path: Path) -> None:
    """One workbench for all of them: readers on USB, a seat board on the line, a clock."""
    builder = Workbench(tmp_path)
    clocks_flash = tmp_path / "clock"
    clocks_flash.mkdir()

    def lay(walk: Walk) -> None:
        for reader in walk.fields.values():
            reader.place(tag_id(b"sixteen bytes id"))

    def connect(walk: Walk) -> None:
        if not (tmp_path / "serial" / "by-id" / ADAPTER).is_symlink():
            walk._stack.enter_context(builder._chip)
            (builder.flash / "sim").symlink_to(ROOT / "firmware" / "sim")
            builder.join_the_bus(walk)

    hands = {
        "a card is laid on each reader": lay,
        "a Pico with MicroPython is plugged in": lambda _: None,
        "a Pico W with MicroPython is plugged in": lambda _: None,
        "the line is connected": connect,
    }
    serial = tmp_path / "serial" / "by-id"
    with Prompt(builder.flash) as pico, Prompt(clocks_flash) as pico_w:
        env = {"BOARD": pico.port, "CLOCK": pico_w.port, "BUS": str(serial / ADAPTER)}
        with Walk(tmp_path, ("usb-adapter-a-port0",), hands, env) as walk:
            for build in ("a-usb-readers", "b-seat-boards", "c-hub", "led-clock"):
                walk.follow(BUILDS / build / "README.md")
    assert BOARD not in {each.name for each in serial.glob("*")}


@pytest.mark.parametrize("build", WORKED_OUT)
def test_multimeter_readings_are_the_calculated_ones(build: str) -> None:
    told = dict(readings(build))
    for what, expected in WORKED_OUT[build].items():
        assert told.pop(what, None) == expected, f"{build}: {what}"
    assert set(told.values()) <= BY_THE_PARTS, f"{build}: nobody has worked out {told}"


def test_a_guides_warning_has_the_calculated_current() -> None:
    assert f"where BIAS is closed, {SUPPLY['bias_back_ma']:.0f} mA flow" in page("b-seat-boards")


@pytest.mark.parametrize("build", WORKED_OUT)
def test_a_guide_has_all_required_parts(build: str) -> None:
    text = page(build)
    for words in ("**Time**", "**Tools**", "bom.csv", "wiring.svg", "Not built on a bench yet"):
        assert words in text, words
    for head in ("## What is unsafe", "## Not yet shown"):
        assert head in text
    assert (BUILDS / build / "README.md").read_text() and (BUILDS / build / "bom.csv").is_file()
    assert {each.name for each in bom.builds()} == set(WORKED_OUT)


def test_the_carriers_boot_lines_and_panel_are_those_of_the_pins() -> None:
    boot, table = (each.text for each in blocks(page("c-hub")) if each.kind == "text")
    taken = claims.claims_of(boot, "Raspberry Pi 4 Model B")
    hub = pins.of("hub", pins.said())
    buses = {each.gpio for each in hub if each.net.startswith(("BUS_", "RTC_"))}
    assert set(taken) == buses
    named = {int(each) for each in re.findall(r"\b(?:pin|a|b|press) = (\d+)", table)}
    assert named <= {each.gpio for each in hub if each.setting} and not named & set(taken)


def test_a_hub_accepts_the_carriers_table_file(tmp_path: Path) -> None:
    boot, table = (each.text for each in blocks(page("c-hub")) if each.kind == "text")
    for name in ("deck.toml", "scene.toml"):
        (tmp_path / name).touch()
    (tmp_path / "config.txt").write_text(boot, encoding="utf-8")
    whole = (
        '[table]\nname = "test"\njournal = "journal.db"\ndeck = "deck.toml"\n'
        '[scene]\nfile = "scene.toml"\n'
        f'{table}\n[[seat]]\nname = "south"\nreader = "sim:south"\ncharacters = ["Bo"]\ngm = true\n'
    )
    with patch.object(claims, "BOOT_FILES", (tmp_path / "config.txt",)):
        (tmp_path / "hub.toml").write_text(whole, encoding="utf-8")
        assert PANEL.enabled_in(load_config(tmp_path / "hub.toml", OUTPUTS))
        taken = whole.replace("pin = 12", "pin = 15")
        (tmp_path / "hub.toml").write_text(taken, encoding="utf-8")
        with pytest.raises(Faulty):
            load_config(tmp_path / "hub.toml", OUTPUTS)
