"""Challenges: obstacles and foes (``RULES.md`` C8)."""

from msgspec import Struct
from msgspec.structs import replace

# book: challenges.difficulty, foes.difficulty
DIFFICULTIES = (4, 5, 6)
"""Easy, standard, hard."""
STANDARD = 5


# book: challenges.tokens, foes.tokens, foes.group
class Challenge(Struct, frozen=True):
    """A challenge of this scene.

    ``left`` is the number of effort tokens that remain. ``deadly``: the players were warned that a
    character could die. ``bypassed`` are the characters that got past it with a perk, in that
    order.
    """

    difficulty: int = STANDARD
    effort: int = 0
    left: int = 0
    deadly: bool = False
    over: bool = False
    bypassed: tuple[str, ...] = ()

    # book: challenges.tokens, challenges.together, c8.one-success, c16.spare
    def worked_at(self, hits: int) -> tuple["Challenge", int]:
        """The challenge after a roll with these hits that was no defense, and the number of effort
        tokens removed. Hits beyond the last token are spare: the challenge stays overcome (C16)."""
        removed = min(hits, self.left)
        left = self.left - removed
        over = left == 0 and (hits > 0 or self.over)
        return replace(self, left=left, over=over), removed
