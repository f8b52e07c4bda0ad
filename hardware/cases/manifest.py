"""The hashes of the sources of pictures and files. Works without the modeller.

The test of the cases compares it with the current sources, and so finds pictures that are out of
date.
"""

import csv
import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hardware.cases.parameters import HERE, board, load

FILE = HERE / "manifest.json"
FASTENERS = HERE / "fasteners.csv"
README = HERE / "README.md"
MARKS = ("<!-- pieces, by make cases -->", "<!-- end -->")


def hashed(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def sources() -> dict[str, Any]:
    """Return everything the outputs follow from: this folder's sources, and the boards' data in
    use."""
    files = [*HERE.glob("*.py"), HERE / "parameters.toml"]
    p = load()
    return {
        "files": {path.name: hashed(path) for path in sorted(files)},
        "boards": {
            name: json.loads(json.dumps(asdict(board(p, name)))) for name in p.board.names()
        },
    }


def outputs() -> dict[str, str]:
    """Return the hashes of the committed files."""
    found = [FASTENERS, *HERE.glob("renders/*"), *HERE.glob("template/*")]
    return {path.relative_to(HERE).as_posix(): hashed(path) for path in sorted(found)}


def pieces_table(pieces: dict[str, dict[str, Any]]) -> str:
    """Return the README's table of pieces to print."""
    rows = [
        "| piece | size, mm | plastic, cm³, if solid | thinnest wall, mm | longest bridge, mm |"
    ]
    rows.append("| --- | --- | --- | --- | --- |")
    for name, one in sorted(pieces.items()):
        size = " × ".join(f"{side:.0f}" for side in one["size"])
        plastic = f"{one['volume'] / 1000:.0f}"
        bridge = f"{one['bridge']:.1f}" if one["bridge"] else "none"
        rows.append(f"| `{name}` | {size} | {plastic} | {one['wall']:.1f} | {bridge} |")
    return "\n".join(rows)


def write_table(pieces: dict[str, dict[str, Any]]) -> None:
    """Write the table into the README, between its marks."""
    before, rest = README.read_text(encoding="utf-8").split(MARKS[0])
    _, after = rest.split(MARKS[1])
    table = f"{MARKS[0]}\n{pieces_table(pieces)}\n{MARKS[1]}"
    README.write_text(before + table + after, encoding="utf-8")


def write_fasteners(cases: dict[str, dict[str, int]]) -> None:
    """Write the screws and inserts of the cases, for the builds' lists of parts."""
    with FASTENERS.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["case", "part", "quantity"])
        rows.writerows(
            [case, part, count] for case, parts in cases.items() for part, count in parts.items()
        )


def write(pieces: dict[str, dict[str, Any]], facts: dict[str, dict[str, float]]) -> None:
    """Write the manifest, with the measurements of each piece (mm, mm³) and case."""
    text = {
        "sources": sources(),
        "outputs": outputs(),
        "pieces": dict(sorted(pieces.items())),
        "facts": {
            case: {name: round(value, 2) for name, value in about.items()}
            for case, about in sorted(facts.items())
        },
    }
    FILE.write_text(json.dumps(text, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
