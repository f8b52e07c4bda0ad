"""hardware/builds/*/bom.csv: made from the boards' data and the builds' own lists, the right
number of each part for each table, and nothing that only one shop has."""

import csv
import re
from itertools import pairwise
from pathlib import Path

import pytest

from hardware.builds import bom

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
"""What a seat has for certain, by a part's first words: counted on the wiring pictures."""


def rows(build: Path) -> list[dict[str, str]]:
    with (build / "bom.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("build", BUILDS, ids=NAMES)
def test_a_list_is_what_its_data_makes(build: Path) -> None:
    assert (build / "bom.csv").read_text(encoding="utf-8") == bom.written(build), (
        "run `make wiring`"
    )


@pytest.mark.parametrize("build", BUILDS, ids=NAMES)
def test_each_part_can_be_had_from_more_than_one(build: Path) -> None:
    seen = set()
    for row in rows(build):
        assert row["maker"] and row["number"] and row["price each, €"] in bom.PRICES, row
        assert row["where"] and "http" not in " ".join(row.values()), row
        assert len(row["alternatives"]) > 2 or row["number"].startswith("facedown "), row
        assert (row["maker"], row["number"]) not in seen, f"twice: {row}"
        seen.add((row["maker"], row["number"]))


@pytest.mark.parametrize("build", BUILDS, ids=NAMES)
def test_quantities_grow_with_the_table(build: Path) -> None:
    """What two seats more need is the same each time, or one more of a shared thing."""
    for row in rows(build):
        counts = [int(row[f"{seats} seats"]) for seats in bom.SEATS]
        more = [b - a for a, b in pairwise(counts)]
        assert counts[0] >= 1 and (len(set(more)) == 1 or max(more) <= 1), row
    for words, each in NEEDED.get(build.name, {}).items():
        row = next(row for row in rows(build) if row["part"].startswith(words))
        assert [int(row[f"{n} seats"]) for n in bom.SEATS] == [each * n for n in bom.SEATS]


@pytest.mark.parametrize("build", BUILDS, ids=NAMES)
def test_what_a_board_bears_is_in_the_list_as_often(build: Path) -> None:
    """Counted anew: by maker's number over the board's data, times the boards of a table."""
    for row in rows(build):
        made = re.fullmatch(r"facedown (\S+)", row["number"])
        if made:
            numbers = [part["mpn"] for _, part in bom.on_board(made[1])]
            for number in set(numbers):
                listed = [each for each in rows(build) if each["number"] == number]
                for seats in bom.SEATS:
                    there = sum(int(each[f"{seats} seats"]) for each in listed)
                    assert there >= numbers.count(number) * int(row[f"{seats} seats"]), number


def test_a_shared_part_is_counted_up() -> None:
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
