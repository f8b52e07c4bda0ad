"""The cases without the modeller: what they are made from agrees with cards, boards, firmware.

That walls, lids and overhangs are sound is found by `make cases`, which builds them; here its
manifest is held to the sources, so nobody can change one and forget the other. Costs 0.3 s.
"""

import csv
import json
import math
import re
import tomllib

import pytest

from firmware.led_clock import settings as clock_settings
from firmware.seat_reader import settings as seat_settings
from hardware.cases import field, manifest, parameters
from hub.cards.printing.look import SIZES

GUIDE = parameters.HERE.parents[1] / "docs" / "guides" / "printing.md"
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


def test_cards_are_as_large_as_they_are_printed() -> None:
    assert {name: tuple(P.card[name].size) for name in P.card.names()} == SIZES
    found = re.search(r"size keep them (\d+) mm apart, poker cards\s+(\d+) mm", GUIDE.read_text())
    assert found is not None
    assert (P.card.tarot.ends, P.card.poker.ends) == tuple(map(int, found.groups()))


@pytest.mark.parametrize(("module", "name"), [("elechouse", "poker"), *ALL_WITH_TAROT])
def test_one_end_of_a_card_is_read_and_the_other_is_not(module: str, name: str) -> None:
    with_it = parameters.load(seat={"module": module})
    assert field.heard(with_it)[f"{name}, the end that lies on the reader"] > 4
    assert field.heard(with_it)[f"{name}, the other end"] < 0.95
    assert field.tells_the_ends(with_it, name)


def test_the_readme_says_what_is_worked_out() -> None:
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


def test_a_rest_that_cannot_tell_the_ends_is_not_made() -> None:
    """A larger antenna hears both ends of a small card."""
    assert not field.tells_the_ends(parameters.load(seat={"module": "itead"}), "poker")


def test_without_the_shift_a_small_card_would_be_heard_at_both_ends() -> None:
    straight = parameters.load(card={"poker": {"size": [63, 88], "ends": 48, "shift": 0}})
    assert field.heard(straight)["poker, the other end"] > 2


def test_the_field_is_that_of_the_textbook() -> None:
    side = 40.0
    middle = field.upward(0, 0, 0, (side, side))
    assert middle == pytest.approx(8 * math.sqrt(2) / side)  # Biot and Savart, in the middle
    on_axis, beside = field.upward(0, 0, 900, (40, 30)), field.upward(900, 0, 0, (40, 30))
    assert on_axis / beside == pytest.approx(-2, rel=5e-3)  # a dipole, far away


def test_lamps_are_those_that_the_firmware_lights() -> None:
    assert P.seat.lamp.lights == seat_settings.USUAL["lamps"]
    assert P.clock.ring.lights == clock_settings.NUMBERS["lights"][0]


@pytest.mark.parametrize("name", P.board.names())
def test_a_case_holds_the_board_that_is_made(name: str) -> None:
    """A board's own file wins; the parameters keep the same, so that neither can move alone."""
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
def test_what_was_measured_is_within_what_the_parameters_say(name: str) -> None:
    piece = MADE["pieces"][name]
    least = P.print.diffuser if "diffuser" in name else P.print.rib
    assert piece["wall"] >= least - 0.02
    assert piece["bridge"] <= P.print.bridge
    assert piece["size"][0] <= P.print.bed[0] and piece["size"][1] <= P.print.bed[1]
    assert (parameters.HERE / "renders" / f"{name}.png").is_file()


def test_screws_are_counted_for_the_lists_of_parts() -> None:
    rows = list(csv.DictReader(manifest.FASTENERS.read_text(encoding="utf-8").splitlines()))
    assert {row["case"] for row in rows} == set(MADE["facts"])
    counted = {(row["case"], row["part"]): int(row["quantity"]) for row in rows}
    seat = parameters.board(P, "seat")
    assert counted["seat", P.screw.small] == len(seat.holes)
    assert counted["seat", P.screw.what] == counted["seat", P.screw.insert] == 4
