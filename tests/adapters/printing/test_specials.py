"""Printed specials: distinct signs, and text large enough to read."""

import pytest

from hub.cards.printing.drawing import Words
from hub.cards.printing.front import draw_front
from hub.cards.printing.look import SIZES, look_of
from hub.games import registry
from hub.games.faces import Face
from hub.games.game import Choice
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.triangle.special_signs import SIGNS
from hub.kernel.catalogues import languages
from hub.themes import OURS, our_theme

POINT = 25.4 / 72
POINTS = 7
EVERY = [(book, special) for book, edition in EDITIONS.items() for special in edition.specials]


def face(book: str, special: str, language: str = "en") -> Face:
    texts = registry.texts(language)
    return registry.faces_of(book).face(Choice("special", special), book, texts, "", ())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", OURS)
@pytest.mark.parametrize("language", languages())
def test_every_text_has_at_least_seven_points(language: str, theme: str, size: str) -> None:
    look = look_of(our_theme(theme), size)
    for book, special in EVERY:
        drawing = draw_front(face(book, special, language), look, "cleo")
        for item in drawing.items:
            if isinstance(item, Words) and len(item.text) > 3:  # except letters in corners
                assert item.size / POINT >= POINTS, (book, special, item.text)


def test_specials_share_a_sign_if_and_only_if_they_do_the_same() -> None:
    signs: dict[str, set[object]] = {}
    for book, special in EVERY:
        drawn = face(book, special)
        signs.setdefault(EDITIONS[book].specials[special].effect, set()).add(
            drawn.aim or drawn.picture
        )
    assert all(len(each) == 1 for each in signs.values())
    assert len({next(iter(each)) for each in signs.values()}) == len(signs) == len(SIGNS)
