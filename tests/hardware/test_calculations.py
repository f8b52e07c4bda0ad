"""hardware/calculations: each figure of a document follows from an input with a source, every
requirement holds, and the firmware uses the calculated values."""

import importlib
import math
import re

import pytest

from hardware.calculations import antennas, bias, bus, circuits, documents, supply
from hardware.calculations.inputs import inputs, values
from hub.config import settings
from tests.support import micropython
from tests.support.guides import ROOT

GIVEN = inputs()
STANDS_ON = documents.stands_on(GIVEN)
NAMES = documents.names()
NAMED = {
    *("0 V", "3.3 V", "5 V", "12 V", "24 V", "0.22 mm²", "0.5 mm²", "0.75 mm²", "1.5 mm²"),
    *("10 kΩ", "390 Ω", "680 Ω", "1.5 A", "15 V", "20 V", "30 V", "35 V", "100 µF"),
    *("2 mm", "3.50 mm", "3.81 mm", "20 mm", "50 °C", "115200 bit/s", "60 W"),
}
"""Figures that are names of things bought or set, and not results."""
UNIT = re.compile(
    r"(?<![\w{.,×-])\d[\d.,]*\s*(?:%|°C|[kMmµn]?(?:A|V|W|Ω|F|Hz|s|bit/s)|mm²?|cm|m)(?![\w/])"
)


def read(name: str) -> str:
    return (documents.FOLDER / f"{name}.md").read_text(encoding="utf-8")


def firmware(path: str) -> object:
    """Return a value from the hub or a board's program: 'seat_reader.settings:USUAL.lamps'."""
    module, _, keys = path.partition(":")
    key, *more = keys.split(".")
    if module == "hub.config.settings":
        return getattr(settings.Lamps(), *more)
    shown = "".join(f"[{each}]" if each.isdecimal() else f"[{each!r}]" for each in more)
    said = micropython.run(f"import {module} as it; print(it.{key}{shown})")
    return float(said)


@pytest.mark.parametrize("name", NAMES)
def test_a_document_follows_from_its_inputs(name: str) -> None:
    assert read(name) == documents.written(name, GIVEN), "run `make calculations`"


def broken(name: str, **changed: float) -> list[str]:
    """Return the requirements of a calculation that its figures do not meet."""
    module = importlib.import_module(f"hardware.calculations.{name}")
    values = STANDS_ON | changed
    return [what for what, kept in module.must(values, module.figures(values)).items() if not kept]


@pytest.mark.parametrize("name", NAMES)
def test_every_requirement_is_met(name: str) -> None:
    assert not broken(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_with_a_unit_is_calculated_or_a_name(name: str) -> None:
    """Results are never typed by hand: figures in a text are names of parts or wires."""
    text = (documents.TEXTS / f"{name}.txt").read_text(encoding="utf-8")
    said = {each.strip() for each in UNIT.findall(re.sub(r"\{[^}]*\}", "#", text))}
    assert said <= NAMED, f"work it out, or say that it is a name: {sorted(said - NAMED)}"


def test_every_input_has_a_source_and_a_use() -> None:
    files = [*documents.FOLDER.glob("*.py"), *documents.TEXTS.glob("*.txt")]
    texts = "".join(each.read_text(encoding="utf-8") for each in files).replace("'", '"')
    for name, each in GIVEN.items():
        assert each["unit"] and len(str(each["source"])) >= 8, name
        named = f'"{name}"' in texts or "{" + name + ":" in texts or name.startswith("wire_")
        assert named, f"nothing is reckoned with {name}"


def test_the_firmware_uses_the_calculated_values() -> None:
    held = {name: each for name, each in GIVEN.items() if "firmware" in each}
    assert held
    for name, each in held.items():
        assert firmware(str(each["firmware"])) == each["value"], (
            f"hardware/calculations/inputs.toml says {name} = {each['value']}, "
            f"and {each['firmware']} says {firmware(str(each['firmware']))}"
        )


SCALES = {"mA": 1e-3, "cm": 1e-2, "mm": 1e-3, "kΩ": 1e3}
UNITS = {"A": 1.0, "m": 1.0, "mm": 1e-3, "mA": 1e-3}


def in_words(words: str, unit: str) -> list[float]:
    """Return every number in the words, scaled by its unit or, without one, by the last unit."""
    last = re.findall(r"(mA|cm|mm|kΩ|Ω|A)\b", words)
    found = re.findall(r"(\d+(?:\.\d+)?)\s*(mA|cm|mm|kΩ|Ω|A)?", words)
    scale = {each: SCALES.get(each, 1.0) for _, each in found}
    default = SCALES.get(last[-1], 1.0) if last else 1e-3 if unit == "A" else 1.0
    return [float(each) * (scale[its] if its else default) for each, its in found]


def test_the_guides_give_the_calculated_values() -> None:
    held = {name: each for name, each in GIVEN.items() if "said" in each}
    assert len(held) > 10
    for name, each in held.items():
        page, words = each["said"]["page"], each["said"]["words"]  # type: ignore[index]
        text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
        assert words in text, f"inputs.toml says that {page} has '{words}' for {name}"
        value = float(each["value"]) * UNITS.get(str(each["unit"]), 1.0)  # type: ignore[arg-type]
        assert any(math.isclose(value, said) for said in in_words(words, str(each["unit"]))), (
            f"hardware/calculations/inputs.toml says {name} = {each['value']} {each['unit']}, and "
            f"{page} says '{words}'"
        )


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("supply", {"buck_most": 0.5}),
        ("supply", {"hop": 5.0}),
        ("supply", {"polyfuse_holds_warm": 0.3}),
        ("supply", {"polyfuse_holds_warm": 0.54}),
        ("supply", {"vbat_ohm": 1e6}),
        ("heat", {"head_copper_wide": 5e-4}),
        ("supply", {"head_fuse": 3.0}),
        ("supply", {"head_fuse": 5.0}),
        ("supply", {"supply_gives": 4.0}),
        ("supply", {"lamps_at_a_seat": 16}),
        ("bias", {"bias_resistor": 680}),
        ("bias", {"termination_head": 60}),
        ("bias", {"seats_most": 40}),
        ("bias", {"spice_idle_last": 0.25}),
        ("bus", {"baud": 10_000_000}),
        ("bus", {"fifo": 16}),
        ("bus", {"releases_least": 8e-7}),
        ("bus", {"head_rate": 250_000}),
        ("bus", {"edge_head": 1.2e-6}),
        ("protection", {"tvs_clamps": 40}),
        ("protection", {"spice_least_volts": -11}),
        ("antennas", {"hop": 0.3}),
        ("antennas", {"wood": 9}),
        ("heat", {"led_ohm": 180}),
        ("heat", {"head_fet": 0.1}),
        ("heat", {"tray_area": 0.004}),
        ("usb", {"pn532_peak": 0.3}),
        ("usb", {"usb_cable": 60}),
        ("clock", {"lights_at_a_clock": 60}),
        ("clock", {"logic_high_ahct": 3.5}),
    ],
)
def test_a_wrong_input_is_found(name: str, changed: dict[str, float]) -> None:
    assert broken(name, **changed)
    given = {**GIVEN, **{k: {**GIVEN[k], "value": v} for k, v in changed.items() if k in GIVEN}}
    assert given == GIVEN or documents.written(name, given) != read(name)


def test_a_chain_by_hand() -> None:
    """Two seats of 12 W on a line of 1 Ω each: calculated on paper, at the middle of the line."""
    first, last = supply.chain(12.0, 2, 1.2, 1.0, 0.0)
    assert math.isclose(first, 12.0 - 1.2 / first - 1.2 / last, rel_tol=1e-9)
    assert math.isclose(last, first - 1.2 / last, rel_tol=1e-9)
    assert math.isnan(supply.chain(5.0, 8, 20.0, 0.5, 0.0)[-1])  # it breaks down
    assert math.isclose(supply.resistive(12.0, 3, 1.0, 0.1), 12.0 - 0.1 * (3 + 2 + 1))


def test_sums_by_hand() -> None:
    """Calculated on paper, or known otherwise."""
    assert math.isclose(bias.beside(120, 120), 60)
    # without receivers a plain divider: 3.3 V over 2 x 330 Ω and 60 Ω
    assert math.isclose(bias.idle(3.3, 330, 60, 0, 12000), 3.3 * 60 / 720)
    # RP2040 data sheet 4.2.7.1: 125 MHz and 115200 baud give 67 and 52/64, 115207 baud
    assert math.isclose(bus.divided(125e6, 115200), 115207 / 115200 - 1, abs_tol=1e-5)
    assert math.isclose(antennas.on_axis(20, 0), 1)
    assert math.isclose(antennas.on_axis(20, 20), 2**-1.5)
    assert math.isclose(supply.share(255), 1)


def test_the_netlists_are_those_that_were_simulated() -> None:
    """Needs no ngspice: the files follow from the inputs, and each result records its netlist."""
    results = circuits.results()
    assert results.keys() == circuits.CIRCUITS.keys()
    assert {each.stem for each in circuits.FOLDER.glob("*.cir")} == results.keys()
    for name, circuit in circuits.CIRCUITS.items():
        netlist = circuit(values(GIVEN))
        assert (circuits.FOLDER / f"{name}.cir").read_text() == netlist, "run `make spice`"
        assert results[name]["netlist"] == circuits.digest(netlist), "run `make spice`"


@pytest.mark.spice
@pytest.mark.parametrize("name", circuits.CIRCUITS)
def test_ngspice_reproduces_the_recorded_results(name: str) -> None:
    netlist = circuits.CIRCUITS[name](values(GIVEN))
    for what, value in circuits.simulate(netlist).items():
        assert math.isclose(
            value, float(circuits.results()[name][what]), rel_tol=0.02, abs_tol=5e-3
        )
