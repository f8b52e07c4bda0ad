"""The games and stories that a table can play."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from hub.games.game import Game, RulesError
from hub.games.story import Story
from hub.kernel.reasons import Reason


class Rulebooks(Struct, frozen=True, eq=False):
    """Games and stories by ruleset id. ``scripts``: rulesets for ``facedown resolve`` only."""

    games: Mapping[str, Game[Any]]
    stories: Mapping[str, Story[Any]]
    scripts: tuple[str, ...] = ()

    def game(self, ruleset: str) -> Game[Any]:
        """Return the game with this id. Raises :class:`RulesError`, which lists the known ids."""
        try:
            return self.games[ruleset]
        except KeyError:
            if ruleset in self.scripts:
                alone = Reason("scripts-alone", book=ruleset, books=[*self.games])
                raise RulesError(alone) from None
            known = Reason("no-ruleset", book=repr(ruleset[:40]), books=[*self.games])
            raise RulesError(known) from None

    def story(self, ruleset: str) -> Story[Any]:
        """Return the story with this id. Raises :class:`RulesError`, which lists the known ids."""
        try:
            return self.stories[ruleset]
        except KeyError:
            known = Reason("no-story-of", book=repr(ruleset[:40]), books=[*self.stories])
            raise RulesError(known) from None
