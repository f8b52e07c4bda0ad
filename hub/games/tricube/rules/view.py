"""The public view of a tale: everything but sealed choices, which are not part of the state."""

from typing import Literal, get_args

from msgspec import Struct

from hub.games.game import GameView, view_of
from hub.games.tricube.rules.character import TYPES, Absent, Character, Lasts, Style, Trait, Type
from hub.games.tricube.rules.perks import Use
from hub.games.tricube.rules.roll import Judged, RollOutcome, has_won, judge, judge_both
from hub.games.tricube.rules.said import Kind
from hub.games.tricube.rules.settling import Gain, Paid, Token
from hub.games.tricube.rules.table import Asking, Rolling, Table, What
from hub.games.tricube.rules.tale import Challenge

_NAMES: dict[Type, Kind] = dict(zip(TYPES, get_args(Kind), strict=True))


class AfflictionView(Struct, frozen=True, kw_only=True):
    """A harm that a character keeps, usually from a defeat."""

    name: str
    lasts: Lasts


class TaleCharacterView(Struct, frozen=True, kw_only=True):
    """A character: its archetype, tokens and afflictions."""

    trait: Trait
    concept: str
    style: Style
    perks: tuple[str, ...]
    quirks: tuple[str, ...]
    karma: int
    karma_max: int
    resolve: int
    resolve_max: int
    afflictions: tuple[AfflictionView, ...]
    absent: Absent | None
    """Why the character takes no part in this scene; None if it does."""
    away: bool
    """Whether the character's player has left; the character is then asked nothing."""
    defended: bool
    """Whether the character has rolled a defense in this turn."""


class ChallengeView(Struct, frozen=True, kw_only=True):
    """A challenge of this scene. ``bypassed`` are the characters that got past the challenge
    without a roll."""

    difficulty: int | None
    """The difficulty; None while it is sealed."""
    effort: int
    left: int
    """How many effort tokens remain, of ``effort``."""
    deadly: bool
    """Whether the players were warned of death."""
    overcome: bool
    bypassed: tuple[str, ...]


class DifficultyView(Struct, frozen=True, kw_only=True):
    """The difficulty of a roll: the value ``set``, and the ``final`` one that each die has to
    reach. Both are None while they are unknown."""

    set: int | None
    quirk: int
    """1 for a quirk or an affliction that counts, else 0."""
    karma: int
    """-1 if perks made the roll easier, else 0."""
    final: int | None


class KarmaView(Struct, frozen=True, kw_only=True):
    """The payment of the character ``by`` that made a roll easier."""

    by: str
    perks: tuple[str, ...]
    paid: int
    """Karma paid; 0 if a complication replaced it."""
    complication: str | None


class RegainedView(Struct, frozen=True, kw_only=True):
    """A token regained for a quirk or an affliction; ``amount`` is 0 if the character had the
    maximum."""

    what: Token
    amount: int


class PriceView(Struct, frozen=True, kw_only=True):
    """The price actually paid for a failure: how much resolve, and the complication, if any."""

    resolve: int
    complication: str | None


class RollView(Struct, frozen=True, kw_only=True):
    """A roll, from its call until the next call. Values not known yet are None."""

    of: Kind | None
    """The type of the roll; None for an NPC."""
    count: int
    """How many dice the roll has."""
    thrown_by: str | None
    """The actor that throws an NPC's dice; None for a character, which throws its own dice."""
    dice: tuple[int, ...] | None
    difficulty: DifficultyView
    quirk: str | None
    hindered: str | None
    """The affliction that the GM lets count."""
    again: bool
    """Whether the roll is an additional defense in this turn, allowed by the GM."""
    wanted: tuple[str, ...]
    """Characters that want to make the roll easier and have not paid yet."""
    promised_by: str | None
    """The first character in ``wanted`` that has enough karma; no other character is asked then.
    None if there is no such character."""
    karma: KarmaView | None
    hits: int | None
    outcome: RollOutcome | None
    removed: int
    """How many effort tokens the roll removed."""
    gain: RegainedView | None
    price: PriceView | None
    defeated: bool
    moot: bool
    """Whether the roll has no effect, because the challenge was already over or the roller gone."""
    settled: bool


class RollingView(Struct, frozen=True, kw_only=True):
    """The rolls of one call. ``winner`` is the winner of opposed rolls, None if there is
    none."""

    what: What
    challenge: str | None
    defense: bool
    deadly: bool
    sealed: bool
    """Whether the GM seals the difficulty together with the approaches."""
    by_hand: bool
    rolls: dict[str, RollView]
    order: tuple[str, ...]
    """The rollers in the order in which their rolls are settled."""
    now: str | None
    """The roll being settled; None before karma is decided, and once all rolls are settled."""
    winner: str | None


class AskedView(Struct, frozen=True, kw_only=True):
    """An open question: a player's request or the GM's offer."""

    what: Literal["complication", "perk", "cure", "karma"]
    who: str
    perks: tuple[str, ...]
    told: str
    quirk: str | None
    affliction: str | None
    patient: str | None
    use: Use | None
    challenge: str | None
    roll: str | None
    complication: str | None
    """The complication that the GM offers instead of karma; None before the GM has answered."""
    brings: int | None
    """The karma that the GM's offer of a complication would bring, 0 or 1; None for other
    questions."""


class TricubeView(GameView, frozen=True, kw_only=True, tag="tricube"):
    """The public view of a scene of a tale."""

    throws: Literal["table", "hand"]
    """Whether the table throws the dice or players do by hand, unless a call says otherwise."""
    turns: int
    """The number of the current turn."""
    around: tuple[str, ...]
    """The characters in order around the table."""
    cast: dict[str, TaleCharacterView]
    listed: tuple[str, ...]
    """The challenges in the order they came."""
    challenges: dict[str, ChallengeView]
    rolling: RollingView | None
    last_rolling: RollingView | None
    """The newest settled rolls, until the next call."""
    asked: AskedView | None


def public_view(state: Table) -> TricubeView:
    """The public view of a scene. A challenge whose difficulty is sealed is shown without it."""
    tale = state.tale
    return TricubeView(
        throws=state.dice,
        turns=state.turn,
        around=tuple(tale.characters),
        cast={who: _character(state, who, each) for who, each in tale.characters.items()},
        listed=tuple(tale.challenges),
        challenges={name: _challenge(state, name, c) for name, c in tale.challenges.items()},
        rolling=_rolling(state, state.rolling) if state.rolling else None,
        last_rolling=_rolling(state, state.last) if state.last else None,
        asked=_asked(state, state.asking) if state.asking else None,
    )


def _character(state: Table, who: str, one: Character) -> TaleCharacterView:
    return view_of(
        TaleCharacterView,
        one,
        afflictions=tuple(view_of(AfflictionView, each) for each in one.afflictions),
        away=who in state.away,
        defended=who in state.tale.defended,
    )


def _challenge(state: Table, name: str, one: Challenge) -> ChallengeView:
    hidden = name in state.sealed_challenges
    difficulty = None if hidden else one.difficulty
    return view_of(ChallengeView, one, difficulty=difficulty, overcome=one.over)


def _rolling(state: Table, rolling: Rolling) -> RollingView:
    judged = judged_so_far(rolling)
    settled = {name for name in rolling.rolls if is_settled(rolling, name)}
    now = next((name for name in rolling.rolls if name not in settled), None)
    winner = next((name for name, each in judged.items() if has_won(each)), None)
    return view_of(
        RollingView,
        rolling,
        rolls={name: _roll(state, rolling, name, judged.get(name)) for name in rolling.rolls},
        order=tuple(rolling.rolls),
        now=now if rolling.asked_karma else None,
        winner=None if rolling.what is What.CHALLENGE else winner,
    )


def judged_so_far(rolling: Rolling) -> dict[str, Judged]:
    """Roll → the result of its fallen dice, with the karma paid so far. Empty before all dice have
    fallen."""
    if not rolling.landed or any(each.difficulty is None for each in rolling.rolls.values()):
        return {}
    if rolling.what is What.CHALLENGE:
        found = {name: judge(roll) for name, roll in rolling.rolls.items()}
    else:
        found = dict(zip(rolling.rolls, judge_both(*rolling.rolls.values()), strict=True))
    return found | {**rolling.judged}


def is_settled(rolling: Rolling, name: str) -> bool:
    """Whether nothing about this roll is left to decide."""
    if name in rolling.moot:
        return True
    told = name not in rolling.defeated or name in rolling.fated
    return name in rolling.prices and told and rolling.victor != name


def _roll(state: Table, rolling: Rolling, name: str, judged: Judged | None) -> RollView:
    roll, unsettled = rolling.rolls[name], rolling is state.rolling
    shown = None if name in rolling.moot else judged
    return RollView(
        of=None if roll.kind is None else _NAMES[roll.kind],
        count=roll.count,
        thrown_by=rolling.throwers.get(name),
        dice=roll.dice or None,
        difficulty=DifficultyView(
            set=roll.difficulty, quirk=roll.burden, karma=roll.relief, final=roll.final
        ),
        quirk=roll.quirk,
        hindered=roll.hindered,
        again=name in rolling.again,
        wanted=tuple(each.by for each in rolling.wants.get(name, ())),
        promised_by=state.promised_by(name) if unsettled else None,
        karma=view_of(KarmaView, roll.karma) if roll.karma else None,
        hits=shown.hits if shown else None,
        outcome=shown.outcome if shown else None,
        removed=rolling.removed.get(name, 0),
        gain=_gain(rolling.gains.get(name)),
        price=_price(rolling.prices.get(name)),
        defeated=name in rolling.defeated,
        moot=name in rolling.moot,
        settled=is_settled(rolling, name),
    )


def _gain(gain: Gain | None) -> RegainedView | None:
    return view_of(RegainedView, gain) if gain else None


def _price(paid: Paid | None) -> PriceView | None:
    return view_of(PriceView, paid) if paid else None


def _asked(state: Table, asking: Asking) -> AskedView:
    brings = None
    if asking.what == "complication":
        one = state.tale.characters[asking.who]
        brings = int(one.karma < one.karma_max)
    return view_of(AskedView, asking, brings=brings)
