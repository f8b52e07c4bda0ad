"""``facedown sheet``: makes, checks and exports character files. Families add their own
commands."""

import json
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from hub.cli.failing import give_up
from hub.config.decks import sheets_in
from hub.config.starter import rulesets, starter_of
from hub.games import registry
from hub.games.countdowns import plain_id
from hub.games.family import House, Sheet, Starter
from hub.games.sheets import load_house, load_sheet, samples, sheets_of
from hub.games.terminal import AsJson, Files, Rules, console, print_json, row, table
from hub.kernel.documents import Document
from hub.kernel.documents.toml import parse_toml
from hub.kernel.faults import Fault, Faulty, noted, shown
from hub.kernel.reasons import Reason


def show_checked(
    files: Sequence[Path], sound: Mapping[Path, Sheet], faults: Sequence[Fault], *, as_json: bool
) -> None:
    """Show the valid characters (``sound``). As JSON, show all ``files``, each with its faults."""
    if as_json:
        print_json(
            [
                {
                    "file": str(file),
                    "sound": file in sound,
                    "character": (it := sound.get(file)) and sheets_of(it.ruleset).as_values(it),
                    "problems": [
                        {"line": each.line, "text": each.text}
                        for each in faults
                        if each.file == str(file)
                    ],
                }
                for file in files
            ]
        )
        return
    for each in _tables(sound):
        console().print(each)


def _tables(sound: Mapping[Path, Sheet]) -> Iterable[Table]:
    tables: dict[tuple[str, ...], Table] = {}
    for file, sheet in sound.items():
        summary = sheets_of(sheet.ruleset).summary(sheet)
        found = tables.setdefault((*summary,), table("file", *summary))
        row(found, str(file), *summary.values())
    return tables.values()


def export(
    journal: Annotated[Path, typer.Argument(metavar="JOURNAL", help="A table's journal.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder for the files.")],
) -> None:
    """Write the characters of a story as files.

    Their state is the one after the last closed scene and the GM's changes. If a file exists
    already, nothing is written.

    Examples:

      facedown sheet export kitchen.journal characters/
    """
    sheets = sheets_in(journal)
    if not sheets:
        raise _fault(journal, Reason("holds-no-story"))
    written = sheets_of(sheets[0].ruleset)
    files: dict[Path, str] = {}
    for sheet in sheets:
        name = plain_id(sheet.name, [path.stem for path in files])
        files[folder / f"{name}.toml"] = written.write_sheet(sheet)
    there = [path for path in files if path.exists()]
    if there:
        raise _fault(there[0], Reason("there-already"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
            typer.echo(str(path))
    except OSError as error:
        raise _fault(folder, Reason("unwritable", fault=str(error.strerror))) from None


def _fault(place: Path | str, why: Reason) -> Faulty:
    return Faulty(Fault((), why, str(place)))


_MOST_SETTING_CHARS = 10_000


def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    *,
    ruleset: Annotated[
        str, typer.Option(metavar="RULESET", help="By which book; else by the first.")
    ] = "",
    name: Annotated[
        str, typer.Option(metavar="NAME", help="What it is called; else as the file.")
    ] = "",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="What stands under a key of the file."),
    ] = None,
) -> None:
    """Write a fresh character, as its book starts one.

    Choices that the book leaves open are set by --set, as often as needed: a value as in the file,
    or a text. An existing file is not overwritten.

    Examples:

      facedown sheet new sorrel.toml

      facedown sheet new ada.toml --ruleset tourists --set attributes.Paper=4

      facedown sheet new wren.toml --ruleset tricube --set trait=agile --set 'concept=cat burglar'
    """
    book = ruleset or registry.default_ruleset()
    called = name or file.stem.replace("-", " ").replace("_", " ").title()
    written = sheets_of(book)
    text = written.write_sheet(_starter(book).fresh(book, called, 0))
    values = parse_toml(str(file), text.encode()).values | _settings(settings or ())
    document = Document(values, str(file))
    sheet = written.read_sheet(document)
    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write(written.write_sheet(sheet))
    except FileExistsError:
        raise _fault(file, Reason("there-already")) from None
    except OSError as error:
        raise _fault(file, Reason("unwritable", fault=str(error.strerror))) from None
    typer.echo(str(file))


def _starter(book: str) -> Starter:
    """The starter of the book's family, which makes fresh characters. Raises :class:`Faulty` if
    there is no ruleset ``book``."""
    if book not in (books := rulesets()):
        raise _fault("--ruleset", Reason("not-one-of", text=shown(book), names=books))
    return starter_of(book)


def _settings(given: Iterable[str]) -> dict[str, Any]:
    """Merge the values given by ``--set``, as a character's file has them. Raises
    :class:`Faulty`."""
    found: dict[str, Any] = {}
    for each in given:
        key, equals, value = each.partition("=")
        if not equals or len(each) > _MOST_SETTING_CHARS:
            raise _fault("--set", Reason("no-setting", text=shown(each)))
        _put(found, _read(key, value, each))
    return found


def _read(key: str, value: str, each: str) -> dict[str, Any]:
    for said in (value, json.dumps(value)):
        try:
            read = tomllib.loads(f"{key} = {said}")
        except (tomllib.TOMLDecodeError, RecursionError):
            continue
        if "\n" not in each:
            return read
    raise _fault("--set", Reason("no-setting", text=shown(each)))


def _put(found: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(found.get(key), dict):
            _put(found[key], value)
        else:
            found[key] = value


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
    """The help of ``facedown sheet``, with examples of the families' own commands."""
    own = [each.sheet_commands.info.epilog for each in registry.FAMILIES if each.sheet_commands]
    examples = [*_EXAMPLES, *(line for some in own if some for line in some.splitlines())]
    return _ABOUT + "\n\n".join(f"  {each}" for each in examples)


@app.callback(help=_about())
def sheet() -> None:
    """The commands on characters. :func:`_about` makes their help."""


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
    sound: dict[Path, Sheet] = {}
    faults: list[Fault] = []
    for file in files:
        with noted(faults):
            sound[file] = load_sheet(file, party, house)
    return sound, faults
