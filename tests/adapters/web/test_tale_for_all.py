"""The public views of a tale, the display and a stream's overlay: axe finds nothing in any
step, with physical dice and the table's; no dice are shown before they are thrown; eight
simultaneous rolls with long names are all visible. In both languages."""

import asyncio
import json
from typing import Any

import pytest

from hub.games.game import Choice
from hub.table import acts as i
from hub.table.acts import SceneSetup
from hub.table.state import Settings
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import PlayedTable
from tests.adapters.web.test_accessibility import SETTLED
from tests.adapters.web.test_overlay import STREAM
from tests.adapters.web.test_tale_frames import windows
from tests.support.accessibility import violations
from tests.support.browser import resize

SEATS: dict[str, tuple[str, ...]] = {"ada": ("ada",), "bo": ("bo",), "gm": ()}
CAST = {
    "ada": {
        **{"trait": "agile", "concept": "ranger", "perks": ["Marksman"], "quirks": ["Greedy"]},
        **{"karma": 2, "resolve": 2},
    },
    "bo": {"trait": "brawny", "concept": "priest", "resolve": 1, "perks": ["Healer"]},
}
ROOM, LAPTOP, PHONE = (1920, 1080), (1366, 768), (390, 844)
CHALLENGES = {"goblins": {"effort": 4, "deadly": True}, "the well": {"difficulty": 4}}


class Tale:
    """A tale at the table behind the pages; any command is given for any actor."""

    def __init__(self, table: PlayedTable, *, seated: bool = False) -> None:
        self.table = table
        if not seated:
            table.settings = Settings(seats=SEATS, gm_seat="gm")

    @property
    def step(self) -> str:
        scene = self.table.state.scene
        return scene.pending.step if scene else ""

    def call(self, **more: Any) -> None:
        said = {"challenge": "goblins", "type": "agile", "rollers": {"ada": {}, "bo": {}}, **more}
        self.table.decide("gm", f"call {json.dumps(said)}")

    def commit(self, actor: str, choice: str) -> None:
        self.table.tell(i.Request(i.Commit(actor, i.Sealed(Choice.parse(choice))), actor, actor))

    def reveal(self) -> None:
        self.table.tell(i.Tick(), self.table.settings.reveal_delay_ms)

    def gm(self, kind: str, **said: Any) -> None:
        self.table.tell(i.Decide("gm", str(Choice(kind, json.dumps(said)))))

    # The moments, in their order

    def scene(self) -> None:
        """No roll yet."""
        setup = SceneSetup("tricube", {"characters": CAST, "challenges": CHALLENGES})
        self.table.tell(i.Request(i.StartScene(), scene=("The ruins", setup)))

    def approach(self) -> None:
        """One player has sealed, the other and the GM have not."""
        self.call(sealed=True, dice="hand")
        self.commit("ada", "approach quirk Greedy")

    def dice(self) -> None:
        """One player has thrown, the other has not."""
        self.commit("bo", "approach plain")
        self.commit("gm", "difficulty 5")
        self.reveal()
        self.table.decide("ada", "dice 6 5 2")

    def karma(self) -> None:
        """Dice have landed, and a perk would help."""
        self.table.decide("bo", "dice 1 1")

    def regain(self) -> None:
        """A quirk brings something."""
        self.table.decide("ada", "karma none")
        self.table.decide("bo", "karma none")

    def price(self) -> None:
        """A roll has failed."""
        self.table.decide("ada", "regain karma")

    def fate(self) -> None:
        """A character is defeated."""
        self.table.decide("gm", "price")

    def defeat(self) -> None:
        """The defeated is out of the scene, with a permanent affliction."""
        self.gm("fate", affliction="An arrow in the knee")
        assert self.step == "scene"

    def accept(self) -> None:
        """A complication is offered."""
        self.gm("offer", who="ada", told="It creaks", quirk="Greedy")

    def nod(self) -> None:
        """A perk is requested."""
        self.table.decide("ada", "accept no")
        wish = {"perks": ["Marksman"], "use": "bypass", "challenge": "the well", "told": "Up"}
        self.table.tell(i.Decide("ada", str(Choice("perk", json.dumps(wish)))))

    def locked(self) -> None:
        """The table's dice tumble in a contest."""
        self.table.decide("gm", "nod no")
        cured = {"bo": {**CAST["bo"], "resolve": 3}}
        setup = {"characters": CAST | cured, "challenges": CHALLENGES}
        self.table.decide("gm", "end")
        self.table.tell(i.EndScene())
        self.table.tell(
            i.Request(i.StartScene(), scene=("The ruins", SceneSetup("tricube", setup)))
        )
        self.gm("oppose", sides={"ada": {"type": "agile"}, "bo": {"type": "brawny"}})
        self.commit("ada", "approach plain")
        self.commit("bo", "approach plain")

    def opposed(self) -> None:
        """The dice have landed."""
        self.reveal()

    def throw(self) -> None:
        """A player is to throw for NPCs."""
        if self.step == "karma":
            self.table.decide("ada", "karma none")
            self.table.decide("bo", "karma none")
        if self.step == "price":
            self.table.decide("gm", "price")
        self.gm("npcs", sides={"knight": 3, "witch": 2})
        assert self.step == "throw"

    def thrown(self) -> None:
        """The dice for the NPCs have been thrown."""
        must = self.table.state.scene.pending.must[0]  # type: ignore[union-attr]
        self.table.decide(must, "throw")

    def victor(self) -> None:
        """The last token goes."""
        self.call(challenge={"name": "the door", "effort": 3}, dice="hand", rollers={"ada": {}})
        self.commit("ada", "approach plain")
        self.reveal()
        self.table.decide("ada", "dice 6 6 6")
        assert self.step == "victor"

    def over(self) -> None:
        """The GM has ended the scene."""
        self.table.decide("ada", "told")
        self.table.decide("gm", "end")
        assert self.step == "over"


MOMENTS = {
    "scene": ("What do you do?", "Was tut ihr?"),
    "approach": ("how do you go about it?", "Wie geht ihr es an?"),
    "dice": ("Throw the dice", "Werft die Würfel"),
    "karma": ("Does a perk help?", "Hilft ein Talent?"),
    "regain": ("What does the quirk bring", "Was bringt die Macke"),
    "price": ("What does it cost Bo?", "Was kostet es Bo?"),
    "fate": ("What happens to Bo?", "Was wird aus Bo?"),
    "defeat": ("An arrow in the knee (permanent)", "An arrow in the knee (dauerhaft)"),
    "accept": ("Because of: Greedy.", "Wegen: Greedy."),
    "nod": ("Marksman. It gets past: the well", "Marksman. Damit geht es daran vorbei: the well"),
    "locked": ("All cards are in", "Alle Karten liegen"),
    "opposed": ("", ""),
    "throw": ("Throw the dice", "Werft die Würfel"),
    "thrown": ("Knight", "Knight"),
    "victor": ("Overcome: the door", "Bezwungen: the door"),
    "over": ("The scene is over", "Die Szene ist vorbei"),
}
"""Each moment with the last text that the display shows, in both languages."""
FACES = {"karma", "opposed", "thrown", "victor"}
"""Moments in which dice are on the display."""


async def test_axe_finds_nothing(pages: Pages, looker: Looker) -> None:
    """On pages opened at once, so that each step is awaited once: the display in alternating
    languages, and the overlay, which shows no other words."""
    tale = Tale(pages.table)
    urls = {
        name: pages.url(f"{name.replace(' ', '?lang=')}")
        for name in ("display en", "display de", "overlay de")
    }
    async with windows(looker, urls, STREAM) as opened:
        for at, (moment, says) in enumerate(MOMENTS.items()):
            getattr(tale, moment)()
            for page in (opened[at % 2], *opened[2 : 2 + at % 2]):
                await page.looker.until("document.querySelector('h1')")
                if page.name.startswith("display"):
                    await page.looker.until_says(says[page.name.endswith("de")])
                faces = "document.querySelectorAll('.tale-die .on').length"
                if moment in FACES:
                    await page.looker.until(f"{faces} > 0 && document.querySelector('.still')")
                elif moment in {"approach", "locked"}:
                    await page.looker.until(f"{faces} === 0 && document.querySelector('.tale-die')")
                await page.looker.run(SETTLED)
                found = await asyncio.to_thread(violations, page.looker.browser)
                assert not found, (moment, page.name, "\n".join(found))


NAMES = ("ada", "bo", "cy", "dora", "emil", "fritzi", "gus", "hanna")
CROWD = [f"{name}-of-the-old-northern-lighthouse" for name in NAMES]
SEEN = """
const all = [...document.querySelectorAll(
  '.tale-roll, .tale-challenge, .tale-character, .headline')];
const found = [];
const boxes = all.map((one) => one.getBoundingClientRect());
boxes.forEach((one, at) => boxes.slice(at + 1).forEach((other, more) => {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  const two = [at, at + 1 + more].map((nth) => all[nth].textContent);
  if (across > 1 && down > 1) found.push(['over', ...two]);
}));
for (const one of document.querySelectorAll('.tale :is(h2, h3, p, span, b)')) {
  const { display } = getComputedStyle(one);
  const wide = one.scrollWidth > one.clientWidth + 1;
  if (display !== 'inline' && wide) found.push(['cut', one.textContent]);
}
const { scrollWidth, scrollHeight } = document.documentElement;
if (scrollWidth > innerWidth) found.push(['beside', scrollWidth]);
if (innerWidth > 1000 && scrollHeight > innerHeight) found.push(['below', scrollHeight]);
if (innerWidth > 1000) {
  const dice = [...document.querySelectorAll('.tale-die')];
  const small = Math.min(...dice.map((one) => one.offsetWidth));
  if (small < innerWidth / 50) found.push(['small', small]);
}
return found;
"""
"""Finds text that is covered, cut off, or outside the screen."""


@pytest.mark.parametrize("language", ["en", "de"])
async def test_eight_who_roll_at_once_are_all_seen(
    pages: Pages, looker: Looker, language: str
) -> None:
    table = pages.table
    table.settings = Settings(seats={"gm": (), **{who: (who,) for who in CROWD}}, gm_seat="gm")
    person = {"trait": "agile", "concept": "battle priest of the white mountain"}
    person |= {"perks": ["Marksman", "Healer of the old school"], "quirks": ["Greedy"]}
    hurt = {"afflictions": [{"name": "An arrow in the knee"}], "resolve": 1}
    cast = {who: person | (hurt if at == 1 else {}) for at, who in enumerate(CROWD)}
    scene = {"characters": cast, "challenges": CHALLENGES | {"the old bridge": {"effort": 3}}}
    tale = Tale(table, seated=True)
    resize(looker.browser, ROOM)
    await looker.open(pages.url(f"display?near&lang={language}"))
    table.tell(i.Request(i.StartScene(), scene=("The ruins", SceneSetup("tricube", scene))))
    tale.gm("call", challenge="goblins", type="agile", rollers={who: {} for who in CROWD})
    for who in CROWD:
        tale.commit(who, "approach quirk Greedy")
    await looker.until("document.querySelectorAll('.tale-die').length === 24")
    await seen(looker, "locked")
    tale.reveal()
    for who in CROWD:
        table.decide(who, "karma none")
    assert tale.step != "karma"
    await looker.until(
        "document.querySelectorAll('.outcome-of').length === 8 && document.querySelector('.still')"
    )
    await seen(looker, "settled")


async def seen(looker: Looker, moment: str) -> None:
    for size in (ROOM, LAPTOP, PHONE):
        resize(looker.browser, size)
        await looker.painted()
        await looker.run(SETTLED)
        assert await looker.run(SEEN) == [], (moment, size)
    resize(looker.browser, ROOM)
