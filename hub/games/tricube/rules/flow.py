"""Automatic transitions at the table, from fallen dice to the next choice."""

from functools import partial

from msgspec.structs import replace

from hub.games.tricube.rules import settling
from hub.games.tricube.rules.character import Character
from hub.games.tricube.rules.perks import pay_for_roll
from hub.games.tricube.rules.roll import Judged, Roll, face, hits_of, judge, judge_both
from hub.games.tricube.rules.settling import Fate, Paid, Token, befall, is_defeated
from hub.games.tricube.rules.table import Asking, Rolling, Table, What, rolling_of
from hub.games.tricube.rules.view import is_settled
from hub.kernel.memo import Memo

_MADE = Memo()


def flow(state: Table) -> Table:
    """The table once everything that needs no choice is done."""
    while (after := _next(state)) is not None:
        state = after
    return state


def _next(state: Table) -> Table | None:
    rolling = state.rolling
    if state.asking is not None or rolling is None or not rolling.landed:
        return None
    if any(roll.difficulty is None for roll in rolling.rolls.values()):
        one, other = rolling.rolls
        faced = face(rolling.rolls[one], rolling.rolls[other])
        rolls = dict(zip((one, other), faced, strict=True))
        return replace(state, rolling=replace(rolling, rolls=rolls))
    if not rolling.asked_karma:
        if helpers(state):
            return None
        return replace(state, rolling=replace(rolling, asked_karma=True))
    left = next((name for name in rolling.rolls if not is_settled(rolling, name)), None)
    if left is None:
        return replace(state, rolling=None, last=rolling).stopped()
    return _settled(state, rolling, left)


def with_roll(rolling: Rolling, name: str, roll: Roll) -> Rolling:
    """The rolls with the roll of ``name`` replaced."""
    return replace(rolling, rolls={**rolling.rolls, name: roll})


# book: c5.moment
def easier(rolling: Rolling) -> tuple[str, ...]:
    """The names of the rolls that would get more hits by karma."""
    return tuple(
        name
        for name, roll in rolling.rolls.items()
        if rolling.what is not What.NPCS and roll.karma is None and _gains_hits(roll)
    )


def _gains_hits(roll: Roll) -> bool:
    hits = hits_of(roll)
    final = roll.final
    return hits is not None and final is not None and sum(d >= final - 1 for d in roll.dice) > hits


def helpers(state: Table) -> tuple[str, ...]:
    """The characters that could make a roll easier with perks, for karma or for a complication.

    The last result is kept, because the flow, the step and its choices all depend on it."""
    return _MADE.of("helpers", (state,), partial(_helpers, state))


def _helpers(state: Table) -> tuple[str, ...]:
    rolling, open_rolls = state.rolling, _unpromised(state)
    if rolling is None or not open_rolls:
        return ()
    return tuple(
        who
        for who in state.there()
        if state.tale.characters[who].perks
        and (rolling.asked_again is None or who in rolling.asked_again)
        and any(_may_promise(rolling, who, name) for name in open_rolls)
    )


# book: c5.each, c5.friend
def helped_by(state: Table, who: str) -> tuple[str, ...]:
    """The names of the rolls that a character can still promise karma for; each roll takes one
    karma (C5)."""
    rolling = state.rolling
    if rolling is None:
        return ()
    return tuple(name for name in _unpromised(state) if _may_promise(rolling, who, name))


def _unpromised(state: Table) -> tuple[str, ...]:
    """The names of the rolls that would get more hits by karma, and that nobody pays for yet."""
    easy = easier(state.rolling) if state.rolling else ()
    return tuple(name for name in easy if state.promised_by(name) is None)


def _may_promise(rolling: Rolling, who: str, name: str) -> bool:
    return all(want.by != who for want in rolling.wants.get(name, ()))


def _settled(state: Table, rolling: Rolling, name: str) -> Table | None:
    """The table after one step of settling the roll ``name``; None if a choice is needed."""
    if name not in rolling.judged:
        return _judged(state, rolling, name)
    judged = rolling.judged[name]
    if name not in rolling.gains:
        return _regained(state, rolling, name, judged)
    if name not in rolling.prices:
        if judged.outcome.succeeded or rolling.what is What.NPCS:
            return replace(state, rolling=replace(rolling, prices={**rolling.prices, name: None}))
        return None  # the GM names the price
    return None  # a fate, of the character or a foe


def _judged(state: Table, rolling: Rolling, name: str) -> Table | None:
    if rolling.what is not What.NPCS and _comes_to_nothing(state, rolling, name):
        moot = replace(rolling, moot=(*rolling.moot, name))
        return replace(state, rolling=moot)
    # Opposed rolls are judged only after the karma for both is paid (C13).
    names = [name] if rolling.what is What.CHALLENGE else [*rolling.rolls]
    for each in names:
        if rolling.wants.get(each):
            return _paid(state, rolling, each)
    if rolling.what is not What.CHALLENGE:
        both = judge_both(*rolling.rolls.values())
        judged = dict(zip(rolling.rolls, both, strict=True))
        return replace(state, rolling=replace(rolling, judged=judged))
    roll = rolling.rolls[name]
    judged_one = judge(roll)
    tale, removed = settling.apply_effort(state.tale, roll, judged_one)
    challenge = rolling.challenge or ""
    over = tale.challenges[challenge].over
    overcame = name if over and not state.tale.challenges[challenge].over else rolling.overcame
    done = replace(
        rolling,
        judged={**rolling.judged, name: judged_one},
        removed={**rolling.removed, name: removed},
        victor=name if over and removed > 0 else None,
        overcame=overcame,
    )
    return replace(state, tale=tale, rolling=done)


# book: c16.alone
def _comes_to_nothing(state: Table, rolling: Rolling, name: str) -> bool:
    """Whether a roll has no effect, because the roller or the challenge is gone. A challenge
    overcome by another roll of the same call still counts as present (C16)."""
    if rolling.what is What.CHALLENGE and not rolling.defense:
        met = state.tale.challenges.get(rolling.challenge or "")
        if met is None or (met.over and rolling.overcame is None):
            return True
    return rolling.what is What.CHALLENGE and not state.tale.characters[name].there


def _paid(state: Table, rolling: Rolling, name: str) -> Table:
    """The table after the first character that wants to make the roll ``name`` easier has paid, or
    is asked about a complication."""
    want, *others = rolling.wants[name]
    rest = replace(rolling, wants={**rolling.wants, name: tuple(others)})
    if rolling.rolls[name].karma is not None or not state.tale.characters[want.by].there:
        return replace(state, rolling=rest)
    if not state.tale.characters[want.by].karma:
        asking = Asking(what="karma", who=want.by, perks=want.perks, roll=name)
        return replace(state, rolling=rest, asking=asking)
    return pay(replace(state, rolling=rest), name, want.by, want.perks, None)


def pay(
    state: Table, name: str, by: str, perks: tuple[str, ...], complication: str | None
) -> Table:
    """The table after perks of the character ``by`` made the roll ``name`` easier. A
    ``complication`` replaces karma. Other characters' wishes for this roll lapse. Raises
    :class:`Refused`."""
    rolling = rolling_of(state)
    tale, roll = pay_for_roll(state.tale, rolling.rolls[name], perks, by, complication)
    paid = with_roll(replace(rolling, wants={**rolling.wants, name: ()}), name, roll)
    return replace(state, tale=tale, rolling=paid)


def both_could_come_back(one: Character) -> bool:
    """Whether a character can choose between regaining karma and resolve."""
    return one.karma < one.karma_max and one.resolve < one.resolve_max


def _regained(state: Table, rolling: Rolling, name: str, judged: Judged) -> Table | None:
    roll = rolling.rolls[name]
    if not roll.burden:
        return replace(state, rolling=replace(rolling, gains={**rolling.gains, name: None}))
    one = state.tale.characters[name]
    if judged.outcome.succeeded and both_could_come_back(one):
        return None
    best = one.karma == one.karma_max and one.resolve < one.resolve_max
    want = Token.RESOLVE if judged.outcome.succeeded and best else None
    return regained(state, name, want)


def regained(state: Table, name: str, want: Token | None) -> Table:
    """The table after the character ``name`` regained the token ``want``, or karma if that is None,
    for a quirk or an affliction. Raises :class:`Refused`."""
    rolling = rolling_of(state)
    tale, gain = settling.regain(state.tale, rolling.rolls[name], rolling.judged[name], want)
    gained = replace(rolling, gains={**rolling.gains, name: gain})
    return replace(state, tale=tale, rolling=gained)


def charged(state: Table, name: str, price: settling.Price | None) -> Table:
    """The table after the character ``name`` paid the price of a failure; None means the default
    price. Raises :class:`Refused`."""
    rolling = rolling_of(state)
    roll, judged = rolling.rolls[name], rolling.judged[name]
    tale, paid = settling.charge(state.tale, roll, judged, price)
    lost = (*rolling.defeated, name) if is_defeated(tale, name) else rolling.defeated
    prices: dict[str, Paid | None] = {**rolling.prices, name: paid}
    return replace(state, tale=tale, rolling=replace(rolling, prices=prices, defeated=lost))


def befallen(state: Table, name: str, said: Fate) -> Table:
    """The table after the fate ``said`` befell the defeated character ``name``. Raises
    :class:`Refused`."""
    rolling = rolling_of(state)
    deadly = rolling.deadly
    if rolling.challenge is not None:
        met = state.tale.challenges.get(rolling.challenge)
        deadly = met is not None and met.deadly
    tale = befall(state.tale, name, rolling.judged[name], said, deadly=deadly)
    fated = replace(rolling, fated=(*rolling.fated, name))
    return replace(state, tale=tale, rolling=fated)
