"""The content of a tale's printed cards and sheets, in our own words and with our own signs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hub.games.faces import Face, Faces, Line, Part, Stroke
from hub.games.game import TAKE_BACK, Choice
from hub.games.tricube import dealing as d
from hub.kernel.texts import Texts

_CARD = "tricube.card"
_ROOM = (Line(write=True),) * 2
"""Two blank lines to write on by hand."""
_PARTS: Mapping[str, tuple[str, ...]] = {
    "dice": ("three", "two", "fewer", "fight"),
    "outcome": ("difficulty", "exceptional", "success", "failure", "critical", "tokens"),
    "tokens": ("begin", "karma", "quirk", "complication", "perk"),
    "price": ("failure", "defeat", "affliction", "cure"),
    "against": ("each", "tie", "defense"),
    "between": ("turn", "scene", "session"),
}
"""The keys of the summary's sections, each with the keys of its lines."""


def rules_parts(say: Texts) -> Iterator[Part]:
    """The sections of the rules summary, in the language of ``say``."""
    for part, lines in _PARTS.items():
        yield Part(say(f"{_CARD}.rules.{part}"), tuple(_line(part, line, say) for line in lines))


def _line(part: str, line: str, say: Texts) -> Line:
    key = f"{_CARD}.rules.{part}.{line}"
    return Line(say(key), say(f"{key}.more"))


def sheet_parts(sheet: Any, say: Texts) -> Iterator[Part]:
    """The sections of a character sheet for print, with room to write later entries by hand."""
    if sheet.description:
        yield Part(say(f"{_CARD}.sheet.about"), (Line(text=sheet.description),))
    style = say(f"{_CARD}.sheet.{sheet.style}")
    archetype = Line(say(f"{_CARD}.sheet.{sheet.trait}"), sheet.concept)
    fights = Line(say(f"{_CARD}.sheet.style"), style)
    yield Part(say(f"{_CARD}.sheet.archetype"), (archetype, fights))
    for key, texts in (("perks", sheet.perks), ("quirks", sheet.quirks)):
        yield Part(say(f"{_CARD}.sheet.{key}"), (*(Line(text=each) for each in texts), *_ROOM[:1]))
    yield Part(
        say(f"{_CARD}.sheet.tokens"),
        (
            Line(say(f"{_CARD}.sheet.karma"), "", sheet.karma_max, sheet.karma),
            Line(say(f"{_CARD}.sheet.resolve"), "", sheet.resolve_max, sheet.resolve),
        ),
    )
    gone = [Line(text=f"{each.name} ({say(f'{_CARD}.lasts.{each.lasts}')})") for each in
            sheet.afflictions]  # fmt: skip
    yield Part(say(f"{_CARD}.sheet.afflictions"), (*gone, *_ROOM))
    yield Part(say(f"{_CARD}.sheet.notes"), _ROOM * 2)


_ROUND = "M12 2A10 10 0 1 0 12.01 2Z"
_DROP = "M12 2C16 8 19 11 19 15A7 7 0 0 1 5 15C5 11 8 8 12 2Z"
_HEART = "M12 21C3 14 2 10 2 7.5A5 5 0 0 1 12 6.5 5 5 0 0 1 22 7.5C22 10 21 14 12 21Z"
_CUBE = "M12 2 21 7V17L12 22 3 17V7ZM3 7 12 12 21 7M12 12V22"
_BACK = "M21 4 12.5 12 21 20ZM11.5 4 3 12 11.5 20Z"
_CHECK, _CROSS = "M5 12.5 10 18 19.5 6.5", "M5 5 19 19M19 5 5 19"
_KARMA = (Stroke(_DROP, 1.8),)
PICTURES: Mapping[Choice, tuple[Stroke, ...]] = {
    Choice(d.APPROACH, d.PLAIN): (Stroke(_CUBE, 1.6),),
    Choice(d.KARMA, d.NONE): (Stroke(_ROUND, 1.6), Stroke("M5 19 19 5", 1.6)),
    Choice(d.REGAIN, "karma"): _KARMA,
    Choice(d.REGAIN, "resolve"): (Stroke(_HEART, 1.8),),
    Choice(d.ACCEPT, "yes"): (Stroke(_CHECK, 3.2),),
    Choice(d.ACCEPT, "no"): (Stroke(_CROSS, 3.2),),
}
_PIPS: Mapping[int, tuple[tuple[float, float], ...]] = {
    1: ((12, 12),),
    2: ((7, 7), (17, 17)),
    3: ((7, 7), (12, 12), (17, 17)),
    4: ((7, 7), (17, 7), (7, 17), (17, 17)),
    5: ((7, 7), (17, 7), (12, 12), (7, 17), (17, 17)),
    6: ((7, 6.5), (17, 6.5), (7, 12), (17, 12), (7, 17.5), (17, 17.5)),
}
_BACKED = (Stroke(_BACK, 1.2, solid=True),)
_QUIRKY = (Stroke(_CUBE, 1.6), Stroke("M18.5 1V6M16 3.5H21", 1.6))


class TricubeFaces(Faces):
    """The printed faces of a tale's cards, and the sheets of rules and characters."""

    def pictures(self) -> Mapping[str, Sequence[Stroke]]:
        """The pictures by a choice's written form, or by its kind if all cards of a kind share one;
        ``quirk`` has the picture of every quirk."""
        dice = {f"{d.DIE} {face}": pips(face) for face in _PIPS}
        named = {d.QUIRK: _QUIRKY, d.KARMA: _KARMA, str(TAKE_BACK): _BACKED}
        return {str(choice): strokes for choice, strokes in PICTURES.items()} | dice | named

    def face(
        self,
        choice: Choice,
        ruleset: str,
        say: Texts,
        called: str = "",
        playing: Sequence[Any] = (),
    ) -> Face:
        """The front of a card. A perk or a quirk has its own name as the title."""
        kind, value = choice.kind, choice.value
        sort = say(f"tricube.card.kind.{kind}")
        key = f"tricube.card.{kind}.{value}"
        if choice in PICTURES:
            words = say(f"{key}.more")
            return Face(title=say(key), kind=sort, picture=PICTURES[choice], words=words)
        if kind == d.DIE and value.isdecimal() and int(value) in _PIPS:
            return Face(title=value, kind=sort, picture=pips(int(value)))
        if kind == d.DIFFICULTY:
            return Face(title=say(key), kind=sort, number=value)
        if kind == d.APPROACH and value.startswith(f"{d.QUIRK} "):
            quirk = value.removeprefix(f"{d.QUIRK} ")
            words = say("tricube.card.quirk.more")
            sort = say("tricube.card.kind.quirk")
            return Face(title=quirk, kind=sort, called=called, picture=_QUIRKY, words=words)
        if kind == d.KARMA:
            words = say("tricube.card.perk.more")
            return Face(title=value, kind=sort, called=called, picture=_KARMA, words=words)
        if choice == TAKE_BACK:
            title, words = say("tricube.card.take-back"), say("tricube.card.take-back.more")
            sort = say("tricube.card.kind.die")
            return Face(title=title, kind=sort, picture=_BACKED, words=words)
        return super().face(choice, ruleset, say, called, playing)

    def title(self, ruleset: str, playing: Sequence[Any] = ()) -> str:
        """The book's title, the same in every language."""
        return "Tricube Tales"

    def rules(self, ruleset: str, say: Texts, playing: Sequence[Any] = ()) -> Iterator[Part]:
        """A one-page summary of the game rules."""
        yield from rules_parts(say)

    def sheet(self, sheet: Any, say: Texts) -> Iterator[Part]:
        """The sections of a printed character sheet."""
        yield from sheet_parts(sheet, say)


def pips(face: int) -> tuple[Stroke, ...]:
    """The strokes of a die that shows the number ``face``."""
    dots = "".join(f"M{x} {y - 2}A2 2 0 1 0 {x + 0.01} {y - 2}Z" for x, y in _PIPS[face])
    return (
        Stroke("M5 1.5H19A3.5 3.5 0 0 1 22.5 5V19A3.5 3.5 0 0 1 19 22.5H5A3.5 3.5 0 0 1 1.5 19V5"
               "A3.5 3.5 0 0 1 5 1.5Z", 1.6),
        Stroke(dots, 0.4, solid=True),
    )  # fmt: skip


FACES = TricubeFaces()
