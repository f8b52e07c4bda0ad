"""Puts references on the silkscreen, beside their parts, where they cover no pad, no other text and
no edge."""

from collections.abc import Callable, Iterator
from typing import Any

import pcbnew

from hardware.boards.make.data import Board

SIZE, STROKE = 0.9, 0.15
THINNEST = 150_000
"""The thinnest line that makers promise to print, in nm; KiCad's footprints have lines of 0.12 mm.
"""
GAP = 200_000
BODIES = ("Resistor_THT:R_Axial", "Capacitor_THT:C_Disc")
"""Footprints with room for a value between their legs."""
Box = tuple[int, int, int, int]


def _box(item: Any, grow: int = 0) -> Box:
    box = item.GetBoundingBox()
    return box.GetLeft() - grow, box.GetTop() - grow, box.GetRight() + grow, box.GetBottom() + grow


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _obstacles(pcb: Any, layer: int, copper: int) -> Iterator[Box]:
    for footprint in pcb.GetFootprints():
        for pad in footprint.Pads():
            if pad.IsOnLayer(copper) or pad.GetDrillSize().x:
                yield _box(pad, 150_000)
        for item in footprint.GraphicalItems():
            if item.GetLayer() == layer:
                yield from _outline(item)
    for item in pcb.GetDrawings():
        if item.GetLayer() == layer:
            yield _box(item, GAP)


def _outline(item: Any) -> Iterator[Box]:
    """The room that a drawn line takes: its box if it is along an axis; for a large frame, its four
    sides."""
    left, top, right, bottom = _box(item, 120_000)
    thin = 400_000
    shape = item.GetShape() if hasattr(item, "GetShape") else None
    if (
        shape in (pcbnew.SHAPE_T_RECT, pcbnew.SHAPE_T_CIRCLE)
        and min(right - left, bottom - top) > 3e6
    ):
        yield left, top, right, top + thin
        yield left, bottom - thin, right, bottom
        yield left, top, left + thin, bottom
        yield right - thin, top, right, bottom
        return
    yield left, top, right, bottom


def widen(footprint: Any) -> None:
    """Widen the lines of a footprint on the silkscreen so that they can be printed."""
    for item in footprint.GraphicalItems():
        on_silk = item.GetLayer() in (pcbnew.F_SilkS, pcbnew.B_SilkS)
        if on_silk and hasattr(item, "GetShape") and 0 < item.GetWidth() < THINNEST:
            item.SetWidth(THINNEST)


def print_values(pcb: Any, board: Board) -> None:
    """Print the value of each resistor and small capacitor with legs where its body will be, to be
    read while it is soldered."""
    values = {part.ref: part.value for part in board.parts}
    for footprint in pcb.GetFootprints():
        if not footprint.GetFPIDAsString().startswith(BODIES):
            continue
        one, other = (pad.GetPosition() for pad in footprint.Pads())
        made = pcbnew.PCB_TEXT(pcb)
        made.SetText(values[footprint.GetReference()])
        made.SetPosition(pcbnew.VECTOR2I((one.x + other.x) // 2, (one.y + other.y) // 2))
        made.SetTextSize(pcbnew.VECTOR2I(800_000, 800_000))
        made.SetTextThickness(THINNEST)
        made.SetTextAngleDegrees(90 if one.x == other.x else 0)
        made.SetLayer(pcbnew.F_SilkS)
        pcb.Add(made)


def place_references(pcb: Any, board: Board, at: Callable[[float, float], Any]) -> None:
    """Move every reference to the first place that is free. Those in ``bare`` are not printed."""
    parts = {part.ref: part for part in board.parts}
    width, height = board.size
    inner = (at(0.4, 0).x, at(0, 0.4).y, at(width - 0.4, 0).x, at(0, height - 0.4).y)
    taken = {
        layer: [*_obstacles(pcb, layer, copper)]
        for layer, copper in ((pcbnew.F_SilkS, pcbnew.F_Cu), (pcbnew.B_SilkS, pcbnew.B_Cu))
    }
    for footprint in sorted(pcb.GetFootprints(), key=lambda each: each.GetReference()):
        ref = footprint.GetReference()
        text = footprint.Reference()
        footprint.Value().SetVisible(False)
        for item in footprint.GraphicalItems():  # a second reference, on the drawing of the part
            if isinstance(item, pcbnew.PCB_TEXT) and item.GetLayer() in taken:
                item.SetVisible(False)
        if ref in board.bare:
            text.SetVisible(False)
            continue
        layer = pcbnew.B_SilkS if footprint.IsFlipped() else pcbnew.F_SilkS
        text.SetLayer(layer)
        text.SetVisible(True)
        text.SetTextSize(pcbnew.VECTOR2I(int(SIZE * 1e6), int(SIZE * 1e6)))
        text.SetTextThickness(int(STROKE * 1e6))
        text.SetTextAngleDegrees(0)
        text.SetKeepUpright(True)
        text.SetHorizJustify(pcbnew.GR_TEXT_H_ALIGN_CENTER)
        text.SetVertJustify(pcbnew.GR_TEXT_V_ALIGN_CENTER)
        wish = parts[ref].ref_at
        if wish is not None:
            text.SetPosition(at(parts[ref].at[0] + wish[0], parts[ref].at[1] + wish[1]))
            taken[layer].append(_box(text, 50_000))
            continue
        if not _settle(footprint, text, taken[layer], inner):
            print(f"  {board.id}: no room for the reference of {ref}")


def _settle(footprint: Any, text: Any, taken: list[Box], inner: Box) -> bool:
    body = footprint.GetBoundingBox(False)
    left, top, right, bottom = body.GetLeft(), body.GetTop(), body.GetRight(), body.GetBottom()
    across, down = (left + right) // 2, (top + bottom) // 2
    for turn in (0, 90):
        text.SetTextAngleDegrees(turn)
        own = text.GetBoundingBox()
        w, h = own.GetWidth() // 2, own.GetHeight() // 2
        for away in (150_000, 500_000, 1_000_000):
            for slide in (0, 0.35, -0.35, 0.7, -0.7):
                dx, dy = int(slide * (right - left) / 2), int(slide * (bottom - top) / 2)
                for place in (
                    (across + dx, top - h - away),
                    (across + dx, bottom + h + away),
                    (left - w - away, down + dy),
                    (right + w + away, down + dy),
                    (across + dx, down + dy),
                ):
                    text.SetPosition(pcbnew.VECTOR2I(*place))
                    box = _box(text, 50_000)
                    inside = (
                        box[0] > inner[0]
                        and box[1] > inner[1]
                        and box[2] < inner[2]
                        and box[3] < inner[3]
                    )
                    if inside and not any(_meet(box, each) for each in taken):
                        taken.append(box)
                        return True
    return False
