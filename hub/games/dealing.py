"""Which cards people need to play: whatever those whom a seat plays could choose.

A family says it by its face ``dealing``; for one without, the cards of its demo stand.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from hub.games import registry
from hub.games.family import Sheet
from hub.games.game import TAKE_BACK, Choice
from hub.kernel.reasons import Reason

BLANK = Choice("blank")
"""A card without a meaning yet: for what somebody learns later."""


class Need(Struct, frozen=True):
    """A card that is needed."""

    choice: Choice
    why: Reason
    """What it is needed for: it ends a sentence, as in ``needed, because …``."""
    count: int = 1
    """How many of it one hand needs."""
    other: Choice | None = None
    """What it means by its other end; None: it has one end."""
    called: str = ""
    """What a card with two ends is called."""


def needs_now(ruleset: str, playing: Sequence[Sheet]) -> list[Need]:
    """The cards of a hand for these characters as they are; each card once."""
    return _needs(ruleset, playing, later=False)


def needs_later(ruleset: str, playing: Sequence[Sheet] = ()) -> list[Need]:
    """The cards of a hand that these characters will not outgrow soon, whatever they learn;
    without any, of somebody who begins by the book."""
    return _needs(ruleset, playing, later=True)


def needs_of_table(ruleset: str, game: Mapping[str, Any]) -> list[Need]:
    """The cards of which the whole table has one, by a scene's description; empty: by the book."""
    dealing = registry.dealing_of(ruleset)
    found = dealing.of_table(ruleset, game) if dealing else ()
    return [Need(one, why, 1, other, called) for called, one, other, why in found]


def cast_of_scene(ruleset: str, game: Mapping[str, Any]) -> list[Sheet]:
    """The characters of a scene's description who have cards of their own."""
    dealing = registry.dealing_of(ruleset)
    return [*dealing.of_scene(ruleset, game)] if dealing else []


def unknown(ruleset: str, choice: Choice, playing: Sequence[Sheet] = ()) -> Reason | None:
    """Why no card of this ruleset is one; None for one that is. Some cards are of any."""
    dealing = registry.dealing_of(ruleset)
    if choice in (BLANK, TAKE_BACK) or dealing is None:
        return None
    return dealing.unknown(ruleset, choice, playing)


def _needs(ruleset: str, playing: Sequence[Any], *, later: bool) -> list[Need]:
    dealing = registry.dealing_of(ruleset)
    if dealing is None:
        found = [Need(choice, Reason("card-of-demo")) for choice in _of_demo(ruleset)]
    else:
        of = dealing.later if later else dealing.now
        found = [Need(*each) for each in of(ruleset, playing)]
    return _once(found)


def _of_demo(ruleset: str) -> list[Choice]:
    demo = registry.demos().get(ruleset)
    hands = demo.hands().values() if demo else ()
    return [choice for hand in hands for choice in hand]


def _once(needs: Iterable[Need]) -> list[Need]:
    found: dict[Choice, Need] = {}
    for need in needs:
        if need.choice not in found or need.count > found[need.choice].count:
            found[need.choice] = need
    return [*found.values()]
