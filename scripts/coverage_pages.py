"""Makes the pages docs/rules/coverage*.md: each line of the books, with its code and its tests."""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path, PurePosixPath

from book_lines import GM, KINDS, NOT_YET, ROOT, TOLD, Line, Mark, Text

RULES = ROOT / "docs/rules"
SUMS = re.compile(r"(<!-- sums:.*?-->\n).*?(<!-- /sums -->)", re.DOTALL)
MISSING = re.compile(r"(<!-- not yet:.*?-->\n).*?(<!-- /not yet -->)", re.DOTALL)
HEAD = """\
# {title}: line by line

Every heading of the book (`{id}`, by {by}) in its order, and what is ruled under it.
[Coverage](coverage.md) says how to read this page. It is generated: `make docs` writes it from
[the lines](lines/{id}.toml) and the markers beside the code and the tests.
"""


def link(mark: Mark) -> str:
    """A marker as a link to its file, with both names."""
    between = ":" if mark.is_code else "#" if mark.path.endswith(".toml") else "::"
    return f"[`{PurePosixPath(mark.path).name}{between}{mark.name}`](../../{mark.path})"


def row(line: Line, marks: list[Mark]) -> str:
    """A line's row in the table of its part."""
    mine = [mark for mark in marks if mark.means(line)]
    code = ", ".join(dict.fromkeys(link(mark) for mark in mine if mark.is_code))
    tests = ", ".join(dict.fromkeys(link(mark) for mark in mine if not mark.is_code))
    if line.kind == TOLD:
        code, tests = "told, not ruled", "–"
    elif line.kind == NOT_YET:
        code, tests = f"not yet: {line.instead}", "–"
    elif line.kind == GM:
        code = f"the GM's: {code}"
    return f"| {line.heading} | {line.says} | {code} | {tests} |\n"


def page(text: Text, marks: list[Mark]) -> str:
    """The coverage page of a text, in Markdown."""
    parts = [HEAD.format(**text._asdict())]
    for part, lines in groupby(text.lines, key=lambda line: line.part):
        parts.append(f"\n## {part}\n\n{_table('heading', 'line', 'code', 'tests')}")
        parts += [row(line, marks) for line in lines]
    return "".join(parts)


def _table(*columns: str) -> str:
    return f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}\n"


def _sums(texts: list[Text]) -> str:
    rows = _table("book", "ruled", "the GM's", "told, not ruled", "not yet")
    for text in texts:
        kinds = [line.kind for line in text.lines]
        counts = " | ".join(str(kinds.count(kind)) for kind in KINDS)
        rows += f"| [{text.title}](coverage-{text.id}.md) | {counts} |\n"
    return rows


def _missing(texts: list[Text]) -> str:
    lines = [line for text in texts for line in text.lines if line.kind == NOT_YET]
    if not lines:
        return "Nothing that a book rules is left out today.\n"
    return _table("book", "heading", "line", "instead") + "".join(
        f"| `{line.text}` | {line.heading} | {line.says} | {line.instead} |\n" for line in lines
    )


def index(written: str, texts: list[Text]) -> str:
    """The index page ``written``, with its sums and its list of lines that are not implemented yet
    brought up to date."""
    summed = SUMS.sub(lambda found: found[1] + _sums(texts) + found[2], written)
    return MISSING.sub(lambda found: found[1] + _missing(texts) + found[2], summed)


def pages(texts: list[Text], marks: list[Mark]) -> Iterator[tuple[Path, str]]:
    """The pages to write, each with its path and its text."""
    first = RULES / "coverage.md"
    yield first, index(first.read_text(encoding="utf-8"), texts)
    for text in texts:
        yield RULES / f"coverage-{text.id}.md", page(text, marks)
