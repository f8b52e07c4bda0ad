"""Characters for tests: one sound starting sheet for each book, and the marks for a level-up."""

from typing import Any

from msgspec.structs import replace

from hub.games.triangle.rules.characters.sheet import Background, KnownMove, Sheet, Trait
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.editions import EDITIONS

FREE_START = ("attack-high", "attack-mid", "defend-mid", "grapple-low")


def known(*ids: str) -> tuple[KnownMove, ...]:
    """Moves with names; variants are written as on their cards."""
    parts = (text.partition(" ") for text in ids)
    return tuple(KnownMove(move, f"my {move}", variant) for move, _, variant in parts)


def starting(ruleset: str = "unroll", **changes: Any) -> Sheet:
    """A sound character at the book's starting level, with these changes."""
    book = EDITIONS[ruleset]
    sheet = Sheet(
        ruleset=ruleset,
        name="Wenna",
        level=book.level,
        max=Energy(4, 3, 3),
        energy=Energy(4, 3, 3),
        moves=known(*(book.start_moves or FREE_START)),
        belief=Trait("Debts are paid in daylight"),
        flaw=Trait("Cannot leave a dare alone"),
        goal=Trait("Bring the ferry bell home"),
        backgrounds=(Background("ferry hand"), Background("choir voice")),
    )
    return replace(sheet, **changes)


def with_marks(sheet: Sheet, *zero: Action) -> Sheet:
    """Add the marks that a level-up needs: belief, goal and these types (attack by default)."""
    return replace(
        sheet,
        belief=replace(sheet.belief, marked=True),
        goal=replace(sheet.goal, marked=True),
        zero=zero or (Action.ATTACK,),
    )


def npc(**changes: Any) -> Sheet:
    """A sound NPC."""
    sheet = Sheet(
        ruleset="unroll",
        name="toll keeper",
        npc=True,
        level=1,
        max=Energy(2, 6, 0),
        energy=Energy(2, 6, 0),
        moves=(KnownMove("defend-low"),),
    )
    return replace(sheet, **changes)
