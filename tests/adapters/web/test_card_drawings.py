"""A card as SVG, rendered by another program, looks like its PNG."""

from base64 import b64decode
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops
from selenium import webdriver

from hub.cards.deck import make_deck, write_deck
from hub.games.game import Choice
from tests.adapters.printing.test_cards import facedown

DRAWN = """
const [text, width, height, done] = arguments;
const image = new Image();
image.onload = () => {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  canvas.getContext('2d').drawImage(image, 0, 0, width, height);
  done(canvas.toDataURL());
};
image.onerror = () => done('');
image.src = 'data:image/svg+xml,' + encodeURIComponent(text);
"""
CARDS = ("move grapple-low", "special wax-on-attack")
UNLIKE = 96
"""A difference of this many shades is more than two ways to draw an edge."""


def test_chromium_draws_the_same(browser: webdriver.Chrome, tmp_path: Path) -> None:
    write_deck(tmp_path / "few.toml", make_deck(map(Choice.parse, CARDS), group="ada"))
    for kind in ("png", "svg"):
        given = ("--format", kind, "--dpi", 300, "--out", tmp_path / kind)
        assert facedown("print", tmp_path / "few.toml", *given).exit_code == 0
    drawings = sorted((tmp_path / "svg").iterdir())
    assert len(drawings) == len(CARDS) + 1
    for path in drawings:
        with Image.open(tmp_path / "png" / f"{path.stem}.png") as image:
            printed = image.convert("L")
        data = browser.execute_async_script(DRAWN, path.read_text(), *printed.size)  # type: ignore[no-untyped-call]
        with Image.open(BytesIO(b64decode(data.partition(",")[2]))) as image:
            seen = image.convert("L")
        assert seen.size == printed.size
        shades = ImageChops.difference(seen, printed).histogram()
        assert sum(shades[UNLIKE:]) < 0.002 * seen.width * seen.height, path.name
