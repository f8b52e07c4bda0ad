"""``facedown recap``: writes an evening as one HTML file to keep."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from hub.cli.failing import NOT_SOUND, give_up
from hub.cli.progress import progress
from hub.cli.replay import JournalPath, moment
from hub.journal import JournalRows
from hub.recap.gather import MOST_SCENES, WORK, Recap
from hub.recap.page import evening_of
from hub.table.state import HubMisuse
from hub.themes import OURS
from hub.wire.log import LogFault


def recap(
    journal: JournalPath,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where to write it; - for standard output."
        ),
    ] = None,
    scenes: Annotated[
        int, typer.Option(min=1, max=500, help="How many of the newest scenes are in it.")
    ] = MOST_SCENES,
    theme: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="In which theme: one of ours, or a file.")
    ] = OURS[0],
) -> None:
    """Write an evening down as one HTML file to keep.

    It opens in any browser, without a network, and can be printed: the scenes as a story, every
    turn on the display's stage to step through, the seals with their check, the highlights. It
    holds only what everyone at the table has seen. Sealed cards are not in it, so the hub may go
    on running. Without -o the file is named after the table and the day.

    Examples:

      facedown recap kitchen.journal

      facedown recap kitchen.journal -o friday.html

      facedown recap convention.journal --scenes 200
    """
    with JournalRows.read(journal) as reader, progress("recap", reader.length() * WORK) as work:
        try:
            found, body = evening_of(journal, reader, theme, scenes, work.step)
        except (LogFault, HubMisuse) as fault:
            give_up(f"{journal}: cannot be told: {fault}", status=NOT_SOUND)
    if output == "-":
        sys.stdout.buffer.write(body)
        return
    file = Path(output or f"{name_of(found)}.html")
    try:
        file.write_bytes(body)
    except OSError as error:
        give_up(f"{file}: cannot be written: {error.strerror}")
    are = "is" if found.left_out == 1 else "are"
    left = f"; {found.left_out} earlier {are} left out (--scenes)" if found.left_out else ""
    written = len(found.scenes)
    typer.echo(f"{file}: {written} scene{'' if written == 1 else 's'}{left}")
    if not found.check.sound:
        give_up(f"{journal}: the log is not sound, and the file says so", status=NOT_SOUND)


def name_of(found: Recap) -> str:
    """The file's name without its suffix: the table, and the day of the newest scene if known."""
    began_ms = found.scenes[-1].began_ms if found.scenes else 0
    return f"{found.table}-{moment(began_ms).astimezone():%Y-%m-%d}" if began_ms else found.table
