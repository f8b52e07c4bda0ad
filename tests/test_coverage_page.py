"""docs/rules/coverage.md and its pages: every line of the books, to code and tests there are.

The headings are embedded here, so that none can be lost from a page unnoticed.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from hub.rules.triangle.characters.book import BOOKS
from hub.rules.triangle.edition import Edition
from hub.rules.triangle.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "docs/rules"
EDITIONS = (UNROLL, IRON_TRIANGLE, IRON_TRIANGLE_1E)
EACH = pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.id)
TOLD, NOT_YET, GMS, NONE = "told, not ruled", "not yet: ", "the GM's: ", "–"
VECTORS = "tests/rules/test_triangle_vectors.py::test_known_answer"
MOVE = re.compile(r"`([a-z]+-[a-z]+)`: base (\d), ×(\d)")

HEADINGS = {
    "unroll": """
        Why roleplaying games?
        Why this game?
        Materials
        Participants
        Setting
        Setting Expectations
        Off-limits topics
        Disruptions
        Resolving player disputes
        Setting the Story
        Genre
        What brought you together?
        Antagonists
        Level of technology or magic
        A safe place
        A dangerous place
        Creating a character
        Choose a name
        Choose a fighting style
        Choose a description
        Level
        Choose a belief
        Choose a flaw
        Choose a goal
        Veto
        Choose backgrounds
        Choose energy
        Choose moves
        Example character
        Story
        Countdowns
        Problems
        Succeed with a good idea
        Succeed by spending a background point
        Succeed with a significant complication
        Fail in an interesting way
        Consequences of problems
        GM escalation of problems
        Don't repeat
        Using a veto
        Conflicts
        Establishing stakes
        Example stakes
        Reveal energy
        First turn
        Playing and passing turns
        Resolving consequences
        Minor conflicts
        Repeating conflicts
        Resting
        Conflict Turns
        Ranking of actions
        Ranking of locations
        Choose an opponent
        Choose a stance
        Example of choosing a stance
        Choose a move
        Disadvantage
        Example disadvantage
        Combos
        Example combo
        Identify the winner
        Example winner
        Resolve the consequences
        Example consequences of a win
        Example consequences of tie
        Specials
        Example clash between specials
        Scouter
        To Blave
        There Can Be Only One
        Pressure Point
        Wax On
        Santa Carla
        Dig Two Graves
        Predictabo!
        Yojimbo
        Liquid Metal
        Drunken Monkey
        The Way of the Samurai
        Level Up
        Replacement characters
    """,
    "iron-triangle": """
        Why roleplaying games?
        Why this game?
        Simultaneous choice
        Participants
        Setting
        Setting Expectations
        Off-limits topics
        Disruptions
        Resolving player disputes
        Setting the Story
        Genre
        What brought you together?
        Antagonists
        Level of technology or magic
        A safe place
        A dangerous place
        Creating a character
        Choose a name
        Choose a fighting style
        Choose a description
        Level
        Choose a goal
        Choose backgrounds
        Choose a belief
        Choose a flaw
        Veto
        Choose energy
        Choose moves
        Story
        Countdowns
        Problems
        Succeed with a good idea
        Succeed by spending a background point
        Succeed with a significant complication
        Fail in an interesting way
        Consequences of problems
        GM escalation of problems
        Don't repeat
        Using a veto
        Conflicts
        Establishing stakes
        Example stakes
        Reveal energy
        First turn
        Playing and passing turns
        Resolving consequences
        Minor conflicts
        Repeating conflicts
        Resting
        Conflict Turns
        Ranking of actions
        Ranking of elements
        Choose an opponent
        Choose a stance
        Example of choosing a stance
        Choose a move
        Disadvantage
        Example disadvantage
        Combos
        Example combo
        Identify the winner
        Example winner
        Resolve the consequences
        Example consequences of tie
        Example consequences of a win
        Specials
        Example clash between specials
        Scouter
        To Blave
        There Can Be Only One
        Pressure Point
        Wax On
        Santa Carla
        Dig Two Graves
        I Already Know
        Yojimbo
        Liquid Metal
        Drunken Monkey
        The Way of the Samurai
        Level Up
        Five elements
        Replacement characters
    """,
    "iron-triangle-1e": """
        Creating a character
        Choose a name
        Choose a fighting style
        Choose a description
        Choose a belief
        Choose a flaw
        Choose a goal
        Choose backgrounds
        Choose energy
        Choose moves
        Conflict Overview
        Establishing stakes
        Example stakes
        First turn
        Playing and passing turns
        Resolving consequences
        Minor conflicts
        Repeating conflicts
        Conflict Turns
        Simultaneous choice
        Ranking of actions
        Ranking of elements
        Choose an opponent
        Choose a stance
        Choose a move
        Disadvantage
        Combos
        Identify the winner
        Resolve the consequences
        Specials
        Insight
        Showdown
        Precise
        Parry
        Vampire
        Dig Two Graves
        Premonition
        Bodyguard
        Mimic
        Drunken Monkey
        Last Stand
        Leveling up
        Five elements
        Replacement characters
    """,
}
"""Each book's headings in their order, except that a heading to which it returns stands once."""


class Row(NamedTuple):
    heading: str
    line: str
    code: str
    tests: str


def page(edition: Edition) -> Path:
    return RULES / f"coverage-{edition.id}.md"


def cells(path: Path) -> Iterator[list[str]]:
    """The rows of all tables of a page, without their heads."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("| ") and not line.startswith(("| ---", "| heading |", "| book |")):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def rows(edition: Edition) -> list[Row]:
    return [Row(*found) for found in cells(page(edition))]


def references(text: str) -> list[str]:
    """What stands in backticks with a path in front; a decision's own word is none."""
    return [found for found in re.findall(r"`([^`]+)`", text) if "/" in found]


def ids_in(edition: Edition) -> set[str]:
    return {found for row in rows(edition) for found in re.findall(r"`([a-z-]+)`", row.line)}


@pytest.fixture(scope="module")
def collected() -> set[str]:
    """The ids of all tests that the pages name, as pytest collects them."""
    named = {ref for edition in EDITIONS for row in rows(edition) for ref in references(row.tests)}
    files = {ref.partition("::")[0] for ref in named if "::" in ref}
    files.add(VECTORS.partition("::")[0])
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *sorted(files)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert found.returncode == 0, found.stdout + found.stderr
    ids = {line for line in found.stdout.splitlines() if "::" in line}
    return ids | {test.partition("[")[0] for test in ids}


@EACH
def test_no_heading_is_missing(edition: Edition) -> None:
    found = dict.fromkeys(row.heading for row in rows(edition))
    assert [*found] == [line.strip() for line in HEADINGS[edition.id].strip().splitlines()]


@EACH
def test_every_line_has_code_and_tests_or_says_why_not(edition: Edition) -> None:
    for row in rows(edition):
        assert row.line, row
        if row.code == TOLD or row.code.startswith(NOT_YET):
            assert row.tests == NONE, row
            assert row.code != NOT_YET.strip(), row
        else:
            for found in (references(row.code), references(row.tests)):
                assert found and len({*found}) == len(found), row
            words = re.sub(r"`[^`]+`", "", row.code.removeprefix(GMS))
            assert not words.strip(", "), row


@EACH
def test_no_line_stands_twice_under_a_heading(edition: Edition) -> None:
    told = [(row.heading, row.line) for row in rows(edition)]
    assert len({*told}) == len(told), sorted({each for each in told if told.count(each) > 1})


@cache
def defined(path: str) -> frozenset[str]:
    """Names that a module defines itself, with those of its classes as ``Class.name``."""

    def names(nodes: list[ast.stmt], before: str = "") -> Iterator[str]:
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield before + node.name
            if isinstance(node, ast.ClassDef):
                yield from names(node.body, f"{before}{node.name}.")
            targets = node.targets if isinstance(node, ast.Assign) else []
            targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
            for target in targets:
                for each in ast.walk(target):
                    if isinstance(each, ast.Name):
                        yield before + each.id

    return frozenset(names(ast.parse((ROOT / path).read_text(encoding="utf-8")).body))


@EACH
def test_the_code_is_there(edition: Edition) -> None:
    for row in rows(edition):
        if row.code == TOLD or row.code.startswith(NOT_YET):
            continue
        for reference in references(row.code):
            path, _, name = reference.partition(":")
            assert path.startswith("hub/"), row
            assert name in defined(path), row
            found = import_module(path.removesuffix(".py").replace("/", "."))
            for part in name.split("."):
                found = getattr(found, part)


@EACH
def test_the_tests_are_collected(edition: Edition, collected: set[str]) -> None:
    for row in rows(edition):
        for reference in references(row.tests):
            path, _, name = reference.partition("#")
            if not name:
                assert reference in collected, row
                continue
            written = tomllib.loads((ROOT / path).read_text(encoding="utf-8"))["vector"]
            assert name in [vector["name"] for vector in written], row
            special = "/specials/" in path
            book = edition.id if special else Path(path).stem
            assert f"{VECTORS}[{book}: {name}]" in collected, row
            assert book == edition.id, f"{row} is held by another book's vector"


@EACH
def test_every_special_is_there(edition: Edition) -> None:
    assert {*edition.specials} <= ids_in(edition)
    others = {special for other in EDITIONS for special in other.specials}
    assert not ids_in(edition) & (others - {*edition.specials}), "another book's special"


@EACH
def test_the_level_of_every_special_is_there(edition: Edition) -> None:
    rules = BOOKS[edition.id].specials
    for heading in {row.heading for row in rows(edition)}:
        own = [row.line for row in rows(edition) if row.heading == heading]
        specials = {found for line in own for found in re.findall(r"`([a-z-]+)`", line)} & {*rules}
        told = {int(level) for line in own for level in re.findall(r"^from level (\d+)", line)}
        assert told == {rules[special].level for special in specials} - {0}, heading


@EACH
def test_every_move_is_there_with_its_numbers(edition: Edition) -> None:
    found = {
        (move, int(base), int(multiplier))
        for row in rows(edition)
        for move, base, multiplier in MOVE.findall(row.line)
    }
    assert found == {(move.id, move.base, move.multiplier) for move in edition.moves.values()}


@EACH
def test_every_beating_is_there(edition: Edition) -> None:
    told = {row.line for row in rows(edition)}
    for element, beaten in edition.element_beats.items():
        first, *more = sorted(beaten)
        lines = {" and ".join(each) for each in ([first, *more], [*more, first])}
        assert any(f"{element} beats {line}" in told for line in lines), element


def test_what_is_not_yet_stands_on_the_first_page() -> None:
    index = RULES / "coverage.md"
    text = index.read_text(encoding="utf-8")
    listed = [row for row in cells(index) if not row[-1].isdigit()]
    found = [
        [row.heading, row.line, row.code.removeprefix(NOT_YET)]
        for edition in EDITIONS
        for row in rows(edition)
        if row.code.startswith(NOT_YET)
    ]
    assert [row[1:] for row in listed] == found
    for edition in EDITIONS:
        assert f"({page(edition).name})" in text


def test_the_sums_on_the_first_page() -> None:
    sums = [row[1:] for row in cells(RULES / "coverage.md") if row[-1].isdigit()]
    for edition, (ruled, gms, told, not_yet) in zip(EDITIONS, sums, strict=True):
        codes = [row.code for row in rows(edition)]
        assert int(told) == codes.count(TOLD)
        assert int(gms) == sum(code.startswith(GMS) for code in codes)
        assert int(not_yet) == sum(code.startswith(NOT_YET) for code in codes)
        assert int(ruled) == len(codes) - int(told) - int(gms) - int(not_yet)
