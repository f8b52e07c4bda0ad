"""Build a conflict's setup from sheets, and carry its results back to them.

``docs/rules/resolve.md`` describes the setup's format; ``evening.md`` says what a story adds to it.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from hub.games.game import SetupError
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.marks import mark_zero
from hub.games.triangle.rules.characters.sheet import KnownMove, Sheet, said
from hub.games.triangle.rules.conflict import Conflict
from hub.games.triangle.rules.edition import Move
from hub.games.triangle.rules.specials import used_by
from hub.games.triangle.rules.turn import last_stands_end
from hub.kernel.faults import Fault


# book: stakes.no-energy, redraw.tiring
def setup_of(
    sheets: Collection[Sheet],
    sides: Mapping[str, Collection[str]],
    lethal: bool = False,
    minor: bool = False,
    house: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the description of a conflict between two ``sides``, the GM's second.

    ``house`` are the house rules that apply to it and to its sheets. Raises :class:`SetupError`
    with every fault.
    """
    by_name = {sheet.name: sheet for sheet in sheets}
    faults = [*_side_faults(sheets, by_name, sides)]
    for sheet in sheets:
        reasons = (*map(said, faults_of(sheet)), *_tired_out(sheet))
        faults += (Fault(("characters", sheet.name), reason) for reason in reasons)
    if faults:
        raise SetupError(*faults)
    entering = [by_name[name] for names in sides.values() for name in names]
    return {
        "ruleset": entering[0].ruleset,
        "lethal": lethal,
        "minor": minor,
        "sides": {side: list(names) for side, names in sides.items()},
        "characters": {sheet.name: _character(sheet) for sheet in entering},
        **({"house": house} if house else {}),
    }


# book: left.sheet, specials.once, redraw.tiring, last.dead
def after_conflict(sheet: Sheet, conflict: Conflict) -> Sheet:
    """Return the sheet after a conflict that has ended or was aborted. In both cases a character in
    a last stand dies.

    A character who sat the conflict out can take part in the next one if at least one turn was
    played.
    """
    fighter = conflict.fighters.get(sheet.name)
    if fighter is None:
        return replace(sheet, sits_out=sheet.sits_out and not was_played(conflict))
    if not conflict.result:
        fighter = last_stands_end({sheet.name: fighter})[sheet.name]
    rules = sheet.book.specials
    used = {special.id for special in used_by(conflict, sheet.name)}
    spent = used | {special.id for special in fighter.spent}
    return replace(
        mark_zero(sheet, *fighter.reached),
        energy=fighter.energy,
        dead=sheet.dead or fighter.dead,
        sits_out=any(rules[special].tiring for special in used),
        specials=tuple(
            known if rules[known.id].per_conflict else replace(known, used=known.id in spent)
            for known in sheet.specials
        ),
    )


def was_played(conflict: Conflict) -> bool:
    """Whether at least one turn has been settled."""
    turn = conflict.turn
    return turn is not None and (turn.number > 1 or turn.splits is not None)


def _side_faults(
    sheets: Collection[Sheet], by_name: Mapping[str, Sheet], sides: Mapping[str, Collection[str]]
) -> Iterator[Fault]:
    placed = [name for names in sides.values() for name in names]
    if len(by_name) < len(sheets):
        yield Fault(("characters",), Reason("same-name-twice"))
    if len({sheet.ruleset for sheet in sheets}) > 1:
        yield Fault(("characters",), Reason("different-rulesets"))
    for side, names in sides.items():
        if not names:
            yield Fault(("sides", side), Reason("side-empty"))
        for name in names:
            if name not in by_name:
                yield Fault(("sides", side), Reason("no-sheet-of", who=name))
            if placed.count(name) > 1:
                yield Fault(("sides", side), Reason("placed-twice", who=name))
    for name in by_name:
        if name not in placed:
            yield Fault(("characters", name), Reason("on-no-side"))
    if len(sides) != 2:  # noqa: PLR2004  (the players' side and the GM's)
        yield Fault(("sides",), Reason("two-sides-needed", n=len(sides)))


def _tired_out(sheet: Sheet) -> Iterator[Reason]:
    if sheet.dead:
        yield Reason("dead", who=sheet.name)
    elif not sheet.energy.total:
        yield Reason("no-energy", who=sheet.name)
    if sheet.sits_out:
        after = [rule.id for rule in sheet.book.specials.values() if rule.tiring]
        yield Reason("sits-out", who=sheet.name, specials=after)


def why_not_enter(sheet: Sheet) -> Reason | None:
    """Why a character with a valid sheet cannot enter a conflict now; None if it can."""
    return next(_tired_out(sheet), None)


def _character(sheet: Sheet) -> dict[str, Any]:
    return {
        "level": sheet.level,
        "energy": to_builtins(sheet.energy),
        "max": to_builtins(sheet.max),
        "moves": [move_value(move) for move in sheet.moves],
        "combos": {start: list(follow_ups) for start, follow_ups in sheet.combos.items()},
        "specials": [special.id for special in sheet.specials],
        "used": [special.id for special in sheet.specials if special.used],
        "npc": sheet.npc,
    }


def move_value(move: KnownMove | Move) -> str | dict[str, str]:
    """Return a move as setups and scripts have it: an id, or an object with id and variant."""
    return {"move": move.id, "variant": move.variant} if move.variant else move.id
