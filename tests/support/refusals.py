"""Every sentence that the rules and the table can say, as a template, found in their source.

``f"{name} is out of the conflict ({advice})"`` is the template ``{} is out of the conflict ({})``:
what a catalogue of translations has to know, whatever the places are called there.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import hub

HUB = Path(hub.__file__).parent
PLACE = re.compile(r"\{\w*\}")
_WORD = re.compile(r"[A-Za-z]{2,}")
_TOLD_ELSEWHERE = {"debug", "info", "warning", "error", "exception", "compile"}
"""What goes to the log, or is no sentence."""


def templates(*rooms: str) -> dict[str, str]:
    """The templates of all modules of some rooms, each with a module that says it."""
    found: dict[str, str] = {}
    for room in rooms:
        path = HUB / room
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            module = str(file.relative_to(HUB))
            for text in _sentences(ast.parse(file.read_text(encoding="utf-8"))):
                found.setdefault(text, module)
    return found


def anonymous(text: str) -> str:
    """A template without the names of its places."""
    return PLACE.sub("{}", text)


def _sentences(tree: ast.AST) -> Iterator[str]:
    skipped = {id(node) for node in ast.walk(tree) for node in _no_sentences(node)}
    for node in ast.walk(tree):
        if id(node) in skipped or not isinstance(node, ast.JoinedStr | ast.Constant):
            continue
        text = _template(node)
        if _is_sentence(text):
            yield text


def _no_sentences(node: ast.AST) -> Iterator[ast.AST]:
    """Docstrings and notes, and the parts of a text that is found as a whole."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    if isinstance(node, ast.JoinedStr):
        yield from node.values
        for value in node.values:
            if isinstance(value, ast.FormattedValue) and value.format_spec:
                yield from ast.walk(value.format_spec)
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _TOLD_ELSEWHERE:
        yield from (part for argument in node.args for part in ast.walk(argument))


def _template(node: ast.JoinedStr | ast.Constant) -> str:
    if isinstance(node, ast.Constant):
        return PLACE.sub("{}", node.value) if isinstance(node.value, str) else ""
    return "".join(
        str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
    )


def _is_sentence(text: str) -> bool:
    """Two words at least, or a word beside a place."""
    words = _WORD.findall(text)
    return " " in text.strip() and (len(words) > 1 or (len(words) == 1 and "{}" in text))
