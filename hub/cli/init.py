"""``facedown init``: a folder to start a table from."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from hub.books.registry import default_ruleset
from hub.cli.failing import give_up
from hub.daemon.starter import (
    LEAST_SEATS,
    MOST_SEATS,
    Plan,
    files_of,
    plain_name,
    rulesets,
    write_folder,
)
from hub.readers.devices import serial_devices
from hub.readers.kinds import parse_address

_SEATS = 4


def init(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="This one, if left out."),
    ] = Path(),
    *,
    seats: Annotated[
        int | None,
        typer.Option(
            metavar=f"{LEAST_SEATS}-{MOST_SEATS}", help="Seats at the table, the GM's among them."
        ),
    ] = None,
    ruleset: Annotated[
        str | None, typer.Option(metavar="|".join(rulesets()), help="The book to play by.")
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A player's character; once for each."),
    ] = None,
    reader: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="A seat's reader, in the seats' order: pn532:/dev/…"),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="The table's name in topics; the folder's if left out.")
    ] = None,
    phones: Annotated[
        bool | None, typer.Option("--phones/--no-phones", help="Let phones open the pages.")
    ] = None,
) -> None:
    """Write a folder that plays: configuration, deck and characters.

    On a terminal it asks for what is not given. It never writes over a file without asking.

    Examples:

      facedown init table

      facedown init table --seats 4 --ruleset unroll

      facedown init table --seats 3 --ruleset iron-triangle --player Ada --player Bo --phones
    """
    asks = sys.stdin.isatty() and sys.stdout.isatty()
    if asks and seats is None:
        seats = typer.prompt("How many seats, the GM's among them?", default=_SEATS, type=int)
    if asks and ruleset is None:
        ruleset = typer.prompt(f"Which book? ({', '.join(rulesets())})", default=default_ruleset())
    if asks and phones is None:
        phones = typer.confirm("May phones in this network open the pages?", default=False)
    if asks and reader is None:
        reader = _ask_readers(seats or _SEATS)
    plan = Plan(
        seats=_SEATS if seats is None else seats,
        ruleset=ruleset or default_ruleset(),
        name=_name_of(folder) if name is None else name,
        players=tuple(player or ()),
        readers=tuple(reader or ()),
        phones=bool(phones),
    )
    try:
        for address in plan.readers:
            parse_address(address)
        files = files_of(plan)
    except ValueError as error:
        give_up(*str(error).split("\n"))
    _see_what_is_there(folder, plan, [*files], asks=asks)
    try:
        write_folder(folder, files)
    except OSError as error:
        give_up(f"{error.filename or folder} cannot be written: {error.strerror}")
    config = folder / "hub.toml"
    typer.echo(
        f"{folder}: {plan.seats} seats, {plan.ruleset}. Tell who they are in "
        f"{folder / 'characters'}, then:\n\n"
        f"  facedown sheet check {folder / 'characters'}/*.toml --together\n"
        f"  facedown check-config {config}\n"
        f"  facedown run --config {config}\n"
    )
    unused = [each for each in serial_devices() if f"pn532:{each}" not in plan.readers]
    if unused and not plan.readers:
        typer.echo(
            "Serial devices that are plugged in; a seat's reader is named in hub.toml:\n"
            + "".join(f"  pn532:{each}\n" for each in unused)
        )


def _ask_readers(seats: int) -> list[str]:
    """Whether the serial devices that are plugged in are the seats' readers."""
    found = serial_devices()[:seats]
    if not found:
        return []
    typer.echo("Serial devices that are plugged in:\n" + "".join(f"  {each}\n" for each in found))
    wanted = typer.confirm("Are these the seats' readers, in this order?", default=True)
    return [f"pn532:{each}" for each in found] if wanted else []


def _name_of(folder: Path) -> str:
    return plain_name(folder.absolute().name) or "table"


def _see_what_is_there(folder: Path, plan: Plan, names: list[str], *, asks: bool) -> None:
    """Ask before anything is written over; a table that was played is left alone."""
    if folder.exists() and not folder.is_dir():
        give_up(f"{folder} is not a folder; name another")
    journal = folder / f"{plan.name}.journal"
    if journal.exists():
        give_up(f"{journal} is there: a table was played here; name another folder")
    there = [str(folder / name) for name in names if (folder / name).exists()]
    if not there:
        return
    listed = ", ".join(there)
    if not asks:
        give_up(f"{listed} would be written over; move what is there, or name another folder")
    if not typer.confirm(f"{listed}: write over what is there?", default=False):
        give_up("nothing was written")
