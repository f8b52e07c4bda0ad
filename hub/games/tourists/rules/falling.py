"""Recomputes from a log the cards that the hub drew in a step.

Characters that draw in the same step draw one after the other around the table, each as
:mod:`hub.games.tourists.rules.drawing` says. A card drawn by one is not in the deck of the next.
"""

from collections.abc import Mapping, Set
from typing import Any

from hub.games.tourists.rules.drawing import drawn_card


def drawn_from(on: Mapping[str, Any], drawing: Set[str], chance: bytes) -> dict[str, str]:
    """The card each character drew, in written form.

    ``on`` has the numbers of the cards in the ``deck``, in ascending order, and ``who`` draws, in
    table order. ``drawing`` are the characters whose choice was to draw. Raises :class:`ValueError`
    if ``on`` does not fit.
    """
    deck, who = on.get("deck"), on.get("who")
    if on.keys() != {"deck", "who"} or not isinstance(deck, list) or not isinstance(who, list):
        raise ValueError("a card is drawn by somebody from a deck")
    if any(type(number) is not int for number in deck) or deck != sorted({*deck}):
        raise ValueError("a deck is numbers in ascending order")
    if len(who) != len({*who}) or {*who} != drawing:
        raise ValueError("those draw who say so, each once")
    left, drawn = [*deck], {}
    for name in who:
        card = drawn_card(chance, name, left)
        left.remove(card.number)
        drawn[name] = str(card)
    return drawn
