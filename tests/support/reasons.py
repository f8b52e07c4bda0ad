"""The reasons that the hub's code gives, and the sentences of each language for them."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import hub
from hub.games.registry import FAMILIES
from hub.kernel.catalogues import COMMON, catalogue

_PLACE = re.compile(r"\{(\w+)(?:, (?:or|and))?\}")
_FORM = re.compile(r"\.(zero|one|two|few|many)$")
"""The key suffixes of plural forms."""
PACKAGES = (COMMON, *(family.package for family in FAMILIES if family.package))
"""The packages with catalogues: the common one and each family's."""


@cache
def given() -> tuple[tuple[str, frozenset[str], str, str], ...]:
    """Every reason in the code: its code, the keys of its values, its place, its first package."""
    root = Path(hub.__file__).parent
    families = {family.id: family.package for family in FAMILIES}
    return tuple(
        (*found, next((families[part] for part in file.parts if part in families), COMMON))
        for file in sorted(root.rglob("*.py"))
        for found in _given(file)
    )


def _given(file: Path) -> Iterator[tuple[str, frozenset[str], str]]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Reason":
            (code,) = node.args
            assert isinstance(code, ast.Constant), f"{file}:{node.lineno}: a code is written out"
            keys = frozenset(keyword.arg or "**" for keyword in node.keywords)
            yield str(code.value), keys, f"{file.name}:{node.lineno}"


def sentences(language: str, *packages: str) -> dict[str, list[str]]:
    """A language's sentences by code, each with its forms; of all packages by default."""
    found: dict[str, list[str]] = {}
    for package in packages or PACKAGES:
        for key, text in catalogue("reasons", language, package).items():
            if not key.startswith("word."):
                found.setdefault(_FORM.sub("", key), []).append(text)
    return found


def words(language: str, package: str) -> dict[str, str]:
    """A language's words of the books."""
    said = catalogue("reasons", language, package).items()
    return {key: text for key, text in said if key.startswith("word.")}


def places(forms: list[str]) -> set[str]:
    """A sentence's placeholders, which must be the same in all its forms."""
    (found,) = {frozenset(_PLACE.findall(text)) for text in forms}
    return set(found)
