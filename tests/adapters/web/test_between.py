"""The display between scenes: what this is, how the last scene ended, and how to join."""

import json
from typing import Any

import aiohttp
import pytest

from hub.ports import Announcement
from hub.table import acts as i
from hub.table.state import Undoes
from hub.web.frames import state_frame
from hub.web.settings import PageAddresses
from tests.adapters.web.conftest import Looker, OpenPages, Pages
from tests.adapters.web.playing import PlayedTable, energy, fighter
from tests.adapters.web.test_accessibility import story, told
from tests.support.browser import console
from tests.support.page_files import page_files

ENDED = "document.querySelector('.end-card .cost')"


def play_to_the_end(table: PlayedTable) -> None:
    """Ninja loses 17 in all and is out, Bo loses 3, Sensei surrenders to Ada in the fourth turn."""
    table.book_example()
    table.decide("ninja", "split attack 5 defend 4 grapple 4")
    for actor, opponent, move in (("bo", "ninja", "attack-high"), ("ada", "sensei", "surrender")):
        none = {actor: "none", opponent: "none"}
        table.turn(actor, opponent, none, {actor: "attack-high", opponent: move})
        if opponent == "ninja":
            table.decide("bo", "split defend 3")


async def test_a_scenes_result_stays_until_the_next_begins(
    open_pages: OpenPages, looker: Looker
) -> None:
    pages = await open_pages(
        evening="The lamps of Quay Street", where=PageAddresses(lambda: "192.0.2.7")
    )
    table = pages.table
    table.announce()
    await looker.open(pages.url("display?near"))
    await looker.until_says("Cards go down in secret", ".rerun")
    await looker.until("document.querySelector('.doors img')?.naturalWidth > 0")
    assert await looker.text("h1") == "The lamps of Quay Street"
    assert "Want to play?" not in await looker.text(".doors")  # every seat is taken
    await looker.until("document.querySelectorAll('.party .portrait text').length === 4")
    assert await looker.text(".party") == "AAdaBBoNNinjaSSensei"

    table.start()
    await looker.until_says("Ada", ".opening")
    play_to_the_end(table)
    await looker.until_says("Heroes win")
    assert not await looker.run(f"return {ENDED}")
    table.tell(i.EndScene())
    await looker.open(pages.url("display?near"))
    await looker.until(ENDED)
    await looker.until("document.querySelectorAll('.cost .portrait text').length === 4")
    card = await looker.text(".end-card")
    for said in (
        *("The stolen scroll", "Heroes win", "Everyone on the other side is out."),
        *("The turn that decided it: turn 4", "Sensei surrenders: Ada wins."),
    ):
        assert said in card
    bills = "return [...document.querySelectorAll('.cost li')].map((one) => one.textContent)"
    assert await looker.run("return document.querySelectorAll('.laid .attack .sign').length")
    minus = "\N{MINUS SIGN}"
    assert await looker.run(bills) == [
        "AAdaunharmed",
        f"BBoD{minus}3",
        f"NNinjaoutA{minus}6D{minus}5G{minus}6",
        "SSenseisurrendered",
    ]

    table.start()
    await looker.until("!document.querySelector('.end-card')")
    table.tell(i.Undo(Undoes.START))
    await looker.until(ENDED)
    table.start()
    table.tell(i.EndScene())
    await looker.until_says("The GM has closed the scene", ".end-card")
    await looker.until_says("Heroes win", ".results")

    table.tell(i.EndEvening(True))
    await looker.until_says("Thank you for playing!", ".farewell header")
    await looker.open(pages.url("display?near"))
    await looker.until_says("The lamps of Quay Street", ".farewell h1")
    await looker.until("document.querySelectorAll('.party .portrait text').length === 4")
    await looker.until_says("Heroes win", ".farewell")  # once the family's words have loaded
    assert await looker.text(".farewell .party") == "AAdaBBoNNinjaSSensei"
    outcomes = (
        "return [...document.querySelectorAll('.farewell li span')].map((one) => one.textContent)"
    )
    assert (await looker.run(outcomes))[-2:] == ["Heroes win", "The GM has closed the scene"]  # type: ignore[index]
    table.start()
    await looker.until("!document.querySelector('.farewell')")
    assert console(looker.browser) == []


def canned() -> dict[str, Any]:
    """Return the demonstration turn as the hub plays it: before moves are shown, and after."""
    told: list[Announcement] = []
    table = PlayedTable(told.append, seats={"north": ("red",), "gm": ("blue",)})
    fighters = {name: fighter(energy(4, 4, 4)) for name in ("red", "blue")}
    table.start(sides={"players": ["red"], "others": ["blue"]}, characters=fighters)
    table.decide("gm", "active red")
    if table.announcement().view.step == "opponent":
        table.decide("red", "opponent blue")
    before = after = table.announcement()
    for red, blue in (("stance attack 1", "stance none"), ("move attack-high", "move grapple-mid")):
        before = table.announcement()
        table.lay("north", red)
        table.lay("gm", blue)
        table.tell(i.Tick(), table.settings.reveal_delay_ms)
        after = table.announcement()
        for seat in table.settings.seats:
            table.lay(seat)
    gone = {"log", "head", "table", "revealed_ago_ms"}
    return {
        name: {key: value for key, value in frame.items() if key not in gone} | {"head": ""}
        for name, frame in (
            ("before", json.loads(state_frame(before).data)),
            ("after", json.loads(state_frame(after).data)),
        )
    }


def test_the_demonstration_turn_follows_the_rules() -> None:
    kept = page_files()["js/games/triangle/rerun.json"]
    assert json.loads(kept.read_text()) == canned()


async def test_the_demonstration_turn_is_drawn_like_any_other(pages: Pages, looker: Looker) -> None:
    await looker.open(pages.url("display?near"))
    await story(pages, looker)
    await looker.until("document.querySelector('.rerun .frame-stage .sides')")
    shots = await looker.run(
        """
        const { $load } = await import(document.querySelector("script[type=module]").src);
        const [{ shown }, { make }] = ["games/triangle/between.js", "core/dom.js"].map(
          (path) => $load[`js/${path}`]());
        return (await shown()).map(({ beat, said, lasts, pieces }) => {
          const cards = pieces().sides.flatMap(({ cards }) => cards.map(make));
          const up = cards.filter((card) => card.matches(".card.move.up"));
          return [beat, up.map((card) => card.ariaLabel), said, lasts > 0];
        });
        """
    )
    assert isinstance(shots, list) and all(each[3] for each in shots)
    beats = [each[0] for each in shots]
    assert beats == sorted(beats) and {*beats} == {1, 2, 3}
    up = [each[1] for each in shots]
    assert up[:3] == [[], [], []] and up[3:5] == [["Attack High"], ["Attack High", "Grapple Mid"]]
    assert ["wins" in each[2] for each in shots] == [beat == 3 for beat in beats]
    assert console(looker.browser) == []


async def test_the_result_of_a_problem(pages: Pages, looker: Looker) -> None:
    await looker.open(pages.url("display?near"))
    await told(pages, looker)
    pages.table.tell(i.EndScene())
    await looker.until_says("Solved: Ada told it", ".end-card h2")
    await looker.until_says("The ravine", ".end-card")
    await looker.until("document.querySelectorAll('.end-card .card').length === 2")
    await looker.until_says("the veto", ".cost")
    assert console(looker.browser) == []


@pytest.mark.parametrize(
    ("lan", "host", "watch"),
    [
        ("", "localhost", None),
        ("192.0.2.7", "localhost", "http://192.0.2.7:{port}/display"),
        ("192.0.2.7", "table.local", "http://table.local:{port}/display"),
    ],
)
async def test_where_others_can_watch(
    open_pages: OpenPages, http: aiohttp.ClientSession, lan: str, host: str, watch: str | None
) -> None:
    """The address is one that other machines can use, without a key, and never this machine's
    loopback."""
    pages = await open_pages(where=PageAddresses(lambda: lan), hosts=("table.local",))
    port = pages.server.port
    headers = {"Host": f"{host}:{port}"}
    async with http.get(pages.url("display/about.json"), headers=headers) as answer:
        about = await answer.json()
    assert about == {"evening": "", "family": None, "watch": watch and watch.format(port=port)}
    async with http.get(pages.url("display/code.svg"), headers=headers) as answer:
        assert answer.status == (200 if watch else 404)
