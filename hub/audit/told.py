"""The facts that a log has told so far, and the faults found in it."""

from collections.abc import Mapping
from typing import Any

from hub.games.game import Game
from hub.games.story import Story
from hub.table import acts as r
from hub.wire.log import Line


class Told:
    """A log up to the current line; ``problems`` lists the faults found."""

    def __init__(
        self,
        table: str,
        *,
        whole: bool,
        games: Mapping[str, Game[Any]] | None = None,
        stories: Mapping[str, Story[Any]] | None = None,
    ) -> None:
        """``whole``: the log is heard from its first line. ``games``: rules to recompute the
        outcomes of chance, by ruleset id; a scene by other rules is a fault. None: no rules are
        known, and nothing is judged by them. ``stories``: the same for the deeds between scenes."""
        self.table = table
        self.whole = whole
        self.games = games
        self.stories = stories
        self.story: Story[Any] | None = None
        """The rules of the story, if known."""
        self.played_by_hub: set[str] = set()
        self.away: set[str] = set()
        self.log = ""
        self.opened = 0
        self.unopened = 0
        self.taken_back = 0
        self.falls = 0
        """How many outcomes of chance were recomputed."""
        self.falls_unknown = 0
        """How many outcomes of chance came about by unknown rules."""
        self.clock_sets: list[tuple[int, int]] = []
        """Numbers of the lines that set the clock, and by how much (ms)."""
        self.problems: list[str] = []
        self.digests: set[str] = set()
        """The digests of all seals so far."""
        self.number = 0
        """Number of the current line in the file."""
        self.now = Line(0, 0, "", r.Event())

    def blame(self, what: str) -> None:
        """Record a fault in the current line."""
        self.problems.append(f"line {self.number}: {what}")

    def hub_may_play(self, actor: str) -> bool:
        """Whether the hub may be playing this actor; always true if the log's beginning is
        unknown."""
        return actor in self.played_by_hub or not self.whole


def who(event: r.Event) -> str:
    """How a fault's text begins: the event, with its actor if useful."""
    if isinstance(event, r.CardSealed):
        return f"{event.actor} commits"
    if isinstance(event, r.SealGone | r.Withdrawn):
        return "a seal is undone"
    return r.tag_of(event)
