"""A drawing as SVG, its texts as outlines, so that it looks the same in every program."""

from collections.abc import Iterator

from hub.cards.printing.drawing import Drawing, Matrix, Shape, Words, times
from hub.cards.printing.letters import letters


def write_svg(drawing: Drawing, title: str, bleed: float = 0) -> str:
    """The file, in real size, with ``bleed`` mm beyond the edges."""
    width, height = drawing.width + 2 * bleed, drawing.height + 2 * bleed
    box = " ".join(_n(each) for each in (-bleed, -bleed, width, height))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}mm" height="{_n(height)}mm" '
        f'viewBox="{box}">'
    )
    lines = [head, f"<title>{_escaped(title)}</title>"]
    for item in drawing.items:
        lines += _shape(item) if isinstance(item, Shape) else _words(item)
    return "\n".join([*lines, "</svg>", ""])


def _shape(shape: Shape) -> Iterator[str]:
    stroke = f'stroke="{shape.stroke}" stroke-width="{_n(shape.width)}" ' if shape.stroke else ""
    if shape.stroke:
        stroke += 'stroke-linecap="round" stroke-linejoin="round" '
    dashed = 'stroke-dasharray="1.2 1.2" ' if shape.dashed else ""
    yield (
        f'<path d="{shape.path}" fill="{shape.fill or "none"}" {stroke}{dashed}'
        f'transform="{_matrix(shape.at)}"/>'
    )


def _words(words: Words) -> Iterator[str]:
    font = letters(words.font, words.weight)
    width = font.width(words.text, words.size)
    x = words.x - {"start": 0.0, "middle": width / 2, "end": width}[words.anchor]
    scale = words.size / font.em
    for path, begins, stroke in font.outlines(words.text):
        if path:
            at = times(words.at, (scale, 0, 0, -scale, x + begins * scale, words.y))
            line = f'stroke="{words.colour}" stroke-width="{_n(stroke)}" ' if stroke else ""
            yield f'<path d="{path}" fill="{words.colour}" {line}transform="{_matrix(at)}"/>'


def _matrix(matrix: Matrix) -> str:
    return f"matrix({' '.join(f'{each:.6f}'.rstrip('0').rstrip('.') for each in matrix)})"


def _n(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
