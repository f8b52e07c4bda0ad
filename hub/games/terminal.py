"""Options and output, as tables or JSON, shared by the commands on characters."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hub.games.family import Sheet, Sheets
from hub.games.files import save_files
from hub.kernel.faults import one_line

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Character files.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Rules = Annotated[
    Path | None, typer.Option("--rules", metavar="FILE", help="House rules that they go by.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change; write nothing.")]


def finish(
    pairs: Mapping[Path, tuple[Sheet, Sheet]], written: Sheets, *, dry_run: bool, as_json: bool
) -> None:
    """Write the changed sheets, unless it is a dry run, and show the changes. ``pairs``: file → the
    sheet before and after."""
    if not dry_run:
        save_files({f: written.write_sheet(new) for f, (_, new) in pairs.items()})
    if as_json:
        print_json(
            [
                {
                    "file": str(file),
                    "written": not dry_run,
                    "before": written.as_values(before),
                    "after": written.as_values(after),
                }
                for file, (before, after) in pairs.items()
            ]
        )
        return
    shown = table("character", "what", "before", "after")
    for before, after in pairs.values():
        old, new = (dict(written.entries(each)) for each in (before, after))
        for key in [*old, *(key for key in new if key not in old)]:
            if old.get(key) != new.get(key):
                row(shown, after.name, key, old.get(key, ""), new.get(key, ""))
    console().print(shown)
    if dry_run:
        console().print("dry run: nothing was written")


def console() -> Console:
    """A console on standard output. Lines are wrapped only for a terminal."""
    return Console(highlight=False, markup=False, soft_wrap=not sys.stdout.isatty())


def table(*columns: str) -> Table:
    """A table with these ``columns`` and without drawn lines."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(column, overflow="fold")
    return made


def row(table: Table, *cells: str) -> None:
    """Add a row. Cell contents are escaped and never parsed as markup."""
    table.add_row(*(Text(one_line(cell)) for cell in cells))


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")
