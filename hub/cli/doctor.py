"""``facedown doctor``: everything between a box and an evening."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hub.cli.failing import FAILED, give_up

if TYPE_CHECKING:
    from hub.doctor.findings import Finding

_DEFAULT = Path("hub.toml")
_SIGNS = {"ok": ("ok   ", "green"), "note": ("note ", "yellow"), "wrong": ("wrong", "bold red")}


def doctor(
    *,
    config: Annotated[
        Path | None, typer.Option(help="Whose table; hub.toml, if it is there.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON (docs/doctor.md).")] = False,
) -> None:
    """Look at everything that an evening needs, and say what to do about what is wrong.

    Python and its libraries, the configuration and all that it names, files, disk, clock, readers,
    deck, broker, pages, service: some six seconds, and nothing is changed. No password, key or card
    is in what it says, so it can be shown to whoever helps. The exit status is 1 if anything is
    wrong.

    Examples:

      facedown doctor

      facedown doctor --config /etc/facedown/hub.toml

      facedown doctor --json
    """
    from hub.doctor.examine import examine

    if config is None and _DEFAULT.is_file():
        config = _DEFAULT
    if config is not None and not config.is_file():
        give_up(f"{config}: no such file")
    found = examine(config)
    if as_json:
        from hub.books.terminal import print_json
        from hub.doctor.findings import report
        from hub.version import VERSION

        print_json(report(VERSION, found))
    else:
        _show(found)
    if any(each.level == "wrong" for each in found):
        raise typer.Exit(FAILED)


def _show(found: "list[Finding]") -> None:
    """A line for each finding under its area; a second one for what to do."""
    from rich.text import Text

    from hub.books.terminal import console
    from hub.rules.faults import one_line

    out = console()
    area = ""
    for each in found:
        if each.area != area:
            area = each.area
            out.print(Text(area.capitalize(), style="bold"))
        sign, colour = _SIGNS[each.level]
        line = Text("  ").append(sign, style=colour).append("  ")
        line.append(one_line(f"{each.where}: {each.what}" if each.where else each.what))
        out.print(line)
        if each.do:
            out.print(Text(f"         → {one_line(each.do)}"))
    wrong = sum(each.level == "wrong" for each in found)
    notes = sum(each.level == "note" for each in found)
    said = (
        "Nothing is wrong"
        if not wrong
        else f"{wrong} {'thing is' if wrong == 1 else 'things are'} wrong"
    )
    out.print(f"\n{said}{f'; {notes} to know' if notes else ''}.")
    sys.stdout.flush()
