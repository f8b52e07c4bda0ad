"""A challenge: what stands in the way, foes too (``RULES.md`` C8)."""

from msgspec import Struct
from msgspec.structs import replace

# book: challenges.difficulty, foes.difficulty
DIFFICULTIES = (4, 5, 6)
"""Easy, standard, hard."""
STANDARD = 5


# book: challenges.tokens, foes.tokens, foes.group
class Challenge(Struct, frozen=True):
    """A challenge of this scene. ``left`` are its effort tokens that are still there; ``deadly``:
    the players were warned that it could be somebody's death; ``bypassed`` who got past it by a
    perk, in that order."""

    difficulty: int = STANDARD
    effort: int = 0
    left: int = 0
    deadly: bool = False
    over: bool = False
    bypassed: tuple[str, ...] = ()

    # book: challenges.tokens, challenges.together, c8.one-success, c16.spare
    def worked_at(self, hits: int) -> tuple["Challenge", int]:
        """After a roll with so many hits that was no defense; and how many effort tokens went.
        Hits beyond the last token are spare: the challenge stays overcome (C16)."""
        removed = min(hits, self.left)
        left = self.left - removed
        over = left == 0 and (hits > 0 or self.over)
        return replace(self, left=left, over=over), removed
