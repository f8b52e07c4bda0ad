"""``facedown verify``: check a hub by its event log alone."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, BinaryIO, NoReturn

import typer

from hub.daemon.logs import one_line
from hub.journal import JournalReader
from hub.wire.log import MAX_LINE_BYTES
from hub.wire.verify import verify_log

NOT_SOUND = 1
UNUSABLE = 2

_SQLITE = b"SQLite format 3\0"


def verify(
    log: Annotated[
        str, typer.Argument(metavar="LOG", help="An event log, a journal, or - for standard input.")
    ],
    table: Annotated[
        str | None, typer.Option(metavar="NAME", help="The table's name; a journal knows its own.")
    ] = None,
    head: Annotated[
        str | None, typer.Option(metavar="HASH", help="The published hash of the log's last line.")
    ] = None,
) -> None:
    """Check a log: is it whole, was every seal kept?

    Every revealed card has to be the one that was sealed. That proves that the hub exchanged no
    card, not that it did not peek. A log that was cut off at its end, or rewritten from its
    beginning, shows only against a --head from another source. Exit status 0: sound; 1: not, with
    every fault by line; 2: there is no log to check.

    Examples:

      facedown verify kitchen.log --table kitchen

      facedown verify kitchen.journal

      facedown log kitchen.journal | facedown verify - --table kitchen
    """
    if log == "-":
        _judge("standard input", _lines(sys.stdin.buffer), table, head)
        return
    path = Path(log)
    try:
        file = path.open("rb")
    except OSError as error:
        _give_up(f"{log}: cannot be read: {error.strerror}")
    with file:
        if file.read(len(_SQLITE)) != _SQLITE:
            file.seek(0)
            _judge(log, _lines(file), table, head)
            return
    with JournalReader.read(path) as reader:
        lines = (row.line for row in reader.rows())
        _judge(log, lines, table or reader.table, head)


def _judge(name: str, lines: Iterable[bytes], table: str | None, head: str | None) -> None:
    if table is None:
        _give_up(f"{name}: say whose log it is: --table NAME")
    verdict = verify_log(lines, table)
    if verdict.lines == 0:
        _give_up(f"{name}: there is no line in it, so there is nothing to check")
    problems = [*verdict.problems]
    if head is not None and head.lower() != verdict.head:
        problems.append(f"line {verdict.lines}: the log ends here, and not with the given head")
    for problem in problems:
        typer.echo(one_line(f"{name}: {problem}"))
    typer.echo(
        f"{'NOT SOUND' if problems else 'sound'}: {verdict.lines} lines, "
        f"{verdict.seals_opened} seals opened, {verdict.seals_unopened} never opened, "
        f"head {verdict.head}"
    )
    if problems:
        raise typer.Exit(NOT_SOUND)


def _give_up(reason: str) -> NoReturn:
    typer.echo(reason, err=True)
    raise typer.Exit(UNUSABLE)


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines without their ends; of one that is too long, enough to see that it is."""
    while line := file.readline(MAX_LINE_BYTES + 2):
        part = line
        while part and not part.endswith(b"\n"):
            part = file.readline(MAX_LINE_BYTES)
        yield line.removesuffix(b"\n")
