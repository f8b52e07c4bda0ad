"""The display for a room while nothing is played: a loop that tells passers-by what the table does,
what it showed last, who plays next, and how to join."""

import asyncio
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest

from hub.games.registry import FAMILIES
from hub.table import acts as i
from hub.table.state import Settings
from hub.themes import look_of
from hub.web.keys import GM_PAGE, TABLE, seat_role
from hub.web.settings import PageAddresses
from tests.adapters.web.conftest import Looker, OpenPages, Pages
from tests.adapters.web.test_accessibility import SETTLED
from tests.pictures.moments import MOMENTS, moments
from tests.pictures.staged import FIGURES
from tests.support.accessibility import violations
from tests.support.browser import console, resize

IDS = [family.id for family in FAMILIES]
families = pytest.mark.parametrize("family", IDS)
BEATS = ["beat-1", "beat-2", "beat-3"]
OWN_WORDS = {"triangle": {"attack", "grapple"}, "tricube": {"dice"}, "tourists": {"blades", "deck"}}
"""Words that only one family uses."""
SEATS = {"north": ("ada",), "south": ("bo",), "west": ("cy",), "gm": ()}
FREE = SEATS | {"east": ()}
MOST_WORDS, LEAST_HEADLINE, LEAST_PIECES = 45, 7.0, 35.0
SCREENS = [(1280, 720), (800, 600), (1080, 1920), (390, 844)]
STEP_MS = 1000
MOST_STEPS = 120

CLOCK = """
if (!window.ahead) {
  window.ahead = 0;
  const now = performance.now();
  performance.now = () => now + window.ahead;
}
window.ahead += arguments[0];
dispatchEvent(new Event("resize"));
"""
"""Stops the page's clock, moves it on, and draws the page. However slow the machine is, no picture
ends while it is looked at."""
PICTURE = """
const door = document.querySelector(".door");
const backs = [...door.querySelectorAll(".card.down .pattern")].map((one) => one.innerHTML);
return {
  name: door.className.split(" ").at(-1),
  text: door.innerText,
  said: door.querySelector(".says h2").innerText,
  back: backs[0] ?? "",
  html: document.documentElement.outerHTML,
  moving: document.getAnimations().length,
};
"""


@dataclass(frozen=True)
class Picture:
    """A picture of the loop: its name, its text, its headline, the back of its cards (empty without
    one that is face down), the page's HTML, and how many of its elements are in motion."""

    name: str
    text: str
    said: str
    back: str
    html: str
    moving: int

    @property
    def words(self) -> set[str]:
        return {word.strip(".,:").casefold() for word in self.text.split()}


async def door_of(open_pages: OpenPages, looker: Looker, query: str = "", **settings: Any) -> Pages:
    """Open the display of a table before its first scene, with a place for one more player."""
    watched = {"where": PageAddresses(lambda: "192.0.2.7"), "evening": "The lamps of Quay Street"}
    pages = await open_pages(**(watched | settings))
    pages.table.settings = Settings(seats=FREE, gm_seat="gm")
    pages.table.announce()
    await look_at(pages, looker, query)
    return pages


async def look_at(pages: Pages, looker: Looker, query: str = "") -> None:
    await looker.open(pages.url(f"display?room{query}"))
    await looker.until("document.querySelector('.door .says h2')")
    await looker.until("[...document.fonts].some(({ status }) => status === 'loaded')")


async def picture(looker: Looker) -> Picture:
    await looker.run(SETTLED)
    await looker.painted()
    return Picture(**await looker.run(PICTURE))  # type: ignore[arg-type]


async def once_round(looker: Looker) -> list[Picture]:
    """The pictures of the loop until its first one comes again; of several with the same name and
    headline that follow each other, the first with a card face down, or else the last."""
    seen = [await picture(looker)]
    for _ in range(MOST_STEPS):
        await looker.run(CLOCK, STEP_MS)
        now = await picture(looker)
        if (now.name, now.said) == (seen[-1].name, seen[-1].said):
            seen[-1] = seen[-1] if seen[-1].back else now
        elif now.name == seen[0].name and len({one.name for one in seen}) > 1:
            return seen
        else:
            seen.append(now)
    raise AssertionError([one.name for one in seen])


def names(pictures: list[Picture]) -> list[str]:
    return list(dict.fromkeys(one.name for one in pictures))


async def test_each_family_shows_its_own_back_and_words(
    open_pages: OpenPages, looker: Looker
) -> None:
    """Before the first scene, as soon as the hub knows what will be played."""
    backs: dict[str | None, set[str]] = {}
    for family in (*IDS, None):
        await door_of(open_pages, looker, family=family)
        await looker.until("document.querySelector('.door .pieces')")
        pictures = await once_round(looker)
        backs[family] = {one.back for one in pictures if one.back}
        words = set[str]().union(*(one.words for one in pictures))
        for other, own in OWN_WORDS.items():
            assert own <= words if other == family else not own & words, (family, own & words)
        assert ("wins" in words) == (family in {"triangle", "tourists"})
    assert all(len(found) == 1 for found in backs.values()), backs
    assert len(set[str]().union(*backs.values())) == len(backs)
    assert console(looker.browser) == []


@families
async def test_the_loop_shows_each_part_in_turn(
    open_pages: OpenPages, looker: Looker, family: str
) -> None:
    pages = await door_of(open_pages, looker, family=family)
    await looker.until("document.querySelector('.door .pieces')")
    pictures = await once_round(looker)
    start = names(pictures).index("beat-1")
    found = names(pictures)[start:] + names(pictures)[:start]
    assert found == [*BEATS, "people", "join"]
    by_name = {one.name: one for one in pictures}
    assert {"ada", "bo", "cy"} <= by_name["people"].words
    assert f"http://192.0.2.7:{pages.server.port}/display" in by_name["join"].text
    assert "Ask the game master for a seat" in by_name["join"].text
    pages.table.start()
    await looker.until("document.querySelector('.room .frame:not(.door)')")


async def test_only_what_is_allowed_is_offered(open_pages: OpenPages, looker: Looker) -> None:
    """No code on a hub that phones cannot reach; no seat at a full table."""
    pages = await door_of(open_pages, looker, family="tricube", where=PageAddresses())
    await looker.until("document.querySelector('.door .pieces')")
    found = {one.name: one for one in await once_round(looker)}
    assert "Want to play?" in found["join"].text and "<img" not in found["join"].html
    pages.table.settings = Settings(seats=SEATS, gm_seat="gm")
    pages.table.announce()
    await looker.until("document.querySelectorAll('.places li').length === 4")
    assert "join" not in names(await once_round(looker))


@families
@pytest.mark.parametrize("language", ["en", "de"])
async def test_every_picture_is_read_from_afar(
    open_pages: OpenPages, looker: Looker, family: str, language: str
) -> None:
    """Its figures are those of a moment of play; axe finds nothing."""
    resize(looker.browser, (1920, 1080))
    theme = "paper" if language == "de" else "night"
    await door_of(open_pages, looker, f"&lang={language}", family=family, look=look_of(theme, None))
    await looker.until("document.querySelector('.door .pieces')")
    wrong: list[str] = []
    seen = set[str]()
    for _ in range(MOST_STEPS):
        now = await picture(looker)
        figures: Any = await looker.run(FIGURES)
        at = f"{now.name} {now.said!r}"
        if len(figures["words"]) > MOST_WORDS:
            wrong.append(f"{at}: {len(figures['words'])} words")
        if figures["headline"] < LEAST_HEADLINE:
            wrong.append(f"{at}: the headline has {figures['headline']} %")
        if now.name in BEATS and figures["pieces"] < LEAST_PIECES:
            wrong.append(f"{at}: the pieces have {figures['pieces']} %")
        wrong += [f"{at}: {what} {each}" for what in ("small", "outside") for each in figures[what]]
        if at not in seen:
            wrong += await asyncio.to_thread(violations, looker.browser)
        seen.add(at)
        if now.name == "join":
            break
        await looker.run(CLOCK, STEP_MS)
    assert {at.split()[0] for at in seen} == {*BEATS, "people", "join"}
    assert not wrong, "\n".join(wrong)


@families
async def test_the_door_fits_any_screen(open_pages: OpenPages, looker: Looker, family: str) -> None:
    await door_of(open_pages, looker, "&lang=de", family=family)
    await looker.until("document.querySelector('.door .pieces')")
    wrong = set[str]()
    for _ in range(MOST_STEPS):
        for screen in SCREENS:
            resize(looker.browser, screen)
            now = await picture(looker)
            figures: Any = await looker.run(FIGURES)
            for what in ("outside", "overlaps"):
                wrong |= {f"{now.name} {screen}: {what} {each}" for each in figures[what]}
        if now.name == "join":
            break
        await looker.run(CLOCK, 2 * STEP_MS)
    assert not wrong, "\n".join(wrong)


async def test_with_reduced_motion_the_pictures_change_and_do_not_move(
    open_pages: OpenPages, looker: Looker
) -> None:
    reduced = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    looker.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", reduced)
    await door_of(open_pages, looker, family="tricube")
    await looker.until("document.querySelector('.door .pieces')")
    seen = []
    for _ in range(MOST_STEPS):
        await looker.run(CLOCK, STEP_MS)
        seen.append(Picture(**await looker.run(PICTURE)))  # type: ignore[arg-type]
        if len(names(seen)) == len([*BEATS, "people", "join"]):
            break
    assert [one.name for one in seen if one.moving] == []
    assert {*names(seen)} == {*BEATS, "people", "join"}


async def test_no_key_is_on_the_public_page(
    open_pages: OpenPages, looker: Looker, http: aiohttp.ClientSession
) -> None:
    pages = await door_of(open_pages, looker, family="tricube")
    await looker.until("document.querySelector('.door .pieces')")
    roles = [GM_PAGE, TABLE, *map(seat_role, pages.settings.seats)]
    keys = [pages.server.keys.of(role) for role in roles]
    assert all(keys)
    shown = "".join(one.html for one in await once_round(looker))
    for path in ("display/about.json", "display/code.svg"):
        async with http.get(pages.url(path)) as answer:
            shown += await answer.text()
    assert "Watch on your phone" in shown
    assert not [role for role, key in zip(roles, keys, strict=True) if key in shown]


LOADED = """
return performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
"""


async def test_the_last_picture_stays_until_the_door_has_loaded(
    pages: Pages, looker: Looker
) -> None:
    """Drawing another in between would lay out the whole page twice more."""
    pages.table.start()
    await looker.open(pages.url("display?room"))
    await looker.until("document.querySelector('.box .frame')")
    await looker.run("window.box = document.querySelector('.box')")
    pages.table.tell(i.EndScene())
    await looker.until("document.querySelector('.frame.door')")
    assert await looker.run(
        "return box.isConnected && box.contains(document.querySelector('.door'))"
    )


async def test_the_room_does_not_load_what_only_the_near_display_needs(
    open_pages: OpenPages, looker: Looker
) -> None:
    await door_of(open_pages, looker, family="tricube")
    await looker.until("document.querySelector('.door .pieces')")
    loaded: Any = await looker.run(LOADED)
    assert [path for path in loaded if path.endswith("css/door.css")]
    others = ("css/display.css", "css/between.css", "between/whole.js")
    assert not [path for path in loaded if path.endswith(others)]


@pytest.mark.parametrize("family", MOMENTS)
async def test_the_last_reveal_and_the_end_of_the_evening(
    open_pages: OpenPages, looker: Looker, family: str
) -> None:
    """What a scene ended with comes first and stays for a while; then the loop goes on."""
    pages = await open_pages(where=PageAddresses(lambda: "192.0.2.7"))
    async for _ in moments(family, pages):
        pass
    pages.table.tell(i.EndScene())
    await look_at(pages, looker)
    await looker.until("document.querySelector('.door.last .pieces')")
    first = await picture(looker)
    figures: Any = await looker.run(FIGURES)
    assert figures["pieces"] >= LEAST_PIECES and len(figures["words"]) <= MOST_WORDS
    assert not figures["small"] and not figures["outside"]
    assert await asyncio.to_thread(violations, looker.browser) == []
    await looker.run(CLOCK, 10_000)
    assert (await picture(looker)).said == first.said
    found = names(await once_round(looker))
    assert [one for one in found if one != "earlier"] == ["last", *BEATS, "people", "join"]

    pages.table.tell(i.EndEvening(True))
    await looker.until("document.querySelector('.door.people')")
    assert "Thank you for playing!" in (await picture(looker)).text
    found = names(await once_round(looker))
    assert found == ["people", "earlier", *BEATS, "join"]
    assert console(looker.browser) == []
