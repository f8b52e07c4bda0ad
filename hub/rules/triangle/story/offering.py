"""What a story puts before the GM for each character: levels, marks, losses, replacements."""

from collections.abc import Iterator

from hub.rules.game import Choice, Offer
from hub.rules.reasons import together
from hub.rules.story import LevelUps
from hub.rules.triangle.characters.level_up import Choices, not_yet, regainable
from hub.rules.triangle.characters.marks import TRAITS, trait_of
from hub.rules.triangle.characters.options import options
from hub.rules.triangle.edition import Action
from hub.rules.triangle.story.clauses import CLAUSE
from hub.rules.triangle.story.newcomers import waiting_players
from hub.rules.triangle.story.state import StoryState
from hub.rules.triangle.story.written import JOIN, REPLACE

MOST_REPLACEMENTS = 16
"""More than a table has players; a longer list helps nobody."""


def level_ups(state: StoryState) -> dict[str, LevelUps]:
    """What each player character that is alive could learn, and what it could regain (R16)."""
    party = state.party
    found = {}
    for name, sheet in party.items():
        allies = [ally for other, ally in party.items() if other != name]
        offers = [Offer(_written(each.choices), each.reason) for each in options(sheet, allies)]
        offers += (Offer(Choice("regain", each)) for each in regainable(sheet))
        against = not_yet(sheet)
        found[name] = LevelUps(together(against) if against else None, tuple(offers))
    return found


def character_deeds(state: StoryState) -> Iterator[Choice]:
    """Marks made and taken back, a point lost to a problem, who could follow the dead or join."""
    for name, sheet in state.party.items():
        for key in TRAITS:
            yield Choice("unmark" if trait_of(sheet, key).marked else "mark", f"{key} {name}")
        for action in Action:
            if sheet.energy.of(action):
                yield Choice("lose", f"{name} {action} 1")
    dead = [name for name, sheet in state.sheets.items() if sheet.dead and not sheet.npc]
    waiting = waiting_players(state)
    pairs = [f"{name} by {fresh}" for name in dead for fresh in waiting]
    yield from (Choice(REPLACE, pair) for pair in pairs[:MOST_REPLACEMENTS])
    yield from (Choice(JOIN, name) for name in waiting[:MOST_REPLACEMENTS])


def _written(choices: Choices) -> Choice:
    """One thing to learn in the grammar of ``clauses``."""
    for change in choices.combos:
        return Choice("combo", f"{change.start} {change.move} {change.instead_of}".rstrip())
    if choices.variant:
        given_up = f"{CLAUSE} instead-of {choices.replaces}" if choices.replaces else ""
        return Choice("variant", f"{choices.variant}{given_up}")
    if choices.energy:
        return Choice("energy", choices.energy)
    return Choice("special", choices.special) if choices.special else Choice("move", choices.move)
