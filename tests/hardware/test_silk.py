"""The print on the boards and the height of their parts: read from the layouts, and compared with
the pads' nets and the room in the cases."""

import tomllib
from functools import cache
from math import cos, hypot, radians, sin
from pathlib import Path
from typing import NamedTuple

import pytest

from hardware import pins
from hardware.boards.make import check, data, manifest
from hardware.boards.make.data import Board, Part
from hardware.boards.make.sexpr import Node, all_of, fields, number, one, text

FOLDER = manifest.FOLDER
BOARDS = ("seat-board", "hub-carrier", "clock-board")
EACH = pytest.mark.parametrize("name", BOARDS)
CASES = tomllib.loads((FOLDER.parent / "cases" / "parameters.toml").read_text("utf-8"))
NET_WORDS = {
    **{"+12V": "+12V", "SUPPLY": "+12V", "+5V": "5V", "+3V3": "3V3", "GND": "GND"},
    **{"BUS_A": "A", "BUS_B": "B", "LAMPS_OUT": "DIN", "LIGHTS_OUT": "DIN", data.OPEN: "NC"},
    **{"PN532_RXD": "RXD", "PN532_TXD": "TXD", "PN532_SDA": "SDA", "PN532_SCL": "SCL"},
    **{"KNOB_A": "A", "KNOB_B": "B", "KNOB_PRESS": "PUSH"},
    **{"BUTTON_NEXT": "NEXT", "BUTTON_UNDO": "UNDO", "BUTTON_PAUSE": "PAUSE"},
    **{f"LED_{at}": str(at) for at in range(1, 9)},
    **{"BUCK": "BUS", "OUTSIDE": "IN", "VBUS": "USB"},
}
"""Net → the word at each of its pins."""
ON_CLOCK = {"SUPPLY": "5V", "DATA": "CLK", "DATA_2": "DIO"}
NAMES = {
    "seat-board": {
        **{"J1": "BUS IN", "J2": "BUS OUT", "J3": "LAMPS", "J4": "J4 PN532", "J5": "I2C, 3.3 V"},
        **{
            "J6": "J6 PN532 FTDI",
            "J7": "BUTTON",
            "J8": "J8 PN532 V3",
            "SW1": "PAUSE",
            "JP1": "5V FROM",
        },
        **{"JP2": "TERM", "JP3": "BIAS A", "JP4": "BIAS B", "F1": "F1 0.9A"},
    },
    "hub-carrier": {
        **{"J2": "12V IN", "J3": "BUS", "J4": "BUTTONS", "J5": "LAMPS", "J6": "KNOB"},
        **{"JP1": "JP1 TERM", "JP2": "BIAS A", "JP3": "BIAS B", "F1": "F1 T4A"},
    },
    "clock-board": {
        **{"J1": "5V IN", "J2": "LIGHTS", "J3": "DIGITS", "J4": "BUTTON", "SW1": "SET UP"},
        **{"JP1": "5V FROM", "F1": "F1 2A"},
    },
}
"""The name next to each connector, jumper, button and fuse; the carrier's J1 is below."""
PI = ("hub-carrier", "J1")
PIN_WORD, NAME = 4.0, 8.0
"""The greatest distance from a pin to its word and from a part to its name, in mm."""


class Word(NamedTuple):
    """A text on the silk: its box, in mm from KiCad's corner."""

    said: str
    left: float
    top: float
    right: float
    bottom: float
    layer: str

    def far(self, x: float, y: float) -> float:
        """Return the distance from a point to the box."""
        return hypot(max(self.left - x, 0, x - self.right), max(self.top - y, 0, y - self.bottom))


class Pad(NamedTuple):
    """A pin on the board."""

    ref: str
    pin: str
    x: float
    y: float


@cache
def board(name: str) -> Board:
    return data.load(FOLDER / f"{name}.toml")


@cache
def layout(name: str) -> list[Node]:
    return check.read(FOLDER / "kicad" / name / f"{name}.kicad_pcb")


def words(name: str) -> list[Word]:
    """Return every text except the references. A letter of 1 mm is about 0.9 mm wide."""
    found = []
    for each in all_of(layout(name), "gr_text"):
        at, effects = one(each, "at"), one(each, "effects")
        size = number(one(one(effects, "font"), "size"), 1)
        x, y, turn = number(at, 1), number(at, 2), number(at, 3) if len(at) > 3 else 0
        long, side = len(text(each)) * size * 0.9, one(effects, "justify")
        begin = -long / 2 if not side else 0 if "left" in side else -long
        begin = -long / 2 if "left" not in side and "right" not in side else begin
        if turn % 180:
            box = (x - size / 2, y - begin - long, x + size / 2, y - begin)
        else:
            box = (x + begin, y - size / 2, x + begin + long, y + size / 2)
        found.append(Word(text(each), *box, text(one(each, "layer"))))
    return found


def pads(name: str) -> dict[str, list[Pad]]:
    """Return the pins of each reference, by their position on the sheet."""
    found: dict[str, list[Pad]] = {}
    for part in all_of(layout(name), "footprint"):
        ref, at = fields(part)["Reference"], one(part, "at")
        turn = radians(number(at, 3) if len(at) > 3 else 0)
        for pad in all_of(part, "pad"):
            x, y = number(one(pad, "at"), 1), number(one(pad, "at"), 2)
            found.setdefault(ref, []).append(
                Pad(
                    ref,
                    text(pad),
                    number(at, 1) + x * cos(turn) + y * sin(turn),
                    number(at, 2) - x * sin(turn) + y * cos(turn),
                )
            )
    return found


def word_of(name: str, net: str) -> str:
    if name == "clock-board" and net in ON_CLOCK:
        return ON_CLOCK[net]
    return NET_WORDS.get(net, net)


def marked(name: str) -> list[Part]:
    """Return the parts that a user plugs, closes, presses or replaces."""
    return [
        part
        for part in board(name).parts
        if part.ref.rstrip("0123456789") in ("J", "JP", "SW", "F") and (name, part.ref) != PI
    ]


def nearest(word: Word, places: dict[str, list[Pad]], refs: set[str]) -> str:
    """Return the part of ``refs`` with the pin nearest to a word."""
    return min(refs, key=lambda ref: min(word.far(pad.x, pad.y) for pad in places[ref]))


@EACH
def test_each_part_for_the_user_has_its_name_beside_it(name: str) -> None:
    places, printed = pads(name), words(name)
    assert {part.ref for part in marked(name)} == set(NAMES[name])
    for ref, said in NAMES[name].items():
        far = [
            min(word.far(pad.x, pad.y) for pad in places[ref])
            for word in printed
            if word.said == said and word.layer == "F.SilkS"
        ]
        assert far and min(far) < NAME, f"{ref}: no {said!r} beside it, {far}"


@EACH
def test_a_jumper_s_name_is_nearer_to_it_than_to_any_other(name: str) -> None:
    places = pads(name)
    jumpers = {part.ref for part in marked(name) if part.ref.startswith("JP")}
    names = [(ref, said) for ref, said in NAMES[name].items() if ref in jumpers]
    for ref, said in names:
        (word,) = (each for each in words(name) if each.said == said)
        assert nearest(word, places, jumpers) == ref


@EACH
def test_each_pin_of_a_connector_has_the_word_of_its_net(name: str) -> None:
    """The nearest of all texts that could be meant is the pin's own. In a header of two rows each
    column has one word, and the GND row its own at its end."""
    places, printed = pads(name), [word for word in words(name) if word.layer == "F.SilkS"]
    nets, missing = board(name).pins(), []
    for part in marked(name):
        if part.ref.startswith(("SW", "F")) or (part.ref.startswith("JP") and len(part.pins) == 2):
            continue
        two_rows = len({round(pad.y) for pad in places[part.ref]}) == 2
        if part.ref == "J7" or (name, part.ref) == ("clock-board", "J4"):
            continue  # a button works either way round
        own = {pad: nets[part.ref, pad.pin] for pad in places[part.ref]}
        column = {word_of(name, net) for net in own.values() if not (two_rows and net == "GND")}
        for pad, net in own.items():
            if two_rows and net == "GND":
                meant, reach = [w for w in printed if w.said == "GND"], 2.54 * len(own) / 2
            else:
                meant, reach = [w for w in printed if w.said in column], 2.54 * two_rows
            near = min(meant, key=lambda word, at=pad: word.far(at.x, at.y))
            if near.said != word_of(name, net) or near.far(pad.x, pad.y) > reach + PIN_WORD:
                missing.append(f"{part.ref}.{pad.pin}: {near.said} is nearest, and it is {net}")
    assert missing == []


@EACH
def test_each_test_point_has_its_word(name: str) -> None:
    places = pads(name)
    for part in board(name).parts:
        if part.ref.startswith("TP"):
            (pad,) = places[part.ref]
            at = [w for w in words(name) if w.said == part.value and w.far(pad.x, pad.y) < 3]
            assert at, f"{part.ref} has no {part.value}"


@EACH
def test_version_licence_and_documentation_address_are_printed(name: str) -> None:
    said = [word.said for word in words(name)]
    front = " ".join(word.said for word in words(name) if word.layer == "F.SilkS")
    assert "FACEDOWN" in front and f"v{board(name).version}" in front
    for licence in ("CERN-OHL-P v2",):
        assert licence in front
        assert any(licence in word.said for word in words(name) if word.layer == "B.SilkS")
    assert not any("CERN" in each and "CERN-OHL-P v2" not in each for each in said)
    assert "hardware/boards/README.md" in said and (FOLDER / "README.md").is_file()


@EACH
def test_no_words_on_one_side_overlap(name: str) -> None:
    printed = words(name)
    met = [
        (a.said, b.said)
        for at, a in enumerate(printed)
        for b in printed[:at]
        if a.layer == b.layer
        and a.left < b.right
        and b.left < a.right
        and a.top < b.bottom
        and b.top < a.bottom
    ]
    assert met == []


THINNEST = 0.15
"""The thinnest line that board makers print reliably, in mm."""


@EACH
def test_no_line_of_the_silk_is_too_thin_to_print(name: str) -> None:
    thin = set()
    parts = all_of(layout(name), "footprint")
    for owner in (layout(name), *parts):
        for kind in ("line", "rect", "circle", "arc", "poly", "text"):
            for each in (*all_of(owner, f"fp_{kind}"), *all_of(owner, f"gr_{kind}")):
                if not text(one(each, "layer")).endswith("SilkS"):
                    continue
                if kind == "text":
                    wide = number(one(one(one(each, "effects"), "font"), "thickness"), 1)
                else:
                    wide = number(one(one(each, "stroke"), "width"), 1)
                thin |= {(kind, wide)} if wide < THINNEST and (kind, wide) != ("poly", 0) else set()
        for said in all_of(owner, "property"):
            shown = text(said) == "Reference" and not all_of(said, "hide")
            if owner in parts and shown:
                wide = number(one(one(one(said, "effects"), "font"), "thickness"), 1)
                thin |= {("reference", wide)} if wide < THINNEST else set()
    assert thin == set()


def _body(part: Node) -> tuple[float, float, float, float]:
    """Return the area of a part on the sheet, from its courtyard; for a round part the square
    inside it."""
    at = one(part, "at")
    turn = radians(number(at, 3) if len(at) > 3 else 0)
    points = []
    for kind in ("fp_line", "fp_rect", "fp_circle", "fp_arc", "fp_poly"):
        for each in all_of(part, kind):
            if not text(one(each, "layer")).endswith("CrtYd"):
                continue
            if kind == "fp_circle":
                (mx, my), (ex, ey) = (
                    (number(one(each, key), 1), number(one(each, key), 2))
                    for key in ("center", "end")
                )
                r = hypot(ex - mx, ey - my) * 0.7
                points += [(mx - r, my - r), (mx + r, my + r)]
                continue
            keys = [one(each, key) for key in ("start", "end") if all_of(each, key)]
            corners = keys or all_of(one(each, "pts"), "xy")
            points += [(number(xy, 1), number(xy, 2)) for xy in corners]
    placed = [
        (
            number(at, 1) + x * cos(turn) + y * sin(turn),
            number(at, 2) - x * sin(turn) + y * cos(turn),
        )
        for x, y in points
    ]
    xs, ys = [x for x, _ in placed], [y for _, y in placed]
    return min(xs), min(ys), max(xs), max(ys)


@EACH
def test_no_reference_is_printed_under_another_part(name: str) -> None:
    parts = {fields(each)["Reference"]: each for each in all_of(layout(name), "footprint")}
    bodies = {
        ref: _body(part)
        for ref, part in parts.items()
        if text(one(part, "layer")) == "F.Cu" and not ref.startswith("H")
        if "TO-252" not in text(part)  # there is room between its legs
    }
    inside = []
    for ref, part in parts.items():
        (said,) = (each for each in all_of(part, "property") if text(each) == "Reference")
        if all_of(said, "hide") or text(one(said, "layer")) != "F.SilkS":
            continue
        at, own = one(said, "at"), one(part, "at")
        turn = radians(number(own, 3) if len(own) > 3 else 0)
        x, y = number(at, 1), number(at, 2)
        x, y = (
            number(own, 1) + x * cos(turn) + y * sin(turn),
            number(own, 2) - x * sin(turn) + y * cos(turn),
        )
        inside += [
            (ref, other)
            for other, (left, top, right, bottom) in bodies.items()
            if other != ref and left < x < right and top < y < bottom
        ]
    assert inside == []


# ------------------------------------------------------------------ heights


def too_high(made: Board, room: float) -> set[str]:
    """Return the parts that are higher than ``room``."""
    return {
        part.ref for part in made.parts if part.placed and part.side == "top" and part.height > room
    }


@pytest.mark.parametrize(
    ("name", "case"), [("seat-board", "seat"), ("hub-carrier", "hub"), ("clock-board", "clock")]
)
def test_no_part_is_higher_than_its_case_assumes(name: str, case: str) -> None:
    room = CASES["board"][case]["above"]
    assert too_high(board(name), room) == set(), f"[board.{case}] above = {room}"


@pytest.mark.parametrize(("name", "case"), [("seat-board", "seat"), ("clock-board", "clock")])
def test_a_board_with_its_parts_fits_between_floor_and_lid(name: str, case: str) -> None:
    held = CASES["board"][case]
    room = CASES[case]["inside"] - held["standoff"] - held["thick"]
    assert too_high(board(name), room) == set()


def test_the_carrier_is_as_high_over_the_pi_as_its_socket() -> None:
    (socket,) = (part for part in board("hub-carrier").parts if part.side == "bottom")
    pin_body = 2.5  # of a Pi's header
    assert CASES["board"]["hub"]["standoff"] == socket.height + pin_body


def test_a_part_without_a_height_and_one_that_is_too_high_are_found(tmp_path: Path) -> None:
    """23.4 mm is the height of a 240 V fuse that was once chosen."""
    said, own = (FOLDER / "seat-board.toml").read_text("utf-8"), "[part.F1]\nheight = 17"
    assert own in said
    spoilt = tmp_path / "seat-board.toml"
    spoilt.write_text(said.replace(own, "[part.F1]\nheight = 23.4"), "utf-8")
    assert too_high(data.load(spoilt), CASES["board"]["seat"]["above"]) == {"F1"}
    spoilt.write_text(said.replace(own, "[part.F1]\nheight = 0"), "utf-8")
    with pytest.raises(data.Faulty, match="F1 has no height"):
        data.load(spoilt)


def test_pins_toml_has_a_row_of_wires_in_the_words_of_the_silk() -> None:
    for part in ("bus", "pn532"):
        for wire in pins.said()[part]["wire"]:
            shown = NET_WORDS[wire["net"]]
            assert shown in (wire["mark"], wire["net"], wire["net"].removeprefix("+")), wire
