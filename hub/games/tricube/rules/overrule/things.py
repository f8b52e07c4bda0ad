"""Overrules of a challenge (``RULES.md`` C15): foes flee, tokens are added, a warning is given.

Each function takes the table and the overrule, and raises :class:`Refused`.
"""

from msgspec.structs import replace

from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.challenge import Challenge
from hub.games.tricube.rules.overrule import word as w
from hub.games.tricube.rules.table import Table
from hub.kernel.faults import shown


# book: c15.changed
def challenge(state: Table, holds: w.ChallengeIs) -> Table:
    """Change a challenge. A new difficulty applies from the next roll, deadliness at once."""
    before = _named(state, holds.name)
    effort = before.effort if holds.effort is None else holds.effort
    left = min(before.left, effort) if holds.left is None else holds.left
    if holds.left is None and holds.effort is not None and effort > before.effort:
        left = before.left + effort - before.effort  # tokens are added
    if left > effort:
        raise Refused("left", Reason("number-from-to", least=0, most=effort))
    hidden = state.sealed_challenges
    if holds.difficulty is not None and holds.name in hidden:
        if is_sealed_now(state, holds.name):
            raise Refused("difficulty", Reason("difficulty-being-sealed", text=shown(holds.name)))
        hidden -= {holds.name}
    after = replace(
        before,
        difficulty=before.difficulty if holds.difficulty is None else holds.difficulty,
        effort=effort,
        left=left,
        deadly=before.deadly if holds.deadly is None else holds.deadly,
        over=before.over if holds.over is None else holds.over,
    )
    rolling = state.rolling
    if rolling is not None and rolling.challenge == holds.name:
        rolling = replace(rolling, deadly=after.deadly)
    tale = state.tale.with_challenge(holds.name, after)
    return replace(state, tale=tale, sealed_challenges=hidden, rolling=rolling)


def is_sealed_now(state: Table, name: str) -> bool:
    """Whether the GM is now sealing the difficulty of this challenge."""
    rolling = state.rolling
    return bool(rolling and rolling.challenge == name and rolling.sealed and not rolling.approached)


# book: c15.changed
def no_challenge(state: Table, holds: w.NoChallenge) -> Table:
    """Remove a challenge that no character is rolling at."""
    _named(state, holds.name)
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


def past(state: Table, holds: w.PastChallenge) -> Table:
    """Set whether a character has got past a challenge."""
    before = _named(state, holds.name)
    state.tale.named(holds.who, "who")
    others = tuple(who for who in before.bypassed if who != holds.who)
    if (holds.who in before.bypassed) == holds.bypassed:
        return state
    bypassed = (*others, holds.who) if holds.bypassed else others
    asking = state.asking
    wants = asking is not None and (asking.who, asking.challenge) == (holds.who, holds.name)
    tale = state.tale.with_challenge(holds.name, replace(before, bypassed=bypassed))
    return replace(state, tale=tale, asking=None if wants else asking)


def _named(state: Table, name: str) -> Challenge:
    found = state.tale.challenges.get(name)
    if found is None:
        names = [*state.tale.challenges] or Reason("none")
        raise Refused("name", Reason("no-challenge", text=shown(name), names=names))
    return found
