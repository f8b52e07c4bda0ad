"""hardware/builds/*/*.svg: drawn from their data and from pins.toml, and up to date."""

import copy
import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hardware import pins
from hardware.builds import wiring

TRUTH = pins.said()
DATA = wiring.pictures()
NAMES = [f"{each.parent.name}/{each.name}" for each in DATA]
SVG = "{http://www.w3.org/2000/svg}"
SUPPLY = re.compile(r"\b(12 ?V|5 ?V|3\.3 V|VCC|VBUS|3V3)\b")


def drawn(data: Path) -> ElementTree.Element:
    return ElementTree.parse(wiring.target(data)).getroot()


def test_each_build_has_a_picture() -> None:
    builds = {each.name for each in wiring.FOLDER.iterdir() if (each / "README.md").is_file()}
    assert builds <= {each.parent.name for each in DATA if each.name.startswith("wiring.")}
    assert {each.resolve() for each in wiring.FOLDER.glob("*/*.svg")} == {
        wiring.target(each).resolve() for each in DATA
    }


@pytest.mark.parametrize("data", DATA, ids=NAMES)
def test_a_picture_is_up_to_date_with_its_data(data: Path) -> None:
    assert wiring.target(data).read_text(encoding="utf-8") == wiring.Picture(data, TRUTH).svg(), (
        "run `make wiring`"
    )


@pytest.mark.parametrize("data", DATA, ids=NAMES)
def test_a_picture_describes_its_wires_in_words(data: Path) -> None:
    root, said = drawn(data), tomllib.loads(data.read_text(encoding="utf-8"))
    description = root.findtext(f"{SVG}desc") or ""
    assert root.findtext(f"{SVG}title") == said["title"] and root.get("role") == "img"
    assert description.count("; ") + 1 == len(said["wire"])
    paths = [each for each in root.iter(f"{SVG}path") if each.get("stroke") != "#ffffff"]
    assert len(paths) == len(said["wire"])


@pytest.mark.parametrize("data", DATA, ids=NAMES)
def test_no_pin_has_two_wires_and_no_supply_is_at_ground(data: Path) -> None:
    picture = wiring.Picture(data, TRUTH)
    ends = [end for wire in picture.wires for end in (wire.start, wire.end)]
    assert len(ends) == len(set(ends))
    for wire in picture.wires:
        labels = [wire.start.label, wire.end.label]
        grounds = [bool(re.search(r"\bGND\b|other|−$", each)) for each in labels]
        supplies = [bool(SUPPLY.search(each)) for each in labels]
        assert not (any(grounds) and any(supplies)), labels
        assert not any(supplies) or wire.colour == wiring.COLOURS["red"], labels
        assert not all(grounds) or wire.colour == wiring.COLOURS["black"], labels


@pytest.mark.parametrize("data", DATA, ids=NAMES)
def test_wires_have_the_colours_of_pins_toml(data: Path) -> None:
    said = tomllib.loads(data.read_text(encoding="utf-8"))
    at = {f"{b['id']}.{p['id']}": p for b in said["box"] for p in b["pin"] if "gap" not in p}
    for wire in said["wire"]:
        for end in (wire["from"], wire["to"]):
            part, _, net = at[end].get("net", "").partition(" ")
            if part in {"bus", "pn532"}:
                colour = next(e["colour"] for e in TRUTH[part]["wire"] if e["net"] == net)
                assert wire["colour"] == colour, wire
    assert set(at) == {end for wire in said["wire"] for end in (wire["from"], wire["to"])}


def test_a_pin_that_moves_moves_in_the_picture(tmp_path: Path) -> None:
    data = next(each for each in DATA if each.name.startswith("by-hand"))
    moved = copy.deepcopy(TRUTH)
    next(each for each in moved["seat"]["pin"] if each["net"] == "LAMPS").update(gpio=22, pad=29)
    assert "GP22 · pin 29" in wiring.Picture(data, moved).svg()
    assert wiring.Picture(data, moved).svg() != wiring.target(data).read_text(encoding="utf-8")
    lost = tmp_path / "lost.wiring.toml"
    lost.write_text(data.read_text(encoding="utf-8").replace("seat LAMPS", "seat LIGHTS"))
    with pytest.raises(wiring.Faulty, match="no seat LIGHTS"):
        wiring.Picture(lost, TRUTH)
    lost.write_text(data.read_text(encoding="utf-8").replace('to = "lamps.d"', 'to = "lamps.q"'))
    with pytest.raises(wiring.Faulty, match=r"lamps\.q, which is nowhere"):
        wiring.Picture(lost, TRUTH)
    lost.write_text(
        data.read_text(encoding="utf-8").replace('"Push button"', f'"{"Push button " * 4}"')
    )
    with pytest.raises(wiring.Faulty, match="wider than its place"):
        wiring.Picture(lost, TRUTH)
