"""How far one idea reaches: what changes together lives together.

A Python module of ``hub`` *names* a command or an event where its class's name stands as an
identifier (also in an import), or its tag as a string of its own. Such a string counts even where
it means something else, as ``"next"`` and ``"paused"`` often do, so the figures are a little too
high. Docstrings and comments do not count.
"""

import ast
import re
import subprocess
from functools import cache
from pathlib import Path
from statistics import mean

import pytest

from hub.table import acts

ROOT = Path(__file__).resolve().parents[1]

MOST_MODULES = 4
"""Modules of ``hub`` that name a command or an event, on average."""
MOST_TIMER_FILES = 26
TIMER = re.compile(r"\b(SetTimer|TimerSet|set-timer|timer-set)\b")
"""The commit timer as something that the GM sets: its command and its event, by class or tag."""


@cache
def names_in(module: Path) -> frozenset[str]:
    """The identifiers of a module and, in quotation marks, its strings."""
    found = set()
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.alias(name=name):
                found.add(name.rpartition(".")[2])
            case ast.Constant(value=str(text)):
                found.add(f'"{text}"')
    return frozenset(found)


def reach(kind: type) -> list[str]:
    """The modules of ``hub`` that name a command or an event."""
    names = {kind.__name__, f'"{kind.__struct_config__.tag}"'}  # type: ignore[attr-defined]
    modules = sorted((ROOT / "hub").rglob("*.py"))
    return [str(each.relative_to(ROOT)) for each in modules if names & names_in(each)]


@pytest.mark.parametrize("kinds", [acts.COMMANDS, acts.EVENTS], ids=["commands", "events"])
def test_a_command_and_an_event_are_named_in_few_modules(kinds: tuple[type, ...]) -> None:
    reaches = {kind.__name__: reach(kind) for kind in kinds}
    average = mean(map(len, reaches.values()))
    by_length = sorted(reaches.items(), key=lambda item: -len(item[1]))
    table = "\n".join(f"{len(files):3} {name}: {', '.join(files)}" for name, files in by_length)
    print(f"{average:.2f} modules on average\n{table}")
    assert average <= MOST_MODULES


def test_the_commit_timer_is_named_in_few_files() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "hub", "docs", "tests"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    generated = {"docs/asyncapi.json", "hub/web/static/js/core/wire.d.ts"}
    named = [
        name
        for name in listed
        if name not in generated
        and (file := ROOT / name).is_file()
        and TIMER.search(file.read_bytes().decode("utf-8", "ignore"))
    ]
    print(f"{len(named)} files name the commit timer:", *named, sep="\n  ")
    assert len(named) <= MOST_TIMER_FILES
