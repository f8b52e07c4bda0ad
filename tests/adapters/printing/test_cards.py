"""Printed decks as poppler sees them: sizes, boxes, fonts, the places of words, and backs."""

from pathlib import Path

import pytest
from click.testing import Result
from PIL import Image, ImageChops
from typer.testing import CliRunner

from hub.cards.deck import make_deck, write_deck
from hub.cards.printing.formats import pixels
from hub.cards.printing.letters import letters
from hub.cards.printing.look import BLEED, SIZES
from hub.cards.printing.sheets import EDGE, PAPERS
from hub.cli.main import app
from hub.games.game import Choice
from tests.adapters.printing.poppler import boxes, drawn, fonts, pages, run, words

FEW = (
    *("move attack-high", "move grapple-low", "move surrender", "stance defend 3"),
    *("option 2", "special wax-on-attack", "special drunken-monkey", "split attack 1", "blank"),
)
DPI = 127
"""5 pixels a millimetre, so that all but halves are whole numbers."""
SCALE = 5


def facedown(*given: object) -> Result:
    return CliRunner().invoke(app, ["cards", *map(str, given)])


def printed(*given: object) -> str:
    done = facedown("print", *given)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("print")
    write_deck(folder / "few.toml", make_deck(map(Choice.parse, FEW), group="ada"))
    return folder


@pytest.fixture(scope="module")
def duplex(folder: Path) -> Path:
    printed(folder / "few.toml", "--out", folder / "few.pdf")
    return folder / "few.pdf"


def test_paper_fonts_and_captions(duplex: Path) -> None:
    assert pages(duplex) == 4
    for page in (1, 2):
        assert boxes(duplex, page)["MediaBox"] == [0, 0, 210, 297]
    embedded = fonts(duplex)
    assert embedded
    assert {each for _, each in embedded} == {"yes"}, embedded
    said = [each.text for each in words(duplex, 1)]
    assert {"Attack", "Grapple", "Surrender", "Background", "Wax"} <= {*said}
    assert said[-20:][said[-20:].index("sheet") :][:4] == ["sheet", "1", "of", "2"]
    assert run("pdfimages", "-list", duplex).count("\n") <= 2  # vector graphics only, no bitmap


def test_the_margins_that_printers_cannot_reach_are_empty(duplex: Path, folder: Path) -> None:
    for page in (1, 2, 3, 4):
        image = drawn(duplex, page, DPI, folder)
        within = [n * SCALE for n in (EDGE, EDGE, 210 - EDGE, 297 - EDGE)]
        found = ImageChops.difference(image, Image.new("RGB", image.size, "white")).getbbox()
        assert found
        assert found[0] >= within[0]
        assert found[1] >= within[1]
        assert found[2] <= within[2]
        assert found[3] <= within[3]


def grounds(image: Image.Image) -> tuple[int, ...]:
    """Return left, top, right and bottom of all cards together, with their bleed. Columns and rows
    count only if they hold more ink than a mark or a caption."""
    inked = image.convert("L").point(lambda value: 255 if value < 240 else 0)
    found: list[int] = []
    for size, least in (((inked.width, 1), 0.15), ((1, inked.height), 0.4)):
        share = inked.resize(size, Image.Resampling.BOX)
        box = share.point(lambda value, least=least: 255 if value > 255 * least else 0).getbbox()
        assert box
        found += [box[0], box[2]] if size[1] == 1 else [box[1], box[3]]
    left, right, top, bottom = found
    return left, top, right, bottom


def test_backs_are_printed_behind_their_fronts(duplex: Path, folder: Path) -> None:
    """The last sheet has one card. Its front is on the left and its back on the right, because the
    sheet is turned on its long edge."""
    front, back = (drawn(duplex, page, DPI, folder) for page in (3, 4))
    seen_through = back.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    over = SCALE  # a back reaches 1 mm further over its edge
    first, second = grounds(front), grounds(seen_through)
    assert all(abs(a - b) <= over + 1 for a, b in zip(first, second, strict=True)), (first, second)


def test_backs_can_be_shifted_for_a_misaligned_printer(folder: Path, duplex: Path) -> None:
    printed(folder / "few.toml", "--out", folder / "moved.pdf", "--shift-back", "2,-3")
    before, after = (
        grounds(drawn(each, 2, DPI, folder)) for each in (duplex, folder / "moved.pdf")
    )
    assert [b - a for a, b in zip(before, after, strict=True)] == pytest.approx(
        [2 * SCALE, -3 * SCALE, 2 * SCALE, -3 * SCALE], abs=1
    )


def test_a_back_is_the_same_on_every_card_and_either_way_up(folder: Path) -> None:
    printed(folder / "few.toml", "--layout", "single", "--out", folder / "single.pdf")
    printed(folder / "few.toml", "--format", "svg", "--out", folder / "svg")
    assert pages(folder / "single.pdf") == len(FEW) + 1
    back = drawn(folder / "single.pdf", len(FEW) + 1, 254, folder)
    turned = back.rotate(180)
    worst = ImageChops.difference(back, turned).convert("L").point(lambda v: 255 if v > 48 else 0)
    assert worst.getbbox() is None  # apart from antialiasing
    assert [each.name for each in (folder / "svg").glob("back*")] == ["back.svg"]
    raw = (folder / "few.toml").read_text()
    tags = [line.split(" = ")[0] for line in raw.splitlines() if " = " in line]
    assert len(tags) == len(FEW)
    for file in (folder / "svg").iterdir():
        text = file.read_text()
        assert "<text" not in text
        assert not any(tag in text or tag in file.name for tag in tags)


def test_a_single_card_has_its_boxes_and_its_words(folder: Path) -> None:
    pdf = folder / "tarot.pdf"
    printed(folder / "few.toml", "--layout", "single", "--size", "tarot", "--out", pdf)
    width, height = SIZES["tarot"]
    found = boxes(pdf)
    assert found["MediaBox"] == found["BleedBox"] == [0, 0, width + 2 * BLEED, height + 2 * BLEED]
    assert found["TrimBox"] == [BLEED, BLEED, BLEED + width, BLEED + height]
    for page in range(1, len(FEW) + 1):
        for word in words(pdf, page):
            assert word.left >= BLEED + 1.5, word
            assert word.right <= BLEED + width - 1.5, word
            assert word.top >= BLEED, word
            assert word.bottom <= BLEED + height, word


@pytest.mark.parametrize(("size", "dpi"), [("poker", 300), ("tarot", 600)])
def test_pictures_for_a_print_shop(folder: Path, size: str, dpi: int) -> None:
    out = folder / f"png-{size}"
    write_deck(folder / "one.toml", make_deck([Choice("move", "attack-high +1")], group="ada"))
    printed(folder / "one.toml", "--format", "png", "--size", size, "--dpi", dpi, "--out", out)
    files = sorted(out.iterdir())
    assert [each.name for each in files] == ["001-ada-move-attack-high-1.png", "back.png"]
    width, height = SIZES[size]
    for file in (files[0], files[-1]):
        with Image.open(file) as image:
            assert image.size == (pixels(width + 2 * BLEED, dpi), pixels(height + 2 * BLEED, dpi))
            assert image.info["dpi"] == pytest.approx((dpi, dpi), abs=0.1)
            assert image.getpixel((3, 3)) != (255, 255, 255)  # its colour reaches the edge


def test_the_same_deck_gives_the_same_bytes(folder: Path, duplex: Path) -> None:
    printed(folder / "few.toml", "--out", folder / "again.pdf")
    assert (folder / "again.pdf").read_bytes() == duplex.read_bytes()


@pytest.mark.parametrize("paper", PAPERS)
def test_a_front_is_folded_onto_its_back(folder: Path, paper: str) -> None:
    pdf = folder / f"fold-{paper}.pdf"
    printed(folder / "few.toml", "--layout", "fold", "--paper", paper, "--out", pdf)
    width, height = PAPERS[paper]
    assert boxes(pdf)["MediaBox"] == [
        0,
        0,
        pytest.approx(width, abs=0.01),
        pytest.approx(height, abs=0.01),
    ]
    image = drawn(pdf, 1, DPI, folder)
    night_back = (0x2A, 0x33, 0x50)
    colours = image.getcolors(image.width * image.height)
    assert night_back in {colour for _, colour in colours}  # on the same side of the paper


def test_a_deck_of_each_ruleset_in_the_longer_language(tmp_path: Path) -> None:
    """Every text of a book fits on the smaller card."""
    for ruleset in ("unroll", "iron-triangle", "iron-triangle-1e"):
        deck = tmp_path / f"{ruleset}.toml"
        assert facedown("new", ruleset, "--players", 1, "--deck", deck).exit_code == 0
        pdf = tmp_path / "all.pdf"
        printed(deck, "--locale", "de", "--theme", "baize", "--layout", "fronts", "--out", pdf,
                "--ruleset", ruleset, "--set", "player-1")  # fmt: skip
        assert {each for _, each in fonts(pdf)} == {"yes"}
        assert "Angriff" in {each.text for each in words(pdf, 1)}


def test_letters_are_kerned_as_their_font_specifies(folder: Path) -> None:
    serif = letters("serif", 700)
    loose = sum(serif.width(each, 1000) for each in "To")
    assert serif.width("To", 1000) < loose - 20, "the font moves o below the T"
    write_deck(folder / "kern.toml", make_deck([Choice.parse("special to-blave")], group=""))
    printed(folder / "kern.toml", "--layout", "single", "--out", folder / "kern.pdf")
    found = next(each for each in words(folder / "kern.pdf", 1) if each.text == "To")
    with_space = serif.width("To", 5.6) + serif.width(" ", 5.6)
    assert serif.width("To", 5.6) - 0.1 < found.right - found.left < with_space
    gap = serif.width("o B", 5.6) - serif.width("o", 5.6) - serif.width("B", 5.6)
    after = next(each for each in words(folder / "kern.pdf", 1) if each.text == "Blave")
    assert abs(after.left - found.right - gap) < 0.1, "what follows is moved with it"


@pytest.mark.parametrize(
    "cards",
    [
        ("stance attack 1", "move attack-mid", "special wax-on-attack", "split attack 1"),
        (
            *("stance none", "special none", "move surrender", "take-back", "option 1"),
            *("special scouter", "special to-blave", "special pressure-point"),
        ),
    ],
    ids=["of-one-type", "of-no-type"],
)
def test_cards_are_told_apart_in_a_fan(folder: Path, cards: tuple[str, ...]) -> None:
    """Each card has a different corner."""
    fan = folder / f"fan-{len(cards)}"
    write_deck(folder / "fan.toml", make_deck(map(Choice.parse, cards), group="ada"))
    printed(folder / "fan.toml", "--format", "png", "--dpi", 150, "--out", fan)
    corner = pixels(BLEED, 150), pixels(BLEED, 150), pixels(14, 150), pixels(18, 150)
    fronts = [path for path in sorted(fan.iterdir()) if path.name != "back.png"]
    seen = [Image.open(path).crop(corner).convert("L") for path in fronts]
    assert len(seen) == len(cards)
    for at, one in enumerate(seen):
        for other in seen[at + 1 :]:
            differing = ImageChops.difference(one, other).point(lambda value: 255 * (value > 60))
            assert differing.histogram()[255] > 60
