"""``python -m tests.pictures.cards FILE.png``: some printed cards of each theme and a back, side by
side."""

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw

from hub.cards.printing.deck import Printed
from hub.cards.printing.look import BLEED, look_of
from hub.cards.printing.printer import Order, card_pngs
from hub.games import registry
from hub.games.game import Choice
from hub.themes import Ours, our_theme

DPI, FINER = 96, 3
GAP, AROUND = 14, 18
CLOTH = "#23282f"
CORNER_MM = 3.2
ROWS: dict[Ours, tuple[tuple[str, str], ...]] = {
    "night": (
        ("move attack-high", "Kick of the Winged Unicorn"),
        ("move grapple-low", "Bowline"),
        ("stance defend 3", ""),
        ("option 2", ""),
        ("special wax-on-attack", "Patience of the Heron"),
    ),
    "paper": (
        ("move defend-mid +1", "Lean Away"),
        ("stance grapple 4", ""),
        ("special there-can-be-only-one", ""),
        ("move surrender", ""),
        ("split attack 1", ""),
    ),
}


def main(path: Path) -> None:
    """Draw the cards and write them to ``path``."""
    say, faces = registry.texts("en"), registry.faces_of("unroll")
    rows = []
    for theme, cards in ROWS.items():
        made = [
            Printed(faces.face(Choice.parse(card), "unroll", say, called), "Ada", card)
            for card, called in cards
        ]
        order = Order(look=look_of(our_theme(theme), "poker"), say=say)
        pictures = (picture for _, picture in card_pngs(made, order, DPI * FINER))
        rows.append([_trimmed(picture) for picture in pictures])
    width, height = rows[0][0].size
    across = len(rows[0])
    sheet = Image.new(
        "RGB",
        (2 * AROUND + across * (width + GAP) - GAP, 2 * AROUND + len(rows) * (height + GAP) - GAP),
        CLOTH,
    )
    for y, row in enumerate(rows):
        for x, card in enumerate(row):
            sheet.paste(card, (AROUND + x * (width + GAP), AROUND + y * (height + GAP)), card)
    sheet.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)


def _trimmed(picture: bytes) -> Image.Image:
    """Return the picture cut to the card's size, with round corners."""
    with Image.open(BytesIO(picture)) as image:
        dots = DPI * FINER / 25.4
        edge = round(BLEED * dots)
        cut = image.convert("RGBA").crop((edge, edge, image.width - edge, image.height - edge))
    mask = Image.new("L", cut.size, 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, *cut.size), CORNER_MM * dots, fill=255)
    cut.putalpha(mask)
    return cut.resize((cut.width // FINER, cut.height // FINER), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
