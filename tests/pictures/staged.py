"""The display in each drawn moment: its picture, its figures, and what can be read of it from afar.

A viewer ten screen heights away resolves about as much as a picture of 480 by 270 pixels has.
"""

import os
import re
import subprocess
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from io import BytesIO
from typing import Any

from PIL import Image
from selenium import webdriver

from hub.kernel.texts import name as called
from hub.themes import look_of
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.test_accessibility import SETTLED
from tests.pictures.moments import LANGUAGES, Moment, moments
from tests.support.browser import resize

MOST_WORDS = 45
LEAST_PIECES, LEAST_HEADLINE = 35.0, 7.0
"""Per cent of the screen's height."""
SCREEN = (1920, 1080)
AFAR = (480, 270)
"""The pixels that a viewer resolves who is ten screen heights away."""
THEMES = ("night", "paper")
"""A dark and a light theme."""
WIDE, HIGH = AFAR
LARGER = 4
WHOLE = (0, 0, WIDE, HIGH)
THIRDS = [(left * WIDE // 6, 0, (left + 2) * WIDE // 6, HIGH) for left in range(5)]
AUTOMATIC, ANYWHERE = ("--psm", "3"), ("--psm", "11")
A_LINE = ("--psm", "7")
LOOKS = (
    (AUTOMATIC, WHOLE),
    (ANYWHERE, WHOLE),
    *((ANYWHERE, box) for box in THIRDS),
)
"""How tesseract looks at the picture, and at which part of it."""
AROUND = 3
"""Pixels of the far picture that are read around a line."""
ALONE = {**os.environ, "OMP_THREAD_LIMIT": "1"}
ALIKE = 0.75
"""Share of equal letters from which two words are taken for the same one."""
LONG = 3
"""A shorter word has to be right to the letter; a sign before it may be taken for a letter."""
FIGURES = """
const H = innerHeight;
const root = document.querySelector("#root");
const words = [], small = [], lines = [];
const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const around = node.parentElement;
  const text = node.textContent.trim();
  if (!text || around.closest(".unseen") || !around.checkVisibility()) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  const { width, height } = range.getBoundingClientRect();
  if (!width || !height) continue;
  const size = Number.parseFloat(getComputedStyle(around).fontSize);
  words.push(...text.split(/\\s+/));
  for (const at of range.getClientRects()) lines.push([at.left, at.top, at.right, at.bottom]);
  if (size < 0.022 * H) small.push(`${text} (${size} px)`);
}
const all = [...document.querySelectorAll(".pieces .lay > *, .rows")];
const percent = (px) => Math.round(1000 * px / H) / 10;
const outside = [...root.querySelectorAll("*")].filter((one) => {
  const { left, right, bottom, width } = one.getBoundingClientRect();
  return width && one.checkVisibility() && (left < -1 || right > innerWidth + 1 || bottom > H + 1);
});
// Texts that lie over each other, of different parts of the frame.
const parts = `.frame-head h1, .count, .says h2, .lead, .why-so, .side-of h3, .middle, .notes > *,
  .fan, .row-of-dice h3, .tale-dice, .came, .about, .frame-ring li, .one-of > b, .more-of, .next`;
const places = [...root.querySelectorAll(parts)].filter((one) => one.checkVisibility())
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width && height);
const called = (one) => `${one.className || one.tagName} "${one.textContent.slice(0, 20)}"`;
const overlaps = [];
const SLACK = 0.012 * H;
places.forEach(([one, a], at) => {
  for (const [other, b] of places.slice(at + 1)) {
    if (one.contains(other)) continue;
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > SLACK && down > SLACK)
      overlaps.push(`${called(one)} and ${called(other)}`);
  }
});
const title = root.querySelector(".says h2");
return {
  words, small, lines,
  headline: title ? percent(Number.parseFloat(getComputedStyle(title).fontSize)) : 0,
  pieces: Math.max(0, ...all.map((one) => percent(one.getBoundingClientRect().height))),
  overlaps,
  outside: outside.map((one) => one.className),
};
"""


@dataclass(frozen=True)
class Figures:
    words: list[str]
    """Every visible word."""
    lines: list[list[float]]
    """Where each line of text is: left, top, right, bottom, in pixels."""
    small: list[str]
    """The texts below 2.2 % of the screen's height."""
    headline: float
    """The height of the headline's letters, in percent of the screen's."""
    pieces: float
    """The height of the largest card, or of the rows of dice, in percent of the screen's."""
    overlaps: list[str]
    """Parts of the frame that lie over each other."""
    outside: list[str]
    """What reaches beyond the screen."""


@dataclass(frozen=True)
class Staged:
    """The display in a moment."""

    family: str
    moment: Moment
    language: str
    theme: str
    screen: tuple[int, int]
    figures: Figures
    browser: webdriver.Chrome

    @property
    def name(self) -> str:
        return f"{self.family}-{self.moment.name}-{self.language}-{self.theme}"

    @property
    def said(self) -> list[str]:
        """Everything that has to be readable from afar: who acts, what was shown, what it costs."""
        of = self.moment
        return [*map(called, of.acts), *of.shows[self.language], *of.costs[self.language]]

    def picture(self) -> Image.Image:
        """The page, as long as it is in this moment."""
        return Image.open(BytesIO(self.browser.get_screenshot_as_png())).convert("RGB")

    def faults(self) -> list[str]:
        """What is wrong with the picture's figures."""
        of, found = self.figures, list[str]()
        if self.moment.lasts:
            if len(of.words) > MOST_WORDS:
                found.append(f"{len(of.words)} words: {' '.join(of.words)}")
            if of.pieces < LEAST_PIECES:
                found.append(f"the pieces have {of.pieces} % of the height")
        if of.headline < LEAST_HEADLINE:
            found.append(f"the headline has {of.headline} %")
        found += [f"too small: {each}" for each in of.small]
        found += [f"outside of the screen: {each}" for each in of.outside]
        return [f"{self.name}: {each}" for each in found]

    def unread(self, picture: Image.Image) -> list[str]:
        """What a machine does not find in its picture, as it is seen from afar. It reads parts of
        it and single lines, as an eye does, only for what it has not found."""
        left = self.said
        for found in read(picture, self.figures.lines):
            left = [each for each in left if not _is_in(each, found)]
            if not left:
                break
        return [f"{self.name}: {each} cannot be read" for each in left]


async def staged(
    browser: webdriver.Chrome,
    family: str,
    theme: str = THEMES[0],
    languages: Sequence[str] = LANGUAGES,
    screens: Sequence[tuple[int, int]] = (SCREEN,),
) -> AsyncIterator[Staged]:
    """Play a family's moments, and yield the display in each of them, on one screen after the
    other."""
    look = Looker(browser)
    pages = Pages(heartbeat_s=3600.0, look=look_of(theme, None))
    async with pages.server:
        async for moment in moments(family, pages):
            for language in languages:
                resize(browser, screens[0])
                await look.open(pages.url(f"display?room&lang={language}"))
                await look.until(READY, pages.table.state.seq)
                for screen in screens:
                    resize(browser, screen)
                    await look.run(SETTLED)
                    await look.painted()
                    figures: Any = await look.run(FIGURES)
                    now = Figures(**figures)
                    yield Staged(family, moment, language, theme, screen, now, browser)


READY = """
document.querySelector(".frame")
  && [...document.fonts].some(({ status }) => status === "loaded")
  && document.fonts.status === "loaded"
  && document.querySelector(".portrait *")
"""
"""The scene is drawn, with its fonts and portraits."""


def read(picture: Image.Image, lines: Sequence[Sequence[float]] = ()) -> Iterator[list[str]]:
    """Read a picture as seen from afar, in several ways: the words found by each, and at last those
    of all single lines together."""
    far = picture.convert("L").resize(AFAR, Image.Resampling.LANCZOS)
    for options, box in LOOKS:
        yield _read(far.crop(box), options)
    yield [word for line in lines for word in _read(far.crop(_around(line, picture)), A_LINE)]


def _around(line: Sequence[float], picture: Image.Image) -> tuple[int, int, int, int]:
    """The place of a line in the far picture."""
    part = AFAR[0] / picture.width
    left, top, right, bottom = (round(edge * part) for edge in line)
    return left - AROUND, top - AROUND, right + AROUND, bottom + AROUND


def _read(part: Image.Image, options: Sequence[str]) -> list[str]:
    held = BytesIO()
    size = (part.width * LARGER, part.height * LARGER)
    part.resize(size, Image.Resampling.BICUBIC).save(held, "PNG")
    command = ["tesseract", "-", "-", *options, "-l", "eng+deu"]
    done = subprocess.run(
        command, input=held.getvalue(), capture_output=True, check=True, env=ALONE
    )
    return _words(done.stdout.decode())


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _is_in(text: str, found: Sequence[str]) -> bool:
    """Whether all words of a text are among those found, nearly letter for letter."""
    return all(any(_alike(word, one) for one in found) for word in _words(text))


def _alike(word: str, other: str) -> bool:
    if len(word) < LONG:
        return other.endswith(word)
    return SequenceMatcher(None, word, other).ratio() >= ALIKE
