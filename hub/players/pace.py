"""How long people need for what a display shows of a reveal: to see it happen, then to read it."""

from hub.games.game import GameView
from hub.games.registry import playing_of

TURN_S, NEXT_S = 0.7, 0.45
"""The display's clock: how long a card turns over, and after how much of that the next one begins.
``hub/web/static/js/core/score.js`` has the same in ms, and a test compares."""
RISE_S = 2.0
"""How long the verdict and what it costs take to appear after that."""
WORDS_PER_S = 3.5
"""Aloud to others at the table, not skimmed."""
_FIND_S = 1.0
"""To find the place, and for those who look up late."""


def showing_s(before: GameView | None, after: GameView | None) -> float:
    """How long ``after`` should stand, coming from ``before``: nothing if no card was shown, the
    display's clock if one was, and the time to read what followed."""
    playing = playing_of(after)
    if words := playing.words(before, after):
        return NEXT_S + TURN_S + RISE_S + _FIND_S + words / WORDS_PER_S
    return NEXT_S + TURN_S if playing.shown(after) - playing.shown(before) else 0
