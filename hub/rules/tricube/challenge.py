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

    # book: challenges.tokens, challenges.together, c8.one-success
    def worked_at(self, hits: int) -> tuple["Challenge", int]:
        """After a roll with so many hits that was no defense; and how many effort tokens went."""
        removed = min(hits, self.left)
        left = self.left - removed
        return replace(self, left=left, over=left == 0 and hits > 0), removed
