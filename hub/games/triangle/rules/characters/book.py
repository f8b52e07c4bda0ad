"""Limits for characters that all three texts share; an edition holds the others (R16).

Ref: Creating a character, Resting, Level Up, of each of the three books.
"""

from enum import StrEnum


class Rest(StrEnum):
    """The three ways to rest (R14)."""

    # book: rest.breather
    BREATHER = "breather"
    # book: rest.short
    SHORT = "short"
    # book: rest.full
    FULL = "full"


# book: energy.ten
START_ENERGY = 10
"""Sum of the maximum energies of a new character."""
BACKGROUND_POINTS = 3
"""Most background points of a character."""
# book: combo.two-follow-ups, level-up.two-of-one
FOLLOW_UPS = 2
"""Most follow-ups of one starting move."""
# book: replacement.highest-level
REPLACEMENT_LEVEL = 5
"""Highest level at which a replacement character can start."""
QUESTIONS = 3
"""Number of questions at the end of a session: belief or flaw, goal, zero."""
