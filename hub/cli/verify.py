"""``facedown verify``: check a hub by its event log alone."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, BinaryIO, NoReturn

import typer

from hub.daemon.logs import one_line
from hub.journal import JournalReader
from hub.wire.log import MAX_LINE_BYTES
from hub.wire.verify import Verdict, verify_log

NOT_SOUND = 1
UNUSABLE = 2
OLD_FORMAT = 3

LEAST_HEAD = 8
"""Digits of a head that are shown on the display, and the fewest that are held against a log."""

_HEX = frozenset("0123456789abcdef")
_SQLITE = b"SQLite format 3\0"


def verify(
    log: Annotated[
        str, typer.Argument(metavar="LOG", help="An event log, a journal, or - for standard input.")
    ],
    table: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The table's name, where you know it from elsewhere."),
    ] = None,
    head: Annotated[
        str | None, typer.Option(metavar="HASH", help="The published hash of the log's last line.")
    ] = None,
) -> None:
    """Check a log: is it whole, was every seal kept, could a table have done this?

    Every revealed card has to be the one that was sealed. That proves that the hub exchanged no
    card, not that it did not peek. A log that was cut off at its end, or written anew, shows only
    against a --head from another source: the display and every seat's page show its first digits.

    Exit status 0: sound; 1: not, with every fault by line; 2: there is no log to check; 3: nothing
    speaks against it, but it begins in the format of version 0.1.0, which proves less.

    Examples:

      facedown verify kitchen.log

      facedown verify kitchen.journal --head 3f2a91bc

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
    if head is not None and (len(head) < LEAST_HEAD or not set(head.lower()) <= _HEX):
        _give_up(f"--head: at least {LEAST_HEAD} of the hash's 64 digits, 0 to 9 and a to f")
    verdict = verify_log(lines, table or "")
    if verdict.lines == 0:
        _give_up(f"{name}: there is no line in it, so there is nothing to check")
    if not verdict.table:
        _give_up(f"{name}: it does not name its table; say whose log it is: --table NAME")
    problems = [*verdict.problems]
    if head is not None and not verdict.head.startswith(head.lower()):
        problems.append(f"line {verdict.lines}: the log ends here, and not with the given head")
    for problem in problems:
        typer.echo(one_line(f"{name}: {problem}"))
    typer.echo(one_line(f"{_word(verdict, problems)}: {_counted(verdict)}, head {verdict.head}"))
    if problems:
        raise typer.Exit(NOT_SOUND)
    if verdict.old_lines:
        typer.echo(_LESS)
        raise typer.Exit(OLD_FORMAT)


_LESS = (
    "Format 1 does not prove who was awaited, from where a card came, that no time runs backwards "
    "and no scene of another log was put in. Whoever was there should know why this log is so old."
)


def _word(verdict: Verdict, problems: Sequence[str]) -> str:
    if problems:
        return "NOT SOUND"
    if verdict.old_lines:
        return f"FORMAT 1, no fault found (lines 1 to {verdict.old_lines} are of version 0.1.0)"
    return "sound"


def _counted(verdict: Verdict) -> str:
    ends = f", ends in scene {verdict.scene}" if verdict.scene else ""
    return (
        f"table {verdict.table}, {verdict.lines} lines, {verdict.seals_opened} seals opened, "
        f"{verdict.seals_unopened} never opened ({verdict.taken_back} taken back){ends}"
    )


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
