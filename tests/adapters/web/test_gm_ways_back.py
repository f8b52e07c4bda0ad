"""A deed that takes one tap offers its undo next to its outcome; all other deeds first show what
they will change."""

import json

import msgspec
import pytest
from msgspec.structs import replace

from hub.table import acts as c
from hub.table.state import Undoes
from tests.adapters.web.conftest import Looker
from tests.adapters.web.test_gm_page import Console, OpenTable, lead, opened, settled
from tests.support.browser import resize
from tests.support.deeds import CASES
from tests.support.evening import sheets

__all__ = ["lead", "opened"]

DONE = ".dock .just-done"
WAY_BACK = f"{DONE} .way-back"
LINES = """
const word = document.createRange();
word.selectNodeContents(document.querySelector(arguments[0]).firstChild);
return word.getClientRects().length;
"""
"""Counts the lines of the button's text itself."""
SHOWN_BY_THE_TABLE = (
    c.Pause,
    c.Resume,
    c.Undo,
    c.Decide,
    c.LetHubPlay,
    c.PlayFor,
    c.Portray,
    c.NameEvening,
    c.SetTimer,
    c.EndEvening,
)
"""Each has its own way back, in the dock or on its button, and is listed under *Undo*."""


async def test_deeds_done_at_once_can_be_undone(opened: Console) -> None:
    """For every command of the GM: one that the page does not know first shows what it will
    change."""
    asked = [json.loads(msgspec.json.encode(case.command, enc_hook=str)) for case in CASES]
    asked.append({"command": "something-new"})
    asked.append({"command": "tell-story", "deed": "sacrifice ada"})
    first = await opened.looker.run(
        "const { showsFirst } = await import('/static/js/core/weight.js');"
        "return JSON.parse(arguments[0]).map(showsFirst);",
        json.dumps(asked),
    )
    assert isinstance(first, list) and first[-2:] == [True, True]
    at_once = [case for case, shows in zip(CASES, first, strict=False) if not shows]
    assert {case.what for case in at_once} >= {Undoes.DEED, Undoes.START}
    for case in at_once:
        known = isinstance(case.command, SHOWN_BY_THE_TABLE)
        assert known or case.what in {Undoes.DEED, Undoes.START}, case.command
    for case, shows in zip(CASES, first, strict=False):
        if isinstance(case.command, c.EndScene | c.RemoveCharacter | c.DropSeal):
            assert shows


async def test_a_mark_offers_its_undo_at_once(opened: Console) -> None:
    story = lambda: opened.table.state.story and opened.table.state.story.state  # noqa: E731
    before = story()
    assert not await opened.looker.run(f"return document.querySelector('{WAY_BACK}')")
    await opened.tab("story")
    await opened.fold("person-ada")
    await opened.place("tell mark ada belief")
    await opened.says("belief is marked", DONE)
    await opened.press(WAY_BACK)
    await settled(lambda: story() == before)
    await opened.looker.until(f"!document.querySelector('{WAY_BACK}')")
    await opened.fold("rewrite-ada")
    await opened.write("words-ada", "what", "rename attack-high")
    await opened.write("words-ada", "words", "Overhand, as her grandmother has taught")
    await opened.place("words-ada")
    await opened.says("Overhand", DONE)
    resize(opened.looker.browser, (1180, 820))
    await opened.looker.until("document.querySelector('.moment .way-back')")
    assert await opened.looker.run(LINES, ".way-back") == 1
    await opened.press(".way-back")
    await settled(lambda: story() == before)


async def test_a_deed_in_a_scene_can_be_undone_across_a_reveal_without_undoing_it(
    opened: Console,
) -> None:
    table = opened.table
    await opened.tab("story")
    await opened.write("countdown", "name", "The tide")
    await opened.place("countdown new 6")
    await opened.says("A countdown begins: The tide.", DONE)
    await table.duel()
    await opened.tab("story")
    await opened.place("tell mark-countdown The tide")
    await opened.says("one box more", DONE)
    await table.choose(ada="stance none", ninja="stance none")
    assert table.step == "move"
    await opened.press(WAY_BACK)
    await opened.says("0/6", ".clock")
    assert table.step == "move"
    await opened.press('.quick [data-sheet="undo"]')
    await opened.says("Undo to the last reveal", "dialog h2")


async def test_an_end_shows_its_cost_and_can_be_undone(opened: Console) -> None:
    table = opened.table
    await table.duel()
    await table.choose(ada="stance none", ninja="stance none")
    await table.choose(ada="move attack-high", ninja="move defend-mid")
    await table.decide("ada", "split attack 1 defend 1")
    await opened.tab("scene")
    await opened.place("end-scene")
    await opened.says("Ada: Attack", "dialog .changes")
    await opened.says("The scene ends.", "dialog .changes")
    scene = table.state.scene
    await opened.place("do end-scene")
    await opened.says("The table is ready", "h1")
    await opened.press('.quick [data-sheet="undo"]')
    await opened.says("Bring the scene back", "dialog h2")
    await opened.press('dialog [data-key="leave"]')
    await opened.press(WAY_BACK)
    await settled(lambda: table.state.scene is not None)
    assert scene and table.state.scene and table.state.scene.game == scene.game
    await opened.tab("log")
    await opened.says("The scene ends.", ".chronicle del")
    await opened.says("The GM brings the scene back.", ".chronicle")


async def test_a_start_is_called_off(opened: Console) -> None:
    await opened.tab("scene")
    await opened.write("scene", "stakes", "The boat")
    await opened.place("start conflict")
    await opened.says("begins", DONE)
    await opened.press('.quick [data-sheet="undo"]')
    await opened.says("Call the scene off", "dialog h2")
    await opened.press('dialog [data-key="leave"]')
    await opened.press(WAY_BACK)
    await opened.says("The table is ready", "h1")
    story = opened.table.state.story
    assert story and story.state.stakes == ""


@pytest.mark.parametrize("who", [["ada"], ["ada", "bo"]], ids=["one", "all"])
async def test_characters_sit_out_unless_their_side_would_be_empty(
    lead: OpenTable, looker: Looker, who: list[str]
) -> None:
    party = [replace(sheet, sits_out=sheet.name in who) for sheet in sheets()]
    page = Console(looker, await lead(party=party))
    await page.open()
    await page.tab("scene")
    await page.looker.until("document.querySelector('.members')")
    barred = await looker.run("return [...document.querySelectorAll('.member small')].length")
    assert barred == (1 if len(who) == 1 else 0)
    await page.place("start conflict")
    await settled(lambda: page.table.state.scene is not None)
    entered = set(page.table.state.scene.game.fighters)  # type: ignore[union-attr]
    assert entered == {"ninja", "crow", "bo", *(who if len(who) > 1 else ())}
