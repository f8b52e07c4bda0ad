"""``facedown sheet export``: the characters of a story out of its journal, as files."""

from pathlib import Path
from typing import Annotated

import typer

from hub.config.party import sheets_in
from hub.games.countdowns import plain_id
from hub.games.sheets import sheets_of
from hub.kernel.faults import Fault, Faulty
from hub.kernel.reasons import Reason


def export(
    journal: Annotated[Path, typer.Argument(metavar="JOURNAL", help="A table's journal.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder for the files.")],
) -> None:
    """Write the characters of a story as files.

    Their state is the one after the last closed scene and the GM's changes. If a file exists
    already, nothing is written.

    Examples:

      facedown sheet export kitchen.journal characters/
    """
    sheets = sheets_in(journal)
    if not sheets:
        raise _fault(journal, Reason("holds-no-story"))
    written = sheets_of(sheets[0].ruleset)
    files: dict[Path, str] = {}
    for sheet in sheets:
        name = plain_id(sheet.name, [path.stem for path in files])
        files[folder / f"{name}.toml"] = written.write_sheet(sheet)
    there = [path for path in files if path.exists()]
    if there:
        raise _fault(there[0], Reason("there-already"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
            typer.echo(str(path))
    except OSError as error:
        raise _fault(folder, Reason("unwritable", fault=str(error.strerror))) from None


def _fault(place: Path, why: Reason) -> Faulty:
    return Faulty(Fault((), why, str(place)))
