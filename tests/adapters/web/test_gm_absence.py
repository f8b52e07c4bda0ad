"""A player has to leave, on the GM's page: the GM plays for them and gives back, or the scene goes
on without them."""

import asyncio

from hub.games.triangle.story.scenes import ProblemRequest
from hub.ports import AtPanel
from hub.table import acts as c
from hub.web.keys import seat_role
from tests.adapters.web.test_gm_page import TABLET, Console, lead, opened, settled
from tests.support.accessibility import violations
from tests.support.browser import console, resize

__all__ = ["lead", "opened"]
HAND = '[data-pick][data-of="{}"]'


async def sound(page: Console) -> None:
    """Check that axe finds nothing, on a phone and on a tablet."""
    for size in ((390, 844), TABLET):
        resize(page.looker.browser, size)
        await page.looker.painted()
        assert await asyncio.to_thread(violations, page.looker.browser) == []
    resize(page.looker.browser, (390, 844))


async def test_the_gm_plays_for_a_player_who_left_and_gives_back(opened: Console) -> None:
    table, looker = opened.table, opened.looker
    await table.duel()
    await opened.says("If Ada has to leave", ".waiting")
    assert not await looker.run(f"return document.querySelector('{HAND.format('ada')}')")
    await opened.fold("leaves-ada")
    await sound(opened)
    await opened.place("play for ada")
    await opened.says("played by you", ".waiting")
    await opened.says("You choose, because its player has left", ".own")
    await opened.seal_as("ada", "stance attack 2")
    await opened.says("ready", ".badge.ready")
    await sound(opened)
    await opened.place("take-back ada")
    await opened.seal_as("ada", "stance none")
    await opened.says("ready", ".badge.ready")
    await opened.place("play for ada")
    await looker.until("!document.querySelector('.own [aria-label=Ada]')")
    await opened.tab("log")
    await opened.says("Ada’s player is back.", ".chronicle")
    assert console(looker.browser) == []


async def test_a_player_sits_out_and_an_undo_brings_them_back(opened: Console) -> None:
    table, looker = opened.table, opened.looker
    await table.stage(ProblemRequest(problem="The bridge is down"))
    await settled(lambda: table.step == "option")
    await opened.fold("leaves-bo")
    await opened.place("sit out bo")
    await opened.says("Bo sits out", "dialog h2")
    await looker.until("document.querySelector('dialog .changes')")
    await opened.place("do sit out bo")
    await opened.says("sits out", ".waiting .away")
    assert table.state.scene
    assert table.state.scene.pending.must == ("ada",)
    await opened.press('[data-place="undo this"], .quick [data-sheet="undo"]')
    await looker.click("dialog [data-place=undo]")
    await settled(lambda: bool(table.state.scene) and not table.state.scene.sits_out)


async def test_a_player_who_has_left_is_missing_until_back(opened: Console) -> None:
    table, looker = opened.table, opened.looker
    await opened.fold("leaves-bo")
    await opened.do("stay away bo")
    await opened.says("away until back", ".waiting")
    await table.stage(ProblemRequest(problem="The bridge is down"))
    await settled(lambda: table.step == "option")
    assert table.state.scene and table.state.scene.pending.must == ("ada",)
    await opened.says("sits out", ".waiting .away")
    await sound(opened)
    gm = looker.browser.current_window_handle
    looker.browser.switch_to.new_window("tab")
    await looker.open(table.url("display?near"))
    await looker.until_says("Sitting out: Bo", ".hub-plays")
    await table.obey(c.PlayFor(actor="ada", on=True))
    await looker.until_says("Played by the GM: Ada · Sitting out: Bo", ".hub-plays")
    assert violations(looker.browser) == []
    await table.obey(c.EndScene())
    await table.obey(c.NameEvening(title="The last ferry"))
    await looker.until_says("The last ferry", ".evening h1")
    looker.browser.close()
    looker.browser.switch_to.window(gm)
    await opened.tab("keys")
    await opened.write("evening", "title", "Low tide")
    await opened.place("name evening")
    await settled(lambda: table.state.evening == "Low tide")
    await opened.tab("now")
    await opened.do("sit out bo")
    await settled(lambda: not table.state.away)
    await opened.tab("log")
    await opened.says("Bo is back.", ".chronicle")


async def test_a_button_says_what_its_family_cannot_do(opened: Console) -> None:
    await opened.table.duel()
    await opened.fold("leaves-ada")
    await opened.says("can leave between two turns", '[data-place="sit out ada"]')


async def test_hints_go_away_stay_away_and_come_back(opened: Console) -> None:
    looker = opened.looker
    await opened.says("Here you see what the table is waiting for", ".first-hint")
    await sound(opened)
    await opened.press(".first-hint [data-do=hint-read]")
    await looker.until("!document.querySelector('.first-hint')")
    await opened.open()
    assert not await looker.run("return document.querySelector('.first-hint')")
    await opened.tab("story")
    await opened.press(".first-hint [data-do=hints-read]")
    for tab in ("scene", "log", "keys"):
        await opened.tab(tab)
        await looker.painted()
        assert not await looker.run("return document.querySelector('.first-hint')"), tab
    await opened.says("Can I take that back?", ".help")
    await sound(opened)
    await opened.press('.help [data-do="hints-again"]')
    await opened.says("Show each player the code", ".first-hint")


async def test_the_consoles_words_explain_themselves(opened: Console) -> None:
    looker = opened.looker
    await opened.tab("scene")
    for word, says in (("lethal", "dies"), ("minor", "One turn decides"), ("prepared", "before")):
        await opened.press(f'[data-word="{word}"]')
        await opened.says(says, "dialog.meaning")
        await looker.click("dialog.meaning [data-close]")
        await looker.until("!document.querySelector('dialog.meaning')")
    await opened.tab("story")
    unexplained = await looker.run(
        "return [...document.querySelectorAll('.panel')].filter((one) => "
        "!one.querySelector('.panel-head .ask')).map((one) => one.className)"
    )
    assert unexplained == []


async def test_the_current_moment_never_leaves_a_tablets_screen(opened: Console) -> None:
    looker = opened.looker
    for size in ((768, 1024), (1024, 768)):
        resize(looker.browser, size)
        await looker.painted()
        await opened.tab("story")
        await looker.run(
            "const [, other] = document.querySelectorAll('.column');"
            "other.scrollTop = 10000; scrollTo(0, 10000)"
        )
        await looker.painted()
        now = await looker.run(
            "const { top, bottom } = document.querySelector('.waiting h2').getBoundingClientRect();"
            "return [top >= 0, bottom <= innerHeight, scrollY === 0,"
            " document.querySelectorAll('.column')[1].scrollTop > 0]"
        )
        assert now == [True, True, True, True], size


async def test_a_returning_player_takes_over_by_one_press_on_the_seats_page(
    opened: Console,
) -> None:
    table, looker = opened.table, opened.looker
    await table.obey(c.PlayFor(actor="ada", on=True))
    await looker.open(table.url(f"seat/ada?key={table.server.keys.of(seat_role('ada'))}"))
    await looker.until_says("The GM is playing for Ada.")
    assert await asyncio.to_thread(violations, looker.browser) == []
    await looker.click('[data-take="ada"]')
    await settled(lambda: not table.state.gm_plays)
    await looker.until("!document.querySelector('.own-hub')")


async def test_letters_of_twice_the_size_leave_room_for_the_page(opened: Console) -> None:
    looker = opened.looker
    await opened.table.duel()
    await opened.says("Your characters choose", ".own")
    place = "getComputedStyle(document.querySelector('.dock')).position"
    assert await looker.run(f"return {place}") == "sticky"
    big = (
        "document.documentElement.style.fontSize = arguments[0]; dispatchEvent(new Event('resize'))"
    )
    await looker.run(big, "32px")
    await looker.until(f"{place} === 'static'")
    assert await looker.run("return document.documentElement.scrollWidth <= innerWidth")
    await looker.run(big, "")
    await looker.until(f"{place} === 'sticky'")


async def test_missing_panel_parts_are_on_the_console_until_they_are_back(opened: Console) -> None:
    runner = opened.table.runner
    assert not await opened.looker.run("return document.querySelector('.hindrance')")
    runner.tell_panel(AtPanel(missing=("GPIO17",)))
    await opened.says("Parts of the panel cannot be used: GPIO17", ".hindrance")
    await sound(opened)
    runner.tell_panel(AtPanel(missing=("panel",)))
    await opened.says("The panel of buttons cannot be used", ".hindrance")
    runner.tell_panel(AtPanel())
    await opened.looker.until("!document.querySelector('.hindrance')")
    assert console(opened.looker.browser) == []
