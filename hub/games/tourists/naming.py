"""The names of a deck's cards, as texts of the catalogues."""

from collections.abc import Iterable

from hub.games.tourists.rules.view import EXCUSE, CardView
from hub.kernel.texts import Part, Said, name, said

SUITS = ("paper", "stone", "blades", "serpent", EXCUSE)
"""The book's own suits. Those of a deck of one's own have only a name."""
_ROMAN = (("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1))


def card_name(card: CardView) -> Said:
    """A card's number and its suit or rank."""
    return said("tourists.own.card", number=card.number, kind=_kind(card))


def _kind(card: CardView) -> Part:
    if card.rank is not None:
        return said("tourists.own.triumph", numeral=numeral(card.rank))
    return Said(f"tourists.suit.{card.suit}") if card.suit in SUITS else name(card.suit)


def card_lies(card: CardView) -> Said:
    """A card, and which way up it is."""
    return lies(card_name(card), reversed_=card.reversed)


def number(of: int | str) -> Said:
    """A card known by its number only."""
    return said("tourists.own.number", number=int(of))


def numbers(of: Iterable[int | str]) -> list[Said]:
    """Several cards known by their numbers only."""
    return [number(each) for each in of]


def lies(card: Part, *, reversed_: bool) -> Said:
    """Which way up a card is."""
    return said(f"tourists.own.lies.{'reversed' if reversed_ else 'upright'}", card=card)


def plain_card(written: str) -> Part:
    """A card in its written form: ``39 reversed``, or its number alone."""
    of, _, way = written.partition(" ")
    if not of.isdecimal():
        return name(written)
    return lies(number(of), reversed_=way == "reversed") if way else number(of)


def numeral(rank: int) -> str:
    """A Triumph's numeral: 0, I, II …"""
    found = ""
    for sign, worth in _ROMAN:
        while rank >= worth:
            found, rank = found + sign, rank - worth
    return found or "0"
