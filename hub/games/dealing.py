"""The cards that players need: everything the characters of a seat could choose.

A family provides them in its face ``dealing``. Without that face, the cards of its demo are used.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from hub.games import registry
from hub.games.family import Sheet
from hub.games.game import TAKE_BACK, Choice
from hub.kernel.reasons import Reason

BLANK = Choice("blank")
"""A card without a meaning yet, for a move to be learnt later."""


class Need(Struct, frozen=True):
    """A card that a seat's player could want to play."""

    choice: Choice
    why: Reason
    """The reason the card is needed. It completes a sentence, as in ``needed, because …``."""
    count: int = 1
    """How many copies one hand needs."""
    other: Choice | None = None
    """The meaning of the other end of a card with a tag at each end; None for any other card."""
    called: str = ""
    """The name of a card with a tag at each end; empty for other cards."""


def needs_now(ruleset: str, playing: Sequence[Sheet]) -> list[Need]:
    """The cards that a hand needs for the characters ``playing`` now, without duplicates."""
    return _needs(ruleset, playing, later=False)


def needs_later(ruleset: str, playing: Sequence[Sheet] = ()) -> list[Need]:
    """The cards that a hand needs for the characters ``playing``, now and over their next levels,
    including moves that they may learn. Without characters: the cards that any beginner needs."""
    return _needs(ruleset, playing, later=True)


def needs_of_table(ruleset: str, game: Mapping[str, Any]) -> list[Need]:
    """The cards that the whole table shares. ``game`` is a scene's description; an empty one means
    the book's deck."""
    dealing = registry.dealing_of(ruleset)
    found = dealing.of_table(ruleset, game) if dealing else ()
    return [Need(one, why, 1, other, called) for called, one, other, why in found]


def cast_of_scene(ruleset: str, game: Mapping[str, Any]) -> list[Sheet]:
    """The characters that need their own cards in the scene that ``game`` describes."""
    dealing = registry.dealing_of(ruleset)
    return [*dealing.of_scene(ruleset, game)] if dealing else []


def unknown(ruleset: str, choice: Choice, playing: Sequence[Sheet] = ()) -> Reason | None:
    """Why neither the ruleset nor the characters ``playing`` have this card. None if one of them
    does, or if the family does not say. The blank card and *take back* belong to every ruleset."""
    dealing = registry.dealing_of(ruleset)
    if choice in (BLANK, TAKE_BACK) or dealing is None:
        return None
    return dealing.unknown(ruleset, choice, playing)


def _needs(ruleset: str, playing: Sequence[Any], *, later: bool) -> list[Need]:
    dealing = registry.dealing_of(ruleset)
    if dealing is None:
        demo = registry.demos().get(ruleset)
        hands = demo.hands().values() if demo else ()
        needs = [Need(choice, Reason("card-of-demo")) for hand in hands for choice in hand]
    else:
        of = dealing.later if later else dealing.now
        needs = [Need(*each) for each in of(ruleset, playing)]
    found: dict[Choice, Need] = {}
    for need in needs:
        if need.choice not in found or need.count > found[need.choice].count:
            found[need.choice] = need
    return [*found.values()]
