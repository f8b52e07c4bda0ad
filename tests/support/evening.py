"""A table with a story, for tests that read like an evening of play.

``evening.do("rest full")`` is a GM action between scenes; ``refused`` returns the reason.
"""

from typing import Any

import msgspec
from msgspec import to_builtins
from msgspec.structs import replace

from hub.games.game import GM, RulesError
from hub.games.story import SceneRequest
from hub.games.triangle.rules.characters.sheet import Sheet
from hub.games.triangle.rules.edition import Energy
from hub.games.triangle.story.scenes import ConflictRequest, ProblemRequest
from hub.games.triangle.story.state import StoryState
from hub.games.triangle.story.views import PersonView, TriangleStoryView
from hub.table import acts as i
from hub.table.acts import StorySheets
from hub.table.state import SeatFault
from tests.rules.cast import known, npc, starting
from tests.support.said import deed_of
from tests.support.tabletalk import TableTalk


def sheets(ruleset: str = "unroll") -> list[Sheet]:
    """``ada`` and ``bo`` of the players, ``ninja`` and ``crow`` of the GM."""
    level = starting(ruleset).level
    foe = npc(ruleset=ruleset, level=level, moves=known("attack-low", "defend-mid", "grapple-high"))
    return [
        starting(ruleset, name="ada"),
        starting(ruleset, name="bo", max=Energy(3, 3, 4), energy=Energy(3, 3, 4)),
        replace(foe, name="ninja", max=Energy(4, 4, 4), energy=Energy(4, 4, 4)),
        replace(foe, name="crow", max=Energy(1, 1, 1), energy=Energy(1, 1, 1)),
    ]


def written(some: list[Sheet]) -> list[dict[str, Any]]:
    return [msgspec.to_builtins(sheet) for sheet in some]


def cast(ruleset: str = "unroll") -> list[dict[str, Any]]:
    return written(sheets(ruleset))


class Evening(TableTalk):
    """Seats ``ada``, ``bo`` and ``gm`` with a story of :func:`sheets`."""

    def __init__(
        self,
        ruleset: str = "unroll",
        party: list[Sheet] | None = None,
        reserve: list[Sheet] | None = None,
        house: dict[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        some = sheets(ruleset) if party is None else party
        told = StorySheets(written(some), written(reserve or []), house)
        self.give(i.BeginStory(ruleset, told))

    @property
    def story(self) -> TriangleStoryView:
        assert self.view.story is not None
        return self.view.story

    @property
    def sheets(self) -> dict[str, Sheet]:
        assert self.state.story is not None
        state: StoryState = self.state.story.state
        return dict(state.sheets)

    def sheet(self, name: str) -> PersonView:
        return self.story.party[name]

    def do(self, deed: str) -> None:
        assert self.state.story is not None
        try:
            given = deed_of(self.state.story.state, deed)
        except RulesError as error:
            raise SeatFault(error.reason) from None
        self.give(i.TellStory(given))

    def take_rest(self, kind: str) -> None:
        """Rest with the GM's permission, so that no conflict is asked for first."""
        self.do("overrule rest because the night is long")
        self.do(f"rest {kind}")

    def refused(self, deed: str) -> str:
        """The reason for which an action is refused; nothing may change."""
        before = self.state
        try:
            self.do(deed)
        except SeatFault as fault:
            assert self.state is before
            return str(fault)
        raise AssertionError(f"{deed!r} was done")

    def stage(self, request: SceneRequest) -> None:
        self.give(i.StartScene(to_builtins(request)))

    def duel(self, *, lethal: bool = False, stakes: str = "", **sides: tuple[str, ...]) -> None:
        self.stage(ConflictRequest(sides=sides, lethal=lethal, stakes=stakes))

    def face(self, problem: str, *interested: str) -> None:
        self.stage(ProblemRequest(problem=problem, interested=interested))

    def hit(self, victim: str = "ada") -> None:
        """Let the ninja hit a character of the duel, who splits the loss as suggested."""
        self.decide(GM, "active ninja")
        self.decide("ninja", f"opponent {victim}")
        self.show(gm="stance none", **{victim: "stance none"})
        self.show(gm="move attack-low", **{victim: "move grapple-low"})
        if self.step == "split":
            self.decide(victim, self.offers(victim)[0])

    def end(self) -> None:
        self.give(i.EndScene())
