"""The public views of a Conflict, the display and a stream's overlay: axe finds nothing at
a Balance Breaker, over Losses, or when all but one are out."""

import asyncio
from typing import Any

import pytest

from hub.table import acts as i
from hub.table.acts import SceneSetup
from hub.table.state import Settings
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import PlayedTable
from tests.adapters.web.test_accessibility import SETTLED
from tests.adapters.web.test_overlay import STREAM
from tests.support.accessibility import violations
from tests.support.browser import resize

SEATS = {"north": ("ada", "bo"), "south": ("crew",), "gm": ("kaiju",)}


def sheet(value: int, **more: object) -> dict[str, object]:
    return {"attribute": {"name": "paper", "value": value}, **more}


BALANCED: dict[str, dict[str, Any]] = {
    "kaiju": sheet(8, gm=True, goal="destroy the city", weaknesses=["Power lines"]),
    "force": {
        "goal": "save the city",
        "characters": {
            "ada": sheet(6, aspects=["Knows every street"], reserve=["51 reversed"]),
            "bo": {"weaknesses": [], "reserve": ["6 upright"]},
        },
    },
    "crew": sheet(7),
}
AHEAD = BALANCED | {"kaiju": BALANCED["kaiju"] | sheet(10)}


class Conflict:
    """A Conflict at the table behind the pages; any command is given for any actor."""

    def __init__(self, table: PlayedTable) -> None:
        self.table = table
        table.settings = Settings(seats=SEATS, gm_seat="gm")

    @property
    def step(self) -> str:
        scene = self.table.state.scene
        return scene.pending.step if scene else ""

    def begin(self, parties: dict[str, Any]) -> None:
        if self.table.state.scene is not None:
            self.table.tell(i.EndScene())
        setup = SceneSetup("tourists", {"parties": parties})
        self.table.tell(i.Request(i.StartScene(), scene=("The harbour", setup)))
        self.rest("tactics")

    def say(self, actor: str, choice: str) -> None:
        self.table.decide(actor, choice)

    def rest(self, *steps: str) -> None:
        """Answer every question by default, as long as the step is one of these."""
        while self.step in steps:
            kinds = self.table.state.scene.pending.kinds  # type: ignore[union-attr]
            asked, choice = next(
                (each.actor, offer.choice)
                for each in self.table.questions()
                for offer in each.offers
                if offer.choice.kind in kinds and not offer.reason
            )
            self.say(asked, str(choice))

    def word(self, **holds: object) -> None:
        self.table.tell(i.Overrule(holds=holds, because="so it is"))

    # The moments

    def breaker(self) -> None:
        """All have drawn, and the answers are open."""
        self.begin(BALANCED)
        self.say("kaiju", "drawn 19 reversed")
        self.say("ada", "drawn 9 reversed")
        self.say("crew", "drawn 21 upright")
        assert self.step == "answers"

    def losses(self) -> None:
        """Ahead by two ranks, with Losses of both kinds, one of them used. A Token is spent, a card
        was rejected, and one is upside down and can be answered."""
        self.begin(AHEAD)
        for number in (30, 31):
            self.word(what="card", number=number, to="loss", name="crew")
        self.word(what="lasting", name="force", who="bo", cards=[43, 44, 45], text="A mech limps")
        self.word(what="loss", name="force", loss=1, who="bo", text="A mech limps", face_down=[43])
        self.say("ada", "drawn 72 reversed")
        self.say("kaiju", "turn")
        self.rest("answers")
        self.say("crew", "drawn 12 reversed")
        self.say("kaiju", "reject")
        self.say("crew", "loss 30")
        self.say("crew", "drawn 39 reversed")
        assert self.step == "answers"

    def victory(self) -> None:
        """Narrated, with the parties that are out, each in its way."""
        self.left_by("crew")

    def nobody(self) -> None:
        """The same without a victor."""
        self.left_by("crew", "kaiju")

    def left_by(self, *parties: str) -> None:
        self.begin(AHEAD)
        self.word(what="out", name="force", out=True, wiped_out=True)
        self.rest("bid", "losses", "tell")
        for name in parties:
            self.say(name, "concede")
        self.rest("part", "refill", "parting-draw")
        assert self.step == "over"


MOMENTS = {
    "breaker": {"en": "21", "de": "21"},
    "losses": {"en": "Crew: 39", "de": "Crew: 39"},
    "victory": {"en": "Kaiju wins", "de": "Kaiju gewinnt"},
    "nobody": {"en": "No one is left", "de": "Im Konflikt ist niemand übrig"},
}
"""Each moment with the last text it shows."""


@pytest.mark.parametrize(("page", "language"), [("display", "de"), ("overlay", "en")])
async def test_axe_finds_nothing(pages: Pages, looker: Looker, page: str, language: str) -> None:
    resize(looker.browser, STREAM)
    conflict = Conflict(pages.table)
    await looker.open(pages.url(f"{page}?lang={language}"))
    for moment, says in MOMENTS.items():
        getattr(conflict, moment)()
        await looker.until_says(says[language])
        await looker.run(SETTLED)
        found = await asyncio.to_thread(violations, looker.browser)
        assert not found, (moment, "\n".join(found))
