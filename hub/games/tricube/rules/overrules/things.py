"""Overrules of a challenge (C15): foes flee, tokens are added, a warning is given."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from hub.games.overrules import Clause, Holds, Name, of_each
from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.said import MAX_EFFORT, MAX_NAME_CHARS
from hub.games.tricube.rules.table import Table
from hub.games.tricube.rules.tale import DIFFICULTIES
from hub.kernel.faults import shown
from hub.kernel.forms import Field, flag, number, one

Difficulty = Annotated[int, Meta(ge=4, le=6)]
Effort = Annotated[int, Meta(ge=0, le=MAX_EFFORT)]
Something = Annotated[str, Meta(max_length=MAX_NAME_CHARS)]
"""The name of a challenge or an NPC, which may be longer than a character's."""


class HoldsOf(Holds, frozen=True, kw_only=True):
    """An overrule that concerns a character, an NPC or a challenge."""

    name: Something


class ChallengeIs(HoldsOf, frozen=True, kw_only=True, omit_defaults=True, tag="challenge"):
    """New values of a challenge; a missing value stays unchanged. ``left`` is how many effort
    tokens remain, ``over`` whether the challenge is overcome."""

    difficulty: Difficulty | None = None
    effort: Effort | None = None
    left: Effort | None = None
    deadly: bool | None = None
    over: bool | None = None


class NoChallenge(HoldsOf, frozen=True, kw_only=True, tag="no-challenge"):
    """A challenge, such as foes that have fled, is removed from the scene."""


class PastChallenge(HoldsOf, frozen=True, kw_only=True, tag="bypassed"):
    """Whether the character ``who`` has got past a challenge without a roll."""

    who: Name
    bypassed: bool = True


# book: c15.changed
def _challenge(state: Table, holds: ChallengeIs) -> Table:
    """The table with a challenge changed. A new difficulty applies from the next roll, deadliness
    at once."""
    before = state.tale.met(holds.name, "name")
    after = replace(before, **holds.given())
    if holds.left is None:
        # Tokens that are added are left, too.
        added = max(after.effort - before.effort, 0)
        after = replace(after, left=min(before.left + added, after.effort))
    if after.left > after.effort:
        raise Refused("left", Reason("number-from-to", least=0, most=after.effort))
    hidden = state.sealed_challenges
    if holds.difficulty is not None and holds.name in hidden:
        if _is_sealed_now(state, holds.name):
            raise Refused("difficulty", Reason("difficulty-being-sealed", text=shown(holds.name)))
        hidden -= {holds.name}
    rolling = state.rolling
    if rolling is not None and rolling.challenge == holds.name:
        rolling = replace(rolling, deadly=after.deadly)
    tale = state.tale.with_challenge(holds.name, after)
    return replace(state, tale=tale, sealed_challenges=hidden, rolling=rolling)


def _is_sealed_now(state: Table, name: str) -> bool:
    """Whether the GM is now sealing the difficulty of this challenge."""
    rolling = state.rolling
    return bool(rolling and rolling.challenge == name and rolling.sealed and not rolling.approached)


# book: c15.changed
def _no_challenge(state: Table, holds: NoChallenge) -> Table:
    """The table without a challenge. Raises :class:`Refused` if a character is rolling at it."""
    state.tale.met(holds.name, "name")
    if state.rolling is not None and state.rolling.challenge == holds.name:
        raise Refused("name", Reason("challenge-in-roll", text=shown(holds.name)))
    asking = state.asking
    if asking is not None and asking.challenge == holds.name:
        asking = None
    left = {name: each for name, each in state.tale.challenges.items() if name != holds.name}
    return replace(
        state,
        tale=replace(state.tale, challenges=left),
        sealed_challenges=state.sealed_challenges - {holds.name},
        asking=asking,
    )


def _past(state: Table, holds: PastChallenge) -> Table:
    before = state.tale.met(holds.name, "name")
    state.tale.named(holds.who, "who")
    others = tuple(who for who in before.bypassed if who != holds.who)
    if (holds.who in before.bypassed) == holds.bypassed:
        return state
    bypassed = (*others, holds.who) if holds.bypassed else others
    asking = state.asking
    wants = asking is not None and (asking.who, asking.challenge) == (holds.who, holds.name)
    tale = state.tale.with_challenge(holds.name, replace(before, bypassed=bypassed))
    return replace(state, tale=tale, asking=None if wants else asking)


def _challenge_form(state: Table, name: str) -> tuple[Field, ...]:
    now = state.tale.challenges[name]
    hard = (one("difficulty", "difficulty", DIFFICULTIES, first=now.difficulty),)
    return (
        *(() if name in state.sealed_challenges else hard),
        number("effort", first=now.effort, most=MAX_EFFORT),
        number("left", first=now.left, most=MAX_EFFORT),
        flag("deadly", first=now.deadly),
        flag("over", first=now.over),
    )


def _removable(state: Table) -> list[str]:
    at = state.rolling.challenge if state.rolling else None
    return [name for name in state.tale.challenges if name != at]


def _past_form(state: Table, name: str) -> tuple[Field, ...]:
    had = state.tale.challenges[name].bypassed
    each = {who: (flag("bypassed", first=who not in had),) for who in state.tale.characters}
    return (one("who", "who", each),)


CLAUSES: tuple[Clause[Table], ...] = (
    Clause(ChallengeIs, _challenge, of_each(lambda state: state.tale.challenges, _challenge_form)),
    Clause(NoChallenge, _no_challenge, of_each(_removable)),
    Clause(PastChallenge, _past, of_each(lambda state: state.tale.challenges, _past_form)),
)
