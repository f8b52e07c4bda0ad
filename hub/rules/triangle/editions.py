"""The three books of the family, as data: Unroll and the two texts of Iron Triangle."""

from collections.abc import Mapping
from itertools import chain

from hub.rules.triangle.edition import Action, Edition, Effect, Special, move_table, special_list

# book unroll: beats.*
THREE_ELEMENTS: Mapping[str, frozenset[str]] = {
    "high": frozenset({"mid"}),
    "low": frozenset({"high"}),
    "mid": frozenset({"low"}),
}
"""Unroll, table 2."""

# book: five-beats.*, elements.dash
# book iron-triangle, iron-triangle-1e: beats.*
FIVE_ELEMENTS: Mapping[str, frozenset[str]] = {
    "low": frozenset({"high", "spin"}),
    "mid": frozenset({"low", "jump"}),
    "high": frozenset({"mid", "jump"}),
    "jump": frozenset({"low", "spin"}),
    "spin": frozenset({"high", "mid"}),
}
"""Both Iron Triangles, table 3: earth, water, fire, heaven, and balance (the first text's dash)."""


def _later_specials(bar: str) -> dict[str, Special]:
    """The list that Unroll and the second text share, but for the name of one special."""
    return special_list(
        (
            ("scouter", Effect.SCOUT),
            ("to-blave", Effect.NOTHING),
            ("there-can-be-only-one", Effect.BIND),
            ("pressure-point", Effect.AIM),
            ("wax-on", Effect.CALM),
            ("santa-carla", Effect.RECOVER),
            ("dig-two-graves", Effect.RETURN),
            (bar, Effect.BAR),
            ("yojimbo", Effect.BEAR),
            ("liquid-metal", Effect.COPY),
            ("drunken-monkey", Effect.REDRAW),
            ("way-of-the-samurai", Effect.LAST),
        )
    )


# book unroll: numbers.*, *.effect
UNROLL = Edition(
    id="unroll",
    element_beats=THREE_ELEMENTS,
    moves=move_table(
        (action, element, base, multiplier)
        for action, base, multiplier in (
            (Action.ATTACK, 3, 2),
            (Action.DEFEND, 2, 1),
            (Action.GRAPPLE, 4, 2),
        )
        for element in THREE_ELEMENTS
    ),
    level=1,
    variants=True,
    specials=_later_specials(bar="predictabo"),
)
"""Unroll, table 3 and Specials."""

_FIVE_ELEMENT_MOVES = move_table(
    chain(
        ((Action.DEFEND, element, 2, 1) for element in ("low", "mid", "high")),
        ((Action.GRAPPLE, element, 4, 2) for element in ("low", "mid", "high")),
        ((Action.GRAPPLE, "jump", 4, 3), (Action.GRAPPLE, "spin", 4, 4)),
        ((Action.ATTACK, element, 3, 2) for element in ("low", "mid", "high")),
        ((Action.ATTACK, "jump", 3, 3), (Action.ATTACK, "spin", 3, 3)),
    )
)
"""Both Iron Triangles, table 6. No defence jumps or spins."""

# book: defences.three
# book iron-triangle: numbers.*, five-numbers.*, *.effect
IRON_TRIANGLE = Edition(
    id="iron-triangle",
    element_beats=FIVE_ELEMENTS,
    moves=_FIVE_ELEMENT_MOVES,
    level=0,
    variants=False,
    specials=_later_specials(bar="i-already-know"),
)
"""Iron Triangle, second text."""

# book iron-triangle-1e: numbers.*, five-numbers.*, *.effect
IRON_TRIANGLE_1E = Edition(
    id="iron-triangle-1e",
    element_beats=FIVE_ELEMENTS,
    moves=_FIVE_ELEMENT_MOVES,
    level=0,
    variants=False,
    specials=special_list(
        (
            ("insight", Effect.SCOUT),
            ("showdown", Effect.BIND),
            ("precise", Effect.AIM),
            ("parry", Effect.PARRY),
            ("vampire", Effect.DRAIN),
            ("dig-two-graves", Effect.RETURN),
            ("premonition", Effect.BAR),
            ("bodyguard", Effect.BEAR),
            ("mimic", Effect.COPY),
            ("drunken-monkey", Effect.REDRAW),
            ("last-stand", Effect.LAST),
        )
    ),
    both_out_wins=False,
)
"""Iron Triangle, first text."""
