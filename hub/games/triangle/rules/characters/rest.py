"""Rests, which all player characters take alike (R14).

Ref: Resting.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.sheet import Rest, Sheet, SheetError, said, set_points
from hub.games.triangle.rules.edition import Action


# book: rest.breather, rest.once-each, rest.full, rest.all-alike, specials.once
def rest(
    party: Sequence[Sheet], kind: Rest, choices: Mapping[str, Action] | None = None
) -> tuple[Sheet, ...]:
    """Return all sheets after the rest, in the same order; ``choices`` maps characters to a type.

    After a full rest the GM may mark a countdown. Raises :class:`SheetError` with all reasons
    against the rest.
    """
    chosen = choices or {}
    names = [sheet.name for sheet in party]
    reasons = [Reason("not-resting", who=name) for name in chosen if name not in names]
    if not party:
        reasons.append(Reason("nobody-rests"))
    if len(set(names)) < len(names):
        reasons.append(Reason("listed-twice"))
    for sheet in party:
        reasons += [
            Reason("whose", who=sheet.name, why=why)
            for why in _problems(sheet, kind, chosen.get(sheet.name))
        ]
    if reasons:
        raise SheetError(*reasons)
    return tuple(_rested(sheet, kind, chosen.get(sheet.name)) for sheet in party)


# book: rest.short, rest.equal-maximums
def rest_types(sheet: Sheet, kind: Rest) -> tuple[Action, ...]:
    """Return the types that the rest can restore, for the player to choose from.

    A breather: those below their maximum. A short rest: those with the lowest maximum. A full rest:
    none, because it restores all.
    """
    if kind is Rest.BREATHER:
        return tuple(each for each in Action if sheet.energy.of(each) < sheet.max.of(each))
    if kind is Rest.SHORT:
        lowest = min(map(sheet.max.of, Action))
        return tuple(each for each in Action if sheet.max.of(each) == lowest)
    return ()


def _problems(sheet: Sheet, kind: Rest, choice: Action | None) -> Iterator[Reason]:
    yield from map(said, faults_of(sheet))
    if sheet.npc:
        yield Reason("npc-recovers")
    if sheet.dead:
        yield Reason("is-dead")
    if kind in sheet.rested:
        named = Reason("short-rest") if kind is Rest.SHORT else kind
        yield Reason("had-rest", rest=named)
    types = rest_types(sheet, kind)
    if choice is None:
        if len(types) > 1:
            yield Reason("choose-type", types=[*types])
    elif choice not in types:
        allowed = [*types] or Reason("none-leave-out")
        yield Reason("type-not-for-rest", type=choice, types=allowed)


def _rested(sheet: Sheet, kind: Rest, choice: Action | None) -> Sheet:
    types = rest_types(sheet, kind)
    action = choice or (types[0] if types else None)
    energy, rested = sheet.energy, tuple(each for each in Rest if each in {*sheet.rested, kind})
    if kind is Rest.FULL:
        energy, rested = sheet.max, ()
    elif action is not None:
        most = sheet.max.of(action)
        points = most if kind is Rest.SHORT else min(most, energy.of(action) + 1)
        energy = set_points(energy, action, points)
    specials = sheet.specials
    if kind is Rest.FULL or sheet.book.any_rest_returns_specials:
        specials = tuple(replace(each, used=False) for each in specials)
    return replace(sheet, energy=energy, rested=rested, specials=specials)
