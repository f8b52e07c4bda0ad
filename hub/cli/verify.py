"""``facedown verify``: checks a hub by its event log alone."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, BinaryIO

import msgspec
import typer
from msgspec import Struct

from hub.audit.verify import Verdict, verify_log
from hub.audit.witness import Statement, WitnessFault, contradictions, read_statements
from hub.cli.failing import NOT_SOUND, give_up
from hub.cli.progress import Work, progress
from hub.games.files import open_named, read_named
from hub.games.registry import rulebooks, texts
from hub.journal import JournalRows
from hub.journal.marks import last_told, missing
from hub.kernel.called import called
from hub.kernel.catalogues import ENGLISH
from hub.kernel.faults import one_line
from hub.table.acts.clock import clock_told
from hub.table.state import HubMisuse
from hub.table.views import utc
from hub.wire.log import GENESIS, MAX_LINE_BYTES, LogFault, OtherSchema, line_hash
from hub.wire.played import played

LEAST_HEAD = 8
"""How many digits of a head the display shows; --head takes no fewer."""

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
        str | None, typer.Option(metavar="HASH", help="A published hash of one of the log's lines.")
    ] = None,
    opened: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What `log --open` has printed.")
    ] = None,
    witness: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What `witness` has heard.")
    ] = None,
) -> None:
    """Check a log: is it complete, was every seal kept, could a table have done this?

    Every revealed card must be the one that was sealed. That proves that the hub exchanged no
    card, not that it did not peek. A log that was cut off, or rewritten, is detected only with a
    --head from another source, and only up to the line that it belongs to: the display and every
    seat's page show its first digits.

    Exit status 0: sound; 1: not, with every fault by line; 2: there is no log to check.

    Examples:

      facedown verify kitchen.log

      facedown verify kitchen.journal --head 3f2a91bc

      facedown log kitchen.journal | facedown verify - --table kitchen
    """
    judge = partial(_judge, head=head, opened=opened, witness=witness)
    if log == "-":
        judge("standard input", _lines(sys.stdin.buffer), table)
        return
    path = Path(log)
    try:
        file = open_named(path)
    except OSError as error:
        give_up(f"{log}: cannot be read: {error.strerror}")
    with file:
        if file.peek(len(_SQLITE))[: len(_SQLITE)] != _SQLITE:  # not every file can seek
            with progress("verify", os.fstat(file.fileno()).st_size) as work:
                judge(log, _told(_lines(file), work), table)
            return
    with (
        JournalRows.read(path) as reader,
        progress("verify", reader.length() * (_PLAY + _JUDGE)) as work,
    ):
        told = last_told(path)
        table = table or reader.table
        said = [*_secrets(reader, work), *_shortened(reader, told)]
        lines = (row.line for row in work.through(reader.unchecked(), _JUDGE, last=True))
        judge(log, lines, table, said=said)


_PLAY, _JUDGE = 2, 1
"""The relative times that it takes to play a row of a journal again, and to check its line."""
_OFTEN = 1 << 17
"""The progress is recorded each time this many bytes of a log have been checked."""


def _told(lines: Iterable[bytes], work: Work) -> Iterator[bytes]:
    """Pass ``lines`` on, and record their bytes as work done."""
    done = 0
    for line in lines:
        yield line
        done += len(line) + 1
        if done >= _OFTEN:
            work.step(done)
            done = 0
    work.close()


def _secrets(reader: JournalRows, work: Work) -> Iterator[str]:
    """Yield the journal's first fault, if any, that its log alone does not show: in its secrets, or
    in the game played again with them."""
    try:
        for _ in played(work.through(reader.rows(), _PLAY), reader.table, rulebooks()):
            pass
    except (LogFault, HubMisuse) as fault:
        yield f"the journal: {fault}"


def _shortened(reader: JournalRows, told: tuple[int, str] | None) -> Iterator[str]:
    """Yield a fault if the journal lacks records that were already announced. ``told``: number and
    head of the last announced record, if known."""
    seq, head_then = 0, GENESIS
    for row in reader.unchecked():
        seq = row.seq
        if told is not None and seq == told[0]:
            head_then = line_hash(row.line)
    if fault := missing(reader.path, told, seq, head_then):
        yield fault


def _judge(
    name: str,
    lines: Iterable[bytes],
    table: str | None,
    *,
    head: str | None,
    opened: Path | None,
    witness: Path | None,
    said: Sequence[str] = (),
) -> None:
    if head is not None and (len(head) < LEAST_HEAD or not set(head.lower()) <= _HEX):
        give_up(f"--head: at least {LEAST_HEAD} of the hash's 64 digits, 0 to 9 and a to f")
    openings = _openings(opened) if opened else {}
    statements = _statements(witness) if witness else []
    books = rulebooks()
    try:
        verdict = verify_log(
            lines, table or "", openings=openings, games=books.games, stories=books.stories
        )
    except OtherSchema as fault:
        give_up(f"{name}: {fault}")
    if verdict.lines == 0:
        give_up(f"{name}: there is no line in it, so there is nothing to check")
    if not verdict.table:
        give_up(f"{name}: it does not name its table; say whose log it is: --table NAME")
    problems = [*verdict.problems, *said]
    problems += contradictions(statements, verdict.table, verdict.log, verdict.heads)
    noted = head.lower() if head else None
    known = [seq for seq, each in verdict.heads.items() if noted and each.startswith(noted)]
    if noted and not known:
        problems.append("no line has the given head: the log was cut off before it, or rewritten")
    for problem in problems:
        typer.echo(one_line(f"{name}: {problem}"))
    typer.echo(
        one_line(
            f"{'NOT SOUND' if problems else 'sound'}: {_counted(verdict)}, head {verdict.head}"
        )
    )
    if problems:
        raise typer.Exit(NOT_SOUND)
    for seq, by_ms in verdict.clock_sets:
        told = texts(ENGLISH).sentence(clock_told(by_ms))
        typer.echo(f"record {seq}: {told} The times before it may be wrong.")
    for seq in known:
        later = max(verdict.heads) - seq
        typer.echo(
            f"record {seq} has the given head" + (f"; {later} came after it" if later else "")
        )
    if openings:
        typer.echo(f"opened as committed to: {', '.join(map(str, sorted(openings)))}")
    if statements:
        first, last = statements[0], statements[-1]
        typer.echo(
            f"witness {first.key}: {len(statements)} heads from {utc(first.at_ms)} to "
            f"{utc(last.at_ms)}, each in this log"
        )


def _counted(verdict: Verdict) -> str:
    ends = f", ends in scene {verdict.scene}" if verdict.scene else ""
    fell = f", {verdict.falls} outcomes of chance worked out again" if verdict.falls else ""
    if verdict.falls_unknown:
        fell += f", {verdict.falls_unknown} not, by rules that this Facedown does not know"
    return (
        f"table {verdict.table}, {verdict.lines} lines, {verdict.seals_opened} seals opened, "
        f"{verdict.seals_unopened} never opened ({verdict.taken_back} taken back){fell}{ends}"
    )


def _statements(file: Path) -> list[Statement]:
    try:
        statements = [*read_statements(read_named(file).splitlines())]
    except OSError as error:
        give_up(f"{file}: cannot be read: {error.strerror}")
    except WitnessFault as fault:
        give_up(f"{file}: {fault}")
    if not statements:
        give_up(f"{file}: this witness has heard nothing")
    return statements


def _openings(file: Path) -> dict[int, bytes]:
    """Read the output of ``facedown log --open``: number of a record → the secret beside it."""
    try:
        lines = read_named(file).splitlines()
        found = [msgspec.json.decode(line, type=_Opened) for line in lines]
    except OSError as error:
        give_up(f"{file}: cannot be read: {error.strerror}")
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        give_up(f"{file}: this is not what `{called()} log --open` prints")
    return {each.opens: bytes(each.secret) for each in found}


class _Opened(Struct):
    opens: int
    secret: msgspec.Raw


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file without their line ends. An oversized line is cut short, but is still
    long enough to be recognized as too large."""
    while line := file.readline(MAX_LINE_BYTES + 2):
        part = line
        while part and not part.endswith(b"\n"):
            part = file.readline(MAX_LINE_BYTES)
        yield line.removesuffix(b"\n")
