"""The results of a judged roll: effort, the gain for a quirk, the price of a failure (``RULES.md``
C6 to C9)."""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.character import Character
from hub.games.tricube.rules.roll import Judged, Roll, RollOutcome
from hub.games.tricube.rules.tale import Tale


class Token(StrEnum):
    """A token that a quirk or a hindrance can bring back."""

    KARMA = "karma"
    RESOLVE = "resolve"


class Gain(Struct, frozen=True):
    """A token that came back; 0 if it was at its maximum."""

    what: Token
    amount: int


class Price(Struct, frozen=True):
    """The price of a failure as the GM sets it: resolve, a complication, a narrated result, or
    several of these."""

    resolve: bool = False
    complication: str = ""
    told: str = ""


class Paid(Struct, frozen=True):
    """The price actually paid."""

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
    """Remove an effort token of the challenge for each hit; a defense removes none (C8). Return the
    tale and the number removed."""
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
    """Regain a token for the quirk or hindrance of a roll: karma, or resolve if wanted and the roll
    succeeded. The gain is None if the roll had neither. Raises :class:`Refused`."""
    if not roll.burden:
        if want is not None:
            raise Refused("regain", Reason("regain-without-quirk"))
        return tale, None
    if want is Token.RESOLVE and not judged.outcome.succeeded:
        raise Refused("regain", Reason("resolve-after-success"))
    return come_back(tale, roll.who, want or Token.KARMA)


# book: c6.maximum
def come_back(tale: Tale, who: str, what: Token) -> tuple[Tale, Gain]:
    """Give back one karma or resolve, up to the maximum (C6)."""
    before = tale.characters[who]
    after = before.with_karma(1) if what is Token.KARMA else before.with_resolve(1)
    return tale.put(who, after), Gain(what, _all(after) - _all(before))


# book: failure-and-success.always, failure-and-success.which, challenges.critical-brings
# book: challenges.together, c9.*
def charge(
    tale: Tale, roll: Roll, judged: Judged, price: Price | None = None
) -> tuple[Tale, Paid | None]:
    """Charge the price of a failure (C9): resolve (one, or two after a critical failure, never more
    than are left), a complication, or what is told.

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


def _all(character: Character) -> int:
    return character.karma + character.resolve
