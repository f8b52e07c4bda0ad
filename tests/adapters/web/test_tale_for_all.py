"""What everybody looks at while a tale is played, the display and a stream's overlay: axe finds
nothing while approaches lie sealed, over dice, karma and a defeat, nor when the scene is over; and
nothing is told of dice before they are thrown. In both languages."""

import asyncio
import json
from typing import Any

import pytest

from hub.rules.game import Choice
from hub.table import inputs as i
from hub.table.records import SceneSetup
from hub.table.state import Settings
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import PlayedTable
from tests.adapters.web.test_accessibility import SETTLED
from tests.adapters.web.test_overlay import STREAM
from tests.support.accessibility import violations
from tests.support.browser import resize

SEATS: dict[str, tuple[str, ...]] = {"ada": ("ada",), "bo": ("bo",), "gm": ()}
CAST = {
    "ada": {"trait": "agile", "concept": "ranger", "perks": ["Marksman"], "quirks": ["Greedy"]},
    "bo": {"trait": "brawny", "concept": "priest", "resolve": 1, "perks": ["Healer"]},
}
CHALLENGES = {"goblins": {"effort": 4, "deadly": True}, "the well": {"difficulty": 4}}


class Tale:
    """One at the table behind the pages; whatever is said is said for everybody."""

    def __init__(self, table: PlayedTable) -> None:
        self.table = table
        table.settings = Settings(seats=SEATS, gm_seat="gm")

    @property
    def step(self) -> str:
        scene = self.table.state.scene
        return scene.pending.step if scene else ""

    def call(self, **more: Any) -> None:
        said = {"challenge": "goblins", "type": "agile", "rollers": {"ada": {}, "bo": {}}, **more}
        self.table.decide("gm", f"call {json.dumps(said)}")

    def commit(self, actor: str, choice: str) -> None:
        self.table.tell(i.Commit(actor, i.Sealed(Choice.parse(choice)), by=actor, browser=actor))

    def reveal(self) -> None:
        self.table.tell(i.Tick(), self.table.settings.reveal_delay_ms)

    # What is looked at

    def sealed(self) -> None:
        """One has sealed, the other and the GM have not."""
        setup = SceneSetup("tricube", {"characters": CAST, "challenges": CHALLENGES})
        self.table.tell(i.StartScene("The ruins", setup))
        self.call(sealed=True, dice="hand")
        self.commit("ada", "approach quirk Greedy")
        assert self.step == "approach"

    def karma(self) -> None:
        """Dice lie, and a perk would help."""
        self.commit("bo", "approach plain")
        self.commit("gm", "difficulty 5")
        self.reveal()
        self.table.decide("ada", "dice 6 5 2")
        self.table.decide("bo", "dice 1 1")
        assert self.step == "karma"

    def defeat(self) -> None:
        """Somebody is out of the scene, for good with something."""
        self.table.decide("ada", "karma none")
        self.table.decide("bo", "karma none")
        while self.step in {"regain", "victor"}:
            self.table.decide("ada", "regain karma" if self.step == "regain" else "told")
        self.table.decide("gm", "price")
        self.table.decide("gm", 'fate {"affliction": "An arrow in the knee"}')
        assert self.step == "scene"

    def over(self) -> None:
        """The GM has ended it."""
        self.table.decide("gm", "end")
        assert self.step == "over"


MOMENTS = {
    "sealed": {"en": "how do you go about it?", "de": "Wie geht ihr es an?"},
    "karma": {"en": "Does a perk help?", "de": "Hilft ein Talent?"},
    "defeat": {"en": "An arrow in the knee", "de": "An arrow in the knee"},
    "over": {"en": "The scene is over", "de": "Die Szene ist vorbei"},
}
"""Each with something that it shows last; a stream shows the dice alone."""


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("page", ["display", "overlay"])
async def test_axe_finds_nothing(pages: Pages, looker: Looker, page: str, language: str) -> None:
    resize(looker.browser, STREAM)
    tale = Tale(pages.table)
    await looker.open(pages.url(f"{page}?lang={language}"))
    for moment, says in MOMENTS.items():
        getattr(tale, moment)()
        await looker.until("document.querySelector('h1')")
        if page == "display":
            await looker.until_says(says[language])
        faces = "document.querySelectorAll('.tale-die .on').length"
        if moment in {"sealed", "karma"}:
            await looker.until(f"{faces} === 0" if moment == "sealed" else f"{faces} > 0")
        await looker.run(SETTLED)
        found = await asyncio.to_thread(violations, looker.browser)
        assert not found, (moment, "\n".join(found))
