"""hardware/pins.toml is the single source for pins: firmware, examples, guides and boards agree
with it, and every chip supports the functions of its pins."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hardware import pins
from hub.panel.claims import SERIAL
from tests.support import micropython
from tests.support.guides import GUIDES, ROOT, blocks

TRUTH, CHIPS = pins.said(), pins.chips()
Said = dict[str, int]


@cache
def firmware() -> dict[str, Any]:
    """Return the default wiring of the boards' programs, as they report it."""
    return dict(
        json.loads(
            micropython.run(
                "import json\n"
                "from seat_reader import settings as seat, ports\n"
                "from led_clock import settings as clock, main\n"
                "print(json.dumps({'seat': seat.USUAL, 'supply': ports._VSYS_PIN,\n"
                "  'clock': {key: each[0] for key, each in clock.NUMBERS.items()},\n"
                "  'BUTTON': main.BUTTON}))"
            )
        )
    )


def by_firmware(board: str) -> Said:
    if board == "clock":
        return {"pin": firmware()["clock"]["pin"], "pin2": firmware()["clock"]["pin2"]} | {
            "BUTTON": firmware()["BUTTON"]
        }
    is_pin = re.compile("_(tx|rx|drive|pin|sda|scl)$")
    return {key: value for key, value in firmware()["seat"].items() if is_pin.search(key)}


def by_panel(panel: dict[str, Any]) -> Said:
    """Return the pins of a ``[panel]`` by pins.toml's names; lamps in the order of their seats."""
    found = {f"button.{each['does']}": each["pin"] for each in panel.get("button", ())}
    found |= {f"lamp.{at}": each["pin"] for at, each in enumerate(panel.get("lamp", ()), 1)}
    if "buzzer" in panel:
        found["buzzer"] = panel["buzzer"]["pin"]
    return found | {f"knob.{key}": panel.get("knob", {})[key] for key in ("a", "b", "press")}


def by_example_file() -> Said:
    """Read the table file that `facedown example-config` prints, with its examples switched on."""
    text = (ROOT / "hub/config/example.toml").read_text(encoding="utf-8")
    start = text.index("# [panel]")
    lines = text[start : text.index("# [prometheus]")].splitlines()
    on = "\n".join(each.removeprefix("# ") for each in lines if each.startswith("# "))
    return by_panel(msgspec.toml.decode(on)["panel"])


def by_setting(board: str, truth: dict[str, Any]) -> dict[str, pins.Pin]:
    """Return the pins that firmware or table file name, by that name."""
    return {each.setting: each for each in pins.of(board, truth) if each.setting}


def by_json(name: str, board: str) -> Said:
    known = by_setting(board, TRUTH)
    return {
        key: value
        for key, value in json.loads((ROOT / "firmware" / name).read_text()).items()
        if key in known
    }


def rows(page: Path) -> Iterator[list[str]]:
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("| "):
            yield [each.strip() for each in line.strip("|").split("|")]


def numbers(cell: str) -> list[int]:
    return [int(each) for each in re.findall(r"\bGP(?:IO)?(\d+)", cell)]


def by_seat_guide() -> Said:
    """Read the guide's table of wires row by row, and its text about a PN532 on I2C."""
    page = GUIDES / "seat-board.md"
    text = " ".join(page.read_text(encoding="utf-8").split())
    of = {cells[0]: numbers(cells[1]) for cells in rows(page) if len(cells) > 1}
    (tx, rx), (bus_tx, bus_rx) = of["PN532 RXD, TXD"], of["transceiver DI, RO"]
    sda, scl = re.search(r"SDA to GP(\d+) and its SCL to GP(\d+)", text).groups()  # type: ignore[union-attr]
    return {
        "pn532_tx": tx,
        "pn532_rx": rx,
        "bus_tx": bus_tx,
        "bus_rx": bus_rx,
        "bus_drive": of["transceiver DE and RE, joined"][0],
        "lamps_pin": of["lamps DIN, 5 V, GND"][0],
        "button_pin": of["button"][0],
        "pn532_sda": int(sda),
        "pn532_scl": int(scl),
    }


def by_clock_guide() -> Said:
    of = {cells[0]: numbers(cells[1]) for cells in rows(GUIDES / "clock.md") if len(cells) > 1}
    assert of["TM1637 CLK, DIO, VCC, GND"] == of["HT16K33 SDA, SCL, VCC, GND"]
    pin, pin2 = of["TM1637 CLK, DIO, VCC, GND"]
    assert of["lights DIN, 5 V, GND"] == [pin]
    return {"pin": pin, "pin2": pin2, "BUTTON": of["button"][0]}


PANEL_ROWS = {
    "button *next*": ("button.next",),
    "button *undo*": ("button.undo",),
    "button *pause*": ("button.pause",),
    "LED of the first seat, behind 330 Ω": ("lamp.1",),
    "LED of the second seat, behind 330 Ω": ("lamp.2",),
    "LEDs of the third to the eighth seat, each behind 330 Ω": tuple(
        f"lamp.{each}" for each in range(3, 9)
    ),
    "buzzer +": ("buzzer",),
    "encoder A, B": ("knob.a", "knob.b"),
    "encoder push": ("knob.press",),
}


def by_panel_guide(column: int = 1) -> Said:
    """Read the GPIO numbers of the guide's table, or with ``column`` 2 the pins of the header."""
    found: Said = {}
    for cells in rows(GUIDES / "panel.md"):
        if cells[0] in PANEL_ROWS:
            numbered = [int(each) for each in re.findall(r"\d+", cells[column])]
            found |= dict(zip(PANEL_ROWS[cells[0]], numbered, strict=True))
    return found


def by_panel_guides_file() -> Said:
    page = (GUIDES / "panel.md").read_text(encoding="utf-8")
    text = next(each.text for each in blocks(page) if "[panel]" in each.text)
    return by_panel(msgspec.toml.decode(text)["panel"])


SPEAKERS: dict[str, tuple[str, Callable[[], Said]]] = {
    "firmware/seat_reader/settings.py": ("seat", lambda: by_firmware("seat")),
    "firmware/seat_reader/seat.example.json": (
        "seat",
        lambda: by_json("seat_reader/seat.example.json", "seat"),
    ),
    "docs/build/seat-board.md": ("seat", by_seat_guide),
    "firmware/led_clock/settings.py and main.py": ("clock", lambda: by_firmware("clock")),
    "firmware/led_clock/clock.example.json": (
        "clock",
        lambda: by_json("led_clock/clock.example.json", "clock"),
    ),
    "docs/build/clock.md": ("clock", by_clock_guide),
    "hub/config/example.toml": ("hub", by_example_file),
    "docs/build/panel.md, its table": ("hub", by_panel_guide),
    "docs/build/panel.md, its table file": ("hub", by_panel_guides_file),
}
WHOLE = {
    "firmware/seat_reader/settings.py",
    "docs/build/seat-board.md",
    "firmware/led_clock/settings.py and main.py",
    "docs/build/clock.md",
    "docs/build/panel.md, its table",
}
"""Places that name every pin; the others name some."""


def disagreements(truth: dict[str, Any]) -> list[str]:
    """Return each pin on which two places disagree, as a sentence that names both."""
    found = []
    for place, (board, speaks) in SPEAKERS.items():
        known, said = by_setting(board, truth), speaks()
        for name, gpio in said.items():
            if name not in known:
                found.append(f"{place} has {name} at GPIO{gpio}; hardware/pins.toml has none such")
            elif known[name].gpio != gpio:
                found.append(f"{place} has {name} at GPIO{gpio}, and {known[name]} does not")
        if place in WHOLE:
            found += [
                f"{place} does not say where {known[name]} is" for name in known.keys() - said
            ]
    return found


def test_every_place_names_the_same_pins() -> None:
    assert disagreements(TRUTH) == []


def test_a_chip_supports_the_functions_of_its_pins() -> None:
    assert list(pins.faults(TRUTH, CHIPS)) == []


def test_pins_have_the_functions_that_the_firmware_uses() -> None:
    """The numbers of its serial ports and buses, and the pin that measures the supply."""
    seat, usual = by_setting("seat", TRUTH), firmware()["seat"]
    for part, port, ways in (
        ("bus", f"UART{usual['bus_uart']}", ("tx", "rx")),
        ("pn532", f"UART{usual['pn532_uart']}", ("tx", "rx")),
        ("pn532", f"I2C{usual['pn532_i2c']}", ("sda", "scl")),
    ):
        for way in ways:
            assert f"{port} {way.upper()}" in seat[f"{part}_{way}"].does
    assert [each["gpio"] for each in TRUTH["seat"]["inside"]] == [firmware()["supply"]]
    clock = by_setting("clock", TRUTH)
    for name, wire in (("pin", "SDA"), ("pin2", "SCL")):
        assert f"I2C{clock['pin'].gpio // 2 % 2} {wire}" in clock[name].does  # displays.display()


def test_the_serial_port_is_the_one_that_the_hub_keeps_free() -> None:
    bus = [each.gpio for each in pins.of("hub", TRUTH) if each.net in {"BUS_TX", "BUS_RX"}]
    assert tuple(bus) == SERIAL


def test_the_panels_guide_finds_the_pins_on_the_header() -> None:
    hub, there = by_setting("hub", TRUTH), by_panel_guide(column=2)
    assert there == {name: each.pad for name, each in hub.items()}
    ground = CHIPS["edge"]["pi"]["ground"]
    for cells in rows(GUIDES / "panel.md"):
        if cells[0] in PANEL_ROWS:
            assert all(int(each) in ground for each in re.findall(r"\((\d+)\)", cells[3])), cells


def test_the_wires_of_the_bus_and_the_readers_use_each_place_once() -> None:
    for part in ("bus", "pn532"):
        wires = TRUTH[part]["wire"]
        assert [each["pad"] for each in wires] == [1, 2, 3, 4]
        assert len({each["net"] for each in wires}) == len({each["mark"] for each in wires}) == 4
    crossed = {each["mark"]: each["net"] for each in TRUTH["pn532"]["wire"]}
    assert crossed["RXD"] == "PN532_RXD" and crossed["TXD"] == "PN532_TXD"


def spoilt(board: str, which: str, **changed: Any) -> dict[str, Any]:
    truth = copy.deepcopy(TRUTH)
    next(each for each in truth[board]["pin"] if each["net"] == which).update(changed)
    return truth


@pytest.mark.parametrize(
    ("board", "net", "changed", "told"),
    [
        ("seat", "PN532_TX", {"gpio": 12, "pad": 16}, "cannot be UART1 TX on a RP2040"),
        ("seat", "PN532_TX", {"does": ["UART1 RX"]}, "cannot be UART1 RX"),
        ("seat", "LAMPS", {"gpio": 29}, "is a third of VSYS"),
        ("seat", "LAMPS", {"gpio": 7, "pad": 10}, "GPIO7 is used twice"),
        ("seat", "BUTTON", {"pad": 11}, "is said to be at pad 11"),
        ("seat", "BUTTON", {"net": "LAMPS"}, "net LAMPS is used twice"),
        ("clock", "DATA_2", {"does": ["I2C1 SDA"]}, "cannot be I2C1 SDA"),
        ("hub", "RTC_SDA", {"gpio": 0, "pad": 27}, "is the memory of a HAT"),
        ("hub", "BUZZER", {"does": ["PWM1"]}, "cannot be PWM1 on a BCM2712"),
        ("hub", "LAMP_3", {"pad": 13}, "pad 13 is used twice"),
    ],
)
def test_an_impossible_pin_is_found(
    board: str, net: str, changed: dict[str, Any], told: str
) -> None:
    found = list(pins.faults(spoilt(board, net, **changed), CHIPS))
    assert any(told in each for each in found), found


@pytest.mark.parametrize(
    ("board", "net", "places"),
    [
        ("seat", "LAMPS", ("firmware/seat_reader/settings.py", "docs/build/seat-board.md")),
        ("seat", "PN532_SCL", ("firmware/seat_reader/settings.py", "docs/build/seat-board.md")),
        ("clock", "DATA", ("firmware/led_clock/clock.example.json", "docs/build/clock.md")),
        ("clock", "BUTTON", ("firmware/led_clock/settings.py and main.py",)),
        ("hub", "KNOB_A", ("hub/config/example.toml", "docs/build/panel.md, its table file")),
        ("hub", "LAMP_8", ("docs/build/panel.md, its table",)),
    ],
)
def test_a_pin_that_differs_is_found_and_both_places_are_named(
    board: str, net: str, places: tuple[str, ...]
) -> None:
    found = disagreements(spoilt(board, net, gpio=10))
    for place in places:
        assert any(
            place in each and f"hardware/pins.toml, {board}, {net}" in each for each in found
        )


def test_the_tables_of_functions_follow_the_chips_pattern() -> None:
    """RP2040 data sheet 1.4.3: four pins of a UART, two of an I2C, four of an SPI, in turn."""
    for chip in ("rp2040", "rp2350"):
        does = CHIPS["chip"][chip]["does"]
        for gpio in range(30):
            uart = 1 if 4 <= gpio < 12 or 20 <= gpio < 28 else 0
            assert gpio in does[f"UART{uart} {('TX', 'RX', 'CTS', 'RTS')[gpio % 4]}"]
            assert gpio in does[f"I2C{gpio // 2 % 2} {('SDA', 'SCL')[gpio % 2]}"]
        assert sum(len(each) for each in does.values()) == 30 * 3 + 4
    for edge in CHIPS["edge"].values():
        pads = [*map(int, edge["gpio"]), *edge["ground"], *map(int, edge["power"])]
        assert len(pads) == len(set(pads)) and set(pads) <= set(range(1, 41))
