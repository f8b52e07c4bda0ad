"""The content of printed cards: words, signs and lines. ``hub.cards.printing`` lays it out.

Signs are outlines as SVG path data, in a box of 24 by 24 as on the pages.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from hub.games.game import Choice
from hub.kernel.texts import Texts


class Stroke(Struct, frozen=True):
    """One line of a drawing: SVG path data, and the line's width in the same units. A ``faint``
    line is drawn paler."""

    path: str
    width: float = 1.2
    faint: bool = False
    solid: bool = False
    """Whether the enclosed area is filled."""


class Sign(Struct, frozen=True):
    """A coloured sign, with a letter that tells it from the others."""

    outline: str
    letter: str = ""
    order: int | None = None
    """The index of the theme's colour, from 0. 3 is the colour of the card backs; None means no
    theme colour."""
    hatch: str = ""
    """SVG path data of a hatching drawn over the colour; empty for none."""
    line: bool = False
    """Whether the outline is an open line, to be drawn broadly in its colour instead of filled."""


class Face(Struct, frozen=True, kw_only=True):
    """The content of a card's front. Empty values and None are not printed."""

    title: str
    """The card's name in the book."""
    more: str = ""
    """The second line of the title, such as the target of a move."""
    kind: str = ""
    """The sort of card, such as a move or a stance; empty if there is nothing to add to the
    title."""
    called: str = ""
    """The player's own name for the card."""
    sign: Sign | None = None
    aim: tuple[Stroke, ...] = ()
    """A small drawing that is printed with the sign."""
    index: str = ""
    """A short word below the sign or picture in the corner, if there is no ``aim``."""
    glyph: tuple[Stroke, ...] = ()
    """The book's own sign, beside the second line."""
    picture: tuple[Stroke, ...] = ()
    """A drawing for the middle of a card that has neither sign nor number."""
    number: str = ""
    """A large number in the middle of the card."""
    words: str = ""
    """The effect of the card, in a sentence or two."""
    note: str = ""
    """Short facts about the card: its numbers, or when and how often it can be used."""
    ends: tuple[str, str] | tuple[()] = ()
    """One word for each way up, if it matters which way up the card is; such a card has a tag at
    each end. The first word applies when the card is upright, as its picture is. A card with ends
    has a number and may have a sign, an index and ``more``."""


class Line(Struct, frozen=True):
    """A line on a printed sheet: a label, a text, and boxes to fill in by hand."""

    label: str = ""
    text: str = ""
    boxes: int = 0
    filled: int = 0
    signs: tuple[Sign, ...] = ()
    """Signs in front of the label."""
    write: bool = False
    """Whether to print a blank line to write on when there is no text."""


class Part(Struct, frozen=True):
    """A section of a printed sheet, such as of a character sheet or a rules card."""

    title: str
    lines: tuple[Line, ...]


class Faces:
    """The content of a family's cards and sheets. The defaults print names without signs."""

    def face(
        self,
        choice: Choice,
        ruleset: str,
        say: Texts,
        called: str = "",
        playing: Sequence[Any] = (),
    ) -> Face:
        """The front of a card, in the language of ``say``.

        ``called``: the player's own name for the card. ``playing``: the characters whose card it
        is; their house rules determine the numbers.
        """
        title = (choice.value or choice.kind).replace("-", " ").strip().capitalize()
        kind = choice.kind.capitalize() if choice.value else ""
        return Face(title=title, kind=kind, called=called)

    def pictures(self) -> Mapping[str, Sequence[Stroke]]:
        """The pictures that printed cards and pages share: a name that both use → strokes. ``make
        docs`` writes them to the family's page scripts."""
        return {}

    def called(self, sheet: Any) -> Mapping[Choice, str]:
        """The player's own names for this character's cards: card → name."""
        return {}

    def of_game(self, game: Mapping[str, Any]) -> "Faces":
        """The faces for the scene that ``game`` describes, which may define its own cards."""
        return self

    def rules(self, ruleset: str, say: Texts, playing: Sequence[Any] = ()) -> Iterator[Part]:
        """Yield the sections of a one-page summary of a ruleset, in our own words; none if there is
        no summary. ``playing``: characters whose house rules apply."""
        yield from ()

    def title(self, ruleset: str, playing: Sequence[Any] = ()) -> str:
        """The ruleset's title in print, by default made from its id."""
        return ruleset.replace("-", " ").title()

    def sheet(self, sheet: Any, say: Texts) -> Iterator[Part]:
        """Yield the sections of a character's printed sheet; none if the family prints no
        sheets."""
        yield from ()
