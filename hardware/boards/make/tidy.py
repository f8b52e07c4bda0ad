"""Makes a layout reproducible byte for byte: KiCad gives its items random ids, and sorts them by
these."""

import re
from pathlib import Path

from hardware.boards.make.data import Board
from hardware.boards.make.sexpr import Node, parse, text, write

_ALIKE = (
    ("footprint",),
    ("zone",),
    ("segment", "via", "arc"),
    ("gr_line", "gr_arc", "gr_text", "gr_rect", "gr_circle", "gr_poly"),
    ("fp_line", "fp_arc", "fp_text", "fp_rect", "fp_circle", "fp_poly"),
    ("pad",),
)
"""Kinds of items that are sorted, because their order means nothing."""
_NUMBER = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def tidy(board: Board, path: Path) -> None:
    """Rewrite the file: its items are sorted by content, and their ids follow from that order."""
    layout = parse(path.read_text(encoding="utf-8"))
    _sorted(layout)
    count = 0

    def number(node: list[Node]) -> None:
        nonlocal count
        for item in node:
            if isinstance(item, list) and item:
                if item[0] == "uuid":
                    count += 1
                    item[1] = board.uuid("layout", count)
                else:
                    number(item)

    number(layout)
    path.write_text(write(layout) + "\n", encoding="utf-8")


def _sorted(node: list[Node]) -> None:
    for item in node:
        if isinstance(item, list) and item and item[0] == "footprint":
            # A group lists the ids of its members, which no longer exist.
            item[:] = [
                inner for inner in item if not (isinstance(inner, list) and inner[0] == "group")
            ]
            _sorted(item)
    for heads in _ALIKE:
        at = [
            place
            for place, item in enumerate(node)
            if isinstance(item, list) and item and item[0] in heads
        ]
        chosen = sorted((node[place] for place in at), key=_key)
        for place, item in zip(at, chosen, strict=True):
            node[place] = item


def _key(item: Node) -> tuple[str, str]:
    said = _NUMBER.sub("", write(item))
    head = text(item, 0) if isinstance(item, list) else ""
    return head, said
