"""The configured scene before it begins, as far as its players may see it: their own sheets."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from hub.games.game import RulesError, SetupError
from hub.games.rulebooks import Rulebooks
from hub.table.records import SceneSetup
from hub.table.state import SeatFault


class Coming(Struct, frozen=True):
    """A scene that has not begun."""

    ruleset: str
    sheets: Mapping[str, Any]
    """Actor → its sheet, in the form of a story's sheets."""


def coming(rulebooks: Rulebooks, setup: SceneSetup) -> Coming | None:
    """The scene of this setup; None if it cannot begin, or if its rules do not show setups."""
    try:
        game = rulebooks.game(setup.ruleset)
        if not game.shows_setup:
            return None
        begun = game.begin(setup.game)
    except (SetupError, RulesError, SeatFault):
        return None
    sheets = {actor: game.sheet(begun, actor) for actor in game.actors(begun)}
    return Coming(setup.ruleset, {actor: sheet for actor, sheet in sheets.items() if sheet})
