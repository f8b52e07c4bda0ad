"""Habits of speech that make our English hard to read, per 1,000 words of prose.

Prose is docstrings and comments of Python, and pages of docs outside of code. A match is a sentence
to read again, not a fault.
"""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import Figure

ROOT = Path(__file__).resolve().parents[2]
AIM = 1.5
HABITS = re.compile(
    # The actor is named: the player, the GM, the reader.
    r"\b(?:who|what|which)(?:so)?ever\b|\b(?:some|no|any|every)body\b"
    # A sentence has a subject; one that opens with *what* is a question.
    r"|(?:^|[.;:] )(?:What|Such|That which) (?![^.]*\?)"
    # Words of an older English.
    r"|\b(?:anew|beforehand|hereby|hitherto|lest|thereby|therein|thereof|whereby|wherein)\b",
    re.IGNORECASE,
)
_NO_PROSE = re.compile(r"`[^`]*`|\]\([^)]*\)|# (?:noqa|type:|fmt:)")
_WORD = re.compile(r"[A-Za-z][\w’'-]*")


def prose() -> list[Figure]:
    words = matches = 0
    for text in _texts():
        plain = _NO_PROSE.sub(" ", text)
        words += len(_WORD.findall(plain))
        matches += len(HABITS.findall(plain))
    value = 1000 * matches / words
    return [Figure.aimed("hard habits of speech per 1,000 words", value, AIM)]


def _texts() -> Iterator[str]:
    listed = subprocess.run(
        ["git", "ls-files", "*.py", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    for file in map(ROOT.joinpath, listed):
        text = file.read_text("utf-8")
        yield from _of_python(text) if file.suffix == ".py" else _of_page(text)


def _of_python(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(said))):
                yield said
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def _of_page(text: str) -> Iterator[str]:
    """The parts outside of fenced code."""
    yield from text.split("\n```")[::2]
