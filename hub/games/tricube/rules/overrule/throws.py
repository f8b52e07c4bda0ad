"""The GM's word over the roll in progress. What has been settled of a roll is taken back first.

Each takes the table and what is to hold, and raises :class:`Refused`.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from msgspec.structs import replace

from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules import roll as rolls
from hub.games.tricube.rules.character import Character
from hub.games.tricube.rules.overrule import word as w
from hub.games.tricube.rules.settling import Gain, Token
from hub.games.tricube.rules.table import Rolling, Table, What
from hub.games.tricube.rules.view import is_settled
from hub.kernel.faults import shown

ValueT = TypeVar("ValueT")


def open_rolls(state: Table) -> tuple[str, ...]:
    """Whose roll is not settled."""
    rolling = state.rolling
    if rolling is None:
        return ()
    left = tuple(name for name in rolling.rolls if not is_settled(rolling, name))
    # Two that oppose each other are judged by each other's dice.
    whole = rolling.what is What.CHALLENGE or len(left) == len(rolling.rolls)
    return left if whole else ()


def lying(state: Table) -> tuple[str, ...]:
    """Whose dice lie in a roll that is not settled."""
    rolling = state.rolling
    return () if rolling is None or not rolling.landed else open_rolls(state)


def hard_by_gm(state: Table) -> tuple[str, ...]:
    """Whose roll is as hard as the GM says."""
    rolling = state.rolling
    if rolling is None or rolling.what is not What.CHALLENGE:
        return ()
    return tuple(who for who in open_rolls(state) if rolling.rolls[who].difficulty is not None)


def dice(state: Table, holds: w.DiceLie) -> Table:
    """They are judged anew, with the karma that was paid."""
    name = _one_of(holds.name, lying(state))
    rolling = _rolling(state)
    names = [name] if rolling.what is What.CHALLENGE else [*rolling.rolls]
    state = taken_back(state, names)
    rolling = _rolling(state)
    made = rolls.throw(rolling.rolls[name], holds.dice)
    all_ = {**rolling.rolls, name: made}
    if rolling.what is not What.CHALLENGE:
        all_ = {each: replace(roll, difficulty=None) for each, roll in all_.items()}
    return _asked_again(state, replace(rolling, rolls=all_))


def difficulty(state: Table, holds: w.RollIsHard) -> Table:
    """Of this roll alone; the challenge stays as hard as it is."""
    name = _one_of(holds.name, hard_by_gm(state))
    if _rolling(state).landed:
        state = taken_back(state, [name])
    rolling = _rolling(state)
    made = rolls.with_difficulty(rolling.rolls[name], holds.difficulty)
    changed = replace(rolling, rolls={**rolling.rolls, name: made})
    return _asked_again(state, changed)


def no_roll(state: Table, _: w.NoRoll) -> Table:
    """Karma that was paid comes back; a challenge that came with the call stays."""
    rolling = _rolling(state)
    if any(is_settled(rolling, name) for name in rolling.rolls):
        raise Refused("", Reason("roll-settled"))
    tale = taken_back(state, rolling.rolls).tale
    for roll in rolling.rolls.values():
        if roll.karma is not None:
            by = tale.characters[roll.karma.by]
            tale = tale.put(roll.karma.by, by.with_karma(roll.karma.paid))
    return replace(state, tale=tale, rolling=None, asking=None).stopped()


def taken_back(state: Table, names: Iterable[str]) -> Table:
    """As before these rolls were judged. The karma that was paid stays paid."""
    rolling, tale = _rolling(state), state.tale
    names = [*names]
    for name in names:
        roll = rolling.rolls[name]
        met = tale.challenges.get(roll.challenge or "")
        judged = rolling.judged.get(name)
        if met is not None and judged is not None and not roll.defense and judged.hits:
            left = min(met.left + rolling.removed.get(name, 0), met.effort)
            # What an earlier roll of this call has overcome stays overcome (C16).
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
    """What came back goes again, as far as it is still there: the GM may have said otherwise."""
    if gain.what is Token.KARMA:
        return one.with_karma(-min(gain.amount, one.karma))
    return one.with_resolve(-min(gain.amount, one.resolve - 1))


def _asked_again(state: Table, rolling: Rolling) -> Table:
    """Karma can change what it could not before."""
    fresh = not any(is_settled(rolling, name) for name in rolling.rolls)
    again = rolling.asked_karma and not (fresh and rolling.landed)
    asking = state.asking
    if asking is not None and asking.what == "karma":
        asking = None  # whoever asked is asked again
    wants = rolling.wants if again else {}
    anew = replace(rolling, asked_karma=again, wants=wants, asked_again=None)
    return replace(state, rolling=anew, asking=asking)


def _without(found: Mapping[str, ValueT], names: Iterable[str]) -> dict[str, ValueT]:
    return {name: each for name, each in found.items() if name not in names}


def _rolling(state: Table) -> Rolling:
    if state.rolling is None:
        raise Refused("", Reason("nothing-rolled"))
    return state.rolling


def _one_of(name: str, names: tuple[str, ...]) -> str:
    if name not in names:
        found = [*names] or Reason("none")
        raise Refused("name", Reason("no-roll-of", text=shown(name), names=found))
    return name
