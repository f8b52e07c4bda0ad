"""``facedown backup`` and ``facedown restore``: copy a table's journal to one file, and put it
back."""

import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from hub.config.loader import load_config
from hub.daemon.outputs import OUTPUTS
from hub.daemon.restore import restore as fold_all
from hub.journal import JournalRows
from hub.journal.backup import along_of, back_up, begin_anew, check_chain, put_back
from hub.journal.files import hand_over
from hub.journal.marks import last_told
from hub.pictures import store as pictures
from hub.ports import JournalError

Config = Annotated[Path, typer.Option(help="The table's configuration, which names the journal.")]


def backup(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="[JOURNAL] FILE", help="What to copy, and the copy to make."),
    ],
    config: Config = Path("hub.toml"),
) -> None:
    """Copy a table's journal and its players' pictures to one file; the hub may go on running.

    `cp` is not enough: the newest records are in a second file. The copy holds sealed cards, so
    only its owner can read it. It is read from the first record to the last before the command
    calls it whole.

    Examples:

      facedown backup sunday.backup

      facedown backup sunday.backup --config /etc/facedown/hub.toml

      facedown backup kitchen.journal sunday.backup
    """
    pair = _two(files)
    journal, file = pair or (load_config(config, OUTPUTS).table.journal, files[0])
    back_up(journal, file, _check, pictures.kept(pictures.folder_of(journal)))
    typer.echo(_whole(file))


def restore(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE [JOURNAL]", help="A backup, and the journal it becomes."),
    ] = None,
    *,
    config: Config = Path("hub.toml"),
    replace: Annotated[
        bool, typer.Option("--replace", help="Move a journal that is there aside.")
    ] = False,
    new: Annotated[
        bool, typer.Option("--new", help="Begin a new story, with no backup but an empty journal.")
    ] = False,
) -> None:
    """Replace the journal with a backup. Stop the hub first.

    The backup is checked and stays unchanged. An existing journal is never lost: the command
    refuses, or with --replace moves it aside. An interrupted restore has either happened
    completely or not at all.

    Examples:

      facedown restore sunday.backup

      facedown restore sunday.backup --replace --config /etc/facedown/hub.toml

      facedown restore sunday.backup kitchen.journal

      facedown restore --new
    """
    backup, journal = _from_and_to(files or [], config, new=new)
    told = None
    with suppress(JournalError):  # an unreadable journal is moved aside all the same
        told = last_told(Path(os.path.realpath(journal)))
    if backup is None:
        aside = begin_anew(journal, replace=replace)
    else:
        first = partial(_pictures, backup, journal)
        aside = put_back(backup, journal, _check, first, replace=replace)
    if aside is not None:
        typer.echo(f"{aside}: the journal that was there")
    typer.echo(_whole(journal) if backup else f"{journal}: a new one: its first record is to come")
    with JournalRows.read(journal) as reader:
        seq = max((row.seq for row in reader.unchecked()), default=0)
    if told is not None and told[0] > seq:
        typer.echo(
            f"record {told[0]} was told already, and this one ends with record {seq}: the numbers "
            "behind it will be told again with other news, and whoever kept a head will see that"
        )


def _from_and_to(files: list[Path], config: Path, *, new: bool) -> tuple[Path | None, Path]:
    """Return the backup and the journal that it will replace; with ``new``, None for the backup.
    If ``config`` names the journal, raises :class:`JournalError` for a backup that cannot be read
    or is of another table."""
    if new and len(files) > 1:
        raise typer.BadParameter("with --new there is no backup")
    if new:
        return None, files[0] if files else load_config(config, OUTPUTS).table.journal
    if (pair := _two(files)) is not None:
        return pair
    table = load_config(config, OUTPUTS).table
    with JournalRows.read(files[0]) as reader:
        if reader.table != table.name:
            raise JournalError(
                f"{files[0]}: the journal of table {reader.table}, not of {table.name}"
            )
    return files[0], table.journal


def _pictures(backup: Path, journal: Path) -> None:
    """Restore the backup's pictures. A failure is only reported: the table plays without them."""
    folder = pictures.folder_of(journal)
    try:
        pictures.put_back(folder, along_of(backup))
        if folder.exists():
            for each in (folder, *folder.iterdir()):
                hand_over(each)
    except OSError as error:
        typer.echo(f"{folder}: pictures are not put back: {error.strerror}", err=True)


def _two(files: list[Path]) -> tuple[Path, Path] | None:
    """Return the two files, or None if there is only one. Any other number ends the command."""
    match files:
        case [first, second]:
            return first, second
        case [_]:
            return None
    raise typer.BadParameter(f"one file or two, not {len(files)}")


def _check(reader: JournalRows) -> None:
    """Check a journal as strictly as a starting hub does. Raises :class:`JournalError`."""
    check_chain(reader)
    try:
        fold_all(reader, reader.table)
    except JournalError as error:
        raise JournalError(f"{reader.path}: {error}") from None


def _whole(file: Path) -> str:
    with JournalRows.read(file) as reader:
        restored = fold_all(reader, reader.table)
        return (
            f"{file}: whole: table {reader.table}, {restored.state.seq} records, "
            f"head {restored.head}"
        )
