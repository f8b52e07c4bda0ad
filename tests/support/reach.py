"""How far one idea reaches: the files that name a command, an event, the commit timer.

A Python module *names* a command or an event where its class's name stands as an identifier (also
in an import), or its tag as a string of its own. Such a string counts even where it means something
else, as ``"next"`` and ``"paused"`` often do, so the figures are a little too high. Modules of the
rooms below the table do not count: they cannot know a command or an event. Docstrings and comments
do not count.
"""

import ast
import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TIMER = re.compile(r"\b(SetTimer|TimerSet|set-timer|timer-set)\b")
"""The commit timer as something that the GM sets: its command and its event, by class or tag."""
_BELOW = ("hub/games/", "hub/kernel/")
"""Rooms that know nothing of the table, as the import contracts hold."""
_UNCOUNTED = {
    "docs/asyncapi.json",  # generated, as the next one
    "hub/web/static/js/core/wire.d.ts",
    "tests/support/reach.py",
}


@cache
def _names_in(module: Path) -> frozenset[str]:
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


def modules_naming(kind: type) -> list[str]:
    """The modules of ``hub`` that name a command or an event."""
    names = {kind.__name__, f'"{kind.__struct_config__.tag}"'}  # type: ignore[attr-defined]
    modules = sorted((ROOT / "hub").rglob("*.py"))
    named = (str(each.relative_to(ROOT)) for each in modules if names & _names_in(each))
    return [each for each in named if not each.startswith(_BELOW)]


def reaches(kinds: Iterable[type]) -> dict[str, list[str]]:
    """Name → the modules that name it, the farthest reach first."""
    found = {kind.__name__: modules_naming(kind) for kind in kinds}
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def files_naming_the_timer() -> list[str]:
    """Of the files of ``hub``, ``docs`` and ``tests`` that people write."""
    listed = subprocess.run(
        ["git", "ls-files", "hub", "docs", "tests"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    written = [each for each in listed if each not in _UNCOUNTED and (ROOT / each).is_file()]
    return [each for each in written if TIMER.search((ROOT / each).read_text("utf-8", "ignore"))]
