"""Characters in the terminal: as tables, or as JSON."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hub.daemon.logs import one_line
from hub.rules.toml import Problem
from hub.rules.triangle.characters.sheet import Sheet, as_values
from hub.rules.triangle.edition import Action


def show_checked(
    files: Sequence[Path],
    sound: Mapping[Path, Sheet],
    faults: Sequence[Problem],
    *,
    as_json: bool,
) -> None:
    """The characters that are sound; as JSON also what is wrong with the others."""
    if as_json:
        _print_json(
            [
                {
                    "file": str(file),
                    "sound": file in sound,
                    "character": as_values(sound[file]) if file in sound else None,
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
    if not sound:
        return
    table = _table("file", "character", "ruleset", "level", "energy", "marks")
    for file, sheet in sound.items():
        _row(table, str(file), *_summary(sheet))
    _console().print(table)


def show_changes(
    pairs: Mapping[Path, tuple[Sheet, Sheet]], *, written: bool, as_json: bool
) -> None:
    """What is different in each file."""
    if as_json:
        _print_json(
            [
                {
                    "file": str(file),
                    "written": written,
                    "before": as_values(before),
                    "after": as_values(after),
                }
                for file, (before, after) in pairs.items()
            ]
        )
        return
    table = _table("character", "what", "before", "after")
    for before, after in pairs.values():
        old, new = dict(_flat(before)), dict(_flat(after))
        for key in [*old, *(key for key in new if key not in old)]:
            if old.get(key) != new.get(key):
                _row(table, after.name, key, old.get(key, ""), new.get(key, ""))
    _console().print(table)
    if not written:
        _console().print("dry run: nothing was written")


def _summary(sheet: Sheet) -> tuple[str, ...]:
    energy = ", ".join(f"{each} {sheet.energy.of(each)}/{sheet.max.of(each)}" for each in Action)
    marks = [key for key in ("belief", "flaw", "goal") if getattr(sheet, key).marked]
    marks += [f"{action} zero" for action in sheet.zero]
    marks += [f"{special.id} used" for special in sheet.specials if special.used]
    marks += [] if sheet.veto or sheet.npc else ["veto used"]
    marks += ["dead"] if sheet.dead else []
    who = f"{sheet.name} (NPC)" if sheet.npc else sheet.name
    return (who, sheet.ruleset, str(sheet.level), energy, ", ".join(marks))


def _flat(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Every value under its keys in the file."""
    energy = {a: f"{sheet.energy.of(a)}/{sheet.max.of(a)}" for a in Action}
    values: dict[str, Any] = {
        "level": sheet.level,
        **{f"energy.{action}": points for action, points in energy.items()},
        **{f"energy.{action}.zero": action in sheet.zero for action in Action},
        **{f"moves.{move}": move.name for move in sheet.moves},
        **{f"combos.{start}": ", ".join(moves) for start, moves in sheet.combos.items()},
        **{f"specials.{each.id}": "used" if each.used else "ready" for each in sheet.specials},
        **{f"backgrounds.{b.name}": f"{b.left}/{b.points}" for b in sheet.backgrounds},
        "veto": sheet.veto,
        **{f"rested.{rest}": True for rest in sheet.rested},
    }
    for key in ("belief", "flaw", "goal"):
        trait = getattr(sheet, key)
        values |= {key: trait.text, f"{key}.marked": trait.marked, f"{key}.counted": trait.counted}
    for key, value in values.items():
        yield key, {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _console() -> Console:
    return Console(highlight=False, markup=False, soft_wrap=not sys.stdout.isatty())


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _row(table: Table, *cells: str) -> None:
    table.add_row(*(Text(one_line(cell)) for cell in cells))


def _print_json(value: Any) -> None:
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")
