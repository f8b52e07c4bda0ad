"""How long players need to follow a reveal on the display: to watch it, then to read it."""

from hub.games.game import GameView
from hub.games.registry import playing_of

TURN_S, NEXT_S = 0.7, 0.45
"""The display's timing: how long a card takes to turn over, and the delay before the next one
starts. ``hub/web/static/js/core/score.js`` has the same in ms, and a test compares them."""
RISE_S = 2.0
"""How long the verdict and its cost take to appear after that."""
WORDS_PER_S = 3.5
"""Reading aloud to the table, not skimming."""
_FIND_S = 1.0
"""Time to find the place, and for players who look up late."""


def showing_s(before: GameView | None, after: GameView | None) -> float:
    """How long to show ``after``, coming from ``before``: zero if no card was shown, the display's
    timing if one was, plus the time to read the consequences."""
    playing = playing_of(after)
    if words := playing.words(before, after):
        return NEXT_S + TURN_S + RISE_S + _FIND_S + words / WORDS_PER_S
    return NEXT_S + TURN_S if playing.shown(after) - playing.shown(before) else 0
