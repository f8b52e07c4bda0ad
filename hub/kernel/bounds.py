"""How long a text of people may be, and what may stand in it: a bound for each sort. The command
that brings a text in asks it, and so does whoever reads the text back in a log.
"""

import re
from functools import cache

from msgspec import Struct


class Bound(Struct, frozen=True, kw_only=True):
    """A line that can be printed, of so many characters."""

    most: int
    least: int = 0
    """Of those that are no space."""
    padded: bool = True
    """Whether there may be spaces at either end."""
    pattern: str = ""
    """What all of it has to be, if not any signs."""

    def holds(self, text: str) -> bool:
        """Whether a text keeps to it."""
        if len(text) > self.most or not text.isprintable():
            return False
        if self.pattern:
            return _compiled(self.pattern).fullmatch(text) is not None
        plain = text.strip()
        return len(plain) >= self.least and (self.padded or plain == text)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


NAME = Bound(least=1, most=64, padded=False)
"""A character, a party, a countdown, a move."""
TITLE = Bound(most=80)
"""A scene or an evening."""
STAKES = Bound(most=300)
"""What a scene is about."""
BECAUSE = Bound(least=1, most=1000)
"""The GM's reason for a word over anything."""
PLAIN = Bound(most=32, pattern="[a-z0-9-]{1,32}")
"""What can stand in an MQTT topic: a table, a seat."""
