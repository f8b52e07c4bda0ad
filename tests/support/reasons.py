"""The reasons that the hub's code gives, and the sentences of a language for them."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import hub

_PLACE = re.compile(r"\{(\w+)(?:, (?:or|and))?\}")
_FORM = re.compile(r"\.(zero|one|two|few|many)$")
"""What a form of a plural ends with."""


@cache
def given() -> tuple[tuple[str, frozenset[str], str], ...]:
    """Every reason of the code: its code, the keys of its values, and where it stands."""
    root = Path(hub.__file__).parent
    return tuple(found for file in sorted(root.rglob("*.py")) for found in _given(file))


def _given(file: Path) -> Iterator[tuple[str, frozenset[str], str]]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Reason":
            (code,) = node.args
            assert isinstance(code, ast.Constant), f"{file}:{node.lineno}: a code is written out"
            keys = frozenset(keyword.arg or "**" for keyword in node.keywords)
            yield str(code.value), keys, f"{file.name}:{node.lineno}"


def sentences(texts: Path, language: str) -> dict[str, list[str]]:
    """A language's sentences by code, each with its forms."""
    found: dict[str, list[str]] = {}
    for key, text in _catalogue(texts, language).items():
        if not key.startswith("word."):
            found.setdefault(_FORM.sub("", key), []).append(text)
    return found


def words(texts: Path, language: str) -> dict[str, str]:
    """A language's words of the books."""
    return {k: text for k, text in _catalogue(texts, language).items() if k.startswith("word.")}


def places(forms: list[str]) -> set[str]:
    """The places that a sentence has, in all its forms alike."""
    (found,) = {frozenset(_PLACE.findall(text)) for text in forms}
    return set(found)


def _catalogue(texts: Path, language: str) -> dict[str, str]:
    pairs = json.loads(
        (texts / f"reasons.{language}.json").read_text("utf-8"), object_pairs_hook=list
    )
    assert len(dict(pairs)) == len(pairs), f"{language}: a code stands twice"
    return dict(pairs)
