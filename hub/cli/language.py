"""The language of a command's output: that of ``--locale``, else the table's or the terminal's."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from hub.cli.failing import give_up
from hub.kernel.catalogues import languages
from hub.setup.questions import language_of

Locale = Annotated[
    str, typer.Option("--locale", help="The language; the table's if left out, or the terminal's.")
]


def spoken(asked: str = "", config: Path | None = None) -> str:
    """The language of output for people: ``asked``, else the one that the file ``config`` names,
    else the terminal's. Ends the command if Facedown does not have the language ``asked``."""
    known_language(asked)
    terminals = (os.environ.get(key, "") for key in ("LC_ALL", "LANG"))
    return language_of(asked, _of_table(config), *terminals)


def written(asked: str = "", config: Path | None = None) -> str:
    """The language of output for programs. Like :func:`spoken`, but instead of the terminal's
    language it is English."""
    known_language(asked)
    return language_of(asked, _of_table(config))


def known_language(locale: str) -> None:
    """End the command if ``locale`` is neither empty nor a language that Facedown has."""
    if locale and locale not in languages():
        give_up(f"no language {locale[:20]!a}; there are {', '.join(languages())}")


def _of_table(config: Path | None) -> str:
    """The language that a configuration names; empty if it names none, or cannot be read."""
    if config is None:
        return ""
    from hub.config.loader import MAX_CONFIG_BYTES
    from hub.games.files import read_toml
    from hub.kernel.faults import Faulty

    try:
        table: Any = read_toml(config, MAX_CONFIG_BYTES).values.get("table")
    except Faulty:
        return ""
    named = table.get("language") if isinstance(table, dict) else None
    return named if isinstance(named, str) else ""
