"""The print on the toy's cards: an approach by its dice, with our own signs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hub.games.faces import Face, Faces, Line, Part, Stroke, Texts
from hub.games.game import Choice

from .rules import DICE

_DIE = "M4 4H20V20H4Z"
_PIPS = {"careful": "M8 8H8.2M15.8 16H16", "bold": "M8 8H8.2M11.9 12H12.1M15.8 16H16"}
"""As many pips as dice."""
PICTURES: Mapping[Choice, tuple[Stroke, ...]] = {
    Choice("approach", how): (Stroke(_DIE, 1.6), Stroke(pips, 3.2)) for how, pips in _PIPS.items()
}


class ToyFaces(Faces):
    """Faces of the approaches."""

    def pictures(self) -> Mapping[str, Sequence[Stroke]]:
        """The signs that the pages draw."""
        return {str(choice): strokes for choice, strokes in PICTURES.items()}

    def face(
        self,
        choice: Choice,
        ruleset: str,
        say: Texts,
        called: str = "",
        playing: Sequence[Any] = (),
    ) -> Face:
        """The front of a card."""
        if choice not in PICTURES:
            return super().face(choice, ruleset, say, called, playing)
        key = f"toy.card.{choice.value}"
        return Face(
            title=say(key),
            kind=say("toy.card.approach"),
            picture=PICTURES[choice],
            words=say(f"{key}.more", number=DICE[choice.value]),
        )

    def title(self, ruleset: str, playing: Sequence[Any] = ()) -> str:
        """The ruleset's title in print."""
        return "Toy Dice"

    def rules(self, ruleset: str, say: Texts, playing: Sequence[Any] = ()) -> Iterator[Part]:
        """The rules on one page."""
        lines = tuple(Line(text=say(f"toy.card.rules.{key}")) for key in ("round", "spend", "bold"))
        yield Part(say("toy.card.rules"), lines)


FACES = ToyFaces()
