"""Papers other than cards: their contents, and that a key is printed only on request."""

from pathlib import Path

import pytest
import segno

from hub.cli.main import app
from hub.kernel.catalogues import languages
from tests.adapters.printing.poppler import boxes, drawn, fonts, pages, words
from tests.adapters.printing.test_cards import CliRunner, facedown
from tests.adapters.printing.test_faults import TABLE

URL = "http://table.local:8080"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(pdf: Path, page: int = 1) -> str:
    return " ".join(each.text for each in words(pdf, page))


@pytest.mark.parametrize("language", languages())
def test_rules_fit_on_one_page(folder: Path, language: str) -> None:
    pdf = folder / "rules.pdf"
    for ruleset in ("unroll", "iron-triangle", "iron-triangle-1e"):
        done = facedown("papers", "rules", "--ruleset", ruleset, "--locale", language)
        assert done.exit_code == 0, done.output
        assert pages(pdf) == 1
        assert {each for _, each in fonts(pdf)} == {"yes"}
        for word in words(pdf, 1):
            assert word.left >= 13
            assert word.right <= 197
            assert word.bottom <= 292
    if language == "en":  # the last ruleset, in English
        text = said(pdf)
        assert "Grapple Spin takes 4 + stance × 4" in text
        assert "High beats Mid and Jump" in text
        assert "Used specials come back with any rest." in text
        assert "If all numbers are 1s and 4s" not in text


def test_a_sheet_has_its_characters_values(folder: Path) -> None:
    sample = CliRunner().invoke(app, ["sheet", "example", "unroll-marit"]).stdout
    (folder / "marit.toml").write_text(sample)
    done = facedown("papers", "sheets", "marit.toml", "marit.toml", "--paper", "letter")
    assert (done.exit_code, done.stdout) == (0, "sheets.pdf: 2 pages\n")
    assert boxes(folder / "sheets.pdf", 2)["MediaBox"][2:] == [215.9, 279.4]
    text = said(folder / "sheets.pdf", 2)
    assert "Attack Low Pin Swing · takes 3 + stance × 2" in text
    assert "A rigger with tar under her nails" in text


@pytest.fixture
def table(folder: Path) -> Path:
    sample = CliRunner().invoke(app, ["sheet", "example", "unroll-marit"]).stdout
    (folder / "ada.toml").write_text(sample)
    (folder / "deck.toml").write_text("[cards]\n")
    story = '[[story.countdown]]\nname = "The tide comes in"\nboxes = 8\n'
    (folder / "hub.toml").write_text(TABLE.replace('["Ada"]', '["Marit"]') + story)
    return folder


def test_countdowns_of_a_table_and_some_without_a_name(table: Path) -> None:
    done = facedown("papers", "countdowns", "--config", "hub.toml")
    assert done.exit_code == 0, done.output
    text = said(table / "countdowns.pdf")
    assert "The tide comes in" in text
    assert text.count("Countdown") == 4


def test_a_tents_code_is_its_seats_address(table: Path) -> None:
    """It contains a key only on request."""
    plain = facedown("papers", "tents", "--config", "hub.toml", "--address", f"{URL}/")
    assert (plain.exit_code, plain.stdout) == (0, "tents.pdf: 2 pages\n")
    assert _shows(table / "tents.pdf", 1, f"{URL}/seat/ada", table)
    assert _shows(table / "tents.pdf", 2, f"{URL}/gm", table)
    assert said(table / "tents.pdf").count("Marit") == 2
    given = ("papers", "tents", "--config", "hub.toml", "--address", URL, "--key")
    keyed = facedown(*given, "ada=0123456789abcdef")
    assert "There are keys in it: keep it like your cards" in keyed.stdout
    assert _shows(table / "tents.pdf", 1, f"{URL}/seat/ada?key=0123456789abcdef", table)
    assert "This code is the key to this seat" in said(table / "tents.pdf")
    assert _shows(table / "tents.pdf", 2, f"{URL}/gm", table)
    assert facedown(*given, "bo=x").stderr == "--key: SEAT=KEY with a seat of ada, gm\n"


def _shows(pdf: Path, page: int, text: str, folder: Path) -> bool:
    """Whether every module of the text's code is printed where it belongs: 46 mm wide, in the
    middle, 24 mm above the lower edge."""
    rows = [*segno.make(text, micro=False).matrix_iter(border=4)]
    image = drawn(pdf, page, 127, folder).convert("L")
    left, top, module = (210 - 46) / 2, 297 - 46 - 24, 46 / len(rows)

    def dark(x: int, y: int) -> bool:
        at = (left + (x + 0.5) * module, top + (y + 0.5) * module)
        return image.getpixel((int(at[0] * 5), int(at[1] * 5))) < 128

    return all(dark(x, y) == bool(m) for y, row in enumerate(rows) for x, m in enumerate(row))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("rules",), "say whose rules: --ruleset NAME, or --config FILE"),
        (("sheets",), "say whose sheets: files, or --config FILE"),
        (("tents",), "say whose tents: --config FILE"),
        (("rules", "--key", "a=b"), "--address, --key and --keys are for tents"),
        (("tents", "--key", "a=b"), "--key goes with --address"),
        (("rules", "--locale", "fr"), "no language 'fr'; there are en, de"),
    ],
)
def test_a_wrong_option_is_reported(folder: Path, given: tuple[str, ...], told: str) -> None:
    done = facedown("papers", *given)
    assert (done.exit_code, done.stderr.strip()) == (2, told)
