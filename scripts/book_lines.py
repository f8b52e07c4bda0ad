"""The rules of the books line by line, and the markers for them in code and tests.

A text's lines are listed in ``docs/rules/lines/TEXT.toml``, each with a stable id. A marker names
ids:

- code: a comment above the code for the line, or inside it: ``# book: energy.ten, moves.named``;
- the rules' own data: the same comment above a table or a key of ``hub/**/*.toml``;
- tests: ``@pytest.mark.book("energy.ten")``;
- known answers in ``tests/vectors``: ``book = ["energy.ten"]``.

An id refers to the line in every text that has it. In a text's own file (known answers, data) it
refers to that text only. ``# book unroll: energy.ten`` and ``of=["unroll"]`` name the
texts. ``numbers.*`` refers to every line with a matching id.
"""

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from hub.games.registry import rulebooks

ROOT = Path(__file__).resolve().parent.parent
LINES = ROOT / "docs/rules/lines"
VECTORS = "tests/vectors"
RULED, GM, TOLD, NOT_YET = "ruled", "gm", "told", "not-yet"
KINDS = (RULED, GM, TOLD, NOT_YET)
DATA = re.compile(r"\[+(?P<table>[\w.-]+)\]+|(?P<key>[\w.-]+) *=")
COMMENT = re.compile(r"# book(?P<of> [a-z0-9, -]+)?: (?P<lines>[a-z0-9.*, -]+)")


class Line(NamedTuple):
    """A line of a text, in the ``part`` and under the ``heading`` of its book. It needs markers if
    its ``kind`` is *ruled* or *gm*."""

    text: str
    part: str
    heading: str
    id: str
    says: str
    kind: str
    instead: str
    """What can be done instead, for a line that is not implemented yet; empty for all others."""


class Text(NamedTuple):
    """A text of a book. ``id``: its ruleset; ``by``: its authors."""

    id: str
    title: str
    by: str
    lines: list[Line]


class Mark(NamedTuple):
    """A marker: the file and the name where it is, the ids of the lines that it names, and the
    texts that it is for (``of``; empty: all texts that have these lines)."""

    path: str
    name: str
    lines: tuple[str, ...]
    of: tuple[str, ...] = ()

    @property
    def is_code(self) -> bool:
        """Whether the marker is in code or data of the rules, not at a test or a known answer."""
        return self.path.startswith("hub/")

    def means(self, line: Line) -> bool:
        """Whether the marker names this line."""
        mine = not self.of or line.text in self.of
        return mine and any(fnmatchcase(line.id, wanted) for wanted in self.lines)


def read_text(path: Path) -> Text:
    """The text in a file, with its lines in the book's order. Raises ValueError for a line of an
    unknown kind."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    lines = []
    for part in document["part"]:
        for prefix, under in part.items():
            if prefix == "title":
                continue
            for key, said in under.items():
                if key == "heading":
                    continue
                row = {RULED: said} if isinstance(said, str) else dict(said)
                instead = row.pop("instead", "")
                ((kind, says),) = row.items()
                if kind not in KINDS:
                    raise ValueError(f"{path.name}: {prefix}.{key}: {kind} is none of {KINDS}")
                where = (path.stem, part["title"], under["heading"], f"{prefix}.{key}")
                lines.append(Line(*where, says, kind, instead))
    return Text(path.stem, document["title"], document["by"], lines)


def read_texts() -> list[Text]:
    """Read the texts of all rulesets that have a file of lines."""
    books = rulebooks()
    rulesets = dict.fromkeys((*books.games, *books.scripts))
    files = (LINES / f"{ruleset}.toml" for ruleset in rulesets)
    return [read_text(file) for file in files if file.exists()]


def _named(nodes: list[ast.stmt], before: str = "") -> Iterator[tuple[int, int, str]]:
    """Yield the first line, the last line and the name of each function, class and assigned name in
    a module or class."""
    for node in nodes:
        end = node.end_lineno or node.lineno
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            start = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            yield start, end, before + node.name
            if isinstance(node, ast.ClassDef):
                yield from _named(node.body, f"{before}{node.name}.")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            for each in ast.walk(target):
                if isinstance(each, ast.Name):
                    yield node.lineno, end, before + each.id


def _borne_by(source: str, number: int) -> str:
    """The name that the comment in line ``number`` belongs to: the name that is defined directly
    below it, or else the innermost one around it. Empty if there is neither."""
    named, lines = list(_named(ast.parse(source).body)), source.splitlines()
    following = number
    while following <= len(lines) and lines[following - 1].strip().startswith("#"):
        following += 1
    above = [name for start, _, name in named if start == following]
    around = [name for start, end, name in named if start <= number <= end]
    return [*above, *reversed(around), ""][0]


def _listed(text: str | None) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.split(",")) if text else ()


def marks_of_code(path: str, source: str) -> Iterator[Mark]:
    """Yield the markers in a module. Raises ValueError for a malformed marker, and for a marker
    that belongs to no name."""
    if not re.search(r"#\s*book\b", source, re.IGNORECASE):
        return
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT or not re.match(r"#\s*book\b", token.string, re.I):
            continue
        found, name = COMMENT.fullmatch(token.string), _borne_by(source, token.start[0])
        if not found or not name:
            raise ValueError(f"{path}:{token.start[0]}: this marks nothing: {token.string}")
        yield Mark(path, name, _listed(found["lines"]), _listed(found["of"]))


def marks_of_data(path: str, source: str) -> Iterator[Mark]:
    """Yield the markers in a data file. If the file is named after a text and a marker names no
    texts, it refers to that text only.

    Raises ValueError for a malformed marker, and for a marker that belongs to no table or key.
    """
    stem, table, waiting = Path(path).stem, "", list[tuple[int, str]]()
    for number, line in enumerate([*source.splitlines(), ""], start=1):
        statement, sign, comment = line.partition("#")
        if re.match(r"\s*book\b", comment, re.I):
            waiting.append((number, line.strip()))
        elif sign and not statement.strip():
            continue
        key = DATA.match(statement)
        table = key["table"] or table if key else table
        if statement.strip() or not sign:
            for at, marker in waiting:
                found = COMMENT.fullmatch(marker)
                if not found or not key:
                    raise ValueError(f"{path}:{at}: this marks nothing: {marker}")
                name = key["table"] or ".".join(filter(None, (table, key["key"])))
                of = _listed(found["of"]) or ((stem,) if stem in rulebooks().stories else ())
                yield Mark(path, name, _listed(found["lines"]), of)
            waiting.clear()


def _tests(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """The tests that pytest collects, with pytest's names for them."""
    places = [("", tree.body)]
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            places.append((f"{node.name}::", node.body))
    for before, body in places:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name[:4] == "test":
                yield before + node.name, node


def marks_of_tests(path: str, source: str) -> Iterator[Mark]:
    """Yield the markers in a test module. Raises ValueError if a marker is outside of a test."""
    if "mark.book" not in source:
        return
    tree, borne = ast.parse(source), 0
    for name, test in _tests(tree):
        for call in test.decorator_list:
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.book":
                borne += 1
                of = [ast.literal_eval(each.value) for each in call.keywords if each.arg == "of"]
                lines = (ast.literal_eval(each) for each in call.args)
                yield Mark(path, name, tuple(lines), tuple(*of))
    written = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node).endswith("mark.book")
    ]
    if len(written) != borne:
        raise ValueError(f"{path}: a marker on one of the lines {written} stands at no test")


def marks_of_answers(path: str, source: str) -> Iterator[Mark]:
    """Yield the markers in a file of known answers. If the file is named after a text and a marker
    names no texts, it refers to that text only."""
    stem = Path(path).stem
    for vector in tomllib.loads(source)["vector"]:
        if "book" in vector:
            of = vector.get("of", [stem] if stem in rulebooks().stories else [])
            yield Mark(path, vector["name"], tuple(vector["book"]), tuple(of))


READERS = (
    ("hub/**/*.py", marks_of_code),
    ("hub/**/*.toml", marks_of_data),
    ("tests/**/test_*.py", marks_of_tests),
    (f"{VECTORS}/*.toml", marks_of_answers),
    (f"{VECTORS}/specials/*.toml", marks_of_answers),
)


def read_marks(root: Path = ROOT) -> list[Mark]:
    """Read all markers of the repository, file by file."""
    return [
        mark
        for pattern, read in READERS
        for path in sorted(root.glob(pattern))
        for mark in read(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))
    ]


def faults(texts: list[Text], marks: list[Mark]) -> Iterator[str]:
    """The contradictions between texts and markers, each in a sentence."""
    lines = [line for text in texts for line in text.lines]
    for text in texts:
        ids = [line.id for line in text.lines]
        yield from (f"{text.id}: {each} stands twice" for each in {*ids} if ids.count(each) > 1)
    known = {text.id for text in texts}
    for mark in marks:
        yield from faults_of_mark(mark, lines, known)
    for line in lines:
        yield from faults_of_line(line, marks)


def faults_of_mark(mark: Mark, lines: list[Line], texts: set[str]) -> Iterator[str]:
    """Say which texts and lines named by a marker do not exist, and which need no marker."""
    where = f"{mark.path}: {mark.name}"
    yield from (f"{where}: no text {each}" for each in sorted({*mark.of} - texts))
    for wanted in mark.lines:
        found = [line for line in lines if mark._replace(lines=(wanted,)).means(line)]
        if not found:
            yield f"{where}: no line {wanted} in {', '.join(mark.of) or 'any text'}"
        if "*" not in wanted:
            idle = [line.text for line in found if line.kind in (TOLD, NOT_YET)]
            yield from (f"{where}: {wanted} is not ruled in {text}" for text in idle)


def faults_of_line(line: Line, marks: list[Mark]) -> Iterator[str]:
    """Say whether a line that needs markers has none in code or none at a test, or whether a line
    that is not implemented names no substitute."""
    if line.kind in (RULED, GM):
        kinds = {mark.is_code for mark in marks if mark.means(line)}
        for is_code, what in ((True, "code"), (False, "test")):
            if is_code not in kinds:
                yield f"{line.text}: {line.id} ({line.says}) is ruled by no {what}"
    elif line.kind == NOT_YET and not line.instead:
        yield f"{line.text}: {line.id} is not there yet, and nothing stands in for it"
