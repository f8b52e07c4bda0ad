"""What is printed on a card, as values: its words, signs and lines. How they are laid out is
``hub.cards.printing``'s.

Signs are outlines in the box of 24 by 24 that the pages draw in, written as SVG path data.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from hub.games.game import Choice

_PLACE = re.compile(r"\{(\w+)(?:, (\w+))?\}")


class Stroke(Struct, frozen=True):
    """A line of a sign."""

    path: str
    width: float = 1.2
    faint: bool = False
    solid: bool = False
    """Whether what it encloses is filled."""


class Sign(Struct, frozen=True):
    """A sign with its colour, and a letter for whoever does not see it."""

    outline: str
    letter: str = ""
    order: int | None = None
    """Which of a theme's colours it has, from 0; 3 is that of the backs; None: none of them."""
    hatch: str = ""
    """Lines over its colour; empty: none."""
    line: bool = False
    """Whether its outline is a line, which encloses nothing: it is drawn broadly in its colour."""


class Face(Struct, frozen=True, kw_only=True):
    """A card's front."""

    title: str
    """What the book calls it."""
    more: str = ""
    """The title's second line, such as where a move is aimed."""
    kind: str = ""
    """What sort of card it is."""
    called: str = ""
    """What its player calls it."""
    sign: Sign | None = None
    aim: tuple[Stroke, ...] = ()
    """Lines beside the sign."""
    index: str = ""
    """A short word below the sign or picture in a corner, where no lines stand beside it."""
    glyph: tuple[Stroke, ...] = ()
    """The book's own sign, beside the second line."""
    picture: tuple[Stroke, ...] = ()
    """What stands in the middle where there is neither sign nor number."""
    number: str = ""
    """What stands in the middle, large."""
    words: str = ""
    """What it does, in a sentence or two."""
    note: str = ""
    """When, how often, how much: in short."""
    ends: tuple[str, str] | tuple[()] = ()
    """How it lies, in a word, when either end is up, if that makes a difference: it has a tag at
    each end. The first is the end that the card's picture has up. Beside these it has a number, and
    may have a sign, an index and ``more``."""


class Line(Struct, frozen=True):
    """A line of a paper: a label, what is said of it, and boxes to fill in by hand."""

    label: str = ""
    text: str = ""
    boxes: int = 0
    filled: int = 0
    signs: tuple[Sign, ...] = ()
    """Before the label."""
    write: bool = False
    """Whether there is a line to write on, where nothing is said yet."""


class Part(Struct, frozen=True):
    """A part of a paper, such as of a character's sheet or of a rules card."""

    title: str
    lines: tuple[Line, ...]


class Texts:
    """The sentences of a language by their keys, with their places filled."""

    def __init__(self, catalogue: Mapping[str, str]) -> None:
        self._texts = catalogue

    def __call__(self, key: str, **values: Any) -> str:
        """The sentence. A row of several things has the word that its place names before the last
        (in English or German). A key that there is none of stands for itself."""

        def fill(found: re.Match[str]) -> str:
            value = values.get(found[1], "")
            if isinstance(value, str | int):
                return str(value)
            return self.row([*map(str, value)], found[2] or "")

        return _PLACE.sub(fill, self._texts.get(key, key))

    def row(self, words: Iterable[str], last: str) -> str:
        """Several things in a row; ``last``: ``and``, ``or`` or nothing."""
        found = [*words]
        if last and len(found) > 1:
            found[-2:] = [f"{found[-2]} {self._texts.get(f'card.{last}', last)} {found[-1]}"]
        return ", ".join(found)

    def knows(self, key: str) -> bool:
        """Whether there is a sentence."""
        return key in self._texts


class Faces:
    """What a family prints. Without a word of the family: names, and no signs."""

    def face(
        self,
        choice: Choice,
        ruleset: str,
        say: Texts,
        called: str = "",
        playing: Sequence[Any] = (),
    ) -> Face:
        """A card's front. ``called``: what its player calls it; ``playing``: the characters whose
        card it is, by whose house rules its numbers are."""
        title = (choice.value or choice.kind).replace("-", " ").strip().capitalize()
        kind = choice.kind.capitalize() if choice.value else ""
        return Face(title=title, kind=kind, called=called)

    def pictures(self) -> Mapping[str, Sequence[Stroke]]:
        """Signs that the pages draw on cards as they are printed: `make docs` writes them to the
        family's scripts."""
        return {}

    def called(self, sheet: Any) -> Mapping[Choice, str]:
        """What a character's player calls its cards."""
        return {}

    def of_game(self, game: Mapping[str, Any]) -> "Faces":
        """What is printed where a scene's description has cards of its own."""
        return self

    def rules(self, ruleset: str, say: Texts, playing: Sequence[Any] = ()) -> Iterator[Part]:
        """A ruleset on one page, in our own words; nothing where there is none. ``playing``: by
        whose house rules."""
        yield from ()

    def title(self, ruleset: str, playing: Sequence[Any] = ()) -> str:
        """What it is called on paper."""
        return ruleset.replace("-", " ").title()

    def sheet(self, sheet: Any, say: Texts) -> Iterator[Part]:
        """A character on paper; nothing where there is none."""
        yield from ()
