"""``facedown addresses``: the addresses of the pages of the hub running on this machine."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from hub.cli.failing import FAILED


def addresses(
    *,
    config: Annotated[Path, typer.Option(help="Whose table.")] = Path("hub.toml"),
) -> None:
    """Ask this table's running hub for the addresses of its pages, with the keys that open them.

    Anyone who has one of these addresses can do all that its page can, so the hub answers only its
    own user and root. A terminal also shows a code for the GM's phone. A hub started by systemd
    shows its keys nowhere else.

    Examples:

      facedown addresses

      sudo facedown addresses --config /var/lib/facedown/table/hub.toml
    """
    from hub.cli.status import why_silent
    from hub.config.loader import load_config
    from hub.daemon.addresses import ask_pages, keys_socket_of
    from hub.daemon.main import columns, draw_code
    from hub.daemon.outputs import OUTPUTS
    from hub.daemon.status import NotAnswered

    table = load_config(config, OUTPUTS)
    if not table.web.enabled:
        typer.echo("facedown: this table has no pages: enabled = false under [web]", err=True)
        raise typer.Exit(FAILED)
    try:
        pages = ask_pages(table.table.journal)
    except NotAnswered as error:
        door = keys_socket_of(table.table.journal)
        why = why_silent(error.why, config, table, door, "addresses")
        typer.echo(f"facedown: {why}", err=True)
        raise typer.Exit(FAILED) from None
    sys.stdout.write(columns(pages.named()))
    if pages.phones and sys.stdout.isatty():
        draw_code(pages.gm, sys.stdout)
        sys.stdout.write("\n")
