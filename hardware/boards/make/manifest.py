"""Hashes of sources and generated files, so that a test notices when one is out of date."""

import hashlib
import json
from pathlib import Path

FILE = "manifest.json"
FOLDER = Path(__file__).parent.parent


def digest(path: Path) -> str:
    """The first 16 digits of a file's SHA-256; the kind of line end does not count in a text."""
    content = path.read_bytes()
    if path.suffix not in (".png", ".zip"):
        content = content.replace(b"\r\n", b"\n")
    return hashlib.sha256(content).hexdigest()[:16]


def sources(board: str) -> list[Path]:
    """The files that a board is made from: its data, the library, these programs."""
    programs = [path for path in (FOLDER / "make").glob("*.py") if path.name not in _BESIDE]
    library = [path for path in (FOLDER / "lib").rglob("*") if path.is_file()]
    return sorted([FOLDER / f"{board}.toml", *library, *programs])


_BESIDE = ("manifest.py", "outputs.py", "__main__.py", "check.py", "accepted.py", "__init__.py")
"""Programs that only check or export the result."""


def made(board: str) -> list[Path]:
    """The generated files that are kept in the repository."""
    drawn = [path for path in (FOLDER / "kicad" / board).iterdir() if path.suffix in _KEPT]
    tables = [FOLDER / "kicad" / board / name for name in ("sym-lib-table", "fp-lib-table")]
    pictures = [FOLDER / "renders" / f"{board}-{side}.png" for side in ("top", "bottom")]
    ordered = [
        FOLDER / "order" / f"{board}-{what}" for what in ("gerbers.zip", "pick-and-place.csv")
    ]
    return sorted([*drawn, *tables, *pictures, *ordered, FOLDER / "bom" / f"{board}.csv"])


_KEPT = (".kicad_sch", ".kicad_pcb", ".kicad_pro", ".kicad_dru")


def state(board: str) -> dict[str, dict[str, str]]:
    """The hashes of a board's sources and generated files."""
    return {
        "from": {path.relative_to(FOLDER).as_posix(): digest(path) for path in sources(board)},
        "made": {path.relative_to(FOLDER).as_posix(): digest(path) for path in made(board)},
    }


def read() -> dict[str, dict[str, dict[str, str]]]:
    """Read the manifest; empty if there is none."""
    path = FOLDER / FILE
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write(boards: list[str]) -> None:
    """Record the current hashes of these boards; other boards keep theirs."""
    known = read()
    known.update({board: state(board) for board in boards})
    text = json.dumps(dict(sorted(known.items())), indent=2, sort_keys=True)
    (FOLDER / FILE).write_text(text + "\n", encoding="utf-8")


def pictured(board: str) -> bool:
    """Whether the pictures show the present layout."""
    known = read().get(board, {"from": {}, "made": {}})
    said = {**known["from"], **known["made"]}
    shown = [f"renders/{board}-{side}.png" for side in ("top", "bottom")]
    needed = [f"{board}.toml", f"kicad/{board}/{board}.kicad_pcb", *shown]
    return all(
        (FOLDER / name).exists() and said.get(name) == digest(FOLDER / name) for name in needed
    )


def stale(board: str) -> list[str]:
    """Say which files have another hash than in the manifest, a sentence for each."""
    known = read().get(board)
    if known is None:
        return [f"{board} is not in {FILE}: make boards"]
    now = state(board)
    return [
        f"{name} is not as it was when {board} was made: make boards"
        for kind in ("from", "made")
        for name in sorted({*known[kind], *now[kind]})
        if known[kind].get(name) != now[kind].get(name)
    ]
