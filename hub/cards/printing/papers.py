"""Papers besides the cards: character sheets, rules on one page, countdowns, tents."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from msgspec import Struct

from hub.cards.printing.drawing import (
    Drawing,
    Item,
    Shape,
    Words,
    half_turn,
    line,
    move,
    rect,
    shifted,
)
from hub.cards.printing.formats import Page
from hub.cards.printing.letters import Style, Unprintable, set_name, set_text
from hub.cards.printing.look import Look, draw_sign
from hub.games.faces import Line, Part
from hub.kernel.texts import Texts

_INK, _QUIET, _RULE = "#000000", "#555555", "#999999"
_MARGIN, _BETWEEN = 14.0, 8.0
_SMALLEST = 2.0
_TO_WRITE = 1.7
"""The height of a line for handwriting, relative to the text size."""
_MOST_BOXES = 60


class Paper(Struct, frozen=True):
    """A page of parts in two columns. ``under`` is the line below the title, ``foot`` the line at
    the lower edge."""

    title: str
    under: str
    parts: tuple[Part, ...]
    foot: str = ""
    largest: float = 4.2
    """The largest size of text to try, in mm. The text becomes smaller until it fits on the
    page."""


def paper_page(paper: Paper, look: Look, size: tuple[float, float]) -> Page:
    """Draw a paper on a page of this size, in mm. Raises :class:`Unprintable` if the text does not
    fit."""
    width, height = size
    items = [*_head(paper, look, width)]
    top = 34.0 if paper.under else 29.0
    if paper.foot:
        at = height - 9
        foot = Style(look.text, 400, (2.6, 2.0))
        em, lines = set_text(paper.foot, foot, lambda *_: width - 2 * _MARGIN, paper.title)
        items.append(Words(lines[0], width / 2, at, look.text, 400, em, _QUIET, "middle"))
    room = (width - 2 * _MARGIN - _BETWEEN) / 2
    sizes = range(round(10 * paper.largest), round(10 * _SMALLEST) - 1, -1)
    for em in (tenths / 10 for tenths in sizes):
        try:
            blocks = [block for part in paper.parts for block in _blocks(part, look, em, room)]
        except Unprintable:
            if em > _SMALLEST:
                continue
            raise
        half = sum(block.height + em * 1.3 * block.begins for block in blocks) / 2
        bottoms = [top + half + em * more for more in range(0, 40, 2)]
        within = [each for each in bottoms if each < height - 15]
        for whole in (True, False):
            for bottom in (*within, height - 15):
                laid = _flow(blocks, (top, bottom), room, em, whole=whole)
                if laid is not None:
                    return Page(width=width, height=height, items=(*items, *laid))
    raise Unprintable(f'"{paper.title}": it does not fit on one page')


class _Block(Struct, frozen=True):
    """Lines that stay together: a title with its first line, or a single line."""

    height: float
    items: tuple[Item, ...]
    begins: bool = False


def _head(paper: Paper, look: Look, width: float) -> Iterator[Item]:
    style = Style(look.titles, 700, (10, 4))
    size, lines = set_name(paper.title, style, lambda *_: width - 2 * _MARGIN, paper.title)
    yield Words(lines[0], _MARGIN, 23, look.titles, 700, size, _INK)
    if paper.under:
        small = Style(look.text, 400, (3.4, 2.2))
        size, lines = set_text(paper.under, small, lambda *_: width - 2 * _MARGIN, paper.title)
        yield Words(lines[0], _MARGIN, 29, look.text, 400, size, _QUIET)


def _flow(
    blocks: Sequence[_Block], reach: tuple[float, float], room: float, em: float, *, whole: bool
) -> list[Item] | None:
    """The blocks in two columns; None if they need a third column.

    ``reach``: top and bottom of a column. ``whole``: a part is not divided between columns.
    """
    found: list[Item] = []
    top, bottom = reach
    column, y = 0, top
    for at, block in enumerate(blocks):
        gap = em * 1.3 if block.begins and y > top else 0
        high = _part(blocks, at) if whole and block.begins else block.height
        if y + gap + high > bottom:
            column, y, gap = column + 1, top, 0
        if column > 1 or y + high > bottom:
            return None
        place = shifted(_MARGIN + column * (room + _BETWEEN), y + gap)
        found += [move(item, place) for item in block.items]
        y += gap + block.height
    return found


def _part(blocks: Sequence[_Block], at: int) -> float:
    """The height of the part that begins with block ``at``."""
    after = takewhile(lambda block: not block.begins, blocks[at + 1 :])
    return blocks[at].height + sum(block.height for block in after)


def _blocks(part: Part, look: Look, em: float, room: float) -> Iterator[_Block]:
    size, lines = set_text(
        part.title, Style(look.titles, 700, (em * 1.45, em)), lambda *_: room, part.title
    )
    base = size * 1.1
    head: tuple[Item, ...] = (
        Words(lines[0], 0, base, look.titles, 700, size, _INK),
        Shape(line(0, base + 1.1, room, base + 1.1), stroke=_RULE, width=0.2),
    )
    high = base + 1.1 + em * 0.5
    for number, each in enumerate(part.lines):
        block = _line(each, look, em, room)
        if number:
            yield block
            continue
        below = tuple(move(item, shifted(0, high)) for item in block.items)
        yield _Block(high + block.height, (*head, *below), begins=True)


def _line(given: Line, look: Look, em: float, room: float) -> _Block:
    items: list[Item] = []
    x, y, leading = 0.0, 0.0, em * 1.32
    for sign in given.signs:
        items += draw_sign(sign, look, (x + em * 0.62, y + em * 0.78), em * 1.25, look.ground)
        x += em * 1.7
    breaks = em <= _SMALLEST
    bold = Style(look.text, 700, (em, em), 40, breaks)
    plain = Style(look.text, 400, (em, em), 40, breaks)
    indent = x
    for text, style in ((given.label, bold), (given.text, plain)):
        begin = x

        def wide(n: int, size: float, begin: float = begin) -> float:
            return room - (begin if n == 0 else indent)

        if not text:
            continue
        try:
            _, lines = set_text(text, style, wide, given.label or given.text)
        except Unprintable:  # no room for the first word behind the label: it goes below
            x, y = indent, y + leading
            begin = x
            _, lines = set_text(text, style, lambda *_: room - indent, given.label or given.text)
        for number, each in enumerate(lines):
            if number:
                x, y = indent, y + leading
            items.append(Words(each, x, y + em, look.text, style.weight, em, _INK))
        x += style.letters.width(lines[-1], em) + em * 0.55
    boxes = min(given.boxes, _MOST_BOXES)
    side = em * 1.1
    if given.write:
        y += em * (_TO_WRITE - 1.32)
        items = [move(item, shifted(0, em * (_TO_WRITE - 1.32))) for item in items]
        end = room - (boxes * side * 1.3 if boxes else 0)
        base = y + em * 1.15
        items.append(Shape(line(x, base, end - em * 0.3, base), stroke=_RULE, width=0.2))
        x = end
    if boxes and x + side > room - 0.1:
        x, y = indent, y + leading
    for box in range(boxes):
        if x + side > room:
            x, y = indent, y + leading
        items += _box(x, y + em * 0.12, side, filled=box >= boxes - given.filled)
        x += side * 1.3
    return _Block(y + leading + em * 0.12, tuple(items))


def _box(x: float, y: float, side: float, *, filled: bool) -> Iterator[Item]:
    """A box to cross by hand; if ``filled``, it is already crossed."""
    yield Shape(rect(x, y, side, side, side * 0.12), stroke=_INK, width=0.25)
    if filled:
        near, far = side * 0.22, side - side * 0.22
        for a, b in ((near, far), (far, near)):
            yield Shape(line(x + a, y + near, x + b, y + far), stroke=_INK, width=0.35)


def countdown_pages(
    countdowns: Sequence[tuple[str, int]], look: Look, say: Texts, size: tuple[float, float]
) -> Iterator[Page]:
    """Draw countdowns, four to a page. Each has its name, or a line to write one on, and its number
    of boxes."""
    width, height = size
    band = (height - 2 * _MARGIN) / 4
    for first in range(0, len(countdowns), 4):
        items: list[Item] = []
        for row, (name, boxes) in enumerate(countdowns[first : first + 4]):
            y = _MARGIN + row * band
            if row:
                cut = line(_MARGIN, y, width - _MARGIN, y)
                items.append(Shape(cut, stroke=_RULE, width=0.15, dashed=True))
            items += _countdown(name, boxes, look, say, (width, y + 6))
        yield Page(width=width, height=height, items=tuple(items))


def _countdown(
    name: str, boxes: int, look: Look, say: Texts, at: tuple[float, float]
) -> Iterator[Item]:
    width, y = at
    room = width - 2 * _MARGIN
    yield Words(say("card.countdown"), _MARGIN, y + 3, look.text, 400, 3, _QUIET)
    if name:
        style = Style(look.titles, 700, (9, 3.5))
        size, lines = set_name(name, style, lambda *_: room, f'"{name}"')
        yield Words(lines[0], _MARGIN, y + 14, look.titles, 700, size, _INK)
    else:
        yield Shape(line(_MARGIN, y + 14, width - _MARGIN, y + 14), stroke=_QUIET, width=0.2)
    side = min(20.0, room / boxes - 3)
    for box in range(boxes):
        yield from _box(_MARGIN + box * (side + 3), y + 20, side, filled=False)
    full = say("card.countdown.full")
    yield Words(full, _MARGIN, y + 26 + side, look.text, 400, 3, _QUIET)


class Tent(Struct, frozen=True):
    """A table tent for a seat, with a code for its page."""

    seat: str
    names: str
    """The characters played at the seat."""
    address: str = ""
    """The address of the seat's page, possibly with its key; empty for no code."""
    secret: bool = False
    """Whether the address includes the key."""


def tent_page(tent: Tent, look: Look, say: Texts, size: tuple[float, float]) -> Page:
    """Draw a page to fold in the middle: the names on both sides, the code on the player's side."""
    width, height = size
    half = height / 2
    near = [*_names(tent, look, (width, half), 0.3 if tent.address else 0.55)]
    if tent.address:
        near += _code(tent, look, say, (width, half))
    far = [*_names(tent, look, (width, half), 0.55)]
    items = [
        *(move(item, half_turn(width, half)) for item in far),
        *(move(item, shifted(0, half)) for item in near),
        Shape(line(4, half, 12, half), stroke=_INK, width=0.2, dashed=True),
        Shape(line(width - 12, half, width - 4, half), stroke=_INK, width=0.2, dashed=True),
    ]
    return Page(width=width, height=height, items=tuple(items))


def _names(tent: Tent, look: Look, size: tuple[float, float], down: float) -> Iterator[Item]:
    width, height = size
    style = Style(look.titles, 700, (30, 7), 2)
    em, lines = set_name(tent.names, style, lambda *_: width - 2 * _MARGIN, f'"{tent.seat}"')
    y = height * down - (len(lines) - 1) * em * 0.6
    for each in lines:
        yield Words(each, width / 2, y + em * 0.34, look.titles, 700, em, _INK, "middle")
        y += em * 1.2


def _code(tent: Tent, look: Look, say: Texts, size: tuple[float, float]) -> Iterator[Item]:
    width, height = size
    side = 46.0
    x, y = (width - side) / 2, height - side - 24
    drawing = qr_code(tent.address, side)
    yield from drawing.moved(shifted(x, y))
    said = say("card.tent.secret") if tent.secret else say("card.tent.scan")
    style = Style(look.text, 400, (3.4, 2.2), 2)
    em, lines = set_text(said, style, lambda *_: width - 2 * _MARGIN, f'"{tent.seat}"')
    at = y + side + 7
    for each in lines:
        yield Words(each, width / 2, at, look.text, 400, em, _INK, "middle")
        at += em * 1.3


def qr_code(text: str, side: float) -> Drawing:
    """Draw a QR code with its light border (ISO/IEC 18004), ``side`` mm wide and high."""
    import segno

    code = segno.make(text, micro=False)
    rows = [*code.matrix_iter(border=4)]
    module = side / len(rows)
    path = "".join(
        f"M{x} {y}h{run}v1h-{run}z" for y, row in enumerate(rows) for x, run in _runs(row)
    )
    dark = Shape(path, fill=_INK, at=shifted(0, 0, module))
    return Drawing(side, side, (Shape(rect(0, 0, side, side), fill="#ffffff"), dark))


def _runs(row: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Runs of dark modules: the start and length of each."""
    begin = None
    for at, dark in enumerate([*row, 0]):
        if dark and begin is None:
            begin = at
        elif not dark and begin is not None:
            yield begin, at - begin
            begin = None
