"""A PDF's boxes, fonts, words and picture, as poppler finds them."""

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from PIL import Image

MM = 72 / 25.4


class Word(NamedTuple):
    """A word and its box, in mm from the upper left."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


def run(*command: object) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=True)
    assert not done.stderr, done.stderr  # poppler complains of what print shops refuse
    return done.stdout


def boxes(pdf: Path, page: int = 1) -> dict[str, list[float]]:
    """Return left, bottom, right and top of each box of a page, in mm."""
    told = run("pdfinfo", "-box", "-f", page, "-l", page, pdf)
    found = re.findall(r"(\w+Box):((?: +[\d.]+){4})", told)
    return {name: [round(float(n) / MM, 2) for n in numbers.split()] for name, numbers in found}


def pages(pdf: Path) -> int:
    return int(re.search(r"Pages: +(\d+)", run("pdfinfo", pdf))[1])


def fonts(pdf: Path) -> list[tuple[str, str]]:
    """Return each font's name, and whether it is embedded."""
    rows = run("pdffonts", pdf).splitlines()[2:]
    return [(row.split()[0], row[-30:].split()[0]) for row in rows]


def words(pdf: Path, page: int) -> list[Word]:
    told = run("pdftotext", "-bbox", "-f", page, "-l", page, pdf, "-")
    found = re.findall(
        r'<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)</word>',
        told,
    )
    return [Word(text, *(float(n) / MM for n in box)) for *box, text in found]


def drawn(pdf: Path, page: int, dpi: int, folder: Path) -> Image.Image:
    stem = folder / f"page-{page}"
    run("pdftoppm", "-r", dpi, "-f", page, "-l", page, "-singlefile", "-png", pdf, stem)
    with Image.open(f"{stem}.png") as image:
        return image.convert("RGB")
