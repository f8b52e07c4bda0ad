"""Drawings as PDF (reportlab), as pixels (PDFium), and as SVG.

A PDF has its fonts embedded, trim and bleed boxes set, and no dates. An SVG has its texts as
outlines, so that it looks the same in every program.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from io import BytesIO
from math import ceil
from typing import Any
from xml.sax.saxutils import escape

from msgspec import Struct

from hub.cards.printing.drawing import Drawing, Item, Matrix, Shape, Words, decimal, times
from hub.cards.printing.letters import letters
from hub.fonts import Font, Weight

MM = 72 / 25.4


class Stamped(Struct, frozen=True):
    """A named drawing at a place on a page. A PDF holds the drawing once for all its places."""

    name: str
    at: Matrix
    clip: tuple[float, float, float, float] | None = None
    """Left, top, width and height of the visible part; None if all of it is visible."""


class Page(Struct, frozen=True, kw_only=True):
    """A page of paper, with ``stamps`` and, on top of them, ``items``."""

    width: float
    height: float
    stamps: tuple[Stamped, ...] = ()
    items: tuple[Item, ...] = ()
    trim: tuple[float, float, float, float] | None = None
    """Left, top, right and bottom of what remains after cutting; None for the whole page."""
    bleed: tuple[float, float, float, float] | None = None


def write_pdf(
    pages: Iterable[Page], title: str, language: str, named: Mapping[str, Drawing] | None = None
) -> bytes:
    """Return the pages as a PDF; the same pages give the same bytes.

    ``named``: the drawings that the pages' stamps name.
    """
    from reportlab.pdfgen.canvas import Canvas

    written = BytesIO()
    canvas = Canvas(
        written, pageCompression=1, invariant=1, lang=language, initialFontName=_font("sans", 400)
    )
    canvas.setTitle(title)
    canvas.setCreator("Facedown")
    canvas.setProducer("Facedown")
    canvas.setAuthor("")
    canvas.setSubject("")
    for name, drawing in (named or {}).items():
        over = 10.0  # a stamp may extend over its edges, as a bleed does
        canvas.beginForm(name, -over, -over, drawing.width + over, drawing.height + over)
        _draw(canvas, drawing.items)
        canvas.endForm()
    for page in pages:
        canvas.setPageSize((page.width * MM, page.height * MM))
        canvas.setTrimBox(_box(page, page.trim))
        canvas.setCropBox(_box(page, page.bleed or page.trim), name="bleed")
        canvas.transform(MM, 0, 0, -MM, 0, page.height * MM)
        for stamp in page.stamps:
            canvas.saveState()
            canvas.transform(*stamp.at)
            if stamp.clip:
                window = canvas.beginPath()
                window.rect(*stamp.clip)
                canvas.clipPath(window, stroke=0, fill=0)
            canvas.doForm(stamp.name)
            canvas.restoreState()
        _draw(canvas, page.items)
        canvas.showPage()
    canvas.save()
    return written.getvalue()


def _box(page: Page, box: tuple[float, float, float, float] | None) -> tuple[float, ...]:
    left, top, right, bottom = box or (0, 0, page.width, page.height)
    return (left * MM, (page.height - bottom) * MM, right * MM, (page.height - top) * MM)


def _draw(canvas: Any, items: Iterable[Item]) -> None:
    for item in items:
        canvas.saveState()
        if isinstance(item, Shape):
            _shape(canvas, item)
        else:
            _words(canvas, item)
        canvas.restoreState()


def _shape(canvas: Any, shape: Shape) -> None:
    from reportlab.lib.colors import HexColor

    canvas.transform(*shape.at)
    path = canvas.beginPath()
    for draw, points in _strokes(shape.path):
        getattr(path, draw)(*points)
    canvas.setLineWidth(shape.width)
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    if shape.dashed:
        canvas.setDash([1.2, 1.2])
    if shape.fill:
        canvas.setFillColor(HexColor(shape.fill))
    if shape.stroke:
        canvas.setStrokeColor(HexColor(shape.stroke))
    canvas.drawPath(path, fill=int(bool(shape.fill)), stroke=int(bool(shape.stroke)))


def _words(canvas: Any, words: Words) -> None:
    from reportlab.lib.colors import HexColor

    if not letters(words.font, words.weight).has(words.text):
        _draw(canvas, _outlined(words))
        return
    text = canvas.beginText()
    text.setFont(_font(words.font, words.weight), words.size)
    text.setFillColor(HexColor(words.colour))
    text.setTextTransform(*times(words.at, (1, 0, 0, -1, _begin(words), words.y)))
    for part, space in _kerned(words):
        text.setCharSpace(space)
        text.textOut(part)
    canvas.drawText(text)


def _begin(words: Words) -> float:
    width = letters(words.font, words.weight).width(words.text, words.size)
    return words.x - {"start": 0.0, "middle": width / 2, "end": width}[words.anchor]


def _outlined(words: Words) -> Iterator[Shape]:
    """A line of text as outlines, because not every font format can be embedded."""
    font = letters(words.font, words.weight)
    x, scale = _begin(words), words.size / font.em
    for path, begins, stroke in font.outlines(words.text):
        if path:
            at = times(words.at, (scale, 0, 0, -scale, x + begins * scale, words.y))
            line = words.colour if stroke else ""
            yield Shape(path, fill=words.colour, stroke=line, width=stroke, at=at)


def _kerned(words: Words) -> Iterator[tuple[str, float]]:
    """The text in pieces, each with the space to add after each of its letters. A letter with
    kerning is a piece of its own."""
    font, part = letters(words.font, words.weight), ""
    for sign, kern in zip(words.text, [*font.kerns(words.text), 0], strict=False):
        if not kern:
            part += sign
            continue
        if part:
            yield part, 0
        yield sign, kern * words.size / font.em
        part = ""
    if part:
        yield part, 0


@cache
def _strokes(path: str) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """SVG path data as method calls on a reportlab path. Cached, because 1000 cards share a few
    dozen outlines."""
    from fontTools.svgLib.path import parse_path

    pen = _Pen()
    parse_path(path, pen)
    return tuple(pen.calls)


class _Pen:
    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[float, ...]]] = []

    def moveTo(self, to: tuple[float, float]) -> None:
        self.calls.append(("moveTo", to))

    def lineTo(self, to: tuple[float, float]) -> None:
        self.calls.append(("lineTo", to))

    def curveTo(self, *points: tuple[float, float]) -> None:
        self.calls.append(("curveTo", tuple(number for point in points for number in point)))

    def qCurveTo(self, control: tuple[float, float], to: tuple[float, float]) -> None:
        (x, y), (u, v), (a, b) = self.calls[-1][1][-2:], control, to
        first = (x + 2 * (u - x) / 3, y + 2 * (v - y) / 3)
        self.curveTo(first, (a + 2 * (u - a) / 3, b + 2 * (v - b) / 3), to)

    def closePath(self) -> None:
        self.calls.append(("close", ()))

    def endPath(self) -> None:
        pass


@cache
def _font(font: Font, weight: Weight) -> str:
    """Register a font with reportlab. Returns its name there."""
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    name = f"facedown-{font}-{weight}"
    registerFont(TTFont(name, BytesIO(letters(font, weight).truetype())))
    return name


def write_pngs(pdf: bytes, dpi: int) -> Iterator[bytes]:
    """The pages of a PDF as PNG files. ``dpi`` is their resolution, which the files state, too."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            image = page.render(scale=dpi / 72, rev_byteorder=True).to_pil()
            written = BytesIO()
            image.convert("RGB").save(written, "PNG", dpi=(dpi, dpi), compress_level=4)
            yield written.getvalue()
    finally:
        document.close()


def pixels(length: float, dpi: int) -> int:
    """How many pixels a length in mm takes, rounded up."""
    return ceil(length * MM / 72 * dpi - 1e-6)


def write_svg(drawing: Drawing, title: str, bleed: float = 0) -> str:
    """Return a drawing as SVG, in real size, with ``bleed`` mm beyond its edges."""
    width, height = drawing.width + 2 * bleed, drawing.height + 2 * bleed
    box = " ".join(map(decimal, (-bleed, -bleed, width, height)))
    size = f'width="{decimal(width)}mm" height="{decimal(height)}mm"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="{box}">'
    lines = [head, f"<title>{escape(title)}</title>"]
    for item in drawing.items:
        lines += _svg_shape(item) if isinstance(item, Shape) else _svg_words(item)
    return "\n".join([*lines, "</svg>", ""])


def _svg_shape(shape: Shape) -> Iterator[str]:
    stroke = _stroke(shape)
    if shape.stroke:
        stroke += 'stroke-linecap="round" stroke-linejoin="round" '
    dashed = 'stroke-dasharray="1.2 1.2" ' if shape.dashed else ""
    yield (
        f'<path d="{shape.path}" fill="{shape.fill or "none"}" {stroke}{dashed}'
        f'transform="{_matrix(shape.at)}"/>'
    )


def _svg_words(words: Words) -> Iterator[str]:
    for shape in _outlined(words):
        at = _matrix(shape.at)
        yield f'<path d="{shape.path}" fill="{shape.fill}" {_stroke(shape)}transform="{at}"/>'


def _stroke(shape: Shape) -> str:
    width = decimal(shape.width)
    return f'stroke="{shape.stroke}" stroke-width="{width}" ' if shape.stroke else ""


def _matrix(matrix: Matrix) -> str:
    return f"matrix({' '.join(decimal(each, 6) for each in matrix)})"
