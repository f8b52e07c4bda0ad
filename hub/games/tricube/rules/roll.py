"""One roll, from its call to its outcome (``RULES.md`` C1, C2, C5, C7, C8).

``call``, then the quirk or the hindrance, then ``throw``; ``judge`` says what it comes to, before
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
"""Dice at or over the difficulty that make a success exceptional."""


# book: failure-and-success.four
class RollOutcome(StrEnum):
    """What a roll comes to; an even result is for two that oppose each other."""

    EXCEPTIONAL = "exceptional"
    SUCCESS = "success"
    EVEN = "even"
    FAILURE = "failure"
    CRITICAL = "critical"

    # book: c13.even
    @property
    def succeeded(self) -> bool:
        """Whether it is a success of any kind (C13)."""
        return self in (RollOutcome.EXCEPTIONAL, RollOutcome.SUCCESS, RollOutcome.EVEN)


class Karma(Struct, frozen=True):
    """What was given for perks: ``paid`` karma, or else a complication."""

    by: str
    perks: tuple[str, ...]
    paid: int
    complication: str | None


class Judged(Struct, frozen=True):
    """What dice come to."""

    hits: int
    outcome: RollOutcome


class Roll(Struct, frozen=True):
    """A roll that is being made.

    ``difficulty`` is what it was set to, None while that is not known; ``kind`` is None for an NPC.
    ``dice`` are empty until they have fallen; ``count`` is how many there are to be.
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
        """How much harder a quirk or a hindrance makes it: by one."""
        return int(self.quirk is not None or self.hindered is not None)

    # book: perks.reduce
    @property
    def relief(self) -> int:
        """What karma makes of the difficulty: -1, or 0 without any."""
        return -int(self.karma is not None)

    # book: c2.above
    @property
    def final(self) -> int | None:
        """What each die has to reach; it may be 7. None while the difficulty is not known."""
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
    """Somebody is to roll, against a challenge or (without one) against somebody else.

    ``difficulty`` is the GM's for this roll, the challenge's without one (C8). ``again`` allows a
    second defense in a turn; ``together``: another roll of the same call may have overcome the
    challenge (C16). Raises :class:`Refused`.
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
    """Its player uses a quirk, before the dice fall. Raises :class:`Refused`."""
    own = tale.able(roll.who).quirks
    if quirk not in own:
        raise Refused("quirk", _no_quirk(quirk, own))
    if roll.hindered is not None:
        raise Refused("quirk", Reason("one-burden"))
    return replace(_before_dice(roll, "quirk"), quirk=quirk)


# book: defeat.counts, c7.place
def with_hindrance(tale: Tale, roll: Roll, affliction: str) -> Roll:
    """The GM lets an affliction count, before the dice fall (C7). Raises :class:`Refused`."""
    check_affliction(tale, roll.who, affliction, "hindered")
    if roll.quirk is not None:
        raise Refused("hindered", Reason("one-burden"))
    return replace(_before_dice(roll, "hindered"), hindered=affliction)


def with_difficulty(roll: Roll, difficulty: int) -> Roll:
    """The GM has said how hard it is. Raises :class:`Refused`."""
    check_difficulty(difficulty)
    return replace(roll, difficulty=difficulty)


# book: c3.as-fell
def throw(roll: Roll, dice: Sequence[int]) -> Roll:
    """The dice have fallen. Raises :class:`Refused` for others than these."""
    check_dice(dice, roll.count)
    return replace(roll, dice=tuple(dice))


def check_dice(dice: Sequence[int], count: int) -> None:
    """Raises :class:`Refused` if these cannot be that many dice."""
    if len(dice) != count:
        raise Refused("dice", Reason("so-many-dice", count=count, n=len(dice)))
    for index, die in enumerate(dice):
        if die not in FACES:
            raise Refused(("dice", index), Reason("number-from-to", least=FACES[0], most=FACES[-1]))


# book: challenges.hit, challenges.exceptional, ruins.example, c2.exceptional
def judge(roll: Roll) -> Judged:
    """What the dice come to against a challenge; with karma, once it has been paid (C2)."""
    if (hits := hits_of(roll)) is None:
        return Judged(0, RollOutcome.CRITICAL)
    if hits == 0:
        return Judged(0, RollOutcome.FAILURE)
    return Judged(
        hits, RollOutcome.EXCEPTIONAL if hits >= EXCEPTIONAL_FROM else RollOutcome.SUCCESS
    )


# book: challenges.hit, challenges.critical, c2.critical, c2.above, c13.ones
def hits_of(roll: Roll) -> int | None:
    """How many dice reach the final difficulty; None for a critical failure."""
    final = roll.final
    if final is None or not roll.dice:
        raise ValueError("a roll is judged when its difficulty is known and its dice have fallen")
    if all(die == FACES[0] for die in roll.dice):
        return None
    return sum(die >= final for die in roll.dice)


def check_affliction(
    tale: Tale, who: str, affliction: str, part: str | tuple[str | int, ...] = "affliction"
) -> None:
    """Raises :class:`Refused` for an affliction that somebody has not."""
    character = tale.named(who)
    if character.affliction(affliction) is None:
        names = [each.name for each in character.afflictions]
        why = Reason("no-affliction-of", text=shown(affliction), names=names or Reason("none"))
        raise Refused(part, why)


def check_quirk(tale: Tale, who: str, quirk: str) -> None:
    """Raises :class:`Refused` for a quirk that somebody has not."""
    own = tale.named(who).quirks
    if quirk not in own:
        raise Refused("quirk", _no_quirk(quirk, own))


def _no_quirk(quirk: str, own: Sequence[str]) -> Reason:
    return Reason("no-quirk-of", text=shown(quirk), names=[*own] or Reason("none"))


def _before_dice(roll: Roll, part: str) -> Roll:
    if roll.dice:
        raise Refused(part, Reason("dice-fallen"))
    return roll
