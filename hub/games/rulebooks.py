"""The games and stories that a table can play."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec import Struct

from hub.games.game import Game, RulesError
from hub.games.story import Story
from hub.kernel.reasons import Reason

ValueT = TypeVar("ValueT")


class ByNeed(Mapping[str, ValueT]):
    """Values whose names are known, and which are fetched one by one when they are asked for."""

    def __init__(self, names: tuple[str, ...], fetch: Callable[[str], ValueT]) -> None:
        self._names = names
        self._fetch = fetch
        self._fetched: dict[str, ValueT] = {}

    def __getitem__(self, name: str) -> ValueT:
        if name not in self._fetched:
            if name not in self._names:
                raise KeyError(name)
            self._fetched[name] = self._fetch(name)
        return self._fetched[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


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
