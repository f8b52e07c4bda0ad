"""A Conflict on one page, in our own words: the mechanics and numbers, none of the book's text."""

from collections.abc import Iterator, Mapping

from hub.games.faces import Line, Part, Sign, Texts
from hub.games.tourists.rules.deck import Deck
from hub.games.tourists.story.sheet import TouristsSheet

_ANSWERS = ("turn", "reject", "cover")
_CARD = "tourists.card"
_ROOM = (Line(write=True),) * 2
"""Blank lines to write on."""
_PARTS: Mapping[str, tuple[str, ...]] = {
    "begin": ("total", "control", "reserve", "foregone"),
    "breaker": ("draw", "taken", "none"),
    "round": ("tactics", "bid", "pass", "over", "held", "broken", "excuse"),
    "answers": (*_ANSWERS, "let"),
    "losses": ("count", "temporary", "lasting", "out"),
    "end": ("winners", "tell", "concede", "refill", "last"),
}
"""Sections of the page, with the lines of each."""


def rules_parts(deck: Deck, say: Texts, signs: Mapping[str, Sign]) -> Iterator[Part]:
    """The start of a Conflict, its rounds, its cards and its Losses. ``signs``: the sign of each
    suit."""
    yield Part(say(f"{_CARD}.rules.lies"), tuple(_lies(say)))
    yield Part(say(f"{_CARD}.rules.beats"), tuple(_beats(deck, say, signs)))
    for part, lines in _PARTS.items():
        yield Part(say(f"{_CARD}.rules.{part}"), tuple(_line(part, line, say) for line in lines))


def _line(part: str, line: str, say: Texts) -> Line:
    key = f"{_CARD}.rules.{part}.{line}"
    return Line(say(key), say(f"{key}.more"))


def _lies(say: Texts) -> Iterator[Line]:
    for key in ("end", "upright", "reversed"):
        yield _line("lies", key, say)


def _beats(deck: Deck, say: Texts, signs: Mapping[str, Sign]) -> Iterator[Line]:
    """Which suit beats which, for a custom deck too."""

    def name(suit: str) -> str:
        key = f"{_CARD}.suit.{suit}"
        return say(key) if say.knows(key) else suit[:1].upper() + suit[1:]

    for suit, beaten in deck.beaten_by.items():
        worse = [name(each) for each in deck.beaten_by if each in beaten]
        text = say(f"{_CARD}.rules.suit", worse=worse) if worse else say(f"{_CARD}.rules.suit.none")
        yield Line(name(suit), text, signs=(signs[suit],))
    if deck.rank_of:
        yield Line(name("triumph"), say(f"{_CARD}.rules.triumph"), signs=(signs["triumph"],))
    if deck.excuses:
        yield Line(name("excuse"), say(f"{_CARD}.rules.fool"), signs=(signs["excuse"],))


def sheet_parts(sheet: TouristsSheet, say: Texts) -> Iterator[Part]:
    """A character and its values, with room for later entries."""
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
