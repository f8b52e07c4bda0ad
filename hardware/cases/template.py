"""The drill template for a wooden table, 1:1 on A4: SVG, PDF and DXF from one drawing.

Everything on it is symmetric, so it serves from above and from below. Millimetres from the sheet's
middle, y upwards; two rulers of 50 mm show whether a printer has scaled it.
"""

from dataclasses import dataclass, field
from pathlib import Path

from hardware.cases import pocket
from hardware.cases.parameters import HERE, Parameters

FOLDER = HERE / "template"
SHEET = (210.0, 297.0)
CLEARANCE = 1.0
"""Clearance around the mount, in the wood (mm)."""
PILOT = 2.0
"""A hole for the tip of a wood screw (mm)."""
_POINT = 72 / 25.4
Place = tuple[float, float]


@dataclass
class Drawing:
    """Lines with their layers, circles, words."""

    lines: list[tuple[str, Place, Place]] = field(default_factory=list)
    circles: list[tuple[str, Place, float]] = field(default_factory=list)
    words: list[tuple[Place, float, str]] = field(default_factory=list)

    def around(self, layer: str, corners: list[Place]) -> None:
        """Add a closed line."""
        self.lines += [
            (layer, a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
        ]


def drawing(p: Parameters) -> Drawing:
    """Return the drawing on the sheet."""
    d, card = Drawing(), p.card[p.template.card]
    d.around("mill", pocket.outline(p, CLEARANCE))
    d.circles += [("drill", at, PILOT) for at in pocket.screws(p)]
    module = p.module[p.mount.module]
    ax, ay = module.antenna
    for dx, dy in ((6, 0), (0, 6)):
        d.lines.append(("mark", (ax - dx, ay - dy), (ax + dx, ay + dy)))
    d.circles.append(("mark", (ax, ay), p.tag.across))
    half, beyond = card.size[0] / 2, (card.size[1] - card.ends) / 2
    top, bottom = ay + beyond, ay + beyond - card.size[1]
    d.around("card", [(ax - half, bottom), (ax + half, bottom), (ax + half, top), (ax - half, top)])
    d.circles.append(("card", (ax, ay - card.ends), p.tag.across))
    _rulers(d, p.template.ruler)
    for row, text in enumerate(_words(p)):
        d.words.append(((-90, 132 - 6 * row), 3.6, text))
    return d


def _words(p: Parameters) -> list[str]:
    wood, table = p.template.wood, p.mount.table
    return [
        "Facedown: a reader under the table, 1:1. Print at 100 %, not to fit the page.",
        f"Both rulers must measure {p.template.ruler:g} mm.",
        f"Thick line: mill a pocket from below, {pocket.depth(p):g} mm into {table:g} mm of wood,",
        f"so that {wood:g} mm are left. Another table: set it in parameters.toml, and make cases.",
        f"Two holes beside it: {PILOT:g} mm wide, 8 mm deep, for the screws of the mount's ears.",
        f"Dashed: a {p.template.card} card with two ends; its far sticker over the cross is read.",
    ]


def _rulers(d: Drawing, long: float) -> None:
    x, y = -90.0, -130.0
    for across, name in (((1, 0), "ruler-x"), ((0, 1), "ruler-y")):
        a, b = across
        d.lines.append((name, (x, y), (x + a * long, y + b * long)))
        for n in range(int(long // 10) + 1):
            at = (x + a * 10 * n, y + b * 10 * n)
            d.lines.append(("tick", at, (at[0] + 3 * b, at[1] + 3 * a)))
    d.words.append(((x + 6, y + 6), 3.6, f"{long:g} mm"))


_WIDTHS = {"mill": 0.6, "card": 0.2, "tick": 0.2}


def svg(d: Drawing) -> str:
    """Return an SVG of its size in mm, with one unit a millimetre."""
    wide, high = SHEET
    out = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}mm" height="{high:g}mm" '
        f'viewBox="{-wide / 2:g} {-high / 2:g} {wide:g} {high:g}">',
        '<g fill="none" stroke="#000">',
    ]
    for layer, (ax, ay), (bx, by) in d.lines:
        dash = ' stroke-dasharray="2 1.5"' if layer == "card" else ""
        out.append(
            f'<line class="{layer}" x1="{ax:g}" y1="{-ay:g}" x2="{bx:g}" y2="{-by:g}" '
            f'stroke-width="{_WIDTHS.get(layer, 0.3)}"{dash}/>'
        )
    for layer, (x, y), across in d.circles:
        out.append(
            f'<circle class="{layer}" cx="{x:g}" cy="{-y:g}" r="{across / 2:g}" '
            f'stroke-width="0.25"/>'
        )
    out.append('</g>\n<g font-family="sans-serif" fill="#000">')
    for (x, y), size, text in d.words:
        out.append(f'<text x="{x:g}" y="{-y:g}" font-size="{size:g}">{text}</text>')
    return "\n".join([*out, "</g>\n</svg>\n"])


def pdf(d: Drawing, to: Path) -> None:
    """Write the same as a PDF of one page."""
    from reportlab.pdfgen.canvas import Canvas

    page = Canvas(str(to), pagesize=(SHEET[0] * _POINT, SHEET[1] * _POINT), invariant=1)
    page.setTitle("Facedown: drill template")
    page.scale(_POINT, _POINT)
    page.translate(SHEET[0] / 2, SHEET[1] / 2)
    for layer, a, b in d.lines:
        page.setLineWidth(_WIDTHS.get(layer, 0.3))
        page.setDash([2, 1.5] if layer == "card" else [])
        page.line(*a, *b)
    page.setDash([])
    page.setLineWidth(0.25)
    for _, at, across in d.circles:
        page.circle(*at, across / 2)
    for at, size, text in d.words:
        page.setFont("Helvetica", size)
        page.drawString(*at, text)
    page.save()


def dxf(d: Drawing, to: Path) -> None:
    """Write a DXF for a milling machine: one unit a millimetre, a layer for each kind of line."""
    from ezdxf.addons.r12writer import r12writer

    with r12writer(str(to)) as out:
        for layer, a, b in d.lines:
            out.add_line(a, b, layer=layer)
        for layer, at, across in d.circles:
            out.add_circle(at, across / 2, layer=layer)


def write(p: Parameters) -> None:
    """Write all three."""
    FOLDER.mkdir(exist_ok=True)
    d = drawing(p)
    (FOLDER / "table.svg").write_text(svg(d), encoding="utf-8")
    pdf(d, FOLDER / "table.pdf")
    dxf(d, FOLDER / "table.dxf")
