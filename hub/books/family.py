"""What a family of rules brings: its games, and the faces by which the other rooms use it.

A family is one or more rulesets that share an engine. Its rules are pure and lie in
``hub.rules.FAMILY``; its faces lie in ``hub.books.FAMILY``, a module for each, and are imported
when they are first asked for. A family that lacks a face lacks what it is for, and plays.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from hub.rules.game import Game
from hub.rules.story import Story


class House(Protocol):
    """House rules, as a family has read them."""

    @property
    def id(self) -> str:
        """The name of the ruleset that they make."""
        ...

    @property
    def base(self) -> str:
        """The ruleset that they are derived from."""
        ...


class Script(Protocol):
    """How its scenes are written for ``facedown resolve``."""

    @property
    def RULESETS(self) -> Sequence[str]:
        """Those that a script may name."""
        ...

    def play(
        self, script: Any, default: str, known: Sequence[str], house: Any = None
    ) -> Iterator[dict[str, Any]]:
        """Play a script (JSON values; nothing is believed of them yet). Yields an object for each
        step, then the closing one.

        ``default`` is the ruleset of a script that names none; ``known`` are all that one may
        name, those of other families too, for the fault of one that names another; ``house`` are
        this family's house rules, if some are given. Raises
        :class:`hub.rules.reading.ScriptError`, also in the middle: what was yielded stands.
        """
        ...


class Family:
    """A family of rules. Subclasses set what they have."""

    id: str
    """The name of its packages, and of its pages' folder in ``static/js/games``."""
    games: tuple[Game[Any], ...]
    """Its rulesets; the first is the one that is meant where none is named."""
    stories: tuple[Story[Any], ...] = ()
    """What lasts between scenes, by some of these rulesets."""

    @property
    def script(self) -> Script | None:
        """How its scenes are written for ``facedown resolve``; None: they cannot be."""
        return None
