"""The possible consequences in a tale, as values; ``following`` derives them."""

from hub.games.game import Consequence
from hub.games.tricube.rules.character import Absent, Lasts
from hub.games.tricube.rules.roll import RollOutcome
from hub.games.tricube.rules.settling import Token


class ChallengeCame(Consequence, frozen=True, kw_only=True, tag="challenge-came"):
    """A challenge has entered the scene. Its difficulty is None while it is sealed."""

    name: str
    difficulty: int | None
    effort: int
    deadly: bool


class ChallengeChanged(Consequence, frozen=True, kw_only=True, tag="challenge-changed"):
    """The GM has changed a challenge, or revealed its difficulty. ``left`` effort tokens remain."""

    name: str
    difficulty: int | None
    effort: int
    left: int
    deadly: bool


class ChallengeOvercome(Consequence, frozen=True, kw_only=True, tag="challenge-overcome"):
    """A challenge was overcome, or no longer counts as overcome."""

    name: str
    overcome: bool


class ChallengeGone(Consequence, frozen=True, kw_only=True, tag="challenge-gone"):
    """The GM has removed a challenge from the scene."""

    name: str


class ChallengeBypassed(Consequence, frozen=True, kw_only=True, tag="challenge-bypassed"):
    """A character got past a challenge without a roll, or the GM took that back."""

    name: str
    who: str
    bypassed: bool


class DiceFell(Consequence, frozen=True, kw_only=True, tag="dice-fell"):
    """A character's dice have fallen, or the GM has changed them. ``final`` is what each die has to
    reach; ``hits`` and ``outcome`` are the result so far."""

    who: str
    dice: tuple[int, ...]
    final: int | None
    quirk: str | None
    hindered: str | None
    hits: int | None
    outcome: RollOutcome | None


class RollMadeEasier(Consequence, frozen=True, kw_only=True, tag="roll-made-easier"):
    """Perks of the character ``by`` made the roll of ``who`` easier, for ``paid`` karma (1) or, if
    that is 0, for a ``complication``."""

    who: str
    by: str
    perks: tuple[str, ...]
    paid: int
    complication: str | None


class OutcomeChanged(Consequence, frozen=True, kw_only=True, tag="outcome-changed"):
    """The result of a character's fallen dice has changed, for example because a perk made the roll
    easier."""

    who: str
    final: int | None
    hits: int | None
    outcome: RollOutcome | None


class CameToNothing(Consequence, frozen=True, kw_only=True, tag="came-to-nothing"):
    """A character's roll has no effect, because the challenge was already overcome or gone, or the
    character no longer takes part."""

    who: str


class EffortTaken(Consequence, frozen=True, kw_only=True, tag="effort-taken"):
    """A character removed effort tokens from a challenge; ``left`` remain."""

    who: str
    challenge: str
    removed: int
    left: int


class TokenRegained(Consequence, frozen=True, kw_only=True, tag="token-regained"):
    """A character regained a token for a quirk or an affliction that made its roll harder;
    ``amount`` is 0 if the character had the maximum."""

    who: str
    regained: Token
    amount: int


class PricePaid(Consequence, frozen=True, kw_only=True, tag="price-paid"):
    """A character paid the price of a failure. With neither resolve nor a complication, the price
    is only a part of the story."""

    who: str
    resolve: int
    complication: str | None


class LastResolveGone(Consequence, frozen=True, kw_only=True, tag="last-resolve-gone"):
    """A character is defeated, because its last resolve is gone."""

    who: str


class ContestDecided(Consequence, frozen=True, kw_only=True, tag="contest-decided"):
    """Two opposed rolls are decided; ``winner`` is None if neither wins."""

    sides: tuple[str, ...]
    winner: str | None


class AfflictionCame(Consequence, frozen=True, kw_only=True, tag="affliction-came"):
    """A character has a new affliction, or an affliction lasts for a different time than before."""

    who: str
    name: str
    lasts: Lasts


class AfflictionGone(Consequence, frozen=True, kw_only=True, tag="affliction-gone"):
    """A character no longer has an affliction, for example because it was cured."""

    who: str
    name: str


class QuirkCame(Consequence, frozen=True, kw_only=True, tag="quirk-came"):
    """A character has a new quirk: a converted affliction, or one that the GM has set."""

    who: str
    name: str


class QuirkGone(Consequence, frozen=True, kw_only=True, tag="quirk-gone"):
    """A character has lost a quirk by the GM's overrule."""

    who: str
    name: str


class KarmaNow(Consequence, frozen=True, kw_only=True, tag="karma-now"):
    """A character's karma or its maximum (``most``) has changed by something other than a roll."""

    who: str
    karma: int
    most: int


class ResolveNow(Consequence, frozen=True, kw_only=True, tag="resolve-now"):
    """A character's resolve or its maximum (``most``) has changed by something other than a
    roll."""

    who: str
    resolve: int
    most: int


class AbsentNow(Consequence, frozen=True, kw_only=True, tag="absent-now"):
    """A character no longer takes part; ``absent`` says why. None means that it takes part
    again."""

    who: str
    absent: Absent | None


AnyConsequence = (
    ChallengeCame
    | ChallengeChanged
    | ChallengeOvercome
    | ChallengeGone
    | ChallengeBypassed
    | DiceFell
    | RollMadeEasier
    | OutcomeChanged
    | CameToNothing
    | EffortTaken
    | TokenRegained
    | PricePaid
    | LastResolveGone
    | ContestDecided
    | AfflictionCame
    | AfflictionGone
    | QuirkCame
    | QuirkGone
    | KarmaNow
    | ResolveNow
    | AbsentNow
)
