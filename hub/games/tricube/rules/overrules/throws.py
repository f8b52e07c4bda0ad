"""Overrules of the roll in progress. Settled parts of a roll are taken back first."""

from collections.abc import Iterable, Mapping
from typing import Annotated, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from hub.games.overrules import Clause, Holds, of_each
from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules import roll as rolls
from hub.games.tricube.rules.character import MOST_DICE, Character
from hub.games.tricube.rules.overrules.things import Difficulty, HoldsOf
from hub.games.tricube.rules.settling import Gain, Token
from hub.games.tricube.rules.table import Rolling, Table, What, rolling_of
from hub.games.tricube.rules.tale import DIFFICULTIES
from hub.games.tricube.rules.view import is_settled
from hub.kernel.faults import shown
from hub.kernel.forms import Field, Kind, Option, one

Die = Annotated[int, Meta(ge=1, le=6)]
ValueT = TypeVar("ValueT")


class DiceLie(HoldsOf, frozen=True, kw_only=True, tag="dice"):
    """A character's dice in the roll in progress are changed. Parts already settled are
    settled again."""

    dice: Annotated[tuple[Die, ...], Meta(max_length=MOST_DICE)]


class RollIsHard(HoldsOf, frozen=True, kw_only=True, tag="difficulty"):
    """The difficulty of a character's roll in progress is changed, before quirk and karma."""

    difficulty: Difficulty


class NoRoll(Holds, frozen=True, kw_only=True, tag="no-roll"):
    """All rolls in progress are cancelled."""


def _open_rolls(state: Table) -> tuple[str, ...]:
    """The names of the characters whose roll is not settled; none if an opposed roll is half
    settled."""
    rolling = state.rolling
    if rolling is None:
        return ()
    left = tuple(name for name in rolling.rolls if not is_settled(rolling, name))
    # Opposed rolls are judged by each other's dice, so they are open only together.
    whole = rolling.what is What.CHALLENGE or len(left) == len(rolling.rolls)
    return left if whole else ()


def lying(state: Table) -> tuple[str, ...]:
    """The characters whose dice have fallen in a roll that is not settled."""
    rolling = state.rolling
    return () if rolling is None or not rolling.landed else _open_rolls(state)


def hard_by_gm(state: Table) -> tuple[str, ...]:
    """The characters whose open roll has a difficulty set by the GM."""
    rolling = state.rolling
    if rolling is None or rolling.what is not What.CHALLENGE:
        return ()
    return tuple(who for who in _open_rolls(state) if rolling.rolls[who].difficulty is not None)


def _dice(state: Table, holds: DiceLie) -> Table:
    """The table with a character's dice changed. They are judged again, with the karma already
    paid."""
    name = _one_of(holds.name, lying(state))
    rolling = rolling_of(state)
    names = [name] if rolling.what is What.CHALLENGE else [*rolling.rolls]
    state = taken_back(state, names)
    rolling = rolling_of(state)
    made = rolls.throw(rolling.rolls[name], holds.dice)
    all_ = {**rolling.rolls, name: made}
    if rolling.what is not What.CHALLENGE:
        all_ = {each: replace(roll, difficulty=None) for each, roll in all_.items()}
    return _asked_again(state, replace(rolling, rolls=all_))


def _difficulty(state: Table, holds: RollIsHard) -> Table:
    """The table with the difficulty of this roll changed, but not that of the challenge."""
    name = _one_of(holds.name, hard_by_gm(state))
    if rolling_of(state).landed:
        state = taken_back(state, [name])
    rolling = rolling_of(state)
    made = rolls.with_difficulty(rolling.rolls[name], holds.difficulty)
    changed = replace(rolling, rolls={**rolling.rolls, name: made})
    return _asked_again(state, changed)


def _no_roll(state: Table, _: NoRoll) -> Table:
    """The table with the rolls cancelled. Karma paid for them comes back; a challenge added by the
    call stays."""
    rolling = rolling_of(state)
    if any(is_settled(rolling, name) for name in rolling.rolls):
        raise Refused("", Reason("roll-settled"))
    tale = taken_back(state, rolling.rolls).tale
    for roll in rolling.rolls.values():
        if roll.karma is not None:
            by = tale.characters[roll.karma.by]
            tale = tale.put(roll.karma.by, by.with_karma(roll.karma.paid))
    return replace(state, tale=tale, rolling=None, asking=None).stopped()


def taken_back(state: Table, names: Iterable[str]) -> Table:
    """The table before these rolls were judged. Karma already paid stays paid."""
    rolling, tale = rolling_of(state), state.tale
    names = [*names]
    for name in names:
        roll = rolling.rolls[name]
        met = tale.challenges.get(roll.challenge or "")
        judged = rolling.judged.get(name)
        if met is not None and judged is not None and not roll.defense and judged.hits:
            left = min(met.left + rolling.removed.get(name, 0), met.effort)
            # A challenge overcome by an earlier roll of this call stays overcome (C16).
            over = met.over and rolling.overcame not in (None, *names)
            tale = tale.with_challenge(roll.challenge or "", replace(met, left=left, over=over))
        if (gain := rolling.gains.get(name)) is not None:
            tale = tale.put(name, _without_gain(tale.characters[name], gain))
        if (paid := rolling.prices.get(name)) is not None:
            tale = tale.put(name, tale.characters[name].with_resolve(paid.resolve))
    back = replace(
        rolling,
        judged=_without(rolling.judged, names),
        removed=_without(rolling.removed, names),
        gains=_without(rolling.gains, names),
        prices=_without(rolling.prices, names),
        defeated=tuple(name for name in rolling.defeated if name not in names),
        victor=None if rolling.victor in names else rolling.victor,
        overcame=None if rolling.overcame in names else rolling.overcame,
    )
    return replace(state, tale=tale, rolling=back)


def _without_gain(one: Character, gain: Gain) -> Character:
    """The character after a gain is taken back, but no more than is left, because the GM may have
    changed the tokens."""
    if gain.what is Token.KARMA:
        return one.with_karma(-min(gain.amount, one.karma))
    return one.with_resolve(-min(gain.amount, one.resolve - 1))


def _asked_again(state: Table, rolling: Rolling) -> Table:
    """The table with these rolls. Unless one of them is settled, the question about karma is asked
    again, because karma may now change the outcome."""
    fresh = not any(is_settled(rolling, name) for name in rolling.rolls)
    again = rolling.asked_karma and not (fresh and rolling.landed)
    asking = state.asking
    if asking is not None and asking.what == "karma":
        asking = None  # the same character is asked again
    wants = rolling.wants if again else {}
    anew = replace(rolling, asked_karma=again, wants=wants, asked_again=None)
    return replace(state, rolling=anew, asking=asking)


def _without(found: Mapping[str, ValueT], names: Iterable[str]) -> dict[str, ValueT]:
    return {name: each for name, each in found.items() if name not in names}


def _one_of(name: str, names: tuple[str, ...]) -> str:
    if name not in names:
        found = [*names] or Reason("none")
        raise Refused("name", Reason("no-roll-of", text=shown(name), names=found))
    return name


def _dice_form(state: Table, name: str) -> tuple[Field, ...]:
    now, faces = rolling_of(state).rolls[name].dice, tuple(map(Option, rolls.FACES))
    count = len(now)
    return (
        Field(
            at=("dice",), kind=Kind.LIST, of="dice", options=faces,
            least=count, most=count, first=[*now],
        ),
    )  # fmt: skip


def _difficulty_form(state: Table, name: str) -> tuple[Field, ...]:
    now = rolling_of(state).rolls[name].difficulty
    return (one("difficulty", "difficulty", DIFFICULTIES, first=now),)


CLAUSES: tuple[Clause[Table], ...] = (
    Clause(DiceLie, _dice, of_each(lying, _dice_form)),
    Clause(RollIsHard, _difficulty, of_each(hard_by_gm, _difficulty_form)),
    Clause(NoRoll, _no_roll, None),
)
