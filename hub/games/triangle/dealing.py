"""The cards that the three books need: moves, stances, options, specials, energy and *take
back*."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from hub.games.game import TAKE_BACK, Choice, IllegalChoice
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules import editions
from hub.games.triangle.rules.characters.sheet import Sheet
from hub.games.triangle.rules.edition import Action, Edition
from hub.games.triangle.rules.grammar import parse_move, parse_stance

_ROOM = 3
"""How many stances a deck has beyond a type's maximum energy, because levels raise that maximum."""
_FIRST_MOST = 7
"""The largest stance when no character is known yet."""

Needed = tuple[Choice, Reason, int]
"""A card, why it is needed, and how many of it."""


def now(ruleset: str, playing: Sequence[Sheet]) -> Iterator[Needed]:
    """The cards for all that these characters know, with stances up to their maximum energy."""
    most = {a: max((s.max.of(a) for s in playing), default=0) for a in Action}
    yield from _hand(playing, (), most, ())


def later(ruleset: str, playing: Sequence[Sheet]) -> Iterator[Needed]:
    """The cards of :func:`now`, those for all moves of the book and for the specials that need no
    level, and larger stances."""
    book = playing[0].book if playing else _book(ruleset)
    most = {a: max((s.max.of(a) + _ROOM for s in playing), default=_FIRST_MOST) for a in Action}
    yield from _hand(playing, book.move_ids, most, learnable(book))


def _hand(
    playing: Sequence[Sheet],
    moves: Iterable[str],
    stances: Mapping[Action, int],
    specials: Iterable[str],
) -> Iterator[Needed]:
    yield Choice("stance", "none"), Reason("card-anybody"), 1
    for action, most in stances.items():
        for n in range(1, most + 1):
            yield Choice("stance", f"{action} {n}"), Reason("card-stance", n=most), 1
    knows = {str(move): sheet.name for sheet in playing for move in sheet.moves}
    yield from _learnt("move", moves, knows)
    yield Choice("move", "surrender"), Reason("card-anybody"), 1
    for number in OPTIONS:
        yield Choice("option", str(number)), Reason("card-option"), 1
    knows = {special.id: sheet.name for sheet in playing for special in sheet.specials}
    yield from _learnt("special", specials, knows)
    yield Choice("special", "none"), Reason("card-anybody"), 1
    for action in Action:
        yield Choice("split", f"{action} 1"), Reason("card-energy"), 1
    yield TAKE_BACK, Reason("card-take-back"), 1


def _learnt(kind: str, learnable: Iterable[str], knows: Mapping[str, str]) -> Iterator[Needed]:
    for each in dict.fromkeys((*learnable, *knows)):
        known = each in knows
        why = Reason("card-known", who=knows[each]) if known else Reason("card-to-learn")
        yield Choice(kind, each), why, 1


def of_table(ruleset: str, game: Mapping[str, Any]) -> Iterable[tuple[str, Choice, Choice, Reason]]:
    """The cards that the whole table shares: none in the three books."""
    return ()


def of_scene(ruleset: str, game: Mapping[str, Any]) -> Iterable[Any]:
    """The characters that need their own cards in a scene: none, because all players use the same
    cards."""
    return ()


def unknown(ruleset: str, choice: Choice, playing: Sequence[Sheet]) -> Reason | None:
    """Why no book of these characters has such a card; None if one has. Without characters, the
    ruleset's book counts."""
    books = {sheet.book.id: sheet.book for sheet in playing} or {ruleset: _book(ruleset)}
    if any(_is_card(book, choice) for book in books.values()):
        return None
    kinds = ("move", "stance", "option", "special", "split")
    if choice.kind not in kinds:
        return Reason("card-kind", kinds=kinds)
    return Reason("card-unknown", book=", ".join(books), what=str(choice))


def _is_card(book: Edition, choice: Choice) -> bool:
    with suppress(IllegalChoice):
        match choice.kind:
            case "move":
                parse_move(book, choice.value)
                return True
            case "stance":
                return parse_stance(choice.value) is not None or choice.value == "none"
            case "option":
                return choice.value in map(str, OPTIONS)
            case "special":
                return choice.value == "none" or choice.value in book.specials
            case "split":
                return choice.value in {f"{action} 1" for action in Action}
    return False


def _book(ruleset: str) -> Edition:
    return editions.EDITIONS[ruleset.removesuffix("-problem")]


OPTIONS = range(1, 5)
"""The numbers that a player can show in a problem."""


def hand(book: Edition, largest: Mapping[str, int], specials: Iterable[str]) -> list[Choice]:
    """The cards of a seat by ``book``, with these ``specials``. ``largest`` maps each energy type
    to the largest stance."""
    cards = [Choice("stance", "none")]
    for energy, most in largest.items():
        cards += [Choice("stance", f"{energy} {n}") for n in range(1, most + 1)]
    cards += [Choice("move", move) for move in book.move_ids]
    cards += [Choice("option", str(number)) for number in OPTIONS]
    cards += [Choice("special", special) for special in specials]
    return [*cards, Choice("special", "none"), Choice("move", "surrender")]


def learnable(book: Edition) -> tuple[str, ...]:
    """The ids of the specials that need no level, and so may be learned soon."""
    return tuple(rule.id for rule in book.specials.values() if not rule.level)
