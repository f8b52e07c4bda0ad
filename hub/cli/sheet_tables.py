"""Checked characters in the terminal: as tables, or as JSON."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from hub.games.family import Sheet
from hub.games.sheets import sheets_of
from hub.games.terminal import console, print_json, row, table
from hub.kernel.faults import Fault


def show_checked(
    files: Sequence[Path],
    sound: Mapping[Path, Sheet],
    faults: Sequence[Fault],
    *,
    as_json: bool,
) -> None:
    """Show the valid characters; as JSON also the faults of the others."""
    if as_json:
        print_json(
            [
                {
                    "file": str(file),
                    "sound": file in sound,
                    "character": _values(sound[file]) if file in sound else None,
                    "problems": [
                        {"line": each.line, "text": each.text}
                        for each in faults
                        if each.file == str(file)
                    ],
                }
                for file in files
            ]
        )
        return
    if not sound:
        return
    for each in _tables(sound):
        console().print(each)


def _tables(sound: Mapping[Path, Sheet]) -> Iterable[Table]:
    """One table for each kind of character, in the order of their first file."""
    tables: dict[tuple[str, ...], Table] = {}
    for file, sheet in sound.items():
        summary = sheets_of(sheet.ruleset).summary(sheet)
        found = tables.setdefault((*summary,), table("file", *summary))
        row(found, str(file), *summary.values())
    return tables.values()


def _values(sheet: Sheet) -> dict[str, Any]:
    return sheets_of(sheet.ruleset).as_values(sheet)
