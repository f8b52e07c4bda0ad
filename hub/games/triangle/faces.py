"""The faces of the three books' cards for print, drawn as the pages draw them.

A test keeps the outlines equal to those in ``static/js``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hub.games.faces import Face, Faces, Part, Sign, Stroke
from hub.games.game import TAKE_BACK, Choice
from hub.games.triangle.dealing import OPTIONS
from hub.games.triangle.papers import as_title, rules_parts, sheet_parts
from hub.games.triangle.rules.edition import VARIANTS, WINDOWS, Action, Edition, Special
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.triangle.special_signs import STAR, sign_of_special
from hub.kernel.texts import Texts

PROBLEM = "-problem"
"""The end of the id of a ruleset for problems, such as ``unroll-problem``."""
OUTLINES = {
    "attack": "M12 1.6 22.4 9.2 18.4 21.6H5.6L1.6 9.2Z",
    "defend": "M1.8 12A10.2 10.2 0 1 1 22.2 12A10.2 10.2 0 1 1 1.8 12Z",
    "grapple": "M3.5 2H20.5A1.5 1.5 0 0 1 22 3.5V20.5A1.5 1.5 0 0 1 20.5 22H3.5"
    "A1.5 1.5 0 0 1 2 20.5V3.5A1.5 1.5 0 0 1 3.5 2Z",
}
HATCH = "M2.5 13 13 2.5M2.5 21.5 21.5 2.5M11 21.5 21.5 11"
LEVELS = {"high": 5, "mid": 12, "low": 19}
AIMED = {"jump": "M4 16 12 7 20 16", "spin": "M19 12A7 7 0 1 1 15.5 6M12 5.5H16.5V1"}
FLAG = "M5 22V2.5H19L15.5 7.5 19 12.5H7.5V22Z"
_BOLT = "M13.5 1.5 4.5 13.5H11L9.5 22.5 19.5 9.5H12.5Z"
_BACK = (
    "M9.5 2.5 2 9.5 9.5 16.5V12.5H14.5A3.4 3.4 0 0 1 14.5 19.3H7V22.5H14.5"
    "A6.6 6.6 0 0 0 14.5 6.5H9.5Z"
)
_DASHES = "".join(
    f"M{12 + 9 * x:.2f} {12 + 9 * y:.2f}A9 9 0 0 1 {12 + 9 * u:.2f} {12 + 9 * v:.2f}"
    for x, y, u, v in (
        (1, 0, 0.81, 0.59), (0.31, 0.95, -0.31, 0.95), (-0.81, 0.59, -1, 0),
        (-0.81, -0.59, -0.31, -0.95), (0.31, -0.95, 0.81, -0.59),
    )
)  # fmt: skip
_NO_STAR = (Stroke(STAR, 1.2), Stroke("M3.5 20.5 20.5 3.5", 1.8))
_WHOLE, _BROKEN = "M4 {y}H20", "M4 {y}H8.8M15.2 {y}H20"
UNBROKEN = {"low": (), "mid": (12,), "high": (6, 18), "jump": (6, 12, 18)}
"""Element → the heights of the unbroken lines in its sign, which has three lines in all."""
_SPIN = (
    Stroke("M2 12A10 10 0 1 1 22 12A10 10 0 1 1 2 12Z"),
    Stroke("M12 2A10 10 0 0 1 12 22A5 5 0 0 1 12 12A5 5 0 0 0 12 2Z", solid=True),
)


def sign_of(action: str, say: Texts, letter: bool = True) -> Sign:
    """The sign of an action: pentagon, circle or hatched square, with its ``letter`` or without."""
    return Sign(
        OUTLINES[action],
        say(f"{action}.letter") if letter else "",
        [*Action].index(Action(action)),
        HATCH if action == Action.GRAPPLE else "",
    )


def aim_of(element: str) -> tuple[Stroke, ...]:
    """Strokes that show where a move is aimed; empty for an element from house rules."""
    if element in AIMED:
        return (Stroke(AIMED[element], 4.5),)
    if element not in LEVELS:
        return ()
    return tuple(
        Stroke(f"M3 {y}H21", 4.5) if name == element else Stroke(f"M8 {y}H16", 2.5, faint=True)
        for name, y in LEVELS.items()
    )


def glyph_of(element: str) -> tuple[Stroke, ...]:
    """Strokes of the books' sign for an element; empty for an element from house rules."""
    if element == "spin":
        return _SPIN
    if element not in UNBROKEN:
        return ()
    whole = UNBROKEN[element]
    return tuple(Stroke((_WHOLE if y in whole else _BROKEN).format(y=y), 3.2) for y in (6, 12, 18))


class TriangleFaces(Faces):
    """The faces of moves, stances, option numbers, specials and energy cards, and those of *take
    back* and of a blank card."""

    def face(
        self,
        choice: Choice,
        ruleset: str,
        say: Texts,
        called: str = "",
        playing: Sequence[Any] = (),
    ) -> Face:
        """The front of a card. ``called`` is the player's own name for the card."""
        book = _book(ruleset, playing)
        word, _, rest = choice.value.partition(" ")
        match choice.kind:
            case "move" if word == "surrender":
                return Face(
                    title=say("surrender"), kind=say("card.move"),
                    picture=(Stroke(FLAG, 1.2),), words=say("word.surrender.more"),
                )  # fmt: skip
            case "move":
                return _move(word, rest, say, called, book)
            case "stance" if word in OUTLINES:
                return Face(
                    title=say(word), kind=say("card.stance"), number=rest, sign=sign_of(word, say)
                )
            case "stance" if word == "none":
                return Face(
                    title=say("stance.none"), kind=say("card.stance"),
                    picture=(Stroke(_DASHES, 1.4),), words=say("word.no-stance.more"),
                )  # fmt: skip
            case "option" if word in map(str, OPTIONS):
                return Face(
                    title=say(f"option.{word}"), kind=say("card.option"), number=word,
                    words=f"{say(f'own.option.{word}').rstrip('.')}.",
                )  # fmt: skip
            case "special":
                return _special(choice.value, say, called, book)
            case "split" if word in OUTLINES:
                return Face(
                    title=say(word), kind=say("card.split"), number="" if rest == "1" else rest,
                    sign=sign_of(word, say), aim=(Stroke(_BOLT, 1.2, solid=True),),
                    words=say("card.split.more"),
                )  # fmt: skip
            case TAKE_BACK.kind:
                return Face(
                    title=say("take-back"), kind=say("card.split"),
                    picture=(Stroke(_BACK, 1.2, solid=True),), words=say("card.take-back.more"),
                )  # fmt: skip
            case "blank":
                return Face(title="")
        return super().face(choice, ruleset, say, called, playing)

    def called(self, sheet: Any) -> Mapping[Choice, str]:
        """The character's own names for moves and specials, where they differ from the ids."""
        moves = {Choice("move", str(each)): (each.id, each.name) for each in sheet.moves}
        specials = {Choice("special", each.id): (each.id, each.name) for each in sheet.specials}
        return {
            choice: name
            for choice, (key, name) in (moves | specials).items()
            if name and as_title(name).casefold() != as_title(key).casefold()
        }

    def title(self, ruleset: str, playing: Sequence[Any] = ()) -> str:
        """The title of the book, or of the house rules of the characters ``playing``."""
        book = _book(ruleset, playing)
        return super().title(book.id if book else ruleset)

    def rules(self, ruleset: str, say: Texts, playing: Sequence[Any] = ()) -> Iterator[Part]:
        """The parts of a page with the rules; none for an unknown ruleset."""
        if book := _book(ruleset, playing):
            signs = {action: sign_of(action, say) for action in OUTLINES}
            yield from rules_parts(book, say, signs)

    def sheet(self, sheet: Any, say: Texts) -> Iterator[Part]:
        """The parts of a character's printed sheet."""
        signs = {action: sign_of(action, say) for action in OUTLINES}
        yield from sheet_parts(sheet, say, signs)


FACES = TriangleFaces()


def _book(ruleset: str, playing: Sequence[Any]) -> Edition | None:
    """The edition of these characters; without characters, the book of the ruleset."""
    book: Edition | None = playing[0].book if playing else None
    return book or EDITIONS.get(ruleset.removesuffix(PROBLEM))


def _move(word: str, variant: str, say: Texts, called: str, book: Edition | None) -> Face:
    """The face of a move, with its action and element. A move from house rules may have its own
    name."""
    move = book.moves.get(word) if book else None
    action, _, element = word.partition("-")
    if move:
        action, element = str(move.action), move.element
    if action not in OUTLINES:
        title = f"{as_title(word)} {variant}".rstrip()
        return Face(title=title, kind=say("card.move"), called=called)
    added = VARIANTS.get(variant, 0)
    numbers = {"base": move.base - added, "times": move.multiplier + added} if move else None
    where = say(element) if glyph_of(element) else as_title(element)
    own = word != f"{action}-{element}"
    return Face(
        title=f"{as_title(word) if own else say(action)} {variant}".rstrip(),
        more=f"{say(action)} · {where}" if own else where,
        kind=say("card.move"),
        called=called,
        sign=sign_of(action, say),
        aim=aim_of(element),
        index="" if aim_of(element) else where,
        glyph=glyph_of(element),
        note=say("card.takes", **numbers) if numbers else "",
    )


def _special(value: str, say: Texts, called: str, book: Edition | None) -> Face:
    if value == "none":
        return Face(
            title=say("special.none"), kind=say("word.special"), picture=_NO_STAR,
            words=say("word.special.none"),
        )  # fmt: skip
    rule = book.specials.get(value) if book else None
    action = next((each for each in OUTLINES if value.endswith(f"-{each}")), "")
    known_by = sign_of_special(rule.effect if rule else "")
    title = as_title(value.removesuffix(f"-{action}") if action else value)
    return Face(
        title=title,
        more=say(action) if action else "",
        kind=say("word.special"),
        called=called,
        sign=sign_of(action, say) if action else None,
        aim=known_by if action else (),
        picture=() if action else known_by,
        index="" if action else "".join(word[0] for word in title.split()[:3]),
        words=say(f"word.does.{rule.effect}", type=say(action) if action else "") if rule else "",
        note=_when(rule, say, book) if rule and book else "",
    )


def _when(rule: Special, say: Texts, book: Edition) -> str:
    often = "word.once.any" if book.any_rest_returns_specials else "word.once.full"
    moments = say.row([say(f"word.when.{each}") for each in rule.windows], "or")
    always = len(rule.windows) == len(WINDOWS)
    said = [
        say("card.when.any") if always else say("word.when", moments=moments),
        say("word.times", times=rule.times) if rule.times > 1 else say(often),
        rule.on_top and say("word.on-top"),
        rule.bystanders and say("word.bystanders"),
        rule.tiring and say("word.tiring"),
    ]
    return " ".join(each for each in said if each)
