"""The pages' own files by the path at which they are served, before they are made small."""

from pathlib import Path

import hub.web
from hub.games.registry import FAMILIES

STATIC = Path(hub.web.__file__).parent / "static"
GAMES = Path(hub.__file__).parent / "games"


def page_files() -> dict[str, Path]:
    found = {file.relative_to(STATIC).as_posix(): file for file in _files(STATIC)}
    for family in FAMILIES:
        pages = GAMES / family.id / "pages"
        for file in _files(pages):
            name = file.relative_to(pages).as_posix()
            found[f"css/{name}" if file.suffix == ".css" else f"js/games/{family.id}/{name}"] = file
    return found


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*.*")) if not path.name.endswith(".d.ts")]
