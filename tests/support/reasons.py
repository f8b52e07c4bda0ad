"""The reasons that the hub's code gives, and the sentences of a language for them."""

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
"""What a form of a plural ends with."""
PACKAGES = (COMMON, *(family.package for family in FAMILIES if family.package))
"""Those with catalogues: what is common, and each family's."""


@cache
def given() -> tuple[tuple[str, frozenset[str], str, str], ...]:
    """Every reason of the code: its code, the keys of its values, where it stands, and the package
    that says it first."""
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
    """A language's sentences by code, each with its forms; without packages those of all."""
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
    """The places that a sentence has, in all its forms alike."""
    (found,) = {frozenset(_PLACE.findall(text)) for text in forms}
    return set(found)
