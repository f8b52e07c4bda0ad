"""docs/rules/coverage.md and its pages tie every line of the books to code and tests."""

import re
import sys
from pathlib import Path

import pytest

from hub.games.triangle.rules.edition import Edition
from hub.games.triangle.rules.editions import EDITIONS
from tests.rules.test_triangle_vectors import cases

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from book_lines import (  # noqa: E402
    LINES,
    VECTORS,
    Line,
    Mark,
    Text,
    faults,
    marks_of_answers,
    marks_of_code,
    marks_of_data,
    marks_of_tests,
    read_marks,
    read_text,
    read_texts,
)
from coverage_pages import index, page, pages  # noqa: E402

TEXTS = {text.id: text for text in read_texts()}
EACH = pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.id)
MOVE = re.compile(r"`([a-z]+-[a-z]+)`: base (\d), ×(\d)")


@pytest.fixture(scope="module")
def marks() -> list[Mark]:
    return read_marks()


def lines(edition: Edition) -> list[Line]:
    return TEXTS[edition.id].lines


def ids_in(edition: Edition) -> set[str]:
    return {found for line in lines(edition) for found in re.findall(r"`([a-z-]+)`", line.says)}


def test_the_pages_match_the_markers(marks: list[Mark]) -> None:
    for file, text in pages(list(TEXTS.values()), marks):
        assert file.read_text(encoding="utf-8") == text, f"{file.name}: run `make docs`"


def test_every_line_has_its_code_and_its_tests_and_every_marker_its_line(marks: list[Mark]) -> None:
    assert list(faults(list(TEXTS.values()), marks)) == []


def test_every_text_belongs_to_a_ruleset() -> None:
    assert {path.stem for path in LINES.iterdir()} == {*TEXTS}


def test_known_answers_are_played_in_the_books_they_cover(marks: list[Mark]) -> None:
    played = {case.id for case in cases()}
    for mark in marks:
        if mark.path.startswith(VECTORS):
            texts = {
                line.text for text in TEXTS.values() for line in text.lines if mark.means(line)
            }
            assert {f"{text}: {mark.name}" for text in texts} <= played, mark


@EACH
def test_no_line_appears_twice_under_a_heading(edition: Edition) -> None:
    told = [(line.heading, line.says) for line in lines(edition)]
    assert len({*told}) == len(told), sorted({each for each in told if told.count(each) > 1})


@EACH
def test_every_special_has_a_line(edition: Edition) -> None:
    assert {*edition.specials} <= ids_in(edition)
    others = {special for other in EDITIONS.values() for special in other.specials}
    assert not ids_in(edition) & (others - {*edition.specials}), "another book's special"


@EACH
def test_the_level_of_every_special_has_a_line(edition: Edition) -> None:
    rules = EDITIONS[edition.id].specials
    for heading in {line.heading for line in lines(edition)}:
        own = [line.says for line in lines(edition) if line.heading == heading]
        specials = {found for line in own for found in re.findall(r"`([a-z-]+)`", line)} & {*rules}
        told = {int(level) for line in own for level in re.findall(r"^from level (\d+)", line)}
        assert told == {rules[special].level for special in specials} - {0}, heading


@EACH
def test_every_move_has_a_line_with_its_numbers(edition: Edition) -> None:
    found = {
        (move, int(base), int(multiplier))
        for line in lines(edition)
        for move, base, multiplier in MOVE.findall(line.says)
    }
    assert found == {(move.id, move.base, move.multiplier) for move in edition.moves.values()}


@EACH
def test_every_element_has_a_line_on_what_it_beats(edition: Edition) -> None:
    told = {line.says for line in lines(edition)}
    for element, beaten in edition.element_beats.items():
        first, *more = sorted(beaten)
        both = {" and ".join(each) for each in ([first, *more], [*more, first])}
        assert any(f"{element} beats {line}" in told for line in both), element


SMALL = """\
title = "Pebbles"
by = "nobody"

[[part]]
title = "Play"

[part.throw]
heading = "Throwing"
one = "one pebble each"
far = { gm = "how far is far" }
aim = { told = "aim well" }
wind = { not-yet = "wind", instead = "no wind" }

[part.end]
heading = "The end"
dusk = "at dusk"
"""
CODE = "# book: throw.one, end.dusk\ndef throw(): ...\n"
TESTS = '@pytest.mark.book("throw.*", "end.dusk")\ndef test_it(): ...\n'


@pytest.fixture
def small(tmp_path: Path) -> Text:
    (tmp_path / "pebbles.toml").write_text(SMALL, encoding="utf-8")
    return read_text(tmp_path / "pebbles.toml")


def wrong(text: Text, code: str = CODE, tests: str = TESTS) -> str:
    far = Mark("hub/far.py", "FAR", ("throw.far",))
    own = [*marks_of_code("hub/throw.py", code), *marks_of_tests("tests/test_it.py", tests)]
    return "\n".join(faults([text], [far, *own]))


def test_a_text_and_its_markers_become_a_page(small: Text) -> None:
    assert wrong(small) == ""
    own = [*marks_of_code("hub/throw.py", CODE), *marks_of_tests("tests/test_it.py", TESTS)]
    text = page(small, own)
    test = "[`test_it.py::test_it`](../../tests/test_it.py)"
    assert f"| one pebble each | [`throw.py:throw`](../../hub/throw.py) | {test} |" in text
    assert "| Throwing | aim well | told, not ruled | – |" in text
    assert "| Throwing | wind | not yet: no wind | – |" in text
    first = "<!-- sums: -->\n<!-- /sums -->\n<!-- not yet: -->\n<!-- /not yet -->\n"
    assert "| [Pebbles](coverage-pebbles.md) | 2 | 1 | 1 | 1 |" in index(first, [small])
    assert "| `pebbles` | Throwing | wind | no wind |" in index(first, [small])


@pytest.mark.parametrize(
    ("code", "tests", "said"),
    [
        ("", TESTS, "end.dusk (at dusk) is ruled by no code"),
        (CODE, "", "throw.one (one pebble each) is ruled by no test"),
        (CODE.replace("dusk", "dawn"), TESTS, "hub/throw.py: throw: no line end.dawn in any text"),
        (CODE, TESTS.replace("throw.*", "thrown.*"), "test_it: no line thrown.* in any text"),
        (CODE.replace("book", "book marbles"), TESTS, "hub/throw.py: throw: no text marbles"),
        (CODE.replace("one", "aim"), TESTS, "throw.aim is not ruled in pebbles"),
        (CODE.replace("one", "wind"), TESTS, "throw.wind is not ruled in pebbles"),
    ],
)
def test_mismatched_markers_are_reported(small: Text, code: str, tests: str, said: str) -> None:
    assert said in wrong(small, code, tests)


@pytest.mark.parametrize(
    "source",
    [
        "# book: throw.one\n",
        "# book throw.one\ndef throw(): ...\n",
        "# Book: throw.one\ndef throw(): ...\n",
        "#book: throw.one\ndef throw(): ...\n",
    ],
)
def test_a_comment_that_marks_nothing_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match=r"hub/throw.py:1: this marks nothing: #"):
        list(marks_of_code("hub/throw.py", source))


@pytest.mark.parametrize(
    "source",
    [
        '@pytest.mark.book("throw.one")\ndef throws(): ...\n',
        '@pytest.mark.book("throw.one")\nclass TestThrow: ...\n',
        'class Throw:\n    @pytest.mark.book("throw.one")\n    def test_it(self): ...\n',
        'def test_it():\n    @pytest.mark.book("throw.one")\n    def test_in_it(): ...\n',
        'pytestmark = pytest.mark.book("throw.one")\n',
        'CASE = pytest.param(1, marks=pytest.mark.book("throw.one"))\n',
    ],
)
def test_a_marker_without_a_test_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match=r"tests/test_it.py: .* stands at no test"):
        list(marks_of_tests("tests/test_it.py", source))


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("# book: a.b\nFAR, NEAR = 1, 2\n", "FAR"),
        ("FAR = {\n    # book: a.b\n    1: 2,\n}\n", "FAR"),
        ("class Throw:\n    # book: a.b\n    far: int\n", "Throw.far"),
        ("class Throw:\n    far: int = 3  # book: a.b\n", "Throw.far"),
        (
            "class Throw:\n    # book: a.b\n    # why\n    @cache\n    def f(self): ...\n",
            "Throw.f",
        ),
        ("class Throw:\n    def f(self):\n        # book: a.b\n        far = 1\n", "Throw.f"),
        ('class Throw:\n    """Words."""\n\n    # book: a.b\n\n    x = 1\n', "Throw"),
    ],
)
def test_a_comment_marks_the_code_below_or_around_it(source: str, name: str) -> None:
    assert [mark.name for mark in marks_of_code("hub/throw.py", source)] == [name]


def test_an_answer_in_a_texts_own_file_belongs_to_that_text() -> None:
    answer = '[[vector]]\nname = "it"\nbook = ["throw.one"]\n'
    (own,) = marks_of_answers(f"{VECTORS}/unroll.toml", answer)
    (shared,) = marks_of_answers(f"{VECTORS}/specials/parry.toml", answer)
    (wider,) = marks_of_answers(
        f"{VECTORS}/unroll.toml", answer + 'of = ["unroll", "iron-triangle"]\n'
    )
    assert (own.of, shared.of, wider.of) == (("unroll",), (), ("unroll", "iron-triangle"))


DATA = """\
# book: throw.one
weight = 1

# Table 1.
# book pebbles: end.*
# said of it
[throws.far]
metres = 9
# book: throw.far, throw.near
most = { metres = 10 }
"""


def test_a_comment_in_data_marks_the_table_or_the_key_below_it() -> None:
    own, shared = (list(marks_of_data(f"hub/{name}.toml", DATA)) for name in ("unroll", "pebbles"))
    assert [mark.name for mark in own] == ["weight", "throws.far", "throws.far.most"]
    assert [mark.lines for mark in own] == [("throw.one",), ("end.*",), ("throw.far", "throw.near")]
    assert [mark.of for mark in own] == [("unroll",), ("pebbles",), ("unroll",)]
    assert [mark.of for mark in shared] == [(), ("pebbles",), ()]
    assert all(mark.is_code for mark in own)


@pytest.mark.parametrize(
    "source",
    [
        "# book: throw.one\n",
        "# book: throw.one\n\nx = 1\n",
        "# Book: throw.one\nx = 1\n",
        "x = 1  # book: throw.one\n",
    ],
)
def test_a_comment_in_data_that_marks_nothing_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match=r"hub/throw.toml:1: this marks nothing: .*# [Bb]ook: "):
        list(marks_of_data("hub/throw.toml", source))
