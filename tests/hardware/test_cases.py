"""The cases without the modeller: their parameters agree with cards, boards and firmware.

`make cases` builds the cases and checks walls, lids and overhangs. Here its manifest is compared
with the sources, so that neither can change alone. Takes 0.3 s.
"""

import csv
import json
import math
import re
import tomllib
from xml.etree import ElementTree

import pypdfium2
import pytest

from firmware.led_clock import settings as clock_settings
from firmware.seat_reader import settings as seat_settings
from hardware.boards.make.sexpr import parse
from hardware.cases import field, manifest, parameters, pocket
from hardware.pins import said
from hub.cards.printing.look import SIZES

SVG = "{http://www.w3.org/2000/svg}"
GUIDE = parameters.HERE.parents[1] / "docs" / "build" / "printing.md"
P = parameters.load()
ALL_WITH_TAROT = [(module, "tarot") for module in P.module.names()]
MADE = json.loads(manifest.FILE.read_text(encoding="utf-8"))


def test_pictures_and_files_are_not_older_than_their_sources() -> None:
    assert MADE["sources"] == manifest.sources(), "a source has changed: make cases"
    assert MADE["outputs"] == manifest.outputs(), "an output was changed by hand: make cases"


def test_a_changed_source_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    changed = tmp_path / "parameters.toml"
    changed.write_text(
        parameters.FILE.read_text(encoding="utf-8").replace("fit = 0.25", "fit = 0.2")
    )
    monkeypatch.setattr(manifest, "HERE", tmp_path)
    assert (
        manifest.sources()["files"]["parameters.toml"]
        != MADE["sources"]["files"]["parameters.toml"]
    )


def test_cards_have_their_printed_size() -> None:
    assert {name: tuple(P.card[name].size) for name in P.card.names()} == SIZES
    found = re.search(
        r"tarot size they are (\d+) mm apart, on poker cards\s+(\d+) mm", GUIDE.read_text()
    )
    assert found is not None
    assert (P.card.tarot.ends, P.card.poker.ends) == tuple(map(int, found.groups()))


@pytest.mark.parametrize(("module", "name"), [("elechouse", "poker"), *ALL_WITH_TAROT])
def test_one_end_of_a_card_is_read_and_the_other_is_not(module: str, name: str) -> None:
    with_it = parameters.load(seat={"module": module})
    assert field.heard(with_it)[f"{name}, the end that lies on the reader"] > 4
    assert field.heard(with_it)[f"{name}, the other end"] < 0.95
    assert field.tells_the_ends(with_it, name)


def test_the_readme_gives_the_calculated_values() -> None:
    readme = (parameters.HERE / "README.md").read_text(encoding="utf-8")
    straight = parameters.load(card={"poker": {"size": [63, 88], "ends": 48, "shift": 0}})
    rows = [
        ("| tarot, ", P, "tarot"),
        ("| poker, 48", straight, "poker"),
        ("| poker, moved", P, "poker"),
    ]
    for start, with_it, name in rows:
        line = next(line for line in readme.splitlines() if line.startswith(start))
        told = [
            float(number) for number in re.findall(r"(\d+(?:\.\d+)?) (?:times|of what|\|)", line)
        ]
        heard = field.heard(with_it)
        far, near = (
            heard[f"{name}, the {end}"] for end in ("end that lies on the reader", "other end")
        )
        assert told == [pytest.approx(far, rel=0.05), pytest.approx(near, rel=0.05)], line


def test_a_rest_that_cannot_tell_the_ends_apart_is_rejected() -> None:
    """A larger antenna reads both ends of a small card."""
    assert not field.tells_the_ends(parameters.load(seat={"module": "itead"}), "poker")


def test_without_the_shift_a_small_card_would_be_read_at_both_ends() -> None:
    straight = parameters.load(card={"poker": {"size": [63, 88], "ends": 48, "shift": 0}})
    assert field.heard(straight)["poker, the other end"] > 2


def test_the_field_is_that_of_the_textbook() -> None:
    side = 40.0
    middle = field.upward(0, 0, 0, (side, side))
    assert middle == pytest.approx(8 * math.sqrt(2) / side)  # Biot and Savart, in the middle
    on_axis, beside = field.upward(0, 0, 900, (40, 30)), field.upward(900, 0, 0, (40, 30))
    assert on_axis / beside == pytest.approx(-2, rel=5e-3)  # a dipole, far away


def test_pieces_have_the_version_of_the_boards() -> None:
    for name in P.board.names():
        path = parameters.board_file(name)
        assert path is not None
        board = tomllib.loads(path.read_text(encoding="utf-8"))["board"]
        assert P.version == board["version"]


def test_lamps_are_those_that_the_firmware_lights() -> None:
    assert P.seat.lamp.lights == seat_settings.USUAL["lamps"]
    assert P.clock.ring.lights == clock_settings.NUMBERS["lights"][0]


@pytest.mark.parametrize("name", P.board.names())
def test_a_case_holds_its_board(name: str) -> None:
    """A board's own file wins; the parameters repeat it, so that neither can change alone."""
    used, table = MADE["sources"]["boards"][name], P.board[name]
    assert (used["size"], used["holes"]) == (table.size, table.holes)
    path = parameters.board_file(name)
    if path is not None:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        holes = sorted(
            part["at"][:2] for part in data["part"].values() if part.get("kind") == "hole"
        )
        assert (used["size"], sorted(used["holes"])) == (data["board"]["size"], holes)


@pytest.mark.parametrize("name", MADE["pieces"])
def test_measured_pieces_are_within_the_parameters_limits(name: str) -> None:
    piece = MADE["pieces"][name]
    assert piece["wall"] >= piece["least_wall"] - 0.02
    assert piece["least_wall"] in (P.print.rib, P.print.diffuser)
    assert piece["bridge"] <= P.print.bridge
    assert piece["size"][0] <= P.print.bed[0] and piece["size"][1] <= P.print.bed[1]
    assert (parameters.HERE / "renders" / f"{name}.png").is_file()


def test_no_metal_is_in_the_field() -> None:
    """Within the antenna's own radius: hardware/calculations/antennas.md."""
    radius = max(P.module[P.seat.module].loop) / 2
    assert MADE["facts"]["seat"]["reader's edge to seat board, mm"] >= radius
    assert MADE["facts"]["usb-tray"]["reader's edge to adapter, mm"] >= radius
    for case in ("seat", "usb-tray"):
        assert MADE["facts"][case]["antenna's middle to nearest screw, mm"] >= 2 * radius


def test_the_readme_lists_every_piece_to_print() -> None:
    assert manifest.pieces_table(MADE["pieces"]) in manifest.README.read_text(encoding="utf-8")


def test_screws_are_counted_for_the_lists_of_parts() -> None:
    rows = list(csv.DictReader(manifest.FASTENERS.read_text(encoding="utf-8").splitlines()))
    assert {row["case"] for row in rows} == set(MADE["facts"]) - {"clock-foot"}  # one piece
    counted = {(row["case"], row["part"]): int(row["quantity"]) for row in rows}
    seat = parameters.board(P, "seat")
    assert counted["seat", P.screw.small] == len(seat.holes)
    assert counted["seat", P.screw.what] == counted["seat", P.screw.insert] == 4


def test_every_hole_of_a_case_is_over_its_part() -> None:
    """Sockets, plugs and the buzzer, at their places in the boards' files."""
    files = {name: parameters.board_file(name) for name in P.board.names()}
    parts = {
        name: tomllib.loads(path.read_text(encoding="utf-8"))["part"]
        for name, path in files.items()
        if path is not None
    }
    if "seat" in parts:
        pico = parts["seat"]["A1"]["at"]
        assert P.board.seat.usb[0] == pytest.approx(pico[1] - 8.89, abs=0.1)  # half of its rows
        first, last = P.board.seat.plugs[:2]
        wide = parameters.board(P, "seat").size[0]
        assert all(first <= wide - x <= last for x in _plugs(parts["seat"]))
    if "clock" in parts:
        first, last = P.board.clock.plugs[:2]
        assert all(first <= x <= last for x in _plugs(parts["clock"]))
    if "hub" in parts:
        x, y = parts["hub"]["BZ1"]["at"][:2]
        assert P.board.hub.buzzer == pytest.approx([x + legs_of("BZ1") / 2, y], abs=0.1)
        first, last = P.board.hub.plugs[:2]
        assert all(first + 3 <= x <= last - 3 for x in _plugs(parts["hub"]))


def legs_of(ref: str) -> float:
    """Return the distance between the two legs of a part, by the carrier's layout."""
    board = parse((parameters.BOARDS / "kicad/hub-carrier/hub-carrier.kicad_pcb").read_text())
    for item in board:
        if item[0] == "footprint" and ["property", "Reference", ref] in [e[:3] for e in item]:
            first, second = (
                next(each for each in pad if each[0] == "at") for pad in item if pad[0] == "pad"
            )
            return math.dist(*[[float(each) for each in at[1:3]] for at in (first, second)])
    raise AssertionError(f"the carrier has no {ref}")


def _plugs(parts: dict) -> list[float]:
    """Return the pins of the cable connectors, from the left."""
    found = []
    for part in parts.values():
        named = part.get("footprint", "") + ("_1x04_" if part.get("kind") == "bus" else "")
        count = re.search(r"_1x0(\d)_", named)
        if count and ("PhoenixContact" in named or part.get("kind") == "bus"):
            found += [part["at"][0] + 3.81 * n for n in range(int(count[1]))]
    assert found
    return found


def test_the_panel_has_a_hole_for_each_button_and_lamp() -> None:
    settings = [pin.get("setting", "") for pin in said()["hub"]["pin"]]
    assert P.hub.buttons.count == sum(name.startswith("button.") for name in settings)
    assert P.hub.lamps.count == sum(name.startswith("lamp.") for name in settings)
    assert any(name.startswith("knob") for name in settings) == ("knob" in P.hub.names())


def test_the_template_is_one_to_one() -> None:
    """In the SVG by its numbers, in the PDF by rendered dots."""
    svg = ElementTree.parse(parameters.HERE / "template" / "table.svg").getroot()
    assert (svg.get("width"), svg.get("height")) == ("210mm", "297mm")
    assert svg.get("viewBox").split()[2:] == ["210", "297"]
    lines = {
        name: [line for line in svg.iter(f"{SVG}line") if line.get("class") == name]
        for name in ("ruler-x", "ruler-y", "mill")
    }
    (ruler_x,), (ruler_y,) = lines["ruler-x"], lines["ruler-y"]
    assert float(ruler_x.get("x2")) - float(ruler_x.get("x1")) == 50
    assert float(ruler_y.get("y1")) - float(ruler_y.get("y2")) == 50
    xs = [float(line.get(key)) for line in lines["mill"] for key in ("x1", "x2")]
    ys = [float(line.get(key)) for line in lines["mill"] for key in ("y1", "y2")]
    wide, deep = pocket.body_size(P)
    assert (max(xs) - min(xs), max(ys) - min(ys)) == pytest.approx((wide + 2, deep + 2), abs=0.01)
    drills = [c for c in svg.iter(f"{SVG}circle") if c.get("class") == "drill"]
    assert [float(c.get("cx")) for c in drills] == pytest.approx([x for x, _ in pocket.screws(P)])

    page = pypdfium2.PdfDocument(parameters.HERE / "template" / "table.pdf")[0]
    assert page.get_size() == pytest.approx((595.28, 841.89), abs=0.01)
    dots = page.render(scale=10 / 72 * 25.4, grayscale=True).to_pil()  # 10 dots a mm
    row = 2970 - int((297 / 2 - 130) * 10)
    dark = [x for x in range(dots.width) if dots.getpixel((x, row)) < 128]
    assert max(dark) - min(dark) == pytest.approx(500, abs=5)


def test_a_table_that_is_too_thin_is_refused() -> None:
    with pytest.raises(ValueError, match="too thin"):
        pocket.height(parameters.load(mount={"table": 12}))


def test_a_sticker_is_read_through_the_wood() -> None:
    readme = (parameters.HERE / "README.md").read_text(encoding="utf-8")
    told = re.search(r"a sticker hears (\d+) times what it needs there", readme)
    assert told is not None
    assert pocket.through_wood(P) == pytest.approx(int(told[1]), abs=0.6)
