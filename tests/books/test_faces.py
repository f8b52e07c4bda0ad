"""Cards are printed as the pages draw them: the outlines match those in the scripts."""

import re
from pathlib import Path

import pytest

import hub.web
from hub.cards.printing import back
from hub.cards.printing.drawing import Words
from hub.cards.printing.front import draw_front
from hub.cards.printing.look import look_of
from hub.games.faces import Faces
from hub.games.game import Choice
from hub.games.registry import faces_of, rulebooks, texts
from hub.games.triangle import faces
from hub.games.triangle.rules.editions import EDITIONS
from hub.kernel.catalogues import languages
from hub.themes import our_theme
from tests.support.page_files import page_files

JS = Path(hub.web.__file__).parent / "static" / "js"
OWN = page_files()["js/games/triangle/shapes.js"].read_text()
LANGUAGES = languages()
NO_BREAK = "\u00a0"


def test_outlines_match_the_pages() -> None:
    assert f'pentagon = s("path", {{ d: "{faces.OUTLINES["attack"]}" }})' in OWN
    assert "cx: 12, cy: 12, r: 10.2" in OWN
    assert faces.OUTLINES["defend"].count("A10.2 10.2 0 1 1 ") == 2
    assert "x: 2, y: 2, width: 20, height: 20, rx: 1.5" in OWN
    assert faces.OUTLINES["grapple"].count("A1.5 1.5 0 0 1 ") == 4
    assert [*faces.OUTLINES.values()] == [*back._SIGNS]
    assert "attack: pentagon, defend: circle, grapple: square" in OWN


def test_lines_and_flags_match_the_pages() -> None:
    levels = ", ".join(f"{name}: {y}" for name, y in faces.LEVELS.items())
    assert f"LEVELS = {{ {levels} }}" in OWN
    aimed = ", ".join(f'{name}: "{path}"' for name, path in faces.AIMED.items())
    assert f"AIMED = {{ {aimed} }}" in OWN
    assert f'd: "{faces.HATCH}"' in OWN
    assert f'd: "{faces.FLAG}"' in OWN


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_of_every_book_has_its_texts(language: str) -> None:
    """Every key on a card is in the catalogues."""
    say = texts(language)
    for ruleset, book in EDITIONS.items():
        told = faces_of(ruleset)
        specials = [Choice("special", each) for each in book.specials]
        cards = [Choice("move", each) for each in book.move_ids]
        others = ["stance none", "stance grapple 3", "option 4", "move surrender", "split defend 1"]
        for choice in (*cards, *specials, *map(Choice.parse, others)):
            face = told.face(choice, ruleset, say)
            said = [face.title, face.more, face.kind, face.words, face.note]
            assert not [text for text in said if re.search(r"\w\.\w|[{}]", text)], said
            assert face.title
            assert bool(face.words) == (
                choice.kind in ("special", "option", "split") or not face.sign
            )
        for part in told.rules(ruleset, say):
            said = [part.title, *(word for line in part.lines for word in (line.label, line.text))]
            assert not [text for text in said if re.search(r"[a-z]\.[a-z]|[{}]", text)], said


def test_numbers_match_the_books() -> None:
    say = texts("en")
    unroll = faces_of("unroll").face(Choice.parse("move grapple-high"), "unroll", say)
    assert unroll.note == "takes 4 + stance × 2".replace(" ", NO_BREAK)
    more = faces_of("unroll").face(Choice.parse("move grapple-high +1"), "unroll", say)
    assert more.note == "takes 3 + stance × 3".replace(" ", NO_BREAK)
    spin = faces_of("iron-triangle").face(Choice.parse("move grapple-spin"), "iron-triangle", say)
    assert spin.note == "takes 4 + stance × 4".replace(" ", NO_BREAK)
    problem = faces_of("unroll-problem").face(
        Choice.parse("move attack-high"), "unroll-problem", say
    )
    assert problem.note == "takes 3 + stance × 2".replace(" ", NO_BREAK)
    assert {"unroll", "unroll-problem"} <= rulebooks().games.keys()


def test_elements_have_the_books_lines() -> None:
    whole = {
        name: sum("M15" not in line.path for line in faces.glyph_of(name))
        for name in ("low", "mid", "high", "jump")
    }
    assert whole == {"low": 0, "mid": 1, "high": 2, "jump": 3}
    assert faces.glyph_of("mid")[1].path == "M4 12H20"
    assert faces.glyph_of("stone") == ()


def test_a_family_without_its_own_words_has_cards_too() -> None:
    face = Faces().face(Choice("approach", "bold"), "any", texts("en"), "Headlong")
    assert (face.title, face.kind, face.called) == ("Bold", "Approach", "Headlong")
    drawing = draw_front(face, look_of(our_theme("night")), "Cleo")
    said = [item.text for item in drawing.items if isinstance(item, Words)]
    assert said == ["B", "B", "APPROACH", "Headlong", "Bold", "Cleo"]
    assert not [*Faces().rules("any", texts("en"))]
