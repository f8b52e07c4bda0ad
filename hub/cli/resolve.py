"""``facedown resolve``: play a conflict from a JSON document."""

from pathlib import Path
from typing import Annotated

import typer

from hub.wire.script import MAX_BYTES, ScriptError, resolve_script, write_object

INVALID = 2
"""Exit status for a script that is not valid or cannot be read."""


def resolve(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The script, or - for standard input.")
    ],
) -> None:
    """Play a conflict written as JSON; print what happens as JSON Lines.

    One object per turn, then a closing one. A script that is not valid
    exits with status 2, and one line on standard error says where and why.

    docs/rules/resolve.md describes both formats.

    Examples:

      facedown resolve duel.json

      facedown resolve - < duel.json

      facedown resolve duel.json | jq .energy
    """
    try:
        for found in resolve_script(_read(file)):
            typer.echo(write_object(found), nl=False)
    except ScriptError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(INVALID) from None


def _read(file: str) -> bytes:
    """The document, read no further than the longest one allowed."""
    if file == "-":
        return bytes(typer.get_binary_stream("stdin").read(MAX_BYTES + 1))
    try:
        with Path(file).open("rb") as script:
            return script.read(MAX_BYTES + 1)
    except OSError as error:
        raise ScriptError("$", f"cannot be read from {file!a}: {error.strerror}") from None
