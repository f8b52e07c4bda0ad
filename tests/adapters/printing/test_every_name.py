"""Names in any alphabet are printed: on sheets, tents and cards, as PDF, PNG and SVG."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from PIL import Image, ImageChops

from hub.cards.deck import make_deck, write_deck
from hub.cards.printing.direction import visual
from hub.cards.printing.letters import letters
from hub.games.game import Choice
from hub.kernel.catalogues import languages
from tests.adapters.printing.poppler import drawn, pages, words
from tests.adapters.printing.test_faults import SHEET, TABLE

NAMES = {
    "cyrillic": "Ирина",
    "greek": "Ελένη",
    "vietnamese": "Nguyễn Ánh",
    "hebrew": "שרה",
    "arabic": "عمر",
    "face": "😀",
    "mountain": "山",
    "wide": "W" * 40,
}


def facedown(folder: Path, *given: str, fonts: Path | None = None) -> subprocess.CompletedProcess:
    """Run the command in its own process, on a machine that has only these fonts."""
    there = str(fonts or folder / "none")
    env = os.environ | {"XDG_DATA_DIRS": there, "XDG_DATA_HOME": str(folder / "none")}
    command = [sys.executable, "-m", "hub.cli.main", *given]
    command[1:3] = ["-c", "from hub.cli.main import app; app()"]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A table with these characters, each with a first move of the same name."""
    seats, files = [], []
    for seat, name in NAMES.items():
        sheet = SHEET.format(name=name[:8]).replace('name = "Ada"', f'name = "{name}"')
        (tmp_path / f"{seat}.toml").write_text(sheet)
        files.append(f'"{seat}.toml"')
        seats.append(f'[[seat]]\nname = "{seat}"\nreader = "sim:{seat}"\ncharacters = ["{name}"]\n')
    own = TABLE.index("[[seat]]"), TABLE.index('[[seat]]\nname = "gm"')
    table = TABLE[: own[0]] + "".join(seats) + TABLE[own[1] :]
    (tmp_path / "hub.toml").write_text(table.replace('"ada.toml"', ", ".join(files)))
    choices = [Choice("move", "attack-high")]
    cards = [card for seat in NAMES for card in make_deck(choices, group=seat).cards]
    deck = make_deck(choices, group="cyrillic")
    write_deck(tmp_path / "deck.toml", type(deck)(tuple(cards)))
    return tmp_path


def ink(image: Image.Image) -> tuple[int, int, int, int] | None:
    """Return the box of everything drawn on white."""
    return ImageChops.invert(image.convert("L")).point(lambda at: 255 * (at > 96)).getbbox()


@pytest.mark.parametrize("language", languages())
def test_each_has_a_sheet_with_its_name_on_it(folder: Path, language: str) -> None:
    asked = ("cards", "papers", "sheets", "--config", "hub.toml", "--locale", language)
    done = facedown(folder, *asked)
    assert done.returncode == 0, done.stderr
    pdf = folder / "sheets.pdf"
    assert pages(pdf) == len(NAMES)
    heads = [
        drawn(pdf, page, 127, folder).crop((60, 60, 900, 135)) for page in range(1, len(NAMES) + 1)
    ]
    assert all(map(ink, heads))
    assert len({head.tobytes() for head in heads}) == len(NAMES)
    said = [" ".join(each.text for each in words(pdf, n + 1)) for n in range(len(NAMES))]
    assert ["U+5C71" in each for each in said] == [name == "山" for name in NAMES.values()]
    assert "U+5C71" in done.stderr  # only this one is a box, and the command reports it
    assert done.stderr.count("U+") == 1


@pytest.mark.parametrize("what", ["rules", "countdowns", "tents"])
def test_other_papers_of_that_table_are_printed(folder: Path, what: str) -> None:
    done = facedown(folder, "cards", "papers", what, "--config", "hub.toml")
    assert done.returncode == 0, done.stderr
    if what == "tents":
        assert "U+5C71" in " ".join(
            each.text for each in words(folder / "tents.pdf", 1 + [*NAMES].index("mountain"))
        )


def test_cards_are_printed_in_every_format(folder: Path) -> None:
    done = facedown(folder, "cards", "print", "--config", "hub.toml")
    assert done.returncode == 0, done.stderr
    assert "U+5C71" in " ".join(each.text for each in words(folder / "cards.pdf", 1))
    for kind in ("png", "svg"):
        done = facedown(folder, "cards", "print", "--config", "hub.toml", "--format", kind)
        assert done.returncode == 0, done.stderr
        assert done.stderr.count("U+5C71") == 1
        assert len([*(folder / "cards").glob(f"*.{kind}")]) == len(NAMES) + 1
    drawn_cards = [re.sub(r"<title>.*", "", each.read_text()) for each in sorted(
        (folder / "cards").glob("*.svg"))]  # fmt: skip
    assert len({*drawn_cards}) == len(NAMES) + 1


def mountain_font(path: Path) -> None:
    """Write a system font with this single letter, drawn as a triangle."""
    pen = TTGlyphPen(None)
    for draw, at in ((pen.moveTo, (100, 0)), (pen.lineTo, (500, 900)), (pen.lineTo, (900, 0))):
        draw(at)
    pen.closePath()
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder([".notdef", "mountain"])
    font.setupCharacterMap({ord("山"): "mountain"})
    font.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "mountain": pen.glyph()})
    font.setupHorizontalMetrics({".notdef": (500, 0), "mountain": (1000, 100)})
    font.setupHorizontalHeader(ascent=900, descent=-100)
    font.setupNameTable({"familyName": "Mountain", "styleName": "Regular"})
    font.setupPost()
    font.save(path)


def test_a_letter_is_taken_from_the_machines_fonts(folder: Path) -> None:
    (folder / "share/fonts/far").mkdir(parents=True)
    (folder / "share/fonts/Damaged-Regular.ttf").write_bytes(b"\0\1\0\0 no font")
    mountain_font(folder / "share/fonts/far/Mountain-Regular.ttf")
    asked = ("cards", "papers", "sheets", "mountain.toml")
    done = facedown(folder, *asked, fonts=folder / "share")
    assert (done.returncode, done.stderr) == (0, "")
    assert "U+5C71" not in " ".join(each.text for each in words(folder / "sheets.pdf", 1))
    head = drawn(folder / "sheets.pdf", 1, 127, folder).crop((60, 60, 900, 118))
    left, _, right, _ = ink(head)
    assert (right - left, left) == pytest.approx((40, 15), abs=3)  # 8 mm of the em of 10
    first = (folder / "sheets.pdf").read_bytes()
    facedown(folder, *asked, fonts=folder / "share")
    assert (folder / "sheets.pdf").read_bytes() == first


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("שרה", "הרש"),
        ("שרה 12", "12 הרש"),
        ("Ada (שרה) 12", "Ada (הרש) 12"),
        ("(3.5) שרה", "הרש (3.5)"),
        ("אבג abc 12 דהו", "והד abc 12 גבא"),
        ("שרה, רות", "תור ,הרש"),
        ("عمر", "\ufeae\ufee4\ufecb"),  # final, medial, initial
        ("سلام", "\ufee1\ufefc\ufeb3"),  # a lam-alef ligature
        ("Ирина", "Ирина"),
    ],
)
def test_lines_from_right_to_left_are_in_visual_order(text: str, shown: str) -> None:
    assert visual(text) == shown


def test_a_fallback_letter_is_as_bold_as_its_neighbours() -> None:
    plain, bold = (letters("sans", weight).outlines("AИ") for weight in (400, 700))
    assert [each.stroke for each in plain] == [0, 0]
    assert [each.stroke > 0 for each in bold] == [False, True]
