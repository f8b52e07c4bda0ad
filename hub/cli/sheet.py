"""``facedown sheet``: check, level up and rest characters in their files."""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Annotated

import typer

from hub.cli.failing import give_up
from hub.cli.sheet_export import export
from hub.cli.sheet_new import new
from hub.cli.sheet_tables import show_checked
from hub.games import registry
from hub.games.family import House, Sheet
from hub.games.sheets import load_house, load_sheet, samples, sheets_of
from hub.games.terminal import AsJson, Files, Rules
from hub.kernel.faults import Fault, Faulty, noted
from hub.kernel.reasons import Reason

app = typer.Typer(name="sheet", no_args_is_help=True, add_completion=False, rich_markup_mode=None)

app.command()(new)
app.command()(export)


_ABOUT = """Check characters, and whatever else their rules do with them.

docs/rules/characters.md describes the files.

Examples:

"""
_EXAMPLES = (
    "facedown sheet new sorrel.toml",
    "facedown sheet example > sorrel.toml",
    "facedown sheet check *.toml",
    "facedown sheet export kitchen.journal characters/",
)


def _about() -> str:
    """The help text, with the examples that each family gives for its own commands."""
    own = [each.sheet_commands.info.epilog for each in registry.FAMILIES if each.sheet_commands]
    examples = [*_EXAMPLES, *(line for some in own if some for line in some.splitlines())]
    return _ABOUT + "\n\n".join(f"  {each}" for each in examples)


@app.callback(help=_about())
def sheet() -> None:
    """See :data:`_ABOUT`."""


@app.command()
def check(
    files: Files,
    together: Annotated[
        bool, typer.Option(help="They are one party: combos start from what one of them knows.")
    ] = False,
    rules: Rules = None,
    as_json: AsJson = False,
) -> None:
    """Check characters against the rules of their book.

    All faults are listed at once, each with its line. Exit status 2 if there is one.

    Examples:

      facedown sheet check sorrel.toml

      facedown sheet check *.toml --together --json

      facedown sheet check *.toml --rules my-house.toml
    """
    house = load_house(rules)[1] if rules else None
    sound, faults = _load(files, house)
    if together:
        sound, more = _load(sound, house, [*sound.values()])
        faults += more
    show_checked(files, sound, faults, as_json=as_json)
    if faults:
        give_up(*([] if as_json else map(str, faults)))


for family in registry.FAMILIES:
    if family.sheet_commands:
        app.registered_commands += family.sheet_commands.registered_commands


@app.command()
def example(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="One of those listed, or a ruleset.")
    ] = "",
    listed: Annotated[bool, typer.Option("--list", help="List what there is.")] = False,
) -> None:
    """Print a character file: one with every key explained, or one ready to play.

    Examples:

      facedown sheet example > sorrel.toml

      facedown sheet example --list

      facedown sheet example tourists

      facedown sheet example unroll-marit > marit.toml
    """
    known = samples()
    if listed:
        typer.echo("\n".join(known))
    elif not name:
        typer.echo(sheets_of(registry.default_ruleset()).example(), nl=False)
    elif name in known:
        typer.echo(known[name], nl=False)
    elif (family := registry.family_of(name)) and family.sheets:
        typer.echo(sheets_of(name).example(), nl=False)
    else:
        reason = Reason("no-example", name=ascii(name)[:60], keys=[*known])
        raise Faulty(Fault((), reason, "example"))


def _load(
    files: Iterable[Path], house: House | None, party: Collection[Sheet] | None = None
) -> tuple[dict[Path, Sheet], list[Fault]]:
    """The valid characters, and the faults of the others."""
    sound: dict[Path, Sheet] = {}
    faults: list[Fault] = []
    for file in files:
        with noted(faults):
            sound[file] = load_sheet(file, party, house)
    return sound, faults
