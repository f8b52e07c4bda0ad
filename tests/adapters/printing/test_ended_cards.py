"""Printed cards with a tag at each end: what is read from which side, and where stickers go."""

from itertools import pairwise

import pytest

from hub.cards.deck import Deck
from hub.cards.making import Hand, added
from hub.cards.printing.deck import printed_cards
from hub.cards.printing.drawing import Drawing, Shape, Words
from hub.cards.printing.ended import ended_front
from hub.cards.printing.front import draw_front
from hub.cards.printing.letters import letters as font
from hub.cards.printing.look import SIZES, look_of
from hub.cards.printing.printer import Order, Unprintables, deck_pdf
from hub.games.dealing import needs_now, needs_of_table
from hub.games.faces import Face
from hub.games.game import Choice
from hub.games.registry import faces_of, texts
from hub.games.sheets import read_sheet, samples
from hub.games.tourists.faces import OUTLINES, PICTURES, letters
from hub.games.tourists.naming import numeral
from hub.kernel.catalogues import languages
from hub.kernel.documents.toml import parse_toml
from hub.themes import OURS, our_theme
from tests.support.page_files import page_files

OWN = {
    "deck": {
        "excuse": [1],
        "triumphs": [2, 3],
        "attributes": {"salt": [10], "sea wind": [1200], "blades": [7]},
    }
}
EN = texts("en")


def drawn(number: int, language: str = "en", **more: object) -> Face:
    choice = Choice("drawn", f"{number} upright")
    return faces_of("tourists").of_game(more).face(choice, "tourists", texts(language))


def the_deck(game: dict[str, object]) -> Deck:
    hands = [
        Hand("", (), tuple(needs_of_table("tourists", game))),
        Hand("ada", (), tuple(needs_now("tourists", ()))),
    ]
    return added(Deck(), hands)[0]


def spot(words: Words, x: float, y: float) -> tuple[float, float]:
    """Return where a point of a text is on the card."""
    a, b, c, d, e, f = words.at
    return a * x + c * y + e, b * x + d * y + f


def box(words: Words) -> tuple[float, float, float, float]:
    width = font(words.font, words.weight).width(words.text, words.size)
    left = words.x - {"start": 0.0, "middle": width / 2, "end": width}[words.anchor]
    ones = spot(words, left, words.y - 0.7 * words.size), spot(words, left + width, words.y)
    (x, y), (u, v) = ones
    return min(x, u), min(y, v), max(x, u), max(y, v)


@pytest.mark.parametrize("theme", OURS)
@pytest.mark.parametrize("size", SIZES)
def test_no_text_is_under_a_sticker_or_over_the_edge(theme: str, size: str) -> None:
    look = look_of(our_theme(theme), size)  # type: ignore[arg-type]
    middle = look.sticker / 2
    for number in (4, 5, 22, 27, 44, 63, 86):
        front = draw_front(drawn(number), look)
        found = [item for item in front.items if isinstance(item, Words)]
        tops = [shape for shape in front.items if isinstance(shape, Shape) and shape.width == 0.2]
        assert len(tops) == 8, "two stickers have four corners each"
        for words in found:
            left, top, right, bottom = box(words)
            assert left >= 0 and right <= look.width and top >= 0 and bottom <= look.height
            beside = right <= look.width / 2 - middle or left >= look.width / 2 + middle
            bar = 6.4 * look.unit
            between = top >= bar + look.sticker and bottom <= look.height - bar - look.sticker
            at_edge = bottom <= bar + 1.3 or top >= look.height - bar - 1.3
            assert beside or between or at_edge, (number, words.text)


def test_each_end_is_read_from_its_own_side_and_names_its_way_up() -> None:
    front = draw_front(drawn(39), look_of(our_theme("paper")))
    found = [item for item in front.items if isinstance(item, Words)]
    ways = {words.text: words.at[0] > 0 for words in found if words.text in {"UPRIGHT", "REVERSED"}}
    assert ways == {"UPRIGHT": True, "REVERSED": False}
    numbers = [words for words in found if words.text == "39"]
    assert sorted(words.at[0] > 0 for words in numbers) == [False, True, True]
    upright = next(words for words in found if words.text == "UPRIGHT")
    reverse = next(words for words in found if words.text == "REVERSED")
    assert box(upright)[3] < 8 and box(reverse)[1] > 80
    assert upright.colour != reverse.colour, "one bar is dark, and one is light"


def test_all_arrows_point_to_the_upper_end() -> None:
    look = look_of(our_theme("paper"))
    front = Drawing(look.width, look.height, ended_front(drawn(39), look, ""))
    arrows = [item for item in front.items if isinstance(item, Shape) and _corners(item) in {3, 7}]
    assert len(arrows) == 5
    for arrow in arrows:
        ys = [_placed(arrow, x, y)[1] for x, y in _points(arrow)]
        assert min(ys) == ys[0] and sum(y == min(ys) for y in ys) == 1, "its tip, and one of it"


def _points(shape: Shape) -> list[tuple[float, float]]:
    words = shape.path.replace("M", " ").replace("L", " L ").replace("H", " H ").strip("Z").split()
    found: list[tuple[float, float]] = []
    row = iter(words)
    for word in row:
        if word == "L":
            found.append((float(next(row)), float(next(row))))
        elif word == "H":
            found.append((float(next(row)), found[-1][1]))
        else:
            found.append((float(word), float(next(row))))
    return found


def _corners(shape: Shape) -> int:
    simple = shape.fill and not set(shape.path) - set("MLHZ .-0123456789")
    ink = shape.width in {0, 0.7} and shape.path.endswith("Z") and "L" in shape.path
    return len(_points(shape)) if simple and ink else 0


def _placed(shape: Shape, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = shape.at
    return a * x + c * y + e, b * x + d * y + f


@pytest.mark.parametrize("language", languages())
def test_every_card_has_words_in_every_language(language: str) -> None:
    say = texts(language)
    suits = {}
    for number in (4, *range(5, 87)):
        face = drawn(number, language)
        assert face.number == str(number) and face.sign and face.sign.letter
        assert len({*face.ends}) == 2 and not [w for w in (*face.ends, face.more) if "." in w]
        suits.setdefault(face.more, set()).add((face.sign.outline, face.sign.letter))
    assert len(suits) == 6 and all(len(signs) == 1 for signs in suits.values())
    for at in (0, 1):
        assert len({next(iter(signs))[at] for signs in suits.values()}) == 6
    for kind in PICTURES:
        face = faces_of("tourists").face(Choice(kind), "tourists", say)
        assert face.picture and not [w for w in (face.title, face.words) if "tourists." in w]
    parts = [*faces_of("tourists").rules("tourists", say)]
    said = [text for part in parts for line in part.lines for text in (line.label, line.text)]
    assert len(parts) == 8 and not [text for text in said if "tourists." in text or "{" in text]


def test_either_end_names_the_same_front() -> None:
    faces = faces_of("tourists")
    for number in (4, 22, 39):
        one, other = (
            faces.face(Choice("drawn", f"{number} {way}"), "tourists", EN)
            for way in ("upright", "reversed")
        )
        assert one == other


def test_a_table_s_own_deck_has_its_own_names_signs_and_letters() -> None:
    salt, wind, blades = (drawn(n, **OWN) for n in (10, 1200, 7))
    assert [face.more for face in (salt, wind, blades)] == ["Salt", "Sea wind", "Blades"]
    signs = [face.sign for face in (salt, wind, blades) if face.sign]
    assert [sign.letter for sign in signs] == ["S", "E", "B"]
    assert len({sign.outline for sign in signs}) == 3
    assert [drawn(n, **OWN).index for n in (2, 3)] == ["0", "I"]
    printed = printed_cards(the_deck(OWN), "tourists", "en", game=OWN)
    assert len(printed) == 6 + 6 and printed[0].face.number == "1"
    assert deck_pdf(printed, Order(look=look_of(our_theme("paper")), say=EN)).startswith(b"%PDF")


def test_a_card_with_two_tags_is_printed_once() -> None:
    printed = printed_cards(the_deck({}), "tourists", "en")
    assert [card.face.number for card in printed[:83]] == [str(n) for n in range(4, 87)]
    assert len(printed) == 83 + 6


def test_stickers_that_leave_no_room_are_reported_once() -> None:
    printed = printed_cards(the_deck({}), "tourists", "en")
    look = look_of(our_theme("paper"), "poker", 30)
    with pytest.raises(Unprintables, match="take smaller stickers, or larger cards") as caught:
        deck_pdf(printed, Order(look=look, say=EN))
    assert len(caught.value.reasons) == 1


def test_numerals_and_letters() -> None:
    assert [numeral(n) for n in (0, 1, 4, 9, 14, 19, 21)] == [
        "0", "I", "IV", "IX", "XIV", "XIX", "XXI",
    ]  # fmt: skip
    assert letters(["Paper", "Stone", "Serpent", "Sun"]) == ["P", "S", "E", "U"]
    assert len({*letters(["a"] * 26)}) == 26
    assert not [one for one, other in pairwise(letters(["Aa", "AA", "aA"])) if one == other]


def test_signs_are_those_of_the_pages() -> None:
    drawn_there = page_files()["js/games/tourists/cards.js"].read_text()
    for suit, outline in OUTLINES.items():
        assert f'{suit}: "{outline}"' in drawn_there


@pytest.mark.parametrize("language", languages())
def test_a_sheet_has_room_for_more(language: str) -> None:
    say = texts(language)
    for name, text in samples().items():
        if not name.startswith("tourists"):
            continue
        sheet = read_sheet(parse_toml(name, text.encode()))
        parts = [*faces_of("tourists").sheet(sheet, say)]
        said = [text for part in parts for line in part.lines for text in (line.label, line.text)]
        assert {*sheet.aspects, *sheet.weaknesses, *sheet.attributes} <= {*said}  # type: ignore[attr-defined]
        assert not [
            text for text in (*said, *(part.title for part in parts)) if "tourists." in text
        ]
        assert any(line.write for part in parts for line in part.lines)
