"""The bottom edge of the GM's page on a phone: one row of buttons in every state, and *Undo* beside
what it takes back."""

import asyncio
from typing import Any

import pytest

from hub.ports import AtPanel
from hub.table import acts as c
from tests.adapters.web.conftest import Looker
from tests.adapters.web.test_gm_page import Console, OpenTable, lead, opened, settled
from tests.support.accessibility import violations
from tests.support.browser import resize

__all__ = ["lead", "opened"]

ROW, MESSAGE = 64, 60
"""The most that the buttons, and a message above them, take of the height, in pixels."""
DOCK = """
const dock = document.querySelector('.dock');
const buttons = [...dock.querySelectorAll(':is(.bar, .seal-row) button')].map((one) => one.getBoundingClientRect());
return {
  rows: new Set(buttons.map(({ top }) => Math.round(top))).size,
  small: [...dock.querySelectorAll('button')].map((one) => one.getBoundingClientRect())
    .filter(({ width, height }) => width < 44 || height < 44).length,
  height: dock.offsetHeight,
  said: dock.querySelector('.outcome').innerText.length + dock.querySelector('.just-done').innerText.length > 0,
  wide: document.documentElement.scrollWidth > innerWidth,
};
"""  # noqa: E501
LETTERS = "document.documentElement.style.fontSize = arguments[0]"
NARROW = "return document.documentElement.scrollWidth <= innerWidth"
BESIDE = """
const [text, button] = ['.done', '.way-back'].map((one) => document.querySelector(`.just-done ${one}`));
const words = document.createRange();
words.selectNodeContents(text);
const [said, undo] = [words.getBoundingClientRect(), button.getBoundingClientRect()];
return { left: Math.min(said.right, text.getBoundingClientRect().right) <= undo.left,
         level: text.getBoundingClientRect().top < undo.bottom && undo.top < text.getBoundingClientRect().bottom };
"""  # noqa: E501


class Dock:
    def __init__(self, page: Console) -> None:
        self.page = page

    async def is_one_row(self, state: str) -> None:
        for width in (390, 320):
            resize(self.page.looker.browser, (width, 844))
            await self.page.looker.painted()
            seen: Any = await self.page.looker.run(DOCK)
            most = ROW + (MESSAGE if seen["said"] else 0)
            assert (seen["rows"], seen["small"], seen["wide"]) == (1, 0, False), (state, width)
            assert seen["height"] <= most, (state, width, seen)
        resize(self.page.looker.browser, (390, 844))
        await self.page.looker.run(LETTERS, "200%")
        assert await self.page.looker.run(NARROW), f"{state}, letters of twice the size"
        await self.page.looker.run(LETTERS, "")


@pytest.mark.parametrize("language", ["en", "de"])
async def test_the_dock_is_one_row_in_every_state(
    lead: OpenTable, looker: Looker, language: str
) -> None:
    page = Console(looker, await lead())
    await page.open()
    if language != "en":
        await looker.open(f"{page.table.url()}?lang={language}")
        await looker.until("document.querySelector('.waiting')")
    dock = Dock(page)
    await dock.is_one_row("between scenes")
    await page.tab("story")
    await page.fold("person-ada")
    await page.place("tell mark ada belief")
    await looker.until("document.querySelector('.dock .way-back')")
    await dock.is_one_row("undo is offered")
    await page.table.duel()
    await page.tab("now")
    await looker.until("document.querySelector('.own [data-pick]')")
    await dock.is_one_row("a question is open")
    await page.press('[data-pick="stance attack 1"][data-of="ninja"]')
    await looker.until("document.querySelector('.seal-row')")
    await dock.is_one_row("a card is picked")
    await page.place("commit ninja stance attack 1")
    await looker.until("document.querySelector('.dock .outcome').innerText")
    await dock.is_one_row("an outcome is shown")
    page.table.runner.tell_panel(AtPanel(missing=("panel",)))
    await looker.until("document.querySelector('.hindrance')")
    await dock.is_one_row("a part of the panel is missing")
    await page.table.obey(c.Pause())
    await looker.until("document.querySelector('.next-step')")
    await dock.is_one_row("paused")
    assert await asyncio.to_thread(violations, looker.browser) == []
    await page.press('.quick [data-sheet="undo"]')
    await looker.until("document.querySelector('dialog[open] .any-time')")
    assert await asyncio.to_thread(violations, looker.browser) == []


async def test_undo_is_beside_what_it_takes_back(opened: Console) -> None:
    looker = opened.looker
    await opened.tab("scene")
    await opened.write("scene", "stakes", "The boat")
    await opened.place("start conflict")
    await opened.says("begins, a conflict with Ada, Bo, Ninja and Crow.", ".just-done .done")
    for size in ((390, 844), (320, 640), (1180, 820)):
        resize(looker.browser, size)
        await looker.painted()
        assert await looker.run(BESIDE) == {"left": True, "level": True}, size
    assert await looker.run("return document.querySelector('.way-back').ariaLabel") == (
        "Undo: At stake: The boat. Scene 1 begins, a conflict with Ada, Bo, Ninja and Crow."
    )


async def test_a_refusal_is_read_without_the_undo_of_something_else(opened: Console) -> None:
    looker = opened.looker
    await opened.tab("story")
    await opened.fold("person-ada")
    await opened.place("tell mark ada belief")
    await looker.until("document.querySelector('.dock .way-back')")
    await opened.tab("scene")
    await looker.run(
        "const button = document.querySelector('[data-place=\"start conflict\"]');"
        "const forged = { ...JSON.parse(button.dataset.press), scene: { type: 'dance' } };"
        "button.dataset.press = JSON.stringify(forged); button.click();"
    )
    await looker.until("document.querySelector('.dock .outcome.bad')?.innerText")
    assert not await looker.run("return document.querySelector('.dock .way-back')")


async def test_the_paused_and_the_finished_scene_go_on_by_one_press(opened: Console) -> None:
    table = opened.table
    await table.duel()
    await opened.at_any_time("[data-place=pause]")
    await opened.says("Paused", "h1")
    await opened.press(".next-step [data-place=pause]")
    await opened.says("choose a stance", "h1")
    assert not await opened.looker.run("return document.querySelector('.next-step')")
    await table.choose(ada="stance none", ninja="stance none")
    await table.choose(ada="move attack-high", ninja="move defend-mid")
    await table.obey(c.Overrule(holds={"what": "end", "winner": None}, because="it is late"))
    await opened.press(".next-step [data-place=end-scene]")
    await opened.place("do end-scene")
    await settled(lambda: table.state.scene is None)
