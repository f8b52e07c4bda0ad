"""The results of a judged roll: effort, gain, price, defeat (C6 to C10)."""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.character import Affliction, Lasts
from hub.games.tricube.rules.roll import Judged, Roll, RollOutcome
from hub.games.tricube.rules.tale import Tale
from hub.kernel.faults import shown


class Token(StrEnum):
    """A token that a quirk or a hindrance can bring back."""

    KARMA = "karma"
    RESOLVE = "resolve"


class Gain(Struct, frozen=True):
    """A token that came back; ``amount`` is 1, or 0 if the character had the maximum."""

    what: Token
    amount: int


class Price(Struct, frozen=True):
    """The price that the GM sets for a failure: ``resolve``, a ``complication``, what is only
    ``told``, or several of these."""

    resolve: bool = False
    complication: str = ""
    told: str = ""


class Paid(Struct, frozen=True):
    """The price actually paid: how much resolve, and the complication, if any."""

    resolve: int = 0
    complication: str | None = None


# book: c9.usual
USUAL_PRICE = Price(resolve=True)
"""The default price of a failed roll against a challenge (C9)."""
# book: c9.opposed
NO_PRICE = Price()
"""The default price of a failed roll against another player character (C9)."""


# book: challenges.tokens, turns.one-defense, c8.defense, c8.one-success
def apply_effort(tale: Tale, roll: Roll, judged: Judged) -> tuple[Tale, int]:
    """The tale after each hit removed an effort token of the challenge, and the number removed. A
    defense removes none (C8)."""
    if roll.defense:
        tale = replace(tale, defended=tale.defended | {roll.who})
    if roll.challenge is None or roll.defense:
        return tale, 0
    challenge, removed = tale.challenges[roll.challenge].worked_at(judged.hits)
    return tale.with_challenge(roll.challenge, challenge), removed


# book: quirks.karma, quirks.resolve, defeat.counts, c6.settled, c7.place, c13.even
def regain(
    tale: Tale, roll: Roll, judged: Judged, want: Token | None = None
) -> tuple[Tale, Gain | None]:
    """The tale after a token came back for the roll's quirk or affliction: karma, or resolve if
    that is wanted and the roll succeeded. Also the gain, None if the roll had neither quirk nor
    affliction. Raises :class:`Refused`."""
    if not roll.burden:
        if want is not None:
            raise Refused("regain", Reason("regain-without-quirk"))
        return tale, None
    if want is Token.RESOLVE and not judged.outcome.succeeded:
        raise Refused("regain", Reason("resolve-after-success"))
    return come_back(tale, roll.who, want or Token.KARMA)


# book: c6.maximum
def come_back(tale: Tale, who: str, what: Token) -> tuple[Tale, Gain]:
    """The tale after one karma or resolve came back, up to the maximum (C6), and the gain."""
    before = tale.characters[who]
    after = before.with_karma(1) if what is Token.KARMA else before.with_resolve(1)
    gained = after.karma + after.resolve - before.karma - before.resolve
    return tale.put(who, after), Gain(what, gained)


# book: failure-and-success.always, failure-and-success.which, challenges.critical-brings
# book: challenges.together, c9.*
def charge(
    tale: Tale, roll: Roll, judged: Judged, price: Price | None = None
) -> tuple[Tale, Paid | None]:
    """The tale after the price of a failure was charged, and the payment (C9): resolve (one, or two
    after a critical failure, never more than are left), a complication, or neither if the price is
    only told.

    If ``price`` is None, the default price applies. The payment is None after a success. Raises
    :class:`Refused`.
    """
    if judged.outcome.succeeded:
        if price is not None:
            raise Refused("price", Reason("price-after-success"))
        return tale, None
    if price is None:
        price = NO_PRICE if roll.challenge is None else USUAL_PRICE
    elif price == NO_PRICE:
        raise Refused("price", Reason("price-of-nothing"))
    before = tale.characters[roll.who]
    after = before.with_resolve(-cost(judged)) if price.resolve else before
    paid = Paid(before.resolve - after.resolve, price.complication or None)
    return tale.put(roll.who, after), paid


# book: failure-and-success.two, c9.usual
def cost(judged: Judged) -> int:
    """How much resolve a failure costs, if its price includes resolve (C9)."""
    return 2 if judged.outcome is RollOutcome.CRITICAL else 1


# book: defeat.victor, c10.stays
class Fate(Struct, frozen=True):
    """The victor's words on a defeated character.

    ``lasts`` is for the scene or longer; it is None after a critical failure, which makes the
    affliction permanent. ``stays``: the character may still act in this scene.
    """

    affliction: str
    lasts: Lasts | None = None
    fatal: bool = False
    stays: bool = False


# book: defeat.last, c10.last
def is_defeated(tale: Tale, who: str) -> bool:
    """Whether a character's last resolve is gone and its fate is yet to be told. The dead are not
    defeated."""
    character = tale.characters[who]
    return character.resolve == 0 and not character.dead


# book: defeat.victor, defeat.affliction, defeat.restored, defeat.out, defeat.permanent
# book: defeat.death, c10.fate, c10.stays, c10.permanent, c10.fatal
def befall(tale: Tale, who: str, judged: Judged, fate: Fate, *, deadly: bool) -> Tale:
    """The tale after the fate of a defeated character.

    ``judged`` is the result of the roll that defeated the character. ``deadly``: the players were
    warned of death. Raises :class:`Refused` with the wrong part of the fate, or no part if the
    character is not defeated.
    """
    if not is_defeated(tale, who):
        raise Refused("", Reason("not-defeated", who=who))
    character = tale.characters[who]
    check_new(tale, who, fate.affliction)
    critical = judged.outcome is RollOutcome.CRITICAL
    if critical and fate.lasts is not None:
        raise Refused("lasts", Reason("permanent-anyway"))
    if fate.lasts is Lasts.PERMANENT:
        raise Refused("lasts", Reason("permanent-by-critical"))
    if fate.fatal and not deadly:
        raise Refused("fatal", Reason("death-unwarned"))
    if fate.fatal and fate.stays:
        raise Refused("stays", Reason("dead-stays-not"))
    lasts = Lasts.PERMANENT if critical else fate.lasts or Lasts.LONGER
    afflictions = (*character.afflictions, Affliction(fate.affliction, lasts))
    if fate.fatal:
        dead = replace(character, afflictions=afflictions, dead=True)
        return tale.put(who, dead)
    left = replace(
        character, afflictions=afflictions, resolve=character.resolve_max, out=not fate.stays
    )
    return tale.put(who, left)


def check_new(tale: Tale, who: str, affliction: str) -> None:
    """Raise :class:`Refused` if the character already has a quirk or an affliction of this name."""
    character = tale.named(who)
    if affliction in character.quirks or character.affliction(affliction):
        raise Refused("affliction", Reason("called-so-already", text=shown(affliction), who=who))
