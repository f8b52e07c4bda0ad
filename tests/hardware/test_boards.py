"""The boards without KiCad: the project's own reader reads their files, which agree with the data,
pins.toml and the list of parts. `make boards` does the checks that only KiCad can."""

import copy
import csv
import json
import re
import zipfile
from functools import cache
from itertools import combinations
from math import cos, radians, sin
from pathlib import Path
from random import Random
from uuid import UUID

import pytest

from hardware import pins
from hardware.boards.make import accepted, check, data, manifest, sexpr
from hardware.boards.make.data import Board
from hardware.boards.make.grid import Pad
from hardware.boards.make.router import Router, Track
from hardware.boards.make.sexpr import Node, all_of, fields, number, one, text
from hardware.boards.make.tidy import tidy

FOLDER = manifest.FOLDER
BOARDS = ("seat-board", "hub-carrier", "clock-board")
ORIGIN = (50.0, 50.0)
EACH = pytest.mark.parametrize("name", BOARDS)
TRUTH = pins.said()


@cache
def board(name: str) -> Board:
    return data.load(FOLDER / f"{name}.toml")


@cache
def _read(name: str, ending: str) -> list[Node]:
    return check.read(FOLDER / "kicad" / name / f"{name}.kicad_{ending}")


def sheet(name: str) -> list[Node]:
    return copy.deepcopy(_read(name, "sch"))


def layout(name: str) -> list[Node]:
    return _read(name, "pcb")


def placed(name: str) -> dict[str, list[Node]]:
    return {fields(each)["Reference"]: each for each in all_of(layout(name), "footprint")}


def pad_places(name: str, ref: str) -> dict[str, tuple[float, float]]:
    """Return where a part's pads are, from the board's upper left corner."""
    part = placed(name)[ref]
    at = one(part, "at")
    turn = radians(number(at, 3))
    found = {}
    for pad in all_of(part, "pad"):
        x, y = number(one(pad, "at"), 1), number(one(pad, "at"), 2)
        found[text(pad)] = (
            round(number(at, 1) + x * cos(turn) + y * sin(turn) - ORIGIN[0], 2),
            round(number(at, 2) - x * sin(turn) + y * cos(turn) - ORIGIN[1], 2),
        )
    return found


# ------------------------------------------------------------------ data, schematic, layout


@EACH
def test_pins_are_the_same_in_data_schematic_and_layout(name: str) -> None:
    assert check.differences(board(name), FOLDER / "kicad" / name) == []
    assert check.places(board(name), FOLDER / "kicad" / name, ORIGIN) == []
    assert len(board(name).pins()) > 80


def test_the_comparison_finds_a_change() -> None:
    want = check.wanted(board("seat-board"))
    drawn = sheet("seat-board")
    assert check.of_schematic(drawn) == want

    label = next(each for each in all_of(drawn, "label") if text(each) == "TR_A")
    label[1] = "TR_B"
    other = check.of_schematic(drawn)
    assert [pin for pin in want if want[pin] != other[pin]] in ([("U3", "6")], [("R4", "1")])

    cut = sheet("seat-board")
    wire = all_of(cut, "wire")[-1]
    cut.remove(wire)
    lost = [pin for pin, net in check.of_schematic(cut).items() if net != want[pin]]
    assert len(lost) == 1

    laid = copy.deepcopy(layout("seat-board"))
    part = next(each for each in all_of(laid, "footprint") if fields(each)["Reference"] == "D3")
    one_pad, another = all_of(part, "pad")[:2]
    one(one_pad, "net")[:], one(another, "net")[:] = one(another, "net")[:], one(one_pad, "net")[:]
    swapped = check.of_board(laid)
    assert {pin for pin in want if want[pin] != swapped[pin]} == {("D3", "1"), ("D3", "2")}


@EACH
@pytest.mark.parametrize("net", ["FUSED", "GATE"])
def test_the_supply_path_is_drawn_with_wires_and_not_with_labels(name: str, net: str) -> None:
    """With all but one label of the net removed, wires alone still connect every pin."""
    drawn = sheet(name)
    labels = [each for each in all_of(drawn, "label") if text(each) == net]
    for each in labels[1:]:
        drawn.remove(each)
    want = {pin for pin, said in board(name).pins().items() if said == net}
    found = check.of_schematic(drawn)
    assert {pin for pin, said in found.items() if said == "/" + net} == want and len(want) > 1


def test_two_nets_that_touch_are_found() -> None:
    drawn = sheet("clock-board")
    first, second = (
        next(each for each in all_of(drawn, "label") if text(each) == net)
        for net in ("DATA_5V", "BTN")
    )
    ends = [one(each, "at")[1:3] for each in (first, second)]
    drawn.append(sexpr.of("wire", sexpr.of("pts", *(sexpr.of("xy", *end) for end in ends))))
    with pytest.raises(ValueError, match="are joined"):
        check.of_schematic(drawn)


@EACH
def test_files_are_read_and_written_without_loss(name: str) -> None:
    for path in sorted((FOLDER / "kicad" / name).iterdir()):
        if path.suffix == ".kicad_sch" or path.name == "clock-board.kicad_pcb":
            node = check.read(path)
            assert sexpr.parse(sexpr.write(node)) == node
    for broken in ("(a (b)", "(a))", "", "word"):
        with pytest.raises(ValueError):
            sexpr.parse(broken)


def test_a_layout_is_the_same_file_however_kicad_numbers_and_sorts_it(tmp_path: Path) -> None:
    kept = (FOLDER / "kicad" / "clock-board" / "clock-board.kicad_pcb").read_text("utf-8")
    mixed = sexpr.parse(kept)
    chance = Random(7)  # any order will do
    at = [place for place, each in enumerate(mixed) if each[0] in ("footprint", "segment", "via")]
    for head in (("footprint",), ("segment", "via")):
        places = [place for place in at if mixed[place][0] in head]
        moved = [mixed[place] for place in places]
        chance.shuffle(moved)
        for place, each in zip(places, moved, strict=True):
            mixed[place] = each
    other = re.sub(
        r'\(uuid "[^"]*"\)',
        lambda _: f'(uuid "{UUID(int=chance.getrandbits(128))}")',
        sexpr.write(mixed),
    )
    assert other != kept.strip()
    (tmp_path / "mixed.kicad_pcb").write_text(other, "utf-8")
    tidy(board("clock-board"), tmp_path / "mixed.kicad_pcb")
    assert (tmp_path / "mixed.kicad_pcb").read_text("utf-8") == kept


@EACH
def test_each_net_class_pattern_matches_a_net(name: str) -> None:
    """KiCad ignores a pattern that matches no net, which would leave its tracks thin."""
    project = json.loads((FOLDER / "kicad" / name / f"{name}.kicad_pro").read_text("utf-8"))
    patterns = project["net_settings"]["netclass_patterns"]
    nets = {text(net, 2) for net in all_of(layout(name), "net")}
    assert patterns
    assert {each["pattern"] for each in patterns} <= nets


def test_faults_in_data_are_reported(tmp_path: Path) -> None:
    good = (FOLDER / "clock-board.toml").read_text("utf-8")
    for broken, told in (
        (good.replace('"DATA_5V"', '"DATA_5X"', 1), "DATA_5X has one end only"),
        (good.replace('group = "digits"', 'group = "numbers"'), "J3 is in no group"),
        (good.replace('mpn = "SMBJ6.0A"', 'mpn = ""'), "D1 has no value, maker or number"),
        (good.replace('Rail = ["+3V3"', 'Rail = ["+3V"'), "+3V of the class Rail is no net"),
        (good.replace('flags = ["+5V"', 'flags = ["+6V"'), "the flag +6V is no net"),
    ):
        (tmp_path / "clock-board.toml").write_text(broken, "utf-8")
        assert broken != good
        with pytest.raises(data.Faulty) as fault:
            data.load(tmp_path / "clock-board.toml")
        assert told in str(fault.value)


# ------------------------------------------------------------------ one truth for pins


@pytest.mark.parametrize(
    ("name", "part", "key"),
    [("seat-board", "A1", "seat"), ("hub-carrier", "J1", "hub"), ("clock-board", "A1", "clock")],
)
def test_nets_of_a_computer_s_pins_are_those_of_pins_toml(name: str, part: str, key: str) -> None:
    nets = board(name).pins()
    said = {str(each["pad"]): each["net"] for each in TRUTH[key]["pin"] + TRUTH[key]["power"]}
    assert {pad: nets[part, pad] for pad in said} == said
    beside = {
        pad: net
        for (ref, pad), net in nets.items()
        if ref == part and pad not in said and net not in ("GND", data.OPEN, "+3V3", "+5V")
    }
    assert beside == {}, "a pin that pins.toml does not know"


def test_terminals_and_the_reader_s_header_have_the_wire_order_of_pins_toml() -> None:
    bus = {str(each["pad"]): each["net"] for each in TRUTH["bus"]["wire"]}
    for name, ref in (("seat-board", "J1"), ("seat-board", "J2"), ("hub-carrier", "J3")):
        assert {pin: net for (part, pin), net in board(name).pins().items() if part == ref} == bus
    reader = {str(each["pad"]): each["net"] for each in TRUTH["pn532"]["wire"]}
    pins_of = board("seat-board").pins()
    assert {pin: net for (part, pin), net in pins_of.items() if part == "J4"} == reader


def test_the_clock_s_pin_for_a_cell_is_at_ground_without_one() -> None:
    """Ref: PCF8523 data sheet: an unused VBAT is connected to VSS."""
    nets = board("hub-carrier").pins()
    held = {
        ref
        for (ref, _), net in nets.items()
        if ref.startswith("R") and net == "VBAT"
        for (other, _), at in nets.items()
        if other == ref and at == "GND"
    }
    assert len(held) == 1


# ------------------------------------------------------------------ what is made from them


@EACH
def test_generated_files_are_not_older_than_their_data(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert manifest.stale(name) == []
    assert manifest.pictured(name)
    now = manifest.state(name)
    known = {name: copy.deepcopy(now)}
    known[name]["from"][f"{name}.toml"] = "0" * 16
    monkeypatch.setattr(manifest, "read", lambda: known)
    assert len(manifest.stale(name)) == 1 and f"{name}.toml" in manifest.stale(name)[0]
    assert not manifest.pictured(name), "a picture of other data is drawn again"
    assert sum(file.endswith(".png") for file in now["made"]) == 2


@EACH
def test_pictures_are_there_and_small(name: str) -> None:
    for side in ("top", "bottom"):
        picture = (FOLDER / "renders" / f"{name}-{side}.png").read_bytes()
        assert picture.startswith(b"\x89PNG") and 20_000 < len(picture) < 400_000


@EACH
def test_the_list_of_parts_is_the_schematic_s(name: str) -> None:
    with (FOLDER / "bom" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    beside = [row for row in rows if row["Reference"].startswith("with ")]
    rows = [row for row in rows if row not in beside]
    listed = {ref: row["MPN"] for row in rows for ref in row["Reference"].split()}
    drawn = {}
    for symbol in all_of(sheet(name), "symbol"):
        said = fields(symbol)
        if text(one(symbol, "in_bom")) == "yes" and not said["Reference"].startswith("#"):
            drawn[said["Reference"]] = said["MPN"]
    assert listed == drawn
    assert all(listed.values())
    assert [len(row["Reference"].split()) for row in rows] == [int(row["Quantity"]) for row in rows]
    assert {ref for row in beside for ref in row["Reference"].split()[1:]} <= {*listed}
    clips_and_sockets = {row["MPN"]: int(row["Quantity"]) for row in beside}
    wanted = "01110501Z" if name == "hub-carrier" else "M20-7822042"
    assert clips_and_sockets[wanted] == 2


@EACH
def test_order_files_have_the_board_s_size_layers_holes_and_parts(name: str) -> None:
    with zipfile.ZipFile(FOLDER / "order" / f"{name}-gerbers.zip") as packed:
        files = {each.removeprefix(name): packed.read(each).decode() for each in packed.namelist()}
    wanted = {
        f"-{side}_{what}" for side in ("F", "B") for what in ("Cu", "Mask", "Paste", "Silkscreen")
    } | {"-Edge_Cuts"}
    assert wanted <= {each.partition(".")[0] for each in files}
    edge = next(text for each, text in files.items() if each.startswith("-Edge_Cuts"))
    corners = re.findall(r"^X(-?\d+)Y(-?\d+)(?:I-?\d+J-?\d+)?D0", edge, re.MULTILINE)
    assert len(corners) > 8
    for places, size in zip(zip(*corners, strict=True), board(name).size, strict=True):
        wide = (max(map(int, places)) - min(map(int, places))) / 1e6
        assert wide == pytest.approx(size, abs=0.001)
    holes = [part for part in board(name).parts if part.ref.startswith("H")]
    assert len(re.findall(r"^X", files["-NPTH.drl"], re.MULTILINE)) >= len(holes) == 4
    legs = sum("thru_hole" in pad for part in placed(name).values() for pad in all_of(part, "pad"))
    drilled = len(re.findall(r"^X", files["-PTH.drl"], re.MULTILINE))
    assert drilled == legs + len(all_of(layout(name), "via"))
    with (FOLDER / "order" / f"{name}-pick-and-place.csv").open(encoding="utf-8") as file:
        put = {row["Ref"]: row["Side"] for row in csv.DictReader(file)}
    assert put == {part.ref: part.side for part in board(name).parts if part.placed}


def test_each_accepted_finding_has_its_reason() -> None:
    for each in accepted.reasons():
        assert each["board"] in BOARDS
        assert each["kind"] and each["about"] and len(each["reason"]) > 7
    own = accepted.reasons()[0]
    seen = (own["kind"], f"Footprint '{own['about']}' is not what it was")
    assert accepted.not_accepted(own["board"], [seen]) == []
    assert accepted.not_accepted(own["board"], [seen, ("clearance", "too near")]) == [
        f"{own['board']}: clearance: too near"
    ]
    (unused,) = accepted.not_accepted(own["board"], [])
    assert "a reason for what is gone" in unused


# ------------------------------------------------------------------ copper


@EACH
def test_wide_nets_have_wide_tracks_without_vias(name: str) -> None:
    """A via of 0.35 mm carries one ampere, not four. Only tracks to small loads may be thin."""
    made = board(name)
    wide = {
        data.full_name(net): made.width_of(net) for net in made.nets() if made.width_of(net) >= 1
    }
    names = {text(net, 1): text(net, 2) for net in all_of(layout(name), "net")}
    widths: dict[str, set[float]] = {net: set() for net in wide}
    for track in all_of(layout(name), "segment"):
        net = names[text(one(track, "net"))]
        if net in wide:
            widths[net].add(number(one(track, "width"), 1))
    assert wide
    for net, width in wide.items():
        assert width in widths[net], net
        assert widths[net] <= {width, 0.6}, net
    thin_only = [
        names[text(one(via, "net"))]
        for via in all_of(layout(name), "via")
        if names[text(one(via, "net"))] in wide
    ]
    for net in thin_only:
        assert 0.6 in widths[net], f"{net} changes sides with a wide track"


def test_no_copper_is_beside_the_clock_s_antenna() -> None:
    areas = [each.rect for each in board("clock-board").areas if "antenna" in each.name]
    assert (
        len(areas) == 2
    )  # at the Pico's end and below it, adjoining, so that no copper remains in between
    assert areas[0][0] == areas[1][2]
    points = []
    for kind in ("segment", "via"):
        for each in all_of(layout("clock-board"), kind):
            for corner in ("start", "end", "at"):
                points += [(number(xy, 1), number(xy, 2)) for xy in all_of(each, corner)]
    for zone in all_of(layout("clock-board"), "zone"):
        for filled in all_of(zone, "filled_polygon"):
            points += [(number(xy, 1), number(xy, 2)) for xy in all_of(one(filled, "pts"), "xy")]
    assert len(points) > 1000
    inside = [
        (x, y)
        for x, y in points
        for left, top, right, bottom in areas
        if left + 0.01 < x - ORIGIN[0] < right and top + 0.01 < y - ORIGIN[1] < bottom - 0.01
    ]
    assert inside == []


def test_the_carrier_fits_a_pi() -> None:
    """Ref: Raspberry Pi, HAT mechanical drawing: holes 58 x 49 mm apart, 3.5 mm from the edges; pin
    1 towards the board's middle at the SD card's end, seen from above."""
    holes = [pad_places("hub-carrier", f"H{at}")[""] for at in (1, 2, 3, 4)]
    assert holes == [(3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5)]
    header = pad_places("hub-carrier", "J1")
    assert [header[pin] for pin in ("1", "2", "3", "39", "40")] == [
        (8.37, 4.77),
        (8.37, 2.23),
        (10.91, 4.77),
        (56.63, 4.77),
        (56.63, 2.23),
    ]
    assert text(one(placed("hub-carrier")["J1"], "layer")) == "B.Cu"


# ------------------------------------------------------------------ the router


def _crossed() -> tuple[list[Pad], list[Track], int]:
    """Two nets whose straight paths cross, a third between them, and an isolated pad of a plane."""
    pads = [
        Pad("A", 2, 8, 1, 1, False, (0,)),
        Pad("A", 18, 8.2, 1, 1, False, (0,)),
        Pad("B", 10, 2, 1.6, 1.6, True, (0, 1)),
        Pad("B", 10.3, 14, 1.6, 1.6, True, (0, 1)),
        Pad("C", 8, 5, 0.8, 0.8, False, (0,)),
        Pad("C", 14, 12, 0.8, 0.8, False, (0,)),
        Pad("GND", 5, 12, 1, 1, False, (0,)),
        Pad("", 15, 4, 3, 3, True, (0, 1)),
    ]
    widths = {"A": 0.8, "B": 0.3, "C": 0.3, "GND": 0.5}
    router = Router((20, 16), pads, widths, corner=2, clearance=0.2, edge=0.5, via=0.7)
    router.fan_out("GND")
    rounds = router.route(["A", "B", "C"])
    router.stitch("GND", 4)
    tracks, vias = router.result()
    assert any(via.net == "GND" for via in vias)
    return pads, tracks, rounds


def _apart(a: Track, b: Track) -> float:
    """Return the distance between the edges of two straight tracks, sampled every 0.05 mm."""
    return (
        min(
            ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 for ax, ay in _along(a) for bx, by in _along(b)
        )
        - (a.width + b.width) / 2
    )


def _along(track: Track) -> list[tuple[float, float]]:
    (ax, ay), (bx, by) = track.start, track.end
    count = max(2, int(max(abs(ax - bx), abs(ay - by)) / 0.05))
    return [(ax + (bx - ax) * at / count, ay + (by - ay) * at / count) for at in range(count + 1)]


def test_tracks_join_their_pads_and_keep_off_all_others() -> None:
    pads, tracks, _ = _crossed()
    for net in ("A", "B", "C"):
        own = [track for track in tracks if track.net == net]
        ends = {end for track in own for end in (track.start, track.end)}
        for pad in pads:
            if pad.net == net:
                assert any(pad.distance(*end) <= 0 for end in ends), net
    for a, b in combinations(tracks, 2):
        if a.net != b.net and a.layer == b.layer:
            assert _apart(a, b) >= 0.19, (a, b)
    for track in tracks:
        for pad in pads:
            if pad.net != track.net and track.layer in pad.layers:
                nearest = min(pad.distance(x, y) for x, y in _along(track)) - track.width / 2
                assert nearest >= 0.19, (track, pad)
        for x, y in _along(track):
            assert min(x, y, 20 - x, 16 - y) - track.width / 2 >= 0.5
