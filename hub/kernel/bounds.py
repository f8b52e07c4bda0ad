"""Limits on texts that people write: length and permitted characters, one bound per sort.

A text is checked by the command that brings it in, and again when it is read from a log.
"""

import re
from functools import cache

from msgspec import Struct

RESERVED = "gm"
"""The name for the GM in messages. Nothing else at a table may have this name."""


class Bound(Struct, frozen=True, kw_only=True):
    """The limits of a text of one printable line; ``most`` is its greatest length in characters."""

    most: int
    least: int = 0
    """Least number of characters, without leading and trailing spaces."""
    padded: bool = True
    """Whether spaces are allowed at the ends."""
    pattern: str = ""
    """A regular expression that the whole text must match; empty: any characters."""

    def holds(self, text: str) -> bool:
        """Whether ``text`` keeps to all these limits."""
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
"""The name of a character, a party, a countdown or a move."""
TITLE = Bound(most=80)
STAKES = Bound(most=300)
BECAUSE = Bound(least=1, most=1000)
"""The GM's reason for an overrule."""
PLAIN = Bound(most=32, pattern="[a-z0-9-]{1,32}")
"""The name of a table or a seat, which is part of MQTT topics."""
