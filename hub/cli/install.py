"""``facedown install`` and ``uninstall``: a table that starts with its machine."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from hub.cli.carried import carried, machine, said, wanted_root
from hub.cli.failing import give_up
from hub.install.carrying import Carrier
from hub.install.program import program
from hub.install.removing import kept
from hub.install.removing import uninstall as removed
from hub.install.steps import TABLES, Refused
from hub.kernel.called import called

Root = Annotated[Path | None, typer.Option(metavar="FOLDER", help="A folder in the place of /.")]


def install(
    *,
    kiosk: Annotated[
        bool, typer.Option("--kiosk", help="Show the display on this machine’s own screen.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Move files that you changed aside.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show it, and do nothing.")] = False,
    root: Root = None,
) -> None:
    """Let a table start with this machine: a user, units, rules for readers.

    The program has to be in /opt/facedown/venv; docs/build/raspberry-pi.md lists the commands.
    Run it again after each upgrade; your own changes are kept.

    Examples:

      sudo /opt/facedown/venv/bin/facedown install

      sudo facedown install --kiosk

      sudo facedown install --dry-run
    """
    place = wanted_root(root, dry=dry_run)
    try:
        plan = program(place, kiosk=kiosk, running=machine(place))
        carried(Carrier(place, overwrite=overwrite, dry=dry_run), plan)
    except Refused as refused:
        give_up(*refused.why)
    if dry_run or place.at(f"{TABLES}/table/hub.toml").exists():
        return
    typer.echo(
        f"\nNext come a table, its broker, and the start:\n"
        f"  sudo -u facedown facedown init {TABLES}/table\n"
        f"  sudo facedown provision\n"
        f"  sudo systemctl start facedown"
    )


def uninstall(
    *,
    purge: Annotated[
        bool, typer.Option("--purge", help="Tables, passwords and the broker’s files, too.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    root: Root = None,
) -> None:
    """Remove everything that `facedown install` made, and the program. --purge removes tables too.

    Examples:

      sudo facedown uninstall

      sudo facedown uninstall --purge
    """
    place = wanted_root(root, dry=False)
    stays = kept(place)
    if purge and stays and not yes:
        typer.echo("this will be gone for good, with every evening that was played:")
        for path in stays:
            typer.echo(f"  {path}")
        if not sys.stdin.isatty() or not typer.confirm("Remove it?", default=False):
            give_up("nothing was removed; --yes removes without asking")
    try:
        for done in removed(place, purge=purge, running=machine(place)):
            said(done)
    except Refused as refused:
        give_up(*refused.why)
    if not purge and stays:
        command = f"`{called()} uninstall --purge`"
        typer.echo(f"\nThis stays; {command} before would have removed it, too:")
        for path in stays:
            typer.echo(f"  {path}")
