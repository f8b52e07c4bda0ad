"""``python3 -m hardware.boards.make [BOARD …]``, where KiCad 9 is: makes and checks boards."""

import sys
import tempfile
import time
from pathlib import Path

from hardware.boards.make import manifest, outputs
from hardware.boards.make.accepted import not_accepted
from hardware.boards.make.check import differences, places
from hardware.boards.make.data import Board, load
from hardware.boards.make.layout import ORIGIN, Layout
from hardware.boards.make.project import project, rules, tables
from hardware.boards.make.schematic import draw

FOLDER = Path(__file__).parent.parent
BOARDS = ("seat-board", "hub-carrier", "clock-board")


def write_sources(board: Board, folder: Path) -> Path:
    """Write the schematic, the project, the rules and the tables. Returns the schematic's path."""
    folder.mkdir(parents=True, exist_ok=True)
    schematic = folder / f"{board.id}.kicad_sch"
    symbols = {part.symbol.partition(":")[0] for part in board.parts if part.symbol} | {"power"}
    footprints = {part.footprint.partition(":")[0] for part in board.parts}
    files = {
        schematic.name: draw(board),
        f"{board.id}.kicad_pro": project(board),
        f"{board.id}.kicad_dru": rules(board),
        **tables(board, symbols, footprints),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return schematic


def make(name: str, scratch: Path) -> list[str]:
    """Make one board. Returns what is wrong with it, a sentence for each fault."""
    begun = time.monotonic()
    board = load(FOLDER / f"{name}.toml")
    folder = FOLDER / "kicad" / name
    schematic = write_sources(board, folder)
    pcb = folder / f"{name}.kicad_pcb"
    print(f"{name}: {len(board.parts)} parts, {len(board.nets())} nets")
    print("  " + Layout(board, pcb, outputs.unconnected(schematic, scratch)).make())
    # KiCad overwrites the project when a board is saved; restore ours.
    (folder / f"{name}.kicad_pro").write_text(project(board), encoding="utf-8")
    faults = differences(board, folder) + places(board, folder, ORIGIN)
    found = outputs.violations(schematic, pcb, scratch)
    faults += not_accepted(name, found)
    dist = FOLDER / "dist" / name
    outputs.order(board, pcb, schematic, dist, FOLDER / "order")
    outputs.write_bom(board, FOLDER / "bom" / f"{name}.csv")
    if not manifest.pictured(name):  # each drawing of the same has other grains
        outputs.render(board, pcb, FOLDER / "renders")
    outputs.interactive(pcb, dist, name)
    (folder / f"{name}.kicad_pro").write_text(project(board), encoding="utf-8")
    print(
        f"  {len(board.pins())} pins compared; ERC and DRC find {len(found)}; faults: {len(faults)}"
    )
    print(f"  {time.monotonic() - begun:.0f} s")
    return faults


def main(names: list[str]) -> int:
    """Make the boards that are named, or all of them. Returns the exit status."""
    chosen = names or [name for name in BOARDS if (FOLDER / f"{name}.toml").exists()]
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        for name in chosen:
            faults += make(name, Path(scratch))
    for fault in faults:
        print(f"FAULT {fault}")
    if not faults:
        manifest.write(chosen)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
