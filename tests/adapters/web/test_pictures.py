"""Writes pictures of the pages to ``screenshots/``, for people to look at."""

import asyncio
from pathlib import Path

import pytest
from msgspec import to_builtins

from hub.games.triangle.story.scenes import ConflictRequest, ProblemRequest
from hub.table import acts as c
from hub.table import acts as i
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.led import LedTable
from tests.adapters.web.running import RunningTable, sample
from tests.adapters.web.seating import tabs_of
from tests.support.browser import console, picture, resize

pytestmark = pytest.mark.pictures

FOLDER = Path(__file__).parents[3] / "screenshots"
TV = {"tv": (1920, 1080)}
SCREENS = TV | {"portrait": (1080, 1920), "phone": (390, 844)}
DESKS = {"laptop": (1366, 768), "phone": (390, 844)}
HANDS = DESKS | {"tablet": (768, 1024)}
SETTLED = (
    "const ends = document.getAnimations().filter((one) => "
    "one.effect.getComputedTiming().endTime !== Infinity);"
    "return Promise.allSettled(ends.map((one) => one.finished)).then(() => true)"
)


async def shoot(looker: Looker, name: str, screens: dict[str, tuple[int, int]]) -> None:
    """Take a picture on each screen, after all motion has come to rest."""
    for screen, size in screens.items():
        path = FOLDER / f"{name}-{screen}.png"
        await asyncio.to_thread(picture, looker.browser, size, path)
        await looker.run(SETTLED)
        await asyncio.to_thread(picture, looker.browser, size, path)
        assert path.stat().st_size > 10_000


async def test_pictures_of_the_display(pages: Pages, looker: Looker) -> None:
    table = pages.table
    table.settings = type(table.settings)(seats=table.settings.seats, commit_s=30)
    table.announce()
    await looker.open(pages.url("display"))
    await looker.until_says("The table is ready")
    await shoot(looker, "display-1-ready", TV)
    table.start()
    await looker.until_says("Who takes the first turn?")
    await shoot(looker, "display-2-first", TV)
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.lay("north", "stance attack 2")
    await looker.until_says("Waiting for Ninja")
    await shoot(looker, "display-3-stance", SCREENS)
    table.lay("gm", "stance none")
    await looker.until_says("All cards are in")
    await shoot(looker, "display-4-locked", TV)
    table.reveal()
    table.both("move", ada="defend-low", ninja="attack-low")
    table.decide("ninja", "split attack 1 grapple 1")
    await looker.until_says("Ada decides who goes next")
    await shoot(looker, "display-5-next", TV)
    stances = {"ada": "grapple 3", "ninja": "defend 1"}
    table.turn("ada", "ninja", stances, {"ada": "grapple-high", "ninja": "defend-low"})
    await looker.until_says("Ninja decides what to give up")
    await shoot(looker, "display-6-thirteen", SCREENS)
    table.decide("ninja", "split attack 5 defend 4 grapple 4")
    none = {"bo": "none", "ninja": "none"}
    table.turn("bo", "ninja", none, {"bo": "attack-high", "ninja": "attack-high"})
    table.tell(i.ReaderMissing("south"))
    await looker.until_says("a tie")
    await shoot(looker, "display-7-tie", SCREENS)
    table.tell(i.ReaderFound("south"))
    table.decide("bo", "split defend 3")
    table.turn(
        "ada", "sensei", {"ada": "none", "sensei": "none"},
        {"ada": "attack-high", "sensei": "surrender"},
    )  # fmt: skip
    await looker.until_says("Heroes win")
    await shoot(looker, "display-8-over", SCREENS)
    await pages.server.__aexit__(None, None, None)
    await looker.until_says("Connection lost")
    await shoot(looker, "display-9-lost", TV)


async def test_pictures_of_a_crowd(pages: Pages, looker: Looker) -> None:
    """More characters than a column has room for at full size."""
    heroes = [f"hero-{n}" for n in range(1, 5)]
    clan = [f"ninja-{n}" for n in range(1, 9)]
    pages.table.settings = type(pages.table.settings)(
        seats={"north": tuple(heroes), "gm": tuple(clan)}
    )
    person = {"level": 1, "energy": {"attack": 4, "defend": 3, "grapple": 12}, "combos": {}}
    characters = {name: person | {"moves": ["attack-high", "defend-low"]} for name in heroes + clan}
    pages.table.start(sides={"heroes": heroes, "elbow-clan": clan}, characters=characters)
    pages.table.decide("gm", "active hero-2")
    pages.table.decide("hero-2", "opponent ninja-7")
    await looker.open(pages.url("display"))
    await looker.until_says("choose a stance")
    await shoot(looker, "display-crowd", SCREENS)
    assert await looker.run("return document.documentElement.scrollWidth <= innerWidth")
    assert console(looker.browser) == []


async def test_pictures_of_the_virtual_table(pages: Pages, looker: Looker) -> None:
    pages.table.start()
    await looker.open(pages.url(f"table?key={pages.key}"))
    await looker.until_says("Who takes the first turn?")
    await shoot(looker, "table-1-first", DESKS)
    pages.table.decide("gm", "active ada")
    pages.table.decide("ada", "opponent ninja")
    for tag, seat in (("ada-attack-2", "north"), ("bo-defend-1", "south")):
        await looker.click(f'[data-card="{tag}"]')
        await looker.click(f"[data-put={seat}]")
    await looker.until_says("No card is needed here now.")
    await looker.click('[data-card="ninja-grapple-2"]')
    await shoot(looker, "table-2-stance", DESKS)
    await looker.click("[data-put=gm]")
    await looker.until_says("All cards are in")
    pages.table.reveal()
    pages.table.both("move", ada="attack-low", ninja="grapple-high")
    await looker.until_says("does Ninja give up")
    await shoot(looker, "table-3-split", DESKS)
    script = "document.querySelector('.mini').scrollIntoView()"
    await looker.run(script)
    await shoot(looker, "table-4-mini", {"laptop": DESKS["laptop"]})
    assert console(looker.browser) == []


SEATED = {"laptop": (1366, 768), "tablet": (1024, 768), "phone": (390, 844)}
STORY_SEATS = {"north": ("Marit", "Odo Quill"), "gm": ("The Lamplighter", "Sergeant Thole")}


async def test_pictures_of_a_seat(tmp_path: Path, looker: Looker) -> None:
    async with RunningTable(tmp_path) as table, tabs_of(looker) as tabs:
        await table.start()
        await table.decide("gm", "active ada")
        ada = await tabs.sit(table, "north")
        await ada.says("Whom does Ada face?")
        await shoot(ada.looker, "seat-1-opponent", SEATED)
        await table.decide("ada", "opponent ninja")
        await ada.click('[data-pick="stance grapple 3"]')
        await shoot(ada.looker, "seat-2-picked", SEATED)
        await ada.click("[data-seal]")
        await ada.said("Sealed.")
        await shoot(ada.looker, "seat-3-sealed", SEATED)
        await table.commit("ninja", "stance none")
        await ada.says("Choose your move", "h1")
        await table.both("move", ada="grapple-high", ninja="attack-low")
        await ada.says("Which 6 does Ada give up?")
        await shoot(ada.looker, "seat-4-split", SEATED)
        await ada.click(".split .offer.default")
        await table.decide("ninja", "active sensei")
        await table.decide("sensei", "opponent ada")
        await table.both("stance", ada="none", sensei="none")
        table.lose_reader("north")
        await ada.says("Your reader is lost")
        await shoot(ada.looker, "seat-5-disadvantage", SEATED)
        await table.halt()
        await ada.says("Connection lost")
        await shoot(ada.looker, "seat-6-lost", SEATED)
        await table.boot()
        await ada.until("!document.querySelector('.connection')")
        console(ada.looker.browser)  # the browser logs the refused connections


async def test_pictures_of_a_seat_with_two_and_a_story(tmp_path: Path, looker: Looker) -> None:
    names = ("marit", "odo-quill", "lamplighter", "sergeant-thole")
    story = [sample(f"unroll-{name}.toml") for name in names]
    async with (
        RunningTable(tmp_path, seats=STORY_SEATS, story=story) as table,
        tabs_of(looker) as tabs,
    ):
        await table.ask(c.TellStory(deed="countdown new 6 The tide"))
        await table.ask(c.TellStory(deed="countdown mark The tide"))
        page = await tabs.sit(table, "north")
        await page.says("Marit’s sheet")
        await shoot(page.looker, "seat-story-1-between", SEATED)
        await table.ask(
            c.StartScene(scene=to_builtins(ProblemRequest(problem="The bridge is down")))
        )
        await page.click('[data-pick="option 3"]')
        await shoot(page.looker, "seat-story-2-problem", SEATED)
        await page.click("[data-seal]")
        await table.commit("Odo Quill", "option 1")
        await page.says("First Marit tells it aloud.")
        await shoot(page.looker, "seat-story-3-tell", SEATED)
        await page.click(".own-questions .offer.default")
        await page.says("Does Odo Quill veto what Marit told?")
        await shoot(page.looker, "seat-story-4-veto", SEATED)
        await table.ask(c.EndScene())
        sides = {"players": ("Marit", "Odo Quill"), "watch": ("The Lamplighter", "Sergeant Thole")}
        await table.ask(
            c.StartScene(scene=to_builtins(ConflictRequest(sides=sides, stakes="The last boat")))
        )
        await table.decide("gm", "active Marit")
        await table.decide("Marit", "opponent The Lamplighter")
        await table.both("stance", **{"Marit": "none", "The Lamplighter": "none"})
        await page.says("Choose your move", "h1")
        await shoot(page.looker, "seat-story-5-move", SEATED)
        await page.looker.run("document.querySelector('.own-sheet').scrollIntoView()")
        await shoot(page.looker, "seat-story-6-sheet", {"phone": SEATED["phone"]})


async def test_pictures_of_the_console(looker: Looker) -> None:
    async with LedTable() as table:

        async def tab(name: str) -> None:
            """Open a tab, if this screen has tabs; only phones do."""
            resize(looker.browser, HANDS["phone"])
            await looker.click(f'[data-tab="{name}"]')

        await looker.open(table.door)
        await looker.until_says("The table is ready")
        await tab("scene")
        await shoot(looker, "gm-1-begin", HANDS)
        await looker.click(".first-hint [data-do=hints-read]")
        for deed in ("countdown new 6 The tide", "countdown mark The tide", "lose ada attack 2"):
            await table.tell(deed)
        await tab("story")
        await looker.until_says("The tide", ".clock")
        await shoot(looker, "gm-2-story", HANDS)
        await table.duel()
        await table.commit("ada", "stance attack 2")
        await tab("now")
        await looker.until_says("ready", ".badge.ready")
        await shoot(looker, "gm-3-stance", HANDS)
        await looker.click('[data-fold="leaves-bo"]')
        await shoot(looker, "gm-3-leaves", HANDS)
        await table.choose(ninja="stance none")
        await table.choose(ada="move attack-high", ninja="move defend-mid")
        await looker.until_says("does Ada give up")
        await shoot(looker, "gm-4-split", HANDS)
        await looker.click('.quick [data-sheet="undo"]')
        await shoot(looker, "gm-5-undo", HANDS)
        await looker.click('dialog [data-key="leave"]')
        await looker.click(".split .default")
        await looker.until_says("Who takes the next turn?")
        await table.down("ada")
        await looker.until_says("reader lost")
        await shoot(looker, "gm-6-next", HANDS)
        await looker.click('.quick [data-sheet="overrule"]')
        await shoot(looker, "gm-7-overrule", HANDS)
        await looker.click('dialog [data-key="close"]')
        await tab("log")
        await looker.until_says("Ninja wins.", ".chronicle")
        await shoot(looker, "gm-8-log", HANDS)
        await tab("keys")
        await looker.click('[data-fold="key-ada"]')
        await looker.until("document.querySelector('img.qr')?.naturalWidth > 0")
        await shoot(looker, "gm-9-keys", HANDS)
    assert console(looker.browser) == []
