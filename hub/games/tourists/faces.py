"""The content of a Conflict's printed cards and pages: our own words and signs, none of the book's
text or pictures.

A test keeps the outlines identical to those in ``static/js``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hub.games.faces import Face, Faces, Line, Part, Sign, Stroke
from hub.games.game import Choice
from hub.games.tourists.dealing import DRAWN, deck_of_game
from hub.games.tourists.naming import numeral
from hub.games.tourists.rules.deck import Deck
from hub.games.tourists.story.sheet import TouristsSheet
from hub.kernel.texts import Texts

OUTLINES = {
    "paper": "M5 2H15L20 7V22H5ZM15 2V7H20",
    "stone": "M7 3H17L22 12 17 21H7L2 12Z",
    "blades": "M12 1 16 12 12 23 8 12ZM1 12 12 8 23 12 12 16Z",
    "serpent": "M19 5.5A6 5 0 0 0 7 7.5C7 13 17 11 17 16.5A6 5 0 0 1 5 18.5",
    "triumph": "M12 1.5 15.2 8.6 22.8 9.4 17.1 14.6 18.7 22.2 12 18.3 5.3 22.2 6.9 14.6 1.2 9.4 "
    "8.8 8.6Z",
    "excuse": "M12 2A10 10 0 1 0 12.01 2ZM8 9.5H8.2M15.8 9.5H16M7.5 15.5Q12 18.5 16.5 15.5",
}
OTHERS = (
    "M4 4H20V20H4Z",
    "M12 2 22 21H2Z",
    "M12 2 22 12 12 22 2 12Z",
    "M8 2H16V8H22V16H16V22H8V16H2V8H8Z",
    "M2 8 12 2 22 8 18 22H6Z",
    "M2 3H22L12 22Z",
)
"""Outlines for attributes that only a custom deck has."""
_ORDERS: Mapping[str, int | None] = {
    "blades": 0, "serpent": 1, "paper": 2, "triumph": 3, "stone": None, "excuse": None
}  # fmt: skip
_TRIUMPH, _EXCUSE, _SNAKE = "triumph", "excuse", "serpent"
_FORWARD = "M3 4 11.5 12 3 20ZM12.5 4 21 12 12.5 20Z"
_TURN = "M20 9.5A8.5 8.5 0 0 0 4.6 8M4 3V8.5H9.5M4 14.5A8.5 8.5 0 0 0 19.4 16M20 21V15.5H14.5"
_CROSS = "M5 5 19 19M19 5 5 19"
ROUND = "M12 2A10 10 0 1 0 12.01 2Z"
PICTURES: Mapping[str, tuple[Stroke, ...]] = {
    "pass": (Stroke(_FORWARD, 1.2, solid=True),),
    "turn": (Stroke(_TURN, 2.2),),
    "reject": (Stroke(_CROSS, 3.6),),
    "let-be": (Stroke(ROUND, 1.6), Stroke("M7.5 12.5 10.8 15.8 16.8 8.8", 2.2)),
    "let-be-all": (
        Stroke(ROUND, 1.6), Stroke("M4.6 12.5 7.6 15.6 13 8.8M11.4 14.2 12.8 15.6 18.6 8.8", 2)
    ),
    "concede": (Stroke("M5.5 22.5V2", 2.2), Stroke("M5.5 3H19.5L16 8 19.5 13H5.5Z", 1.6)),
    "ask-again": (Stroke(ROUND, 1.6), Stroke("M8.8 9.2A3.3 3.3 0 1 1 12 13.2V14.6M12 17.6V18", 2)),
    "go-on": (Stroke("M6 3 20 12 6 21Z", 1.4, solid=True),),
    "draw": (Stroke("M5 2.5H19V21.5H5Z", 1.6), Stroke("M12 8V16M8 12H16", 2.2)),
}  # fmt: skip
"""The pictures of the word cards, by kind of choice."""


class TouristsFaces(Faces):
    """The printed faces of the deck and of the word cards (``SAID`` and ``MORE`` of ``dealing``),
    and the sheets of rules and characters."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def of_game(self, game: Mapping[str, Any]) -> Faces:
        """The faces for the deck that the scene's description gives, or for the book's deck."""
        return TouristsFaces(deck_of_game(game))

    def pictures(self) -> Mapping[str, Sequence[Stroke]]:
        """The pictures of the word cards by kind."""
        return PICTURES

    def face(
        self,
        choice: Choice,
        ruleset: str,
        say: Texts,
        called: str = "",
        playing: Sequence[Any] = (),
    ) -> Face:
        """The front of a card. Both ends of a deck's card have the same face."""
        number = choice.value.partition(" ")[0]
        if choice.kind == DRAWN and number.isdecimal():
            return self._drawn(int(number), say)
        if choice.kind in PICTURES and not choice.value:
            return Face(
                title=say(f"tourists.card.{choice.kind}"),
                kind=say("tourists.card.said"),
                picture=PICTURES[choice.kind],
                words=say(f"tourists.card.{choice.kind}.more"),
            )
        return super().face(choice, ruleset, say, called, playing)

    def title(self, ruleset: str, playing: Sequence[Any] = ()) -> str:
        """The book's title, the same in every language."""
        return "N-Dimensional Tourists"

    def rules(self, ruleset: str, say: Texts, playing: Sequence[Any] = ()) -> Iterator[Part]:
        """A one-page summary of a Conflict, for this deck."""
        signs = {name: self._sign(name, say) for name in self._deck.beaten_by}
        signs[_TRIUMPH], signs[_EXCUSE] = self._sign(_TRIUMPH, say), self._sign(_EXCUSE, say)
        yield from rules_parts(self._deck, say, signs)

    def sheet(self, sheet: Any, say: Texts) -> Iterator[Part]:
        """The sections of a printed character sheet."""
        yield from sheet_parts(sheet, say)

    def _drawn(self, number: int, say: Texts) -> Face:
        deck, index = self._deck, ""
        suit = deck.attribute_of.get(number, "")
        if number in deck.rank_of:
            suit, index = _TRIUMPH, numeral(deck.rank_of[number])
        elif number in deck.excuses:
            suit = _EXCUSE
        return Face(
            title=str(number),
            number=str(number),
            index=index,
            more=suit_name(suit, say) if suit else "",
            sign=self._sign(suit, say) if suit else None,
            ends=(say("tourists.card.upright"), say("tourists.card.reversed")),
        )

    def _sign(self, suit: str, say: Texts) -> Sign:
        """A suit's outline, letter and colour. Custom suits take the outlines of ``OTHERS`` in
        order."""
        names = [*self._deck.beaten_by]
        own = [name for name in names if name not in OUTLINES]
        letter = letters([suit_name(each, say) for each in (*names, _TRIUMPH, _EXCUSE)])
        of = (*names, _TRIUMPH, _EXCUSE).index(suit)
        if suit in OUTLINES:
            return Sign(OUTLINES[suit], letter[of], _ORDERS[suit], line=suit == _SNAKE)
        at = own.index(suit)
        return Sign(OTHERS[at % len(OTHERS)], letter[of], at % 3)


def suit_name(suit: str, say: Texts) -> str:
    """A suit's name in the language of ``say``, or a custom suit's own name, capitalised."""
    key = f"tourists.card.suit.{suit}"
    return say(key) if say.knows(key) else suit[:1].upper() + suit[1:]


def letters(names: Sequence[str]) -> list[str]:
    """A unique letter for each name: the first of its own letters that is still free, else any free
    letter, else an empty string."""
    found: list[str] = []
    for name in names:
        own = [sign.upper() for sign in name if sign.isalpha()]
        free = (sign for sign in (*own, *"ABCDEFGHIJKLMNOPQRSTUVWXYZ") if sign not in found)
        found.append(next(free, ""))
    return found


_CARD = "tourists.card"
_ROOM = (Line(write=True),) * 2
"""Two blank lines to write on by hand."""
_PARTS: Mapping[str, tuple[str, ...]] = {
    "lies": ("end", "upright", "reversed"),
    "begin": ("total", "control", "reserve", "foregone"),
    "breaker": ("draw", "taken", "none"),
    "round": ("tactics", "bid", "pass", "over", "held", "broken", "excuse"),
    "answers": ("turn", "reject", "cover", "let"),
    "losses": ("count", "temporary", "lasting", "out"),
    "end": ("winners", "tell", "concede", "refill", "last"),
}
"""The keys of the page's sections, each with the keys of its lines."""


def rules_parts(deck: Deck, say: Texts, signs: Mapping[str, Sign]) -> Iterator[Part]:
    """The sections of the rules summary. ``signs``: suit → its sign."""
    for part, lines in _PARTS.items():
        yield Part(say(f"{_CARD}.rules.{part}"), tuple(_line(part, line, say) for line in lines))
        if part == "lies":
            yield Part(say(f"{_CARD}.rules.beats"), tuple(_beats(deck, say, signs)))


def _line(part: str, line: str, say: Texts) -> Line:
    key = f"{_CARD}.rules.{part}.{line}"
    return Line(say(key), say(f"{key}.more"))


def _beats(deck: Deck, say: Texts, signs: Mapping[str, Sign]) -> Iterator[Line]:
    beats: list[tuple[str, str]] = []
    for suit, beaten in deck.beaten_by.items():
        worse = [suit_name(each, say) for each in deck.beaten_by if each in beaten]
        text = say(f"{_CARD}.rules.suit", worse=worse) if worse else say(f"{_CARD}.rules.suit.none")
        beats.append((suit, text))
    if deck.rank_of:
        beats.append((_TRIUMPH, say(f"{_CARD}.rules.triumph")))
    if deck.excuses:
        beats.append((_EXCUSE, say(f"{_CARD}.rules.fool")))
    for suit, text in beats:
        yield Line(suit_name(suit, say), text, signs=(signs[suit],))


def sheet_parts(sheet: TouristsSheet, say: Texts) -> Iterator[Part]:
    """The sections of a character sheet for print, with room to write later entries by hand."""
    if sheet.description:
        yield Part(say(f"{_CARD}.sheet.about"), (Line(text=sheet.description),))
    attributes = [Line(name, str(value)) for name, value in sheet.attributes.items()]
    yield Part(say(f"{_CARD}.sheet.attributes"), (*attributes, *_ROOM[:1]))
    for key, texts in (("aspects", sheet.aspects), ("weaknesses", sheet.weaknesses)):
        yield Part(say(f"{_CARD}.sheet.{key}"), (*(Line(text=each) for each in texts), *_ROOM))
    cards = [str(card) for card in sheet.reserve or ()]
    most = Line(say(f"{_CARD}.sheet.most"), str(sheet.reserve_max), sheet.reserve_max, len(cards))
    lines = [Line(text=_lies_as(card, say)) for card in cards]
    yield Part(say(f"{_CARD}.sheet.reserve"), (most, *lines, *_ROOM))
    yield Part(say(f"{_CARD}.sheet.notes"), _ROOM * 2)


def _lies_as(card: str, say: Texts) -> str:
    number, _, way = card.partition(" ")
    return f"{number} {say(f'{_CARD}.{way}').lower()}"


FACES = TouristsFaces(deck_of_game({}))
