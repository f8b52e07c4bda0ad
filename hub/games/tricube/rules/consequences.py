"""What can follow by the rules in a tale, as values; ``following`` finds it."""

from hub.games.game import Consequence
from hub.games.tricube.rules.character import Absent, Lasts
from hub.games.tricube.rules.roll import RollOutcome
from hub.games.tricube.rules.settling import Token


class ChallengeCame(Consequence, frozen=True, kw_only=True, tag="challenge-came"):
    """A challenge has come into the scene; its difficulty is None as long as it is sealed."""

    name: str
    difficulty: int | None
    effort: int
    deadly: bool


class ChallengeChanged(Consequence, frozen=True, kw_only=True, tag="challenge-changed"):
    """A challenge is as hard as this now, so many tokens are left of so many, and it is deadly or
    not: the GM has said so, or shown how hard it is."""

    name: str
    difficulty: int | None
    effort: int
    left: int
    deadly: bool


class ChallengeOvercome(Consequence, frozen=True, kw_only=True, tag="challenge-overcome"):
    """Nothing is left of a challenge, or it stands again."""

    name: str
    overcome: bool


class ChallengeGone(Consequence, frozen=True, kw_only=True, tag="challenge-gone"):
    """A challenge is not in this scene any more."""

    name: str


class ChallengeBypassed(Consequence, frozen=True, kw_only=True, tag="challenge-bypassed"):
    """Somebody has got past a challenge without a roll, or not after all."""

    name: str
    who: str
    bypassed: bool


class DiceFell(Consequence, frozen=True, kw_only=True, tag="dice-fell"):
    """Somebody's dice lie, and what they come to as things stand. ``final`` is what each of them
    has to reach."""

    who: str
    dice: tuple[int, ...]
    final: int | None
    quirk: str | None
    hindered: str | None
    hits: int | None
    outcome: RollOutcome | None


class RollMadeEasier(Consequence, frozen=True, kw_only=True, tag="roll-made-easier"):
    """Somebody's roll has become easier by perks of ``by``, for a karma or a complication."""

    who: str
    by: str
    perks: tuple[str, ...]
    paid: int
    complication: str | None


class OutcomeChanged(Consequence, frozen=True, kw_only=True, tag="outcome-changed"):
    """The dice that lie come to something else than before."""

    who: str
    final: int | None
    hits: int | None
    outcome: RollOutcome | None


class CameToNothing(Consequence, frozen=True, kw_only=True, tag="came-to-nothing"):
    """Somebody's roll has come to nothing: it was over before."""

    who: str


class EffortTaken(Consequence, frozen=True, kw_only=True, tag="effort-taken"):
    """Somebody has taken so many effort tokens of a challenge; so many are left."""

    who: str
    challenge: str
    removed: int
    left: int


class TokenRegained(Consequence, frozen=True, kw_only=True, tag="token-regained"):
    """A quirk or an affliction that counted has brought this back; 0: it was at its maximum."""

    who: str
    regained: Token
    amount: int


class PricePaid(Consequence, frozen=True, kw_only=True, tag="price-paid"):
    """What a failure has cost; neither of both: what the story tells."""

    who: str
    resolve: int
    complication: str | None


class LastResolveGone(Consequence, frozen=True, kw_only=True, tag="last-resolve-gone"):
    """Somebody is defeated."""

    who: str


class ContestDecided(Consequence, frozen=True, kw_only=True, tag="contest-decided"):
    """Of two that rolled against each other one has won, or nobody."""

    sides: tuple[str, ...]
    winner: str | None


class AfflictionCame(Consequence, frozen=True, kw_only=True, tag="affliction-came"):
    """Somebody has an affliction more, or has it for another time than before."""

    who: str
    name: str
    lasts: Lasts


class AfflictionGone(Consequence, frozen=True, kw_only=True, tag="affliction-gone"):
    """Somebody has an affliction no more."""

    who: str
    name: str


class QuirkCame(Consequence, frozen=True, kw_only=True, tag="quirk-came"):
    """Somebody has a quirk more."""

    who: str
    name: str


class QuirkGone(Consequence, frozen=True, kw_only=True, tag="quirk-gone"):
    """Somebody has a quirk no more."""

    who: str
    name: str


class KarmaNow(Consequence, frozen=True, kw_only=True, tag="karma-now"):
    """Somebody has so much karma, by something else than a roll."""

    who: str
    karma: int
    most: int


class ResolveNow(Consequence, frozen=True, kw_only=True, tag="resolve-now"):
    """Somebody has so much resolve, by something else than a roll."""

    who: str
    resolve: int
    most: int


class AbsentNow(Consequence, frozen=True, kw_only=True, tag="absent-now"):
    """Somebody takes part no more, and why; None: takes part again."""

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
