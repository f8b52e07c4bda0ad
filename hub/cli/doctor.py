"""``facedown doctor``: checks everything that an evening needs."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hub.cli.failing import FAILED, give_up
from hub.cli.language import Locale, known_language, spoken, written

if TYPE_CHECKING:
    from hub.doctor.findings import Finding

_DEFAULT = Path("hub.toml")
_COLOURS = {"ok": "green", "note": "yellow", "wrong": "bold red"}


def doctor(
    *,
    config: Annotated[
        Path | None, typer.Option(help="Whose table; hub.toml, if it is there.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON (docs/build/doctor.md).")
    ] = False,
    locale: Locale = "",
) -> None:
    """Check everything that an evening needs, and say how to fix what is wrong.

    It checks Python and its libraries, the configuration and all files it names, disk, clock,
    readers, deck, broker, pages and service. It takes some six seconds and changes nothing. The
    output holds no password, key or card, so you can show it to people who help you. The exit
    status is 1 if anything is wrong.

    Examples:

      facedown doctor

      facedown doctor --config /etc/facedown/hub.toml

      facedown doctor --json
    """
    from hub.doctor.examine import examine

    known_language(locale)
    if config is None and _DEFAULT.is_file():
        config = _DEFAULT
    if config is not None:
        _see(config)
    found = examine(config)
    if as_json:
        from hub.doctor.findings import report
        from hub.games.terminal import print_json
        from hub.version import VERSION

        print_json(report(VERSION, found, written(locale, config)))
    else:
        _show(found, spoken(locale, config))
    if any(each.level == "wrong" for each in found):
        raise typer.Exit(FAILED)


def _show(found: "list[Finding]", language: str) -> None:
    from rich.text import Text

    from hub.doctor.findings import text
    from hub.games.terminal import console
    from hub.kernel.faults import one_line
    from hub.readers.causes import text as said_of

    out = console()
    area = ""
    width = max(len(said_of(language, f"level.{level}")) for level in _COLOURS)
    for each in found:
        if each.area != area:
            area = each.area
            out.print(Text(text(language, f"area.{area}"), style="bold"))
        what, do = each.told(language)
        sign = said_of(language, f"level.{each.level}").ljust(width)
        line = Text("  ").append(sign, style=_COLOURS[each.level]).append("  ")
        line.append(one_line(f"{each.where}: {what}" if each.where else what))
        out.print(line)
        if do:
            out.print(Text(f"{' ' * (width + 4)}→ {one_line(do)}"))
    wrong = sum(each.level == "wrong" for each in found)
    notes = sum(each.level == "note" for each in found)
    form = "end.fine" if not wrong else "end.wrong.one" if wrong == 1 else "end.wrong"
    said = text(language, form, count=wrong)
    if notes:
        said = text(language, "end.notes", said=said, count=notes)
    out.print(f"\n{said}.")
    sys.stdout.flush()


def _see(config: Path) -> None:
    """End the command if ``config`` is not a file. All its other problems are left to the doctor,
    which reports them as findings."""
    from hub.games.files import NoFile, open_named

    try:
        open_named(config).close()
    except FileNotFoundError:
        give_up(f"{config}: no such file")
    except NoFile as error:
        give_up(f"{config}: {error.strerror}")
    except OSError:
        pass  # reported as a fault of the configuration
