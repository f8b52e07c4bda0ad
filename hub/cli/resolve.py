"""``facedown resolve``: plays a conflict from a JSON document."""

from pathlib import Path
from typing import Annotated

import typer

from hub.games.files import open_named
from hub.games.resolve import resolve_script
from hub.games.sheets import load_house
from hub.kernel.documents.json import MAX_BYTES, write_object
from hub.kernel.faults import Fault, Faulty
from hub.kernel.reasons import Reason


def resolve(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The script, or - for standard input.")
    ],
    rules: Annotated[
        Path | None,
        typer.Option(metavar="TOML", help="House rules (docs/rules/homebrew.md)."),
    ] = None,
) -> None:
    """Play a conflict written as JSON; print the results as JSON Lines.

    It prints one object per turn, then a closing one. For an invalid script the exit status is 2,
    and standard error says where and why, with a line for each fault. docs/rules/resolve.md
    describes both formats.

    Examples:

      facedown resolve duel.json

      facedown resolve - < duel.json

      facedown resolve duel.json | jq .energy

      facedown resolve --rules house.toml duel.json
    """
    house = load_house(rules)[1] if rules else None
    for found in resolve_script(_read(file), house):
        typer.echo(write_object(found), nl=False)


def _read(file: str) -> bytes:
    if file == "-":
        return bytes(typer.get_binary_stream("stdin").read(MAX_BYTES + 1))
    try:
        with open_named(Path(file)) as script:
            return script.read(MAX_BYTES + 1)
    except OSError as error:
        why = Reason("unreadable-script", file=ascii(file), fault=str(error.strerror))
        raise Faulty(Fault((), why)) from None
