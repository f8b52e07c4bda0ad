"""What a roll that has been judged comes to: effort, what a quirk brings, the price of a failure
(``RULES.md`` C6 to C9)."""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.character import Character
from hub.games.tricube.rules.roll import Judged, Roll, RollOutcome
from hub.games.tricube.rules.tale import Tale


class Token(StrEnum):
    """What a quirk or a hindrance can bring back."""

    KARMA = "karma"
    RESOLVE = "resolve"


class Gain(Struct, frozen=True):
    """What came back; 0 where it stood at its maximum."""

    what: Token
    amount: int


class Price(Struct, frozen=True):
    """What the GM says a failure costs: resolve, a complication, what the story tells, or several
    of these."""

    resolve: bool = False
    complication: str = ""
    told: str = ""


class Paid(Struct, frozen=True):
    """What it really cost."""

    resolve: int = 0
    complication: str | None = None


# book: c9.usual
USUAL_PRICE = Price(resolve=True)
"""Of a roll against a challenge, where the GM says nothing else (C9)."""
# book: c9.opposed
NO_PRICE = Price()
"""Of a roll against another player character, where nobody says anything else (C9)."""


# book: challenges.tokens, turns.one-defense, c8.defense, c8.one-success
def apply_effort(tale: Tale, roll: Roll, judged: Judged) -> tuple[Tale, int]:
    """Each hit takes an effort token of the challenge, a defense none (C8); how many went."""
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
    """What the quirk or the hindrance of a roll brings back: karma, or after a success resolve, if
    that is wanted. None where there was neither. Raises :class:`Refused`."""
    if not roll.burden:
        if want is not None:
            raise Refused("regain", Reason("regain-without-quirk"))
        return tale, None
    if want is Token.RESOLVE and not judged.outcome.succeeded:
        raise Refused("regain", Reason("resolve-after-success"))
    return come_back(tale, roll.who, want or Token.KARMA)


# book: c6.maximum
def come_back(tale: Tale, who: str, what: Token) -> tuple[Tale, Gain]:
    """One karma or resolve more, to the maximum at most (C6)."""
    before = tale.characters[who]
    after = before.with_karma(1) if what is Token.KARMA else before.with_resolve(1)
    return tale.put(who, after), Gain(what, _all(after) - _all(before))


# book: failure-and-success.always, failure-and-success.which, challenges.critical-brings
# book: challenges.together, c9.*
def charge(
    tale: Tale, roll: Roll, judged: Judged, price: Price | None = None
) -> tuple[Tale, Paid | None]:
    """A failure has its price (C9): one resolve, two after a critical failure, never more than are
    left; a complication; what is told. None after a success, and where ``price`` is None, what is
    usual. Raises :class:`Refused`."""
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
    """Resolve that a failure costs, where it costs any (C9)."""
    return 2 if judged.outcome is RollOutcome.CRITICAL else 1


def _all(character: Character) -> int:
    return character.karma + character.resolve
