"""Overrules of a character: its tokens, quirks, afflictions, and whether it takes part.

Each function takes the table and the overrule, and raises :class:`Refused`.
"""

from msgspec.structs import replace

from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.character import Affliction, Character
from hub.games.tricube.rules.overrule import word as w
from hub.games.tricube.rules.roll import check_affliction, check_quirk
from hub.games.tricube.rules.said import check_name
from hub.games.tricube.rules.table import Table
from hub.kernel.faults import shown


def tokens(state: Table, holds: w.TaleTokens) -> Table:
    """Set karma and resolve, within their maxima. Resolve set for a living character is at least
    one."""
    before = state.tale.named(holds.name, "name")
    after = replace(
        before,
        karma=_said(holds.karma, before.karma),
        karma_max=_said(holds.karma_max, before.karma_max),
        resolve=_said(holds.resolve, before.resolve),
        resolve_max=_said(holds.resolve_max, before.resolve_max),
    )
    least = 0 if before.dead or holds.resolve is None else 1
    if after.resolve_max < 1:
        raise Refused("resolve_max", Reason("at-least-one"))
    if after.karma > after.karma_max:
        raise Refused("karma", Reason("number-from-to", least=0, most=after.karma_max))
    if not least <= after.resolve <= after.resolve_max:
        raise Refused("resolve", Reason("number-from-to", least=least, most=after.resolve_max))
    return _spared(_put(state, holds.name, after), holds.name)


def _said(given: int | None, now: int) -> int:
    return now if given is None else given


def _spared(state: Table, who: str) -> Table:
    """Cancel a pending defeat if the character has resolve again."""
    rolling = state.rolling
    if rolling is None or who not in rolling.defeated or who in rolling.fated:
        return state
    if not state.tale.characters[who].resolve:
        return state
    left = tuple(name for name in rolling.defeated if name != who)
    return replace(state, rolling=replace(rolling, defeated=left))


def out(state: Table, holds: w.OutOfScene) -> Table:
    """Put a living character out of this scene, or bring it back."""
    before = state.tale.living(holds.name, "name")
    return _put(state, holds.name, replace(before, out=holds.out))


def dead(state: Table, holds: w.DeadOrAlive) -> Table:
    """Set whether a character is dead. One brought back to life gets resolve."""
    before = state.tale.named(holds.name, "name")
    if before.dead == holds.dead:
        return state
    resolve = before.resolve or (0 if holds.dead else before.resolve_max)
    return _put(state, holds.name, replace(before, dead=holds.dead, resolve=resolve))


def affliction(state: Table, holds: w.HasAffliction) -> Table:
    """Add an affliction, or change how long an existing one lasts."""
    before = state.tale.named(holds.name, "name")
    check_name(holds.affliction, "affliction")
    if holds.affliction in before.quirks:
        why = Reason("called-so-already", text=shown(holds.affliction), who=holds.name)
        raise Refused("affliction", why)
    now = Affliction(holds.affliction, holds.lasts)
    if before.affliction(holds.affliction):
        found = tuple(now if each.name == holds.affliction else each for each in before.afflictions)
    else:
        found = (*before.afflictions, now)
    return _put(state, holds.name, replace(before, afflictions=found))


def no_affliction(state: Table, holds: w.NoAffliction) -> Table:
    """Remove an affliction."""
    before = state.tale.named(holds.name, "name")
    check_affliction(state.tale, holds.name, holds.affliction)
    return _put(state, holds.name, before.without_affliction(holds.affliction))


def quirk(state: Table, holds: w.HasQuirk) -> Table:
    """Add a quirk."""
    before = state.tale.named(holds.name, "name")
    check_name(holds.quirk, "quirk")
    if holds.quirk in before.quirks or before.affliction(holds.quirk):
        raise Refused("quirk", Reason("called-so-already", text=shown(holds.quirk), who=holds.name))
    return _put(state, holds.name, replace(before, quirks=(*before.quirks, holds.quirk)))


def no_quirk(state: Table, holds: w.NoQuirk) -> Table:
    """Remove a quirk. A roll that began with it keeps it."""
    before = state.tale.named(holds.name, "name")
    check_quirk(state.tale, holds.name, holds.quirk)
    left = tuple(each for each in before.quirks if each != holds.quirk)
    return _put(state, holds.name, replace(before, quirks=left))


def _put(state: Table, who: str, character: Character) -> Table:
    return replace(state, tale=state.tale.put(who, character))
