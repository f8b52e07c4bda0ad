"""Themes: the look and sound of a group's pages, and the look of the printed cards.

A theme is a TOML file; ``docs/play/themes.md`` says how to make one. Colours are checked before
they are used: text needs enough contrast to its background, measured as in WCAG 2.1.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args

from msgspec import Struct

from hub.fonts import Font
from hub.games.files import read_toml
from hub.kernel.documents import Document
from hub.kernel.documents.sections import Section, must_be, read_section
from hub.kernel.documents.toml import packaged
from hub.kernel.reasons import Reason

MAX_THEME_BYTES = 16 * 1024
Ours = Literal["night", "paper", "baize"]
OURS: tuple[Ours, ...] = get_args(Ours)
"""The themes that come with the hub, the default first."""
LEAST_CONTRAST = 4.5
"""The least contrast between text and its background (WCAG 2.1, 1.4.3)."""
LEAST_DRAWN = 3.0
"""The least contrast between drawn elements and their background (WCAG 2.1, 1.4.11)."""

_DARK, _LIGHT = "#14171f", "#ffffff"
_CARD_TEXT = "#171a22"

Sounds = Literal["wood", "steel", "arcade"]
Pattern = Literal["triangles", "rings", "lattice", "plain"]
_UPRIGHT = 1.2
"""The least ratio of a card's height to its width."""
Face = Literal["sans", "serif", "slab", "round", "mono", "system", "system-serif", "system-mono"]
"""A font that comes with the hub, or a system font of the machine that shows the page."""
_SYSTEMS: dict[Face, tuple[Font, str]] = {
    "system": ("sans", "system-ui, sans-serif"),
    "system-serif": ("serif", "Georgia, serif"),
    "system-mono": ("mono", "ui-monospace, monospace"),
}
"""System font → the hub's nearest font for printed cards, and the CSS names for pages."""
_MEANWHILE: dict[Font, str] = {
    "sans": "system-ui, sans-serif",
    "serif": "Georgia, serif",
    "slab": "Georgia, serif",
    "round": "system-ui, sans-serif",
    "mono": "ui-monospace, monospace",
}
"""Font of the hub → the CSS names of the system's fonts shown until it has loaded."""
_WIDE = '"facedown-wide"'
"""The CSS name of the hub's font for letters that no other font has."""
Colour = Annotated[
    str, must_be(Reason("a-colour", example='"#1a2b3c"'), pattern=r"^#[0-9a-fA-F]{6}\Z")
]


def _words(kind: object) -> Reason:
    return Reason("one-of-words", words=[f'"{each}"' for each in get_args(kind)])


class Colours(Section, frozen=True, kw_only=True):
    """``[colours]``: the colours of the pages and of printed cards."""

    ink: Colour
    felt: Colour
    """The background of each part of a page, such as a player's area."""
    raised: Colour
    """The background of elements raised from a part."""
    line: Colour
    text: Colour
    quiet: Colour
    accent: Colour
    alarm: Colour
    first: Colour
    """The colour of a family's first kind of card, in the order of its book."""
    second: Colour
    third: Colour
    paper: Colour

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Yield each text colour with too little contrast to a background that it may be used on,
        and a paper too dark for a card's text.
        """
        for key in ("text", "quiet", "accent", "alarm", "first", "second", "third"):
            for under in ("ink", "felt", "raised"):
                colour, ground = getattr(self, key), getattr(self, under)
                if (low := _too_low(colour, ground, LEAST_CONTRAST, under)) is not None:
                    yield key, low
                    break
        if (low := _too_low(self.paper, _CARD_TEXT, LEAST_CONTRAST, "text")) is not None:
            yield "paper", low


class Fonts(Section, frozen=True, kw_only=True):
    """``[fonts]``: fonts of the hub, or system fonts of the machine that shows a page. ``text``:
    for most texts; ``titles``: for headlines.
    """

    text: Annotated[Face, must_be(_words(Face))] = "sans"
    titles: Annotated[Face, must_be(_words(Face))] = "serif"


class Back(Section, frozen=True, kw_only=True):
    """``[back]``: the back of a card that lies face down."""

    ground: Colour = "#2a3350"
    lines: Colour = "#8f9cc6"

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Yield a fault if the lines of the pattern are hard to see on the ground."""
        low = _too_low(self.lines, self.ground, LEAST_DRAWN, "ground")
        if low is not None:
            yield "lines", low


class Cards(Section, frozen=True, kw_only=True):
    """``[cards]``: the look of printed cards. Lengths are in millimetres."""

    ground: Colour = ""
    """The colour of a card's front; empty for ``colours.paper``."""
    ink: Colour = _CARD_TEXT
    plain: Colour = "#d9d4c7"
    """The colour of the frame of cards without a colour of their own."""
    pattern: Annotated[Pattern, must_be(_words(Pattern))] = "triangles"
    width_mm: Annotated[
        float, must_be(Reason("millimetres", least=40, most=100), ge=40, le=100)
    ] = 63
    height_mm: Annotated[
        float, must_be(Reason("millimetres", least=60, most=150), ge=60, le=150)
    ] = 88
    corner_mm: Annotated[float, must_be(Reason("millimetres", least=0, most=6), ge=0, le=6)] = 3
    frame_mm: Annotated[float, must_be(Reason("millimetres", least=0, most=6), ge=0, le=6)] = 3
    """The width of the frame in the card's colour."""

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Yield a fault unless a card is taller than wide, by a fifth at least."""
        if self.height_mm < self.width_mm * _UPRIGHT:
            yield "height_mm", Reason("card-upright", width=f"{self.width_mm:g}")


class Theme(Section, frozen=True, kw_only=True):
    """All values of a theme file."""

    colours: Annotated[Colours, must_be(Reason("a-section", key="colours"))]
    fonts: Fonts = Fonts()
    back: Back = Back()
    cards: Cards = Cards()
    sounds: Annotated[Sounds, must_be(_words(Sounds))] = "wood"
    base: Annotated[Ours, must_be(_words(Ours))] | None = None
    """The hub's theme whose values are used where the file has none."""

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Yield a fault if the text on a printed card is hard to read on the card's front."""
        if (
            low := _too_low(self.cards.ink, self.card_ground, LEAST_CONTRAST, "ground")
        ) is not None:
            yield "cards.ink", low

    @property
    def card_ground(self) -> str:
        """The colour of a printed card's front."""
        return self.cards.ground or self.colours.paper

    @property
    def scheme(self) -> str:
        """The colour scheme for browsers: ``dark`` or ``light``."""
        return "light" if luminance(self.colours.ink) > luminance("#777777") else "dark"

    def css(self) -> str:
        """The theme's colours and fonts as custom properties of CSS."""
        colours = self.colours
        kinds = {"attack": colours.first, "defend": colours.second, "grapple": colours.third}
        values = {
            **{key: getattr(colours, key) for key in ("ink", "felt", "raised", "line", "paper")},
            **{key: getattr(colours, key) for key in ("text", "quiet", "alarm")},
            "gold": colours.accent,
            **kinds,
            "on-gold": readable_on(colours.accent),
            "on-alarm": readable_on(colours.alarm),
            "on-kind": readable_on(*kinds.values()),
            "back": self.back.ground,
            "back-line": self.back.lines,
            "on-back": readable_on(self.back.ground),
            "sans": _stack(self.fonts.text),
            "serif": _stack(self.fonts.titles),
        }
        said = "".join(f"--{key}:{value};" for key, value in values.items())
        return f":root{{color-scheme:{self.scheme};{said}}}\n"


class Look(Struct, frozen=True):
    """A theme's values for the pages."""

    css: str = ""
    """The rule with the theme's colours and fonts; empty for the pages' default look."""
    scheme: str = "dark"
    sounds: str = "wood"
    fonts: tuple[Font, ...] = ("sans", "serif")
    """The hub's fonts that the theme uses."""
    ground: str = "#10131a"
    back: tuple[str, str] | None = None
    """The colours of a card's back, ground and lines; None: those of the pages' default icon."""


def printed(face: Face) -> Font:
    """The hub's font that stands for ``face`` on a printed card."""
    return _SYSTEMS[face][0] if face in _SYSTEMS else cast("Font", face)


def _stack(face: Face) -> str:
    if face in _SYSTEMS:
        return f"{_SYSTEMS[face][1]}, {_WIDE}"
    return f'"facedown-{face}", {_MEANWHILE[cast("Font", face)]}, {_WIDE}'


def read_theme(file: Path) -> Theme:
    """A group's own theme, read from ``file``. Raises :class:`hub.kernel.faults.Faulty`."""
    return _theme(read_toml(file, MAX_THEME_BYTES))


def our_theme(name: str) -> Theme:
    """The hub's theme called ``name``. Raises :class:`hub.kernel.faults.Faulty`."""
    return _theme(packaged("hub.themes", f"{name}.toml"))


def look_of(name: str, file: Path | None) -> Look:
    """The look of the theme in ``file``; without a file, of the hub's theme called ``name``.

    Raises :class:`hub.kernel.faults.Faulty`.
    """
    if file is None and name == OURS[0]:
        return Look()
    theme = our_theme(name) if file is None else read_theme(file)
    faces = dict.fromkeys([theme.fonts.text, theme.fonts.titles])
    return Look(
        css=theme.css(),
        scheme=theme.scheme,
        sounds=theme.sounds,
        fonts=tuple(cast("Font", face) for face in faces if face not in _SYSTEMS),
        ground=theme.colours.ink,
        back=(theme.back.ground, theme.back.lines),
    )


def luminance(colour: str) -> float:
    """The brightness of a colour ``#rrggbb``, from 0 to 1 (WCAG 2.1, relative luminance)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = map(_linear, parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    """Convert a channel of an sRGB colour to linear light, both from 0 to 1."""
    dark = 0.04045
    return part / 12.92 if part <= dark else float(((part + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """The ratio of two colours' brightness, from 1 to 21 (WCAG 2.1, contrast ratio)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _too_low(colour: str, ground: str, least: float, under: str) -> Reason | None:
    ratio = contrast(colour, ground)
    if ratio >= least:
        return None
    return Reason("contrast-low", under=under, ratio=f"{ratio:.1f}", least=f"{least:g}")


def readable_on(*grounds: str) -> str:
    """The text colour, dark or light, that is more readable on all ``grounds``."""
    return max(_DARK, _LIGHT, key=lambda ink: min(contrast(ink, each) for each in grounds))


def _theme(document: Document) -> Theme:
    values = document.values
    if (base := values.get("base")) in OURS:
        values = _over(packaged(__name__, f"{base}.toml").values, values)
    theme = read_section(document, Theme, values)
    document.check()
    return theme


def _over(lower: Mapping[str, Any], upper: Mapping[str, Any]) -> dict[str, Any]:
    """Both tables merged; the upper's values take precedence."""
    tables = {
        key: _over(value, upper[key])
        for key, value in lower.items()
        if isinstance(value, Mapping) and isinstance(upper.get(key), Mapping)
    }
    return {**lower, **upper, **tables}
