"""One roll, from its call to its outcome, and two against each other (C1, C2, C4, C5,
C7, C8, C13).

First ``call``, then the quirk or the hindrance, then ``throw``. ``judge`` gives the outcome, before
and after karma.
"""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.character import Type
from hub.games.tricube.rules.tale import Tale, check_difficulty
from hub.kernel.faults import shown

FACES = range(1, 7)
# book: challenges.exceptional, c2.exceptional
EXCEPTIONAL_FROM = 2
"""How many dice must reach the difficulty to make a success exceptional."""


# book: failure-and-success.four
class RollOutcome(StrEnum):
    """The outcome of a roll. ``EVEN`` occurs only in opposed rolls."""

    EXCEPTIONAL = "exceptional"
    SUCCESS = "success"
    EVEN = "even"
    FAILURE = "failure"
    CRITICAL = "critical"

    # book: c13.even
    @property
    def succeeded(self) -> bool:
        """Whether the outcome is a success of any kind; an even result is one (C13)."""
        return self in (RollOutcome.EXCEPTIONAL, RollOutcome.SUCCESS, RollOutcome.EVEN)


class Karma(Struct, frozen=True):
    """The payment for perks of the character ``by``: ``paid`` karma (0 or 1), or a complication. A
    use that is free has neither."""

    by: str
    perks: tuple[str, ...]
    paid: int
    complication: str | None


class Judged(Struct, frozen=True):
    """The result of a roll. ``hits`` is how many dice reach the difficulty, 0 for a critical
    failure."""

    hits: int
    outcome: RollOutcome


class Roll(Struct, frozen=True):
    """A roll in progress.

    ``difficulty`` is the value before quirk and karma, None until it is known. ``kind`` is None for
    an NPC. ``hindered`` is the affliction that counts. ``dice`` are empty until they have fallen;
    ``count`` is their number.
    """

    who: str
    kind: Type | None
    count: int
    difficulty: int | None = None
    challenge: str | None = None
    defense: bool = False
    quirk: str | None = None
    hindered: str | None = None
    dice: tuple[int, ...] = ()
    karma: Karma | None = None

    # book: quirks.declared, c7.place
    @property
    def burden(self) -> int:
        """How much a quirk or an affliction raises the difficulty: 1 or 0."""
        return int(self.quirk is not None or self.hindered is not None)

    # book: perks.reduce
    @property
    def relief(self) -> int:
        """How much perks change the difficulty: -1 or 0."""
        return -int(self.karma is not None)

    # book: c2.above
    @property
    def final(self) -> int | None:
        """The number each die has to reach; it may be 7. None until the difficulty is known."""
        if self.difficulty is None:
            return None
        return self.difficulty + self.burden + self.relief


# book: turns.players-roll, turns.one-defense, c8.defense, c8.again, c8.relative, foes.difficulty
# book: c16.call
def call(
    tale: Tale,
    who: str,
    kind: Type,
    challenge: str | None = None,
    *,
    difficulty: int | None = None,
    scope: bool = True,
    defense: bool = False,
    again: bool = False,
    together: bool = False,
) -> Roll:
    """The roll of a character at its beginning, against a challenge or, if none is given, against
    another character.

    ``difficulty`` is the GM's for this roll, by default the challenge's (C8). ``scope`` is false if
    neither the concept nor the perks cover the task. ``again`` allows a second defense in a turn.
    ``together``: another roll of the same call may have overcome the challenge already (C16).
    Raises :class:`Refused`.
    """
    character = tale.able(who)
    if challenge is not None:
        met = tale.met(challenge) if together else tale.standing(challenge)
        if difficulty is None:
            difficulty = met.difficulty
        check_difficulty(difficulty)
    if again and not defense:
        raise Refused("again", Reason("again-without-defense"))
    if defense and who in tale.defended and not again:
        raise Refused("defense", Reason("defended-already", who=who))
    count = character.dice(kind, scope=scope)
    return Roll(who, kind, count, difficulty, challenge, defense)


# book: quirks.declared, quirks.one, c5.each, c5.moment
def with_quirk(tale: Tale, roll: Roll, quirk: str) -> Roll:
    """The roll with a quirk used, before the dice fall. Raises :class:`Refused`."""
    tale.able(roll.who)
    check_quirk(tale, roll.who, quirk)
    if roll.hindered is not None:
        raise Refused("quirk", Reason("one-burden"))
    return replace(_before_dice(roll, "quirk"), quirk=quirk)


# book: defeat.counts, c7.place
def with_hindrance(tale: Tale, roll: Roll, affliction: str) -> Roll:
    """The roll with an affliction that counts, before the dice fall (C7). Raises
    :class:`Refused`."""
    check_affliction(tale, roll.who, affliction, "hindered")
    if roll.quirk is not None:
        raise Refused("hindered", Reason("one-burden"))
    return replace(_before_dice(roll, "hindered"), hindered=affliction)


def with_difficulty(roll: Roll, difficulty: int) -> Roll:
    """The roll with the difficulty that the GM sets. Raises :class:`Refused`."""
    check_difficulty(difficulty)
    return replace(roll, difficulty=difficulty)


# book: c3.as-fell
def throw(roll: Roll, dice: Sequence[int]) -> Roll:
    """The roll with its fallen dice. Raises :class:`Refused` if their number or values are
    wrong."""
    check_dice(dice, roll.count)
    return replace(roll, dice=tuple(dice))


def check_dice(dice: Sequence[int], count: int) -> None:
    """Raise :class:`Refused` unless these are ``count`` valid dice."""
    if len(dice) != count:
        raise Refused("dice", Reason("so-many-dice", count=count, n=len(dice)))
    for index, die in enumerate(dice):
        if die not in FACES:
            raise Refused(("dice", index), Reason("number-from-to", least=FACES[0], most=FACES[-1]))


# book: challenges.hit, challenges.exceptional, ruins.example, c2.exceptional
def judge(roll: Roll) -> Judged:
    """The result of a fallen roll, with the karma paid so far (C2)."""
    if (hits := hits_of(roll)) is None:
        return Judged(0, RollOutcome.CRITICAL)
    if hits == 0:
        return Judged(0, RollOutcome.FAILURE)
    return Judged(
        hits, RollOutcome.EXCEPTIONAL if hits >= EXCEPTIONAL_FROM else RollOutcome.SUCCESS
    )


# book: challenges.hit, challenges.critical, c2.critical, c2.above, c13.ones
def hits_of(roll: Roll) -> int | None:
    """How many dice reach the final difficulty; None for a critical failure. Raises
    :class:`ValueError` if the difficulty or the dice are missing."""
    final = roll.final
    if final is None or not roll.dice:
        raise ValueError("a roll is judged when its difficulty is known and its dice have fallen")
    if all(die == FACES[0] for die in roll.dice):
        return None
    return sum(die >= final for die in roll.dice)


def check_affliction(
    tale: Tale, who: str, affliction: str, part: str | tuple[str | int, ...] = "affliction"
) -> None:
    """Raise :class:`Refused` if the character does not have this affliction."""
    character = tale.named(who)
    if character.affliction(affliction) is None:
        names = [each.name for each in character.afflictions]
        why = Reason("no-affliction-of", text=shown(affliction), names=names or Reason("none"))
        raise Refused(part, why)


def check_quirk(tale: Tale, who: str, quirk: str) -> None:
    """Raise :class:`Refused` if the character does not have this quirk."""
    own = tale.named(who).quirks
    if quirk not in own:
        names = [*own] or Reason("none")
        raise Refused("quirk", Reason("no-quirk-of", text=shown(quirk), names=names))


def _before_dice(roll: Roll, part: str) -> Roll:
    if roll.dice:
        raise Refused(part, Reason("dice-fallen"))
    return roll


MOST_NPC_DICE = 3


# book: opposed.npcs
def throw_for_npc(name: str, dice: Sequence[int]) -> Roll:
    """The roll of an NPC against another NPC, with one to three dice. Raises :class:`Refused`."""
    count = len(dice)
    if not 1 <= count <= MOST_NPC_DICE:
        raise Refused("dice", Reason("dice-of-npc", most=MOST_NPC_DICE, n=count))
    check_dice(dice, count)
    return Roll(name, None, count, dice=tuple(dice))


# book: opposed.highest, c4.highest
def face(one: Roll, other: Roll) -> tuple[Roll, Roll]:
    """The two fallen rolls, each with the highest die of the other roll as its difficulty (C4)."""
    return (replace(one, difficulty=max(other.dice)), replace(other, difficulty=max(one.dice)))


# book: opposed.tie, opposed.even, opposed.critical, c4.tie, c4.even, c4.critical, c13.own
# book: c13.both, c13.neither
def judge_both(one: Roll, other: Roll) -> tuple[Judged, Judged]:
    """The results of two opposed rolls after :func:`face` and after any karma is paid. If both
    reach their difficulty, the one with more such dice wins a normal success; equal numbers make an
    even result (C13)."""
    mine, theirs = judge(one), judge(other)
    if not (mine.hits and theirs.hits):
        return mine, theirs
    if mine.hits == theirs.hits:
        return Judged(mine.hits, RollOutcome.EVEN), Judged(theirs.hits, RollOutcome.EVEN)
    ahead = mine.hits > theirs.hits
    won, lost = RollOutcome.SUCCESS, RollOutcome.FAILURE
    return (Judged(mine.hits, won if ahead else lost), Judged(theirs.hits, lost if ahead else won))


def has_won(judged: Judged) -> bool:
    """Whether the result is that of the winner of two opposed rolls. An even result has no
    winner."""
    return judged.outcome in (RollOutcome.SUCCESS, RollOutcome.EXCEPTIONAL)
