"""No room names a family of rules or a ruleset, except its own package and the registry.

This covers imports, code, pages' scripts, style sheets and catalogues.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hub.games import registry

ROOT = Path(__file__).parents[2]
HUB = ROOT / "hub"
WORDS = {
    *(family.id for family in registry.FAMILIES),
    *(game.ruleset for family in registry.FAMILIES for game in family.games),
}
NAMED = re.compile(
    r"(?<![a-z])(" + "|".join(sorted(WORDS, key=len, reverse=True)) + r")(?![a-z])", re.IGNORECASE
)
REGISTRIES = ("games/registry.py",)
SHAPES = {
    "table/looks.py": "a shape of a player's mark",
    "kernel/catalogues/pages.en.json": "that shape",
    "kernel/catalogues/pages.de.json": "that shape",
    "cards/printing/ended.py": "what marks a card's end",
    "web/static/js/core/painter.js": "what a surface is drawn of",
    "web/static/js/sound/sets.js": "a wave's form",
}
"""Places where a word has another meaning."""


def is_own(path: str) -> bool:
    """Whether the file is in a family's package, or is a registry."""
    homes = [f"games/{family.id}/" for family in registry.FAMILIES]
    return path in REGISTRIES or path.startswith(tuple(homes))


def said_in(path: Path) -> Iterator[str]:
    """The texts in a file without comments and docstrings, which may give examples."""
    text = path.read_text(encoding="utf-8")
    if not NAMED.search(text):
        return
    if path.suffix == ".py":
        yield from _python(ast.parse(text))
    elif path.suffix == ".json":
        yield from _json(json.loads(text))
    else:
        yield from re.sub(r"/\*.*?\*/|(?<![:\"'])//[^\n]*|<!--.*?-->", "", text, flags=re.S).split()


def _python(tree: ast.AST) -> Iterator[str]:
    told = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in told:
                yield text
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name
            case ast.ImportFrom(module=str(module)):
                yield module
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name


def _json(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from _json(each)
    elif isinstance(value, str):
        yield value


def names(folder: Path) -> dict[str, set[str]]:
    """File → the families and rulesets that it names without owning them."""
    found: dict[str, set[str]] = {}
    for path in sorted(folder.rglob("*")):
        file = path.relative_to(folder).as_posix()
        if path.suffix not in {".py", ".js", ".css", ".html", ".json"} or is_own(file):
            continue
        said = {match[0].lower() for text in said_in(path) for match in NAMED.finditer(text)}
        if said:
            found[file] = said
    return found


def imported(family: str) -> dict[str, set[str]]:
    """File of a family → the other families that it imports."""
    found: dict[str, set[str]] = {}
    for file in sorted((HUB / "games" / family).rglob("*.py")):
        modules = {
            name
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in (getattr(node, "module", ""), *(each.name for each in node.names))
        }
        others = {each.id for each in registry.FAMILIES if each.id != family}
        if named := others & {part for name in modules if name for part in name.split(".")}:
            found[file.name] = named
    return found


@pytest.mark.parametrize("family", [each.id for each in registry.FAMILIES])
def test_no_family_imports_another(family: str) -> None:
    assert imported(family) == {}


def test_no_room_names_a_family_of_another() -> None:
    assert {"tricube", "tourists", "unroll", "iron-triangle"} <= WORDS
    found = names(HUB)
    for file in SHAPES:
        assert found.pop(file, None) == {"triangle"}, f"{file} need not stand here any more"
    assert found == {}


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("table/step.py", 'if ruleset == "tricube":\n    pass\n'),
        ("wire/topics.py", "from hub.games.tricube.rules.tale import Tale\n"),
        ("mqtt/outbox.py", 'def f():\n    """Doc."""\n    return view.tourists\n'),
        ("web/static/js/core/dom.js", 'if (game.ruleset === "iron-triangle-1e") {}\n'),
        ("web/static/js/pages/gm.js", 'import x from "../games/tricube/index.js";\n'),
        ("web/static/css/base.css", ".tricube { color: red }\n"),
        ("kernel/catalogues/pages.en.json", '{"tricube.dice": "dice"}'),
    ],
)
def test_a_planted_name_is_found(tmp_path: Path, file: str, said: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(said, encoding="utf-8")
    assert [*names(tmp_path)] == [file]


def test_names_in_comments_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "cli.py").write_text('"""By `tricube`, say."""\nx = 1  # tricube\n')
    (tmp_path / "a.js").write_text("/* tricube */ const a = 1; // tourists\n")
    (tmp_path / "b.css").write_text("/* A tale of tricube. */ .tale { color: red }\n")
    assert names(tmp_path) == {}
