"""Overrules at the table: when each overrule is possible, and its form. After an overrule, the
table asks the characters that still have to choose."""

from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Any

from hub.games.game import IllegalChoice
from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.challenge import DIFFICULTIES
from hub.games.tricube.rules.character import Lasts
from hub.games.tricube.rules.flow import flow
from hub.games.tricube.rules.overrule import people, things, throws
from hub.games.tricube.rules.overrule import word as w
from hub.games.tricube.rules.overrule.leaving import settled_with
from hub.games.tricube.rules.roll import FACES
from hub.games.tricube.rules.said import MAX_EFFORT, MAX_NAME_CHARS
from hub.games.tricube.rules.table import Table
from hub.games.tricube.rules.view import is_settled
from hub.games.words import Clause, GmsWord, Holds
from hub.kernel.forms import Field, Kind, Option, each_of, flag, number, one, words

Says = Callable[[Table, Any], Table]
Form = Callable[[Table], tuple[Field, ...]]


def sayable(state: Table) -> Collection[type[Holds]]:
    """The overrules that are possible now."""
    if state.over:
        return ()
    shut: set[type[Holds]] = set()
    if not throws.lying(state):
        shut.add(w.DiceLie)
    if not throws.hard_by_gm(state):
        shut.add(w.RollIsHard)
    rolling = state.rolling
    if rolling is None or any(is_settled(rolling, name) for name in rolling.rolls):
        shut.add(w.NoRoll)
    if not state.tale.challenges:
        shut |= {w.ChallengeIs, w.NoChallenge, w.PastChallenge}
    return tuple(kind for kind in SAYS if kind not in shut)


def not_now(state: Table, kind: type[Holds], clause: str) -> Reason:
    """Why this overrule is not possible now."""
    if state.over:
        return Reason("scene-is-over")
    if kind in (w.ChallengeIs, w.NoChallenge, w.PastChallenge):
        return Reason("no-challenges")
    rolling = state.rolling
    if rolling is None:
        return Reason("nothing-rolled")
    if kind is w.DiceLie and not rolling.landed:
        return Reason("dice-lie-not")
    if kind is w.RollIsHard and not throws.hard_by_gm(state):
        return Reason("difficulty-not-by-word")
    return Reason("roll-settled")


def _follow(says: Says, state: Table, holds: Any) -> Table:
    try:
        said = says(state, holds)
    except Refused as no:
        raise IllegalChoice(no.reason) from None
    after = state if said == state else flow(settled_with(state, said))
    if after == state:
        raise IllegalChoice(Reason("so-in-the-tale"))
    return after


def _dice(state: Table) -> tuple[Field, ...]:
    rolling = state.rolling

    def of(name: str) -> tuple[Field, ...]:
        now = rolling.rolls[name].dice if rolling else ()
        count = len(now)
        return (
            Field(
                at=("dice",),
                kind=Kind.LIST,
                of="dice",
                options=tuple(map(Option, FACES)),
                least=count,
                most=count,
                first=[*now],
            ),
        )

    return each_of(throws.lying(state), of)


def _hard(state: Table) -> tuple[Field, ...]:
    rolling = state.rolling

    def of(name: str) -> tuple[Field, ...]:
        now = rolling.rolls[name].difficulty if rolling else None
        return (one("difficulty", "difficulty", DIFFICULTIES, first=now),)

    return each_of(throws.hard_by_gm(state), of)


def _challenge(state: Table) -> tuple[Field, ...]:
    def of(name: str) -> tuple[Field, ...]:
        now = state.tale.challenges[name]
        hard = (one("difficulty", "difficulty", DIFFICULTIES, first=now.difficulty),)
        return (
            *(() if name in state.sealed_challenges else hard),
            number("effort", first=now.effort, most=MAX_EFFORT),
            number("left", first=now.left, most=MAX_EFFORT),
            flag("deadly", first=now.deadly),
            flag("over", first=now.over),
        )

    return each_of(state.tale.challenges, of)


def _gone(state: Table) -> tuple[Field, ...]:
    at = state.rolling.challenge if state.rolling else None
    return each_of([name for name in state.tale.challenges if name != at], lambda _: ())


def _past(state: Table) -> tuple[Field, ...]:
    def of(name: str) -> tuple[Field, ...]:
        had = state.tale.challenges[name].bypassed
        each = {who: (flag("bypassed", first=who not in had),) for who in state.tale.characters}
        return (one("who", "who", each),)

    return each_of(state.tale.challenges, of)


def _tokens(state: Table) -> tuple[Field, ...]:
    def of(name: str) -> tuple[Field, ...]:
        now = state.tale.characters[name]
        return (
            number("karma", first=now.karma, most=w.MOST_TOKENS),
            number("karma_max", first=now.karma_max, most=w.MOST_TOKENS),
            number("resolve", first=now.resolve, least=int(bool(now.resolve)), most=w.MOST_TOKENS),
            number("resolve_max", first=now.resolve_max, least=1, most=w.MOST_TOKENS),
        )

    return each_of(state.tale.characters, of)


def _out(state: Table) -> tuple[Field, ...]:
    all_ = state.tale.characters
    living = [who for who, each in all_.items() if not each.dead]
    return each_of(living, lambda who: (flag("out", first=not all_[who].out),))


def _dead(state: Table) -> tuple[Field, ...]:
    all_ = state.tale.characters
    return each_of(all_, lambda who: (flag("dead", first=not all_[who].dead),))


def _affliction(state: Table) -> tuple[Field, ...]:
    text = words("affliction", most=MAX_NAME_CHARS, empty=Reason("is-missing"))
    lasts = one("lasts", "lasts", [str(each) for each in Lasts], first=str(Lasts.LONGER))
    return each_of(state.tale.characters, lambda _: (text, lasts))


def _named(key: str, has: Callable[[Table, str], Iterable[str]]) -> Form:
    """A form that chooses one of the things a character has."""

    def form(state: Table) -> tuple[Field, ...]:
        found = {who: [*has(state, who)] for who in state.tale.characters}
        able = [who for who, each in found.items() if each]
        return each_of(able, lambda who: (one(key, key, found[who]),))

    return form


def _quirk(state: Table) -> tuple[Field, ...]:
    text = words("quirk", most=MAX_NAME_CHARS, empty=Reason("is-missing"))
    return each_of(state.tale.characters, lambda _: (text,))


def _afflictions_of(state: Table, who: str) -> Iterable[str]:
    return (each.name for each in state.tale.characters[who].afflictions)


def _quirks_of(state: Table, who: str) -> Iterable[str]:
    return state.tale.characters[who].quirks


SAYS: dict[type[Holds], tuple[Says, Form | None]] = {
    w.DiceLie: (throws.dice, _dice),
    w.RollIsHard: (throws.difficulty, _hard),
    w.NoRoll: (throws.no_roll, None),
    w.ChallengeIs: (things.challenge, _challenge),
    w.NoChallenge: (things.no_challenge, _gone),
    w.PastChallenge: (things.past, _past),
    w.TaleTokens: (people.tokens, _tokens),
    w.OutOfScene: (people.out, _out),
    w.DeadOrAlive: (people.dead, _dead),
    w.HasAffliction: (people.affliction, _affliction),
    w.NoAffliction: (people.no_affliction, _named("affliction", _afflictions_of)),
    w.HasQuirk: (people.quirk, _quirk),
    w.NoQuirk: (people.no_quirk, _named("quirk", _quirks_of)),
}
"""The effect and the form of each overrule."""

WORD = GmsWord(
    clauses=tuple(
        Clause(kind, partial(_follow, says), form) for kind, (says, form) in SAYS.items()
    ),
    open_now=sayable,
    not_now=not_now,
)
"""All overrules in a tale."""
