"""The builds' guides checked on paper: each step's picture and parts, every name against its board,
every part against the shopping list. Takes 2 s."""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from hardware.builds import bom, steps

STEPS = steps.all_steps()
NAMES = [each.name.removesuffix(steps.SUFFIX) for each in STEPS]
REF = re.compile(r"\b(?:DZ|SW|JP|BZ|BT|TP|[ACDFHJQRUY])\d+\b")
CAPITALS = re.compile(r"(?<![\w$/+-])\+?(?=\w*[A-Z]\w*[A-Z0-9])[A-Z0-9]+\b(?![-/]\w)")
ORDINARY = {
    *("GM", "GND", "LED", "LEDs", "MOSFET", "SMD", "TVS", "USB", "RS", "PN532", "CR1220"),
    *("HSU", "DIN", "DOUT", "PETG", "PLA", "M2", "M3", "WS2812", "VCC", "VSYS"),
}
"""Common abbreviations, and words printed on bought parts instead of a board."""
BOUGHT = {
    "MOSFET": r"DMP4015",
    "transceiver": r"SP3485|THVD1406",
    "level shifter": r"74AHCT1G125",
    "TVS array": r"SM712",
    "TVS diode": r"SMBJ|P6KE",
    "regulator": r"^Converter, 5 V",
    "polymer fuse": r"^fuse (0\.9A|2A)",
    "electrolytic": r"EEU-F",
    "crystal": r"^crystal",
    "buzzer": r"^buzzer",
    "terminals": r"MC 1,5/",
    "clips": r"^clip for a fuse",
    r"(their|every) plug\b": r"^plug for",
    r"[Jj]umpers? [A-Z]": r"^jumper for pins",
    "sockets? on the Pico|Pico's sockets": r"^sockets for the Pico",
    "Pico": r"^computer board Pico|^PN532|SC09",
    "PN532": r"^PN532 board",
    "four wires": r"wires with sockets",
    "ring of lamps": r"WS2812B in a ring",
    "lights": r"WS2812B",
    r"\binserts?\b": r"^brass insert",
    r"\bscrew(s|ed)\b": r"^screw ",
    r"\bspacers?\b": r"^spacer",
    r"\bcell\b": r"^cell CR1220",
    "fuse": r"^fuse",
    r"\bPi\b": r"^computer of the hub",
    "adapter": r"adapter",
    "USB hub": r"^USB 2.0 hub",
    r"\bknob\b": r"^rotary encoder",
    r"\bbuttons?\b": r"button",
    r"\bties?\b": r"^cable tie",
    r"\btape\b": r"^tape",
    r"\bfoam\b": r"^foam",
    r"supply \*\*of 5 V": r"supply, 5 V, 2 A",
    r"the supply's socket": r"socket 2.1 x 5.5",
    "cable": r"^cable|^USB cable|with a cable",
    r"\b12 V supply\b|supply of 12 V": r"^supply, 12 V",
}
"""A word of a guide, and the part that its build's list must have for it. B's and C's lists count
as one, because they are bought together."""
TOGETHER = {"b-seat-boards": "c-hub", "c-hub": "b-seat-boards"}


def page(build: str) -> str:
    return (bom.FOLDER / build / "README.md").read_text(encoding="utf-8")


def words(build: str) -> str:
    """Return a guide's text without its blocks, its code and the targets of its links."""
    text = re.sub(r"```.*?```", "", page(build), flags=re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", re.sub(r"\]\([^)]*\)", "]", text))


@cache
def on_board(board: str) -> frozenset[str]:
    """Return all words that can be read on a board: references and silk."""
    data = tomllib.loads((bom.BOARDS / f"{board}.toml").read_text(encoding="utf-8"))
    silk = " ".join(str(each["text"]) for each in data["silk"])
    bare = set(data["board"].get("bare", ()))
    return frozenset({*re.findall(r"\+?\w+", silk), *(set(data["part"]) - bare)})


def board_of(data: Path) -> str:
    return str(tomllib.loads(data.read_text(encoding="utf-8"))["board"])


def test_each_board_has_its_steps() -> None:
    assert sorted(map(board_of, STEPS)) == sorted(each.stem for each in bom.BOARDS.glob("*-*.toml"))


@pytest.mark.parametrize("data", STEPS, ids=NAMES)
def test_a_steps_picture_is_up_to_date(data: Path) -> None:
    drawn = steps.drawn(data)
    assert set((data.parent / "steps").glob("*.svg")) == set(drawn)
    for path, text in drawn.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is older: run `make wiring`"


@pytest.mark.parametrize("data", STEPS, ids=NAMES)
def test_smd_parts_come_before_parts_with_legs(data: Path) -> None:
    legs = {
        each.ref: any(pad.through for pad in each.pads)
        for each in steps.layout(board_of(data)).footprints
    }
    legs["BT1"] = False  # its holder's vias are under it and not soldered
    for step, refs in steps.parts_of_steps(data):
        assert refs and {legs[ref] for ref in refs} == {step["name"] != "smd"}, step


@pytest.mark.parametrize("data", STEPS, ids=NAMES)
def test_a_guide_shows_each_step_beside_its_words(data: Path) -> None:
    """The steps are in order, and a part that a step names belongs to that step."""
    text = page(data.parent.name)
    shown = re.findall(r"!\[[^]]+\]\((steps/\S+\.svg)\)", text)
    pictures = [path.relative_to(data.parent).as_posix() for path in steps.drawn(data)]
    assert shown == pictures
    start = text.index("step by step") if "step by step\n" in text else text.index("## Steps")
    for (step, refs), picture in zip(steps.parts_of_steps(data), pictures, strict=True):
        end = text.index(picture)
        said = set(REF.findall(text[start:end]))
        assert said <= set(refs), f"{step['title']} has not {said - set(refs)}"
        start = end + len(picture)


@pytest.mark.parametrize("data", STEPS, ids=NAMES)
def test_names_in_capitals_are_on_the_board(data: Path) -> None:
    """Designators, connectors, jumpers and test points, by the letters on the silk."""
    named = set(CAPITALS.findall(words(data.parent.name))) - ORDINARY
    assert named, "it names nothing"
    lost = named - on_board(board_of(data))
    assert not lost, f"{data.parent.name}: nothing on the {board_of(data)} says {sorted(lost)}"


@pytest.mark.parametrize("build", [each.name for each in bom.builds()])
def test_a_part_that_a_guide_names_is_in_the_list(build: str) -> None:
    listed = [
        f"{line.part}\n{line.number}\n{line.instead}"
        for each in (build, TOGETHER.get(build, build))
        for line in bom.lines(bom.FOLDER / each)
    ]
    text, seen = words(build), 0
    for word, part in BOUGHT.items():
        if re.search(word, text):
            seen += 1
            found = [each for each in listed if re.search(part, each, re.MULTILINE)]
            assert found, f"{build}: '{word}' is named, and nobody buys it"
    assert seen > 4


@pytest.mark.parametrize("data", STEPS, ids=NAMES)
def test_labels_of_a_wiring_picture_are_on_the_board(data: Path) -> None:
    """Only at the board's own end of a wire; labels at the Pico are the Pico's."""
    said = tomllib.loads((data.parent / "wiring.wiring.toml").read_text(encoding="utf-8"))
    boxes = [box for box in said["box"] if box["id"] in {"board", "c"}]
    labels = " | ".join(pin.get("label", "") for box in boxes for pin in box["pin"])
    named = set(CAPITALS.findall(labels)) - {"USB", "SDA", "SCL"}
    assert len(named) > 5 and named <= on_board(board_of(data)), named - on_board(board_of(data))


def test_faulty_steps_are_refused(tmp_path: Path) -> None:
    data = next(each for each in STEPS if board_of(each) == "clock-board")
    text = data.read_text(encoding="utf-8")
    for before, after, what in (
        ('"J3", "J4", "A1"', '"J3", "A1"', "J4 in no step"),
        ('"D2", "C2"', '"D2", "C2", "J3"', "J3 twice"),
        ('"D2", "C2"', '"D2", "C2", "D9"', "D9 twice, or not on"),
    ):
        wrong = tmp_path / data.name
        assert before in text
        wrong.write_text(text.replace(before, after), encoding="utf-8")
        with pytest.raises(steps.Faulty, match=what):
            steps.parts_of_steps(wrong)


def test_a_part_that_moves_moves_in_the_picture() -> None:
    """A resistor's first leg is drawn where the data have it."""
    for board, ref in (("seat-board", "R4"), ("clock-board", "R2"), ("hub-carrier", "C1")):
        data = tomllib.loads((bom.BOARDS / f"{board}.toml").read_text(encoding="utf-8"))
        part = next(each for each in steps.layout(board).footprints if each.ref == ref)
        first = next(pad for pad in part.pads if pad.first)
        assert [first.x, first.y] == pytest.approx(data["part"][ref]["at"][:2], abs=0.01)


def test_everything_that_only_a_bench_can_show_is_linked_from_one_place() -> None:
    entry = (bom.FOLDER.parent / "README.md").read_text(encoding="utf-8")
    entry = entry[entry.index("## Not yet shown") : entry.index("## Licence")]
    pages = [*(each / "README.md" for each in bom.builds())]
    pages += [bom.FOLDER.parent / each / "README.md" for each in ("boards", "cases")]
    for each in pages:
        where = re.escape(each.relative_to(bom.FOLDER.parent).as_posix())
        linked = re.search(rf"\]\({where}#([\w-]+)\)", entry)
        assert linked is not None, f"{where} is not linked"
        heads = re.findall(r"^## (.+)$", each.read_text(encoding="utf-8"), re.MULTILINE)
        assert linked[1] in {head.lower().replace(" ", "-") for head in heads}
