"""``facedown sheet new``: a fresh character as a file."""

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from hub.config.starter import rulesets, starter_of
from hub.games import registry
from hub.games.family import Starter
from hub.games.sheets import sheets_of
from hub.kernel.documents import Document
from hub.kernel.documents.toml import parse_toml
from hub.kernel.faults import Fault, Faulty, shown
from hub.kernel.reasons import Reason

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
        raise _fault(str(file), Reason("there-already")) from None
    except OSError as error:
        raise _fault(str(file), Reason("unwritable", fault=str(error.strerror))) from None
    typer.echo(str(file))


def _starter(book: str) -> Starter:
    """The starter of the family whose tables can begin with this book."""
    if book not in (books := rulesets()):
        raise _fault("--ruleset", Reason("not-one-of", text=shown(book), names=books))
    return starter_of(book)


def _settings(given: Iterable[str]) -> dict[str, Any]:
    """The values given by --set; keys of the same table are merged."""
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


def _fault(place: str, why: Reason) -> Faulty:
    return Faulty(Fault((), why, place))
