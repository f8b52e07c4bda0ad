"""Two rolls against each other (``RULES.md`` C4, C13)."""

from collections.abc import Sequence

from msgspec.structs import replace

from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.roll import Judged, Roll, RollOutcome, check_dice, judge

MOST_NPC_DICE = 3


# book: opposed.npcs
def throw_for_npc(name: str, dice: Sequence[int]) -> Roll:
    """The roll of an NPC against another: one to three dice. Raises :class:`Refused`."""
    count = len(dice)
    if not 1 <= count <= MOST_NPC_DICE:
        raise Refused("dice", Reason("dice-of-npc", most=MOST_NPC_DICE, n=count))
    check_dice(dice, count)
    return Roll(name, None, count, dice=tuple(dice))


# book: opposed.highest, c4.highest
def face(one: Roll, other: Roll) -> tuple[Roll, Roll]:
    """Set the difficulties after both rolls have fallen: each one's highest die is the other's
    difficulty (C4)."""
    return (
        replace(one, difficulty=max(other.dice)),
        replace(other, difficulty=max(one.dice)),
    )


# book: opposed.tie, opposed.even, opposed.critical, c4.tie, c4.even, c4.critical, c13.own
# book: c13.both, c13.neither
def judge_both(one: Roll, other: Roll) -> tuple[Judged, Judged]:
    """Judge both rolls after :func:`face` and after any karma is paid. If both reach their
    difficulty, the one with more such dice wins a normal success; equal numbers make an even result
    (C13)."""
    mine, theirs = judge(one), judge(other)
    if not (mine.hits and theirs.hits):
        return mine, theirs
    if mine.hits == theirs.hits:
        return Judged(mine.hits, RollOutcome.EVEN), Judged(theirs.hits, RollOutcome.EVEN)
    ahead = mine.hits > theirs.hits
    won, lost = RollOutcome.SUCCESS, RollOutcome.FAILURE
    return (
        Judged(mine.hits, won if ahead else lost),
        Judged(theirs.hits, lost if ahead else won),
    )


def has_won(judged: Judged) -> bool:
    """Whether this one of the two is the winner; there is none after an even result."""
    return judged.outcome in (RollOutcome.SUCCESS, RollOutcome.EXCEPTIONAL)
