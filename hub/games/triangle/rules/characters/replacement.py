"""Replacement characters, who continue a fighting tradition (R16).

Ref: Replacement characters, of each book.
"""

from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.level_up import Choices, FollowUp, learn
from hub.games.triangle.rules.characters.sheet import (
    REPLACEMENT_LEVEL,
    KnownMove,
    Sheet,
    SheetError,
    said,
)
from hub.games.triangle.rules.edition import Action


# book: replacement.highest-level
def replacement_level(deceased: Sheet) -> int:
    """Return the highest level at which a replacement for the deceased can start."""
    return max(deceased.book.level, min(REPLACEMENT_LEVEL, deceased.level))


# book: end.replaced, replacement.step-by-step, replacement.moves, replacement.no-special
# book: replacement.for-the-dead
def replacement(
    fresh: Sheet, deceased: Sheet, level_ups: Sequence[Choices], party: Collection[Sheet] = ()
) -> Sheet:
    """Return a new character that continues the tradition of a dead one.

    ``fresh`` is a valid sheet at the starting level; each of ``level_ups`` raises it by one. Such
    level-ups need no marks, any maximum may grow, the deceased counts as an ally for combos, and no
    special can be learned. ``decided`` carries over, because it belongs to the player (R24). Raises
    :class:`SheetError` with the reasons against it.
    """
    start = fresh.book.level
    most = replacement_level(deceased)
    reasons = [*map(said, faults_of(fresh, party))]
    if not deceased.dead:
        reasons.append(Reason("not-dead", who=deceased.name))
    if fresh.ruleset != deceased.ruleset:
        reasons.append(
            Reason("wrong-ruleset", who=deceased.name, book=deceased.ruleset, ruleset=fresh.ruleset)
        )
    if fresh.npc or deceased.npc:
        reasons.append(Reason("npc-no-tradition"))
    if fresh.level != start:
        reasons.append(Reason("level-ups-from", least=start, n=fresh.level))
    if start + len(level_ups) > most:
        reasons.append(Reason("replacement-level", who=deceased.name, most=most))
    for number, choices in enumerate(level_ups, start=1):
        if choices.special:
            reasons.append(Reason("not-handed-on", n=number, special=choices.special))
        if choices.regain:
            reasons.append(Reason("nothing-to-regain", n=number))
    if reasons:
        raise SheetError(*reasons)
    grown = fresh
    for number, choices in enumerate(level_ups, start=1):
        try:
            grown = learn(grown, choices, (*party, deceased))
        except SheetError as error:
            reasons = [Reason("level-up-number", n=number, why=why) for why in error.reasons]
            raise SheetError(*reasons) from None
    return replace(grown, decided=max(grown.decided, deceased.decided))


def tradition(fresh: Sheet, deceased: Sheet) -> Iterator[Choices]:
    """Yield the level-ups that the deceased can hand on. Some can only be taken after another one
    in the list (R21)."""
    known = {str(move) for move in fresh.moves}
    for move in deceased.moves:
        if str(move) not in known:
            learned = KnownMove(move.id, variant=move.variant)
            yield Choices(variant=learned) if move.variant else Choices(move=move.id)
    yield from (Choices(energy=action) for action in Action)
    for start, follow_ups in deceased.combos.items():
        new = (move for move in follow_ups if move not in fresh.combos.get(start, ()))
        yield from (Choices(combos=(FollowUp(start, move),)) for move in new)


def not_handed_on(deceased: Sheet, level_ups: Sequence[Choices]) -> tuple[Reason, ...]:
    """Return a reason against each move or combo in ``level_ups`` that the deceased did not know
    (R21)."""
    known = {str(move) for move in deceased.moves}
    reasons = []
    for number, choices in enumerate(level_ups, start=1):
        learned = [choices.move, str(choices.variant or "")]
        reasons += [
            Reason("level-up-move", n=number, who=deceased.name, move=move)
            for move in learned
            if move and move not in known
        ]
        reasons += [
            Reason("level-up-combo", n=number, who=deceased.name, start=each.start, move=each.move)
            for each in choices.combos
            if each.move not in deceased.combos.get(each.start, ())
        ]
    return tuple(reasons)
