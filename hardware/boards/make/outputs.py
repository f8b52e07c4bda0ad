"""Makes the outputs of a board by KiCad's own command, and runs its checks."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from hardware.boards.make.data import Board, Part
from hardware.boards.make.sexpr import all_of, one, parse, text

CLI = "kicad-cli"
COLUMNS = ("Reference", "Quantity", "Value", "Maker", "MPN", "Instead", "Footprint")


def cli(*arguments: str | Path) -> None:
    """Run KiCad's command. Raises :exc:`subprocess.CalledProcessError` with its output."""
    subprocess.run(  # our own command with our own files
        [CLI, *map(str, arguments)], check=True, capture_output=True, text=True
    )


def unconnected(schematic: Path, scratch: Path) -> dict[tuple[str, str], str]:
    """(Reference, pin) → the name of its net in the schematic's netlist."""
    listed = scratch / "netlist.net"
    cli("sch", "export", "netlist", "-o", listed, schematic)
    nets = one(parse(listed.read_text(encoding="utf-8")), "nets")
    return {
        (text(one(node, "ref")), text(one(node, "pin"))): text(one(net, "name"))
        for net in all_of(nets, "net")
        for node in all_of(net, "node")
    }


def violations(schematic: Path, pcb: Path, scratch: Path) -> list[tuple[str, str]]:
    """The findings of ERC and DRC, with the comparison of schematic and board, at every severity:
    each a kind and a sentence."""
    for path in (schematic, pcb):
        if not path.exists():  # parity is silent then
            raise FileNotFoundError(path)
    erc, drc = scratch / "erc.json", scratch / "drc.json"
    cli("sch", "erc", "--severity-all", "--format", "json", "-o", erc, schematic)
    cli("pcb", "drc", "--severity-all", "--schematic-parity", "--format", "json", "-o", drc, pcb)
    found = []
    for sheet in json.loads(erc.read_text(encoding="utf-8"))["sheets"]:
        found += [_said(each) for each in sheet["violations"]]
    said = json.loads(drc.read_text(encoding="utf-8"))
    for kind in ("violations", "unconnected_items", "schematic_parity"):
        found += [_said(each) for each in said[kind]]
    return sorted(found)


def _said(violation: dict[str, Any]) -> tuple[str, str]:
    items = "; ".join(item["description"] for item in violation["items"])
    return violation["type"], f"{violation['description']} ({items})"


def bom(board: Board) -> list[dict[str, str]]:
    """The bill of materials: a line for each kind of part, then the accessories."""
    lines: dict[tuple[str, str], list[Part]] = defaultdict(list)
    for part in board.parts:
        if part.placed:
            lines[part.mpn, part.value if part.mpn.startswith("MFR") else ""].append(part)
    on_it = [
        {
            "Reference": " ".join(part.ref for part in parts),
            "Quantity": str(len(parts)),
            "Value": parts[0].value
            if len({part.value for part in parts}) == 1
            else " / ".join(dict.fromkeys(part.value for part in parts)),
            "Maker": parts[0].maker,
            "MPN": parts[0].mpn,
            "Instead": parts[0].instead,
            "Footprint": parts[0].footprint.partition(":")[2],
        }
        for parts in lines.values()
    ]
    return on_it + [
        {
            "Reference": "with " + " ".join(each.at),
            "Quantity": str(each.count),
            "Value": each.what,
            "Maker": each.maker,
            "MPN": each.mpn,
            "Instead": each.instead,
            "Footprint": "",
        }
        for each in board.beside
    ]


def write_bom(board: Board, path: Path) -> None:
    """Write the bill of materials as CSV."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(bom(board))


def order(board: Board, pcb: Path, schematic: Path, folder: Path, kept: Path) -> None:
    """Write the files for a board's manufacture and assembly. ``kept`` is their folder in the
    repository; the same board gives the same bytes."""
    gerbers = folder / "gerbers"
    shutil.rmtree(gerbers, ignore_errors=True)
    gerbers.mkdir(parents=True)
    kept.mkdir(parents=True, exist_ok=True)
    layers = "F.Cu,B.Cu,F.Paste,B.Paste,F.SilkS,B.SilkS,F.Mask,B.Mask,Edge.Cuts"
    # fmt: off
    cli("pcb", "export", "gerbers", "--layers", layers, "--subtract-soldermask",
        "-o", f"{gerbers}/", pcb)
    cli("pcb", "export", "drill", "--excellon-separate-th", "-o", f"{gerbers}/", pcb)
    cli("pcb", "export", "pos", "--format", "csv", "--units", "mm", "--side", "both",
        "--use-drill-file-origin", "--exclude-dnp",
        "-o", kept / f"{board.id}-pick-and-place.csv", pcb)
    # fmt: on
    _pack(board, gerbers, kept / f"{board.id}-gerbers.zip")
    cli("pcb", "export", "ipcd356", "-o", folder / f"{board.id}.d356", pcb)
    cli("sch", "export", "pdf", "-o", folder / f"{board.id}-schematic.pdf", schematic)


def _pack(board: Board, gerbers: Path, packed: Path) -> None:
    """Pack the files into a zip whose entries have the board's own date."""
    year, month, day = (int(part) for part in board.date.split("-"))
    with zipfile.ZipFile(packed, "w") as file:
        for path in sorted(gerbers.iterdir()):
            said = _MOMENT.sub(f"{board.date}T00:00:00+00:00", path.read_text(encoding="utf-8"))
            path.write_text(said, encoding="utf-8")
            entry = zipfile.ZipInfo(path.name, (year, month, day, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, said)


_MOMENT = re.compile(r"20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[+-]\d\d:?\d\d)?")


def render(board: Board, pcb: Path, folder: Path) -> None:
    """Draw both sides of the board, as small pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    height = round(1200 * (board.size[1] + 6) / (board.size[0] + 6))
    for side in ("top", "bottom"):
        picture = folder / f"{board.id}-{side}.png"
        cli("pcb", "render", "--side", side, "-w", "1200", "-h", str(height), "--quality", "basic",
            "--background", "opaque", "--zoom", str(board.zoom), "-o", picture, pcb)  # fmt: skip


def interactive(pcb: Path, folder: Path, board: str) -> bool:
    """Make the interactive list of parts, if InteractiveHtmlBom is installed. Returns whether it
    is."""
    environment = {**os.environ, "INTERACTIVE_HTML_BOM_NO_DISPLAY": "1"}
    command = [
        sys.executable, "-m", "InteractiveHtmlBom.generate_interactive_bom",
        "--no-browser", "--dark-mode", "--include-tracks", "--extra-data-file", str(pcb),
        "--show-fields", "Value,MPN,Maker,Footprint", "--group-fields", "Value,MPN",
        "--dest-dir", str(folder.resolve()), "--name-format", f"{board}-ibom", str(pcb),
    ]  # fmt: skip
    done = subprocess.run(  # our own command with our own files
        command, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode or not (folder / f"{board}-ibom.html").exists():
        print(f"  {board}: no interactive list: {(done.stderr or done.stdout).strip()[-400:]}")
        return False
    return True
