"""``facedown``: the command line. A command's module is imported only when it is called.

Exit status: 0 done; 1 the command failed, or a check found a problem; 2 wrong usage, or a file
that cannot be used, with one line on standard error for each reason.
"""

import re
import tempfile
from contextlib import nullcontext
from importlib import import_module, resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from hub.cli.failing import fail, give_up
from hub.cli.surroundings import prepare
from hub.kernel.called import called

if TYPE_CHECKING:
    from hub.daemon.ending import Ending

_ELSEWHERE = {
    "init": "hub.cli.init:init",
    "doctor": "hub.cli.doctor:doctor",
    "readers": "hub.cli.readers:readers",
    "status": "hub.cli.status:status",
    "addresses": "hub.cli.status:addresses",
    "resolve": "hub.cli.resolve:resolve",
    "replay": "hub.cli.replay:replay",
    "log": "hub.cli.replay:log",
    "recap": "hub.cli.recap:recap",
    "verify": "hub.cli.verify:verify",
    "witness": "hub.cli.witness:witness",
    "backup": "hub.cli.backup:backup",
    "restore": "hub.cli.backup:restore",
    "sheet": "hub.cli.sheet:app",
    "cards": "hub.cli.cards:app",
    "firmware": "hub.cli.firmware:app",
    "provision": "hub.cli.install:provision",
    "install": "hub.cli.install:install",
    "uninstall": "hub.cli.install:uninstall",
    "wifi": "hub.cli.wifi:app",
}
"""The commands in other modules: name → ``MODULE:OBJECT``."""

_EXAMPLE = re.compile(r"^( *(?:sudo )?)facedown ", re.M)


def _as_typed(command: Any) -> Any:
    command.help = _EXAMPLE.sub(lambda found: f"{found[1]}{called()} ", command.help or "")
    for each in getattr(command, "commands", {}).values():
        _as_typed(each)
    return command


class Commands(TyperGroup):
    """The commands of this module and those of :data:`_ELSEWHERE`. If a command's file cannot be
    used, the faults are printed."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        _as_typed(self)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands, for the help."""
        return [*super().list_commands(ctx), *_ELSEWHERE]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command with this name; None if there is none. A command of another module is
        imported."""
        if cmd_name not in _ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        module, _, function = _ELSEWHERE[cmd_name].partition(":")
        found = getattr(import_module(module), function)
        if isinstance(found, typer.Typer):  # it has subcommands
            return _as_typed(typer.main.get_command(found))
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(cmd_name)(found)
        return _as_typed(typer.main.get_command(single))

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the process. An unexpected error ends the process with one line instead of a
        traceback."""
        try:
            prepare()
            return super().main(*args, **kwargs)
        except Exception as error:
            fail(error)

    def invoke(self, ctx: Any) -> Any:
        """Run the command. A file that cannot be used ends the command with a line for each fault
        and exit status 2."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            from hub.kernel.faults import Faulty
            from hub.ports import JournalError

            if not isinstance(error, Faulty | JournalError):
                raise
            give_up(*str(error).split("\n"))


app = typer.Typer(
    name="facedown",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from hub.version import VERSION

        typer.echo(f"facedown {VERSION}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version."),
    ] = False,
) -> None:
    """The hub of a physical game table: cards stay sealed until all players have chosen.

    Begin with a table of simulated readers:

      facedown demo

    Or with one of your own:

      facedown example-config > hub.toml

      facedown run --config hub.toml
    """


def _ending(ctx: typer.Context) -> "Ending":
    from hub.daemon.ending import Ending

    return ctx.obj if isinstance(ctx.obj, Ending) else ctx.with_resource(Ending())


@app.command()
def run(
    ctx: typer.Context,
    config: Annotated[Path, typer.Option(help="The table's configuration.")] = Path("hub.toml"),
) -> None:
    """Run a table until it is stopped.

    Examples:

      facedown run

      facedown run --config /etc/facedown/hub.toml
    """
    from hub.daemon.main import run_hub

    raise typer.Exit(run_hub(config, _ending(ctx)))


@app.command()
def demo(
    ctx: typer.Context,
    *,
    ruleset: Annotated[str, typer.Option(help="The book to play by.", show_default=False)] = "",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the pages.")] = 8080,
    lan: Annotated[bool, typer.Option("--lan", help="Let phones in this network in.")] = False,
    autoplay: Annotated[bool, typer.Option(help="Let the hub play every seat.")] = False,
    firmware: Annotated[
        bool,
        typer.Option("--firmware", help="Give seats boards that run the firmware (MicroPython)."),
    ] = False,
    pace: Annotated[float, typer.Option(min=0.01, help="Seconds the hub's players think.")] = 2.0,
    data: Annotated[
        Path | None, typer.Option(help="Keep the demo's files here instead of throwing them away.")
    ] = None,
) -> None:
    """Play with simulated readers, without hardware.

    The virtual table's page asks how: against the table, all seats yourself, or not at all.

    Examples:

      facedown demo

      facedown demo --lan

      facedown demo --autoplay --pace 0.5

      facedown demo --port 9000 --data demo-data

      facedown demo --ruleset unroll

      facedown demo --firmware
    """
    from hub.daemon.main import run_demo

    with (
        nullcontext(str(data)) if data else tempfile.TemporaryDirectory(prefix="facedown-")
    ) as folder:
        status = run_demo(
            Path(folder),
            _ending(ctx),
            port=port,
            pace_s=pace,
            autoplay=autoplay,
            lan=lan,
            ruleset=ruleset,
            firmware=firmware,
        )
        raise typer.Exit(status)


@app.command("check-config")
def check_config(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The table's configuration.")],
) -> None:
    """Check a configuration, its deck, its scene and its characters.

    All faults are listed at once, each with its file and line. Remarks, such as a reader that is
    not plugged in, do not keep the table from starting. If commands may come over MQTT, the broker
    is asked whether it would let anyone give them.

    Examples:

      facedown check-config hub.toml
    """
    from hub.config.loader import load_table
    from hub.daemon.outputs import OUTPUTS

    table = load_table(file, OUTPUTS)
    parts = [f"{len(table.config.seats)} seats", f"{len(table.deck.cards)} cards"]
    if table.setup:
        parts.append(f"a scene of {table.setup.ruleset}{_by(table.setup.game.get('house'))}")
    if table.story:
        sheets = table.story.sheets
        parts.append(f"a story of {len(sheets.cast)} characters{_by(sheets.house)}")
    remarks = [*table.remarks]
    if table.config.mqtt.commands:
        from hub.daemon.broker import broker_remarks

        remarks += broker_remarks(file, table.config)
    for remark in remarks:
        typer.echo(f"remark: {remark}", err=True)
    typer.echo(f"{file}: sound: {', '.join(parts)}")


def _by(house: dict[str, Any] | None) -> str:
    return f" by the house rules {house['id']}" if house else ""


@app.command("example-config")
def example_config() -> None:
    """Print a configuration with every key explained.

    Examples:

      facedown example-config > hub.toml
    """
    example = resources.files("hub.config") / "example.toml"
    typer.echo(example.read_text(encoding="utf-8"), nl=False)
