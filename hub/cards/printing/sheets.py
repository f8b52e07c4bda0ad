"""Arranges cards on paper: where each card and its back is printed, and where to cut."""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from hub.cards.printing.drawing import (
    SAME,
    Drawing,
    Item,
    Matrix,
    Shape,
    Words,
    line,
    move,
    quarter_turn,
    shifted,
    times,
)
from hub.cards.printing.formats import Page, Stamped
from hub.cards.printing.look import BLEED, Look

Layout = Literal["duplex", "fold", "fronts", "single"]
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Name of a paper → its width and height, upright, in mm."""
EDGE = 4.0
"""The width of the edge of the paper on which most printers cannot print, in mm."""
_GAP, _MARK = 0.8, 2.2
"""The distance between bleed and crop mark, and the mark's length, in mm."""
_MARGIN = EDGE + _MARK + _GAP + BLEED
_BACK = "back"
_INK, _QUIET = "#000000", "#555555"


class NoRoomOnPaper(ValueError):
    """Not even one card fits on the paper."""


class Grid(Struct, frozen=True):
    """How cards are arranged on a sheet, in columns and rows."""

    paper: tuple[float, float]
    cell: tuple[float, float]
    """Width and height of a card (or of a front beside its back) as it lies on the sheet."""
    columns: int
    rows: int
    turned: bool
    """Whether the cards lie on their sides."""

    @property
    def count(self) -> int:
        """How many cards fit on a sheet."""
        return self.columns * self.rows

    def corner(self, place: int) -> tuple[float, float]:
        """Left and top of the card with this number, counted row by row from the upper left, from
        0."""
        row, column = divmod(place, self.columns)
        left, top = self._begin
        return (left + column * (self.cell[0] + 2 * BLEED), top + row * (self.cell[1] + 2 * BLEED))

    def behind(self, place: int) -> tuple[float, float]:
        """Left and top of the back of the card with this number, on a sheet turned over its long
        edge."""
        left, top = self.corner(place)
        return (self.paper[0] - left - self.cell[0], top)

    @property
    def _begin(self) -> tuple[float, float]:
        wide = self.columns * self.cell[0] + (self.columns - 1) * 2 * BLEED
        high = self.rows * self.cell[1] + (self.rows - 1) * 2 * BLEED
        return ((self.paper[0] - wide) / 2, (self.paper[1] - high) / 2)


def grid(paper: tuple[float, float], width: float, height: float) -> Grid:
    """The grid with the most cells of this size, upright or on their sides. Raises
    :class:`NoRoomOnPaper`."""
    found = []
    for cell, turned in (((width, height), False), ((height, width), True)):
        fits = [
            int((room - 2 * _MARGIN + 2 * BLEED + 1e-6) // (length + 2 * BLEED))
            for room, length in zip(paper, cell, strict=True)
        ]
        found.append(Grid(paper, cell, fits[0], fits[1], turned))
    best = max(found, key=lambda each: each.count if min(each.columns, each.rows) > 0 else 0)
    if best.columns < 1 or best.rows < 1:
        raise NoRoomOnPaper
    return best


def grid_of(look: Look, paper: tuple[float, float], layout: Layout) -> Grid:
    """The grid of the cards in a layout. In ``fold``, a cell is a front with its back beside it.
    Raises :class:`NoRoomOnPaper`."""
    return grid(paper, look.width * (2 if layout == "fold" else 1), look.height)


class Job(Struct, frozen=True, kw_only=True):
    """A deck to lay out: its drawings, the paper, and the layout."""

    look: Look
    fronts: Sequence[Drawing]
    back: Drawing
    paper: tuple[float, float]
    layout: Layout
    shift: tuple[float, float] = (0, 0)
    """How far backs are moved to the right and down, in mm, for a printer that is slightly off."""
    caption: Callable[[str, int, int], str] = lambda side, sheet, sheets: ""
    """Returns the text in the margin, for a side (``front``, ``back`` or ``fold``), the number of
    the sheet, and how many sheets there are."""

    def named(self) -> dict[str, Drawing]:
        """The drawings that the stamps of :meth:`pages` name."""
        return {_BACK: self.back} | {_front(n): each for n, each in enumerate(self.fronts)}

    def pages(self) -> Iterator[Page]:
        """Lay out the pages. Raises :class:`NoRoomOnPaper`."""
        if self.layout == "single":
            yield from self._singles()
            return
        lies = grid_of(self.look, self.paper, self.layout)
        sheets = -(-len(self.fronts) // lies.count)
        for sheet in range(sheets):
            cards = range(len(self.fronts))[sheet * lies.count : (sheet + 1) * lies.count]
            places = [*enumerate(cards)]
            if self.layout == "fold":
                stamps = [
                    each for place, card in places for each in self._folded(lies, place, card)
                ]
                yield self._page(lies, stamps, self.caption("fold", sheet + 1, sheets))
                continue
            stamps = [Stamped(_front(card), self._at(lies, lies.corner(n))) for n, card in places]
            yield self._page(lies, stamps, self.caption("front", sheet + 1, sheets))
            if self.layout == "duplex":
                x, y = self.shift
                at = [lies.behind(place) for place, _ in places]
                moved = [self._at(lies, (left + x, top + y)) for left, top in at]
                stamps = [Stamped(_BACK, each) for each in moved]
                caption = self.caption("back", sheet + 1, sheets)
                yield self._page(lies, stamps, caption, self.shift)

    def _singles(self) -> Iterator[Page]:
        width, height = self.look.width, self.look.height
        for name in [*map(_front, range(len(self.fronts))), _BACK]:
            yield Page(
                width=width + 2 * BLEED,
                height=height + 2 * BLEED,
                stamps=(Stamped(name, shifted(BLEED, BLEED)),),
                trim=(BLEED, BLEED, BLEED + width, BLEED + height),
                bleed=(0, 0, width + 2 * BLEED, height + 2 * BLEED),
            )

    def _at(self, lies: Grid, corner: tuple[float, float]) -> Matrix:
        turn = quarter_turn(lies.cell[0]) if lies.turned else SAME
        return times(shifted(*corner), turn)

    def _folded(self, lies: Grid, place: int, card: int) -> Iterator[Stamped]:
        width, height = self.look.width, self.look.height
        at = self._at(lies, lies.corner(place))
        high = height + 2 * BLEED
        yield Stamped(_front(card), at, (-BLEED, -BLEED, width + BLEED, high))
        beside = times(at, shifted(width, 0))
        yield Stamped(_BACK, beside, (0, -BLEED, width + BLEED, high))

    def _page(
        self,
        lies: Grid,
        stamps: Sequence[Stamped],
        caption: str,
        shift: tuple[float, float] = (0, 0),
    ) -> Page:
        """A sheet with its marks, which are moved by ``shift``, as the cards are."""
        width, height = lies.paper
        marks = [*_crop_marks(lies), *(_folds(lies) if self.layout == "fold" else ())]
        items: list[Item] = [move(mark, shifted(*shift)) for mark in marks]
        if caption:
            x, y = width / 2, height - EDGE - 0.6
            items.append(Words(caption, x, y, "sans", 400, 2.3, _QUIET, "middle"))
        return Page(width=width, height=height, stamps=tuple(stamps), items=tuple(items))


def _front(card: int) -> str:
    return f"front{card}"


def _crop_marks(lies: Grid) -> Iterator[Item]:
    (left, top), last = lies.corner(0), lies.corner(lies.count - 1)
    right, bottom = last[0] + lies.cell[0], last[1] + lies.cell[1]
    reach = BLEED + _GAP
    for column in range(lies.columns):
        begin = lies.corner(column)[0]
        for x in (begin, begin + lies.cell[0]):
            yield _hair(x, top - reach - _MARK, x, top - reach)
            yield _hair(x, bottom + reach, x, bottom + reach + _MARK)
    for row in range(lies.rows):
        begin = lies.corner(row * lies.columns)[1]
        for y in (begin, begin + lies.cell[1]):
            yield _hair(left - reach - _MARK, y, left - reach, y)
            yield _hair(right + reach, y, right + reach + _MARK, y)


def _folds(lies: Grid) -> Iterator[Item]:
    reach = BLEED + _GAP
    (left, top), last = lies.corner(0), lies.corner(lies.count - 1)
    right, bottom = last[0] + lies.cell[0], last[1] + lies.cell[1]
    if lies.turned:
        for row in range(lies.rows):
            y = lies.corner(row * lies.columns)[1] + lies.cell[1] / 2
            yield _hair(left - reach - _MARK, y, left - reach, y, dashed=True)
            yield _hair(right + reach, y, right + reach + _MARK, y, dashed=True)
        return
    for column in range(lies.columns):
        x = lies.corner(column)[0] + lies.cell[0] / 2
        yield _hair(x, top - reach - _MARK, x, top - reach, dashed=True)
        yield _hair(x, bottom + reach, x, bottom + reach + _MARK, dashed=True)


def _hair(x: float, y: float, to_x: float, to_y: float, *, dashed: bool = False) -> Shape:
    return Shape(line(x, y, to_x, to_y), stroke=_INK, width=0.1, dashed=dashed)
