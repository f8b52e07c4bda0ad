"""hardware/builds/*/bom.csv: made from the boards' data and the builds' own lists, with the right
quantity of each part for each table size, and no part that only one shop sells."""

import csv
import re
from itertools import pairwise
from pathlib import Path

import pytest

from hardware.boards.make.data import load
from hardware.builds import bom
from hardware.cases import manifest, parameters

BUILDS = bom.builds()
NAMES = [each.name for each in BUILDS]
NEEDED = {
    "a-usb-readers": {"PN532 board": 1, "USB serial adapter": 1, "four wires": 4},
    "b-seat-boards": {
        "PN532 board": 1,
        "plug for the bus": 2,
        "sockets for the Pico": 2,
        "8 lamps": 1,
    },
}
"""Parts that every seat needs, by their first words: counted on the wiring pictures."""


def rows(build: Path) -> list[dict[str, str]]:
    with (build / "bom.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("build", BUILDS, ids=NAMES)
def test_a_list_is_up_to_date_with_its_data(build: Path) -> None:
    assert (build / "bom.csv").read_text(encoding="utf-8") == bom.written(build), (
        "run `make wiring`"
    )


ALONE = {
    "THVD1406DR": "a THVD1426 has these pins and lets go within a bit; without a carrier a USB "
    "adapter is the head (hardware/boards/README.md)"
}
"""Parts from a single maker without a substitute, with the way to do without them."""


@pytest.mark.parametrize("build", BUILDS, ids=NAMES)
def test_each_part_has_more_than_one_source(build: Path) -> None:
    seen = set()
    for row in rows(build):
        assert row["maker"] and row["number"] and row["price each, €"] in bom.PRICES, row
        assert row["where"] and "http" not in " ".join(row.values()), row
        assert len(row["alternatives"]) > 2 or row["number"].startswith("facedown "), row
        assert not row["alternatives"].startswith("none") or row["number"] in ALONE, row
        assert (row["maker"], row["number"]) not in seen, f"twice: {row}"
        seen.add((row["maker"], row["number"]))


@pytest.mark.parametrize("build", BUILDS, ids=NAMES)
def test_quantities_grow_with_the_table(build: Path) -> None:
    """Two more seats always need the same parts, plus sometimes one more of a shared part."""
    for row in rows(build):
        counts = [int(row[f"{seats} seats"]) for seats in bom.SEATS]
        more = [b - a for a, b in pairwise(counts)]
        assert counts[0] >= 1 and (len(set(more)) == 1 or max(more) <= 1), row
    for words, each in NEEDED.get(build.name, {}).items():
        row = next(row for row in rows(build) if row["part"].startswith(words))
        assert [int(row[f"{n} seats"]) for n in bom.SEATS] == [each * n for n in bom.SEATS]


@pytest.mark.parametrize("build", BUILDS, ids=NAMES)
def test_the_list_has_every_part_of_a_board_in_its_quantity(build: Path) -> None:
    """Counted independently: by maker's number in the board's data, times the boards of a table."""
    for row in rows(build):
        made = re.fullmatch(r"facedown (\S+)", row["number"])
        if made:
            numbers = [part["mpn"] for _, part in bom.on_board(made[1])]
            for number in set(numbers):
                listed = [each for each in rows(build) if each["number"] == number]
                for seats in bom.SEATS:
                    there = sum(int(each[f"{seats} seats"]) for each in listed)
                    assert there >= numbers.count(number) * int(row[f"{seats} seats"]), number


CASES = {
    "a-usb-readers": ("usb-tray", lambda seats: seats),
    "b-seat-boards": ("seat", lambda seats: seats),
    "c-hub": ("hub-pi4", lambda seats: 1),
    "led-clock": ("clock", lambda seats: 1),
}
"""The case of each build, and how many a table has."""


@pytest.mark.parametrize("build", CASES)
def test_a_list_has_the_fasteners_of_its_case(build: str) -> None:
    """As hardware/cases/fasteners.csv counts them, in the same words."""
    case, count = CASES[build]
    listed = {row["part"]: row for row in rows(bom.FOLDER / build)}
    wanted = csv.DictReader(manifest.FASTENERS.read_text(encoding="utf-8").splitlines())
    held = {row["part"]: int(row["quantity"]) for row in wanted if row["case"] == case}
    assert held
    for part, each in held.items():
        assert part in listed, f"{build}: its case wants {each} of {part}"
        for seats in bom.SEATS:
            assert int(listed[part][f"{seats} seats"]) >= each * count(seats), part
    both = [row for row in listed if row.startswith("screw")]
    assert set(both) <= set(held), f"{build}: no case has a place for {set(both) - set(held)}"


def test_lamps_and_buttons_of_a_list_fit_the_cases() -> None:
    p = parameters.load()
    for build, lamp in (
        ("b-seat-boards", (p.seat.lamp.lights, p.seat.lamp.ring[0])),
        ("led-clock", (p.clock.ring.lights, p.clock.ring.outer)),
    ):
        ring = next(row for row in rows(bom.FOLDER / build) if "WS2812" in row["part"])
        told = re.match(r"(\d+) \w+ WS2812B in a ring, ([\d.]+) mm outside$", ring["part"])
        assert told is not None, ring
        assert (int(told[1]), float(told[2])) == lamp
    for build, hole in (
        ("b-seat-boards", p.seat.button.hole),
        ("c-hub", p.hub.buttons.hole),
    ):
        button = next(row for row in rows(bom.FOLDER / build) if "push button for" in row["part"])
        across = re.search(r"(\d+) mm$", button["part"])
        assert across is not None and float(across[1]) == int(hole)


def test_a_shared_part_is_rounded_up() -> None:
    line = bom.Line("hub", "any", "x", "any", "1 to 5", "table", one_for=7)
    assert [line.quantity(seats) for seats in (2, 6, 7, 8, 14, 15)] == [1, 1, 1, 2, 2, 3]


def test_a_wrong_list_is_refused(tmp_path: Path) -> None:
    (tmp_path / "parts.toml").write_text('boards = [{ board = "no-board", per_seat = 1 }]\n')
    with pytest.raises(bom.Faulty, match="no-board"):
        bom.written(tmp_path)
    (tmp_path / "parts.toml").write_text(
        '[[part]]\npart = "a"\nmaker = "b"\nnumber = "c"\ninstead = "d"\nprice = "cheap"\n'
    )
    with pytest.raises(bom.Faulty, match="its price is one of"):
        bom.written(tmp_path)


@pytest.mark.parametrize(
    ("board", "build"),
    [("seat-board", "b-seat-boards"), ("hub-carrier", "c-hub"), ("clock-board", "led-clock")],
)
def test_accessories_of_a_board_s_parts_are_in_its_build(board: str, build: str) -> None:
    """Sockets, clips, plugs and jumpers, which a board's own list does not have. The plug in the
    carrier is that of the first wire, in build B's list."""
    lines = {
        line.number: line
        for each in ("b-seat-boards", build)
        for line in bom.lines(bom.FOLDER / each)
    }
    made = load(bom.BOARDS / f"{board}.toml")
    assert len(made.beside) >= 4
    for each in made.beside:
        line = lines[each.mpn]
        assert line.per_seat + line.per_table >= each.count, each
