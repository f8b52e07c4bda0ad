"""The names of a deck's cards, as texts of the catalogues."""

from collections.abc import Iterable

from hub.games.tourists.rules.view import EXCUSE, CardView
from hub.kernel.texts import Part, Said, name, said

SUITS = ("paper", "stone", "blades", "serpent", EXCUSE)
"""The suits that the book names and the catalogues translate. A suit of a custom deck has only the
name in its file."""
_ROMAN = (("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1))


def card_name(card: CardView) -> Said:
    """A card's number, with its suit or, for a Triumph, its numeral."""
    return said("tourists.own.card", number=card.number, kind=_kind(card))


def _kind(card: CardView) -> Part:
    if card.rank is not None:
        return said("tourists.own.triumph", numeral=numeral(card.rank))
    return Said(f"tourists.suit.{card.suit}") if card.suit in SUITS else name(card.suit)


def card_lies(card: CardView) -> Said:
    """A card's number and suit or numeral, and which way up the card is."""
    return lies(card_name(card), reversed_=card.reversed)


def number(of: int | str) -> Said:
    """A card of which only the number, ``of``, is known."""
    return said("tourists.own.number", number=int(of))


def numbers(of: Iterable[int | str]) -> list[Said]:
    """Several cards of which only the numbers are known."""
    return [number(each) for each in of]


def lies(card: Part, *, reversed_: bool) -> Said:
    """A card's name, ``card``, and which way up the card is."""
    return said(f"tourists.own.lies.{'reversed' if reversed_ else 'upright'}", card=card)


def plain_card(written: str) -> Part:
    """A card from its written form: ``39 reversed``, or the number alone. Other text is kept as a
    name."""
    of, _, way = written.partition(" ")
    if not of.isdecimal():
        return name(written)
    return lies(number(of), reversed_=way == "reversed") if way else number(of)


def numeral(rank: int) -> str:
    """A Triumph's Roman numeral; 0 for the lowest Triumph."""
    found = ""
    for sign, worth in _ROMAN:
        while rank >= worth:
            found, rank = found + sign, rank - worth
    return found or "0"
