"""``facedown wifi``: shows the code by which phones join a Wi-Fi, and settings for the hub's
own."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from hub.cli.failing import give_up

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="The Wi-Fi that phones join, and one of the hub's own (docs/build/networks.md).",
)
_Config = Annotated[Path, typer.Option(help="Whose table.")]
_PIXELS = 16
_QUIET_MODULES = 4


@app.command()
def code(
    *,
    config: _Config = Path("hub.toml"),
    out: Annotated[
        Path | None, typer.Option(help="Write it into this file: .svg, .png or .pdf.")
    ] = None,
) -> None:
    """Show the code that a phone scans to join the Wi-Fi of [web.wifi], or write it for printing.

    The code contains the Wi-Fi's password.

    Examples:

      facedown wifi code

      facedown wifi code --out wifi.svg
    """
    from hub.config.loader import load_config
    from hub.daemon.outputs import OUTPUTS

    wifi = load_config(config, OUTPUTS).web.wifi
    if wifi is None:
        give_up(f"{config} has no [web.wifi]: ssid names the Wi-Fi, password_file its password")
    if out is not None and out.suffix not in {".svg", ".png", ".pdf"}:
        give_up(f"{out}: the file's name has to end in .svg, .png or .pdf")
    import segno

    drawn = segno.make(wifi.code.unseal(), micro=False)
    if out is None:
        drawn.terminal(out=sys.stdout, compact=True)
        typer.echo(f"This code joins {wifi.ssid}. It is the Wi-Fi's password.")
        return
    try:
        out.touch(mode=0o600)
        drawn.save(str(out), border=_QUIET_MODULES, scale=_PIXELS)
    except OSError as error:
        give_up(f"{out} cannot be written: {error.strerror}")
    typer.echo(f"{out}: joins {wifi.ssid}")


@app.command()
def dns(*, config: _Config = Path("hub.toml")) -> None:
    """Print settings for the name server of the hub's own Wi-Fi, so that phones stay connected.

    They make every name lead to the table: do not use them where the hub shares the internet.

    Examples:

      facedown wifi dns | sudo tee /etc/NetworkManager/dnsmasq-shared.d/facedown.conf
    """
    from hub.config.loader import load_config
    from hub.daemon.outputs import OUTPUTS
    from hub.mdns.responder import DOMAIN
    from hub.web.captive import name_server

    web = load_config(config, OUTPUTS).web
    names = [f"{web.name}.{DOMAIN}"] if web.name else []
    typer.echo(name_server(web.captive.host, [*names, *web.hosts]), nl=False)
