"""The cards that a seat needs: everything that its characters may ever choose."""

from collections.abc import Iterable, Mapping

from hub.games.game import Choice
from hub.games.triangle.rules.edition import Edition

OPTIONS = range(1, 5)
"""The numbers that a player can show in a problem."""


def hand(book: Edition, largest: Mapping[str, int], specials: Iterable[str]) -> list[Choice]:
    """A seat's cards by ``book``; ``largest`` maps energy types to the largest stance."""
    cards = [Choice("stance", "none")]
    for energy, most in largest.items():
        cards += [Choice("stance", f"{energy} {n}") for n in range(1, most + 1)]
    cards += [Choice("move", move) for move in book.move_ids]
    cards += [Choice("option", str(number)) for number in OPTIONS]
    cards += [Choice("special", special) for special in specials]
    return [*cards, Choice("special", "none"), Choice("move", "surrender")]


def learnable(book: Edition) -> tuple[str, ...]:
    """The specials that need no level, which any character may soon learn."""
    return tuple(rule.id for rule in book.specials.values() if not rule.level)
