"""The virtual table in a real browser: mouse, keyboard, decisions, and undo."""

import asyncio

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from hub.table import acts as i
from hub.table.views import hand_offers
from hub.web.keys import TABLE
from hub.web.tabletop import HandCard, Tabletop
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.led import LedTable
from tests.adapters.web.playing import SEATS, HandTabletop
from tests.adapters.web.test_gm_page import Console
from tests.support.browser import console, resize

PANEL = "[data-panel={seat}]"


def card(tag: str) -> str:
    return f'[data-card="{tag}"]'


async def open_table(pages: Pages, looker: Looker) -> None:
    await looker.open(pages.url(f"table?key={pages.key}"))
    await looker.until("document.querySelectorAll('[data-panel]').length === 3")


async def in_stance(pages: Pages, looker: Looker) -> None:
    pages.table.start()
    pages.table.decide("gm", "active ada")
    pages.table.decide("ada", "opponent ninja")
    await open_table(pages, looker)
    await looker.until_says("Ada and Ninja choose a stance")


async def until_step(pages: Pages, step: str) -> None:
    async with asyncio.timeout(60):
        while not pages.table.state.scene or pages.table.state.scene.pending.step != step:
            await asyncio.sleep(0.02)


async def test_a_turn_is_played_by_clicks(pages: Pages, looker: Looker) -> None:
    pages.table.announce()
    await open_table(pages, looker)
    await looker.click('[data-place="start prepared"]')
    await looker.until_says("Who takes the first turn?")
    await looker.click('[data-place="decide gm active ada"]')
    await looker.until_says("Whom does Ada face?")
    await looker.click('[data-place="decide ada opponent ninja"]')
    await looker.until_says("Ada and Ninja choose a stance")
    await looker.click(card("ada-grapple-3"))
    await looker.click("[data-put=north]")
    await looker.until_says("Sealed.", PANEL.format(seat="north"))
    await looker.until("document.querySelector('[data-panel=north] .laid-here .card.down')")
    await looker.click(card("ninja-defend-1"))
    await looker.click("[data-put=gm]")
    await looker.until_says("All cards are in")
    pages.table.reveal()
    await looker.until_says("choose a move")
    await looker.until("!document.querySelector('.lying-card')")
    assert pages.tabletop.fields["north"].tags() == ()
    for seat, tag in (("north", "ada-grapple-high"), ("gm", "ninja-defend-low")):
        await looker.click(card(tag))
        await looker.click(f"[data-put={seat}]")
    await looker.until_says("All cards are in")
    pages.table.reveal()
    await looker.until_says("Which 11 does Ninja give up?")

    await looker.click("[data-split=attack][data-by='-1']")
    await looker.until_says("1 more to give up", ".split")
    take = "document.querySelector('.split .offer')"
    assert await looker.run(f"return {take}.disabled")
    await looker.click("[data-split=grapple][data-by='1']")
    await looker.until(f"!{take}.disabled")
    await looker.click(".split .offer")
    await looker.click('[data-place="decide sensei let-be"]')
    await until_step(pages, "next")
    await looker.until_says("Who takes the next turn?")
    assert console(looker.browser) == []


async def test_a_card_is_dragged(pages: Pages, looker: Looker) -> None:
    await in_stance(pages, looker)

    def drag() -> None:
        browser = looker.browser
        held = browser.find_element(By.CSS_SELECTOR, card("ada-attack-2"))
        pad = browser.find_element(By.CSS_SELECTOR, "[data-pad=north]")
        webdriver.ActionChains(browser).drag_and_drop(held, pad).perform()

    await asyncio.to_thread(drag)
    await looker.until_says("Sealed.", PANEL.format(seat="north"))
    assert pages.tabletop.fields["north"].tags() == ("ada-attack-2",)
    assert not await looker.run("return Boolean(document.querySelector('.ghost, .picked'))")
    assert console(looker.browser) == []


async def test_the_keyboard_can_do_everything(pages: Pages, looker: Looker) -> None:
    await in_stance(pages, looker)
    await looker.run("document.querySelector('[data-card]').focus()")
    focused = "return document.activeElement.getAttribute('aria-label')"
    assert await looker.run(focused) == "No stance"
    await looker.press(Keys.ARROW_RIGHT)
    await looker.press(Keys.ARROW_RIGHT)
    assert await looker.run(focused) == "Attack 2"
    await looker.press(Keys.ENTER)
    await looker.until_says("Sealed.", PANEL.format(seat="north"))
    assert pages.tabletop.fields["north"].tags() == ("ada-attack-2",)
    await looker.run("document.querySelector('[data-panel=north] [data-card]').focus()")
    await looker.press(Keys.ARROW_UP)
    assert "face down; press to lift" in str(await looker.run(focused))
    await looker.press(Keys.ARROW_DOWN)
    assert await looker.run(focused) == "No stance"
    await looker.press(Keys.ESCAPE)
    await looker.until("!document.querySelector('[data-panel=north] [data-lift]')")
    assert pages.tabletop.fields["north"].tags() == ()
    assert console(looker.browser) == []


async def test_escape_puts_a_picked_card_back_first(pages: Pages, looker: Looker) -> None:
    await in_stance(pages, looker)
    await looker.run("document.querySelector('[data-card]').focus()")
    await looker.press(Keys.SPACE)
    await looker.until("document.querySelector('.picked')")
    await looker.until_says("No stance in hand. Choose a reader.", "#live")
    await looker.press(Keys.ESCAPE)
    await looker.until("!document.querySelector('.picked')")


async def test_cards_that_fit_stand_out_and_others_are_refused(
    pages: Pages, looker: Looker
) -> None:
    await in_stance(pages, looker)
    fitting = await looker.run(
        "return [...document.querySelectorAll('[data-panel=north] .fits')]"
        ".map((card) => card.dataset.card)"
    )
    assert isinstance(fitting, list)
    assert "ada-attack-3" in fitting
    assert "ada-attack-4" not in fitting
    assert "ada-attack-low" not in fitting
    assert not await looker.run("return document.querySelector('[data-panel=south] .fits')")
    await looker.click(card("ada-attack-low"))
    await looker.click("[data-put=north]")
    await looker.until_says("You cannot play this card now.", PANEL.format(seat="north"))
    assert pages.table.signals[-1] == ("north", "refused")
    await looker.click("[data-lift=ada-attack-low]")
    await looker.until("!document.querySelector('[data-lift=ada-attack-low]')")
    pages.table.lay("north", "stance none")
    await looker.until("!document.querySelector('[data-panel=north] .fits')")  # the seat has chosen


async def test_no_card_stands_out_that_would_be_refused(pages: Pages, looker: Looker) -> None:
    """Face-up cards, cards of another kind, and those a turn's loser no longer has."""
    table = pages.table
    table.start()
    table.book_example()
    table.decide("ninja", "split attack 4 defend 4 grapple 5")
    table.decide("ada", "active bo")
    table.decide("bo", "opponent sensei")
    table.both("stance", bo="none", sensei="none")
    await looker.open(pages.url(f"table?key={pages.key}"))
    await looker.until("document.querySelector('[data-panel=south] .fits')")
    for seat, actor in (("south", "bo"), ("gm", "sensei")):
        lit = await looker.run(
            f"return [...document.querySelectorAll('[data-panel={seat}] .fits')]"
            ".map((card) => card.getAttribute('aria-label'))"
        )
        open_now = [
            offer.choice.value
            for offer in hand_offers(table.state, actor)
            if offer.choice.kind == "move" and not offer.reason
        ]
        assert isinstance(lit, list)
        assert {each.lower().replace(" ", "-") for each in lit} <= set(open_now)


async def test_a_cable_is_pulled_and_put_back(pages: Pages, looker: Looker) -> None:
    await in_stance(pages, looker)
    await looker.click("[data-panel=south] [data-cable]")
    await looker.until_says("Plug in", PANEL.format(seat="south"))
    assert not pages.tabletop.fields["south"].plugged
    await looker.click("[data-panel=south] [data-cable]")
    await looker.until_says("Unplug", PANEL.format(seat="south"))
    assert pages.tabletop.fields["south"].plugged


async def test_commands_and_their_refusals(pages: Pages, looker: Looker) -> None:
    await in_stance(pages, looker)
    await looker.click('[data-place="pause"]')
    await looker.until_says("Paused", "h1")
    await looker.click('[data-press*="resume"]')
    await looker.until_says("choose a stance", "h1")
    await looker.click('.quick [data-sheet="undo"]')
    await looker.until_says("This will be undone:", "dialog")
    await looker.until_says("Ada faces Ninja.", "dialog")
    await looker.click('dialog [data-place="undo"]')
    await looker.until_says("Ada chooses an opponent", "h1")
    await looker.click('.quick [data-sheet="undo"]')
    await looker.click('dialog [data-place="undo"]')
    await looker.until_says("Who takes the first turn?", "h1")
    await looker.until("!document.querySelector('dialog').open")
    await looker.run("document.querySelector('.quick [data-sheet=\"undo\"]').click()")
    await looker.until_says("Call the scene off", "dialog h2")
    await looker.click('dialog [data-key="leave"]')
    await looker.click('[data-place="end-scene"]')
    await looker.until_says("The scene ends.", "dialog .changes")
    assert pages.table.state.scene is not None
    await looker.click('[data-place="do end-scene"]:not([aria-disabled])')
    await looker.until_says("The table is ready", "h1")
    await looker.until_says("Begin a scene", ".scene h2")


async def test_unavailable_offers_say_why(pages: Pages, looker: Looker) -> None:
    pages.table.start()
    none = {"ada": "none", "ninja": "none"}
    pages.table.turn("ada", "ninja", none, {"ada": "attack-low", "ninja": "attack-high"})
    pages.table.decide("ninja", "split attack 1 defend 1 grapple 1")
    await open_table(pages, looker)
    await looker.until_says("Who takes the next turn?")
    closed = await looker.run(
        "return [...document.querySelectorAll('.asked .closed li')].map((one) => one.textContent)"
    )
    assert isinstance(closed, list)
    assert any(line.startswith("Ninja is on the other side") for line in closed)
    offered = '.asked [data-place="decide {} active {}"]'
    assert not await looker.run(
        "return document.querySelector(arguments[0])", offered.format("ada", "ninja")
    )
    default = await looker.run("return document.querySelector('.asked .default').dataset.place")
    assert default == "decide ada active bo"


NARROW = "document.documentElement.scrollWidth <= innerWidth"
IN_SIGHT = """return [...document.querySelectorAll(arguments[0])]
    .map((one) => one.getBoundingClientRect())
    .map(({ top, bottom }) => top >= 0 && bottom <= innerHeight)"""


async def test_it_fits_a_phone(pages: Pages, looker: Looker) -> None:
    resize(looker.browser, (390, 844))
    pages.table.start()
    pages.table.book_example()
    await open_table(pages, looker)
    await looker.until_says("Which 13 does Ninja give up?")
    assert await looker.run(f"return {NARROW}")
    assert await looker.run(IN_SIGHT, ".dock") == [True]
    for tab in ("scene", "log", "keys"):
        await looker.click(f'[data-tab="{tab}"]')
        await looker.until(f"document.querySelector('.column.{tab}') && {NARROW}")
        assert await looker.run("return !document.querySelector('[data-panel]')")
    await looker.click('[data-tab="now"]')
    await looker.until_says("Which 13 does Ninja give up?")


async def test_a_laptop_shows_every_reader_and_the_question(pages: Pages, looker: Looker) -> None:
    resize(looker.browser, (1366, 768))
    pages.table.start()
    pages.table.book_example()
    await open_table(pages, looker)
    await looker.until_says("Which 13 does Ninja give up?")
    assert await looker.run(IN_SIGHT, "[data-pad]") == [True] * 3
    assert await looker.run(IN_SIGHT, ".asked .default, .quick") == [True] * 2
    for tab in ("log", "keys", "scene"):
        await looker.click(f'[data-tab="{tab}"]')
        await looker.until(f"document.querySelector('.column.{tab}') && {NARROW}")
        assert await looker.run(IN_SIGHT, "[data-pad], .asked .default") == [True] * 4


async def test_a_seal_whose_reader_is_gone_is_dropped(pages: Pages, looker: Looker) -> None:
    await in_stance(pages, looker)
    pages.table.lay("north", "stance none")
    pages.table.tell(i.ReaderMissing("north"))
    drop = '[data-place="drop ada"]'
    await looker.click(drop)
    await looker.until_says("it must be laid again", "dialog .changes")
    assert pages.table.state.scene and pages.table.state.scene.seals
    await looker.click('[data-place="do drop ada"]:not([aria-disabled])')
    await looker.until("!document.querySelector('[data-place^=drop]')")
    assert pages.table.state.scene and not pages.table.state.scene.seals


async def test_the_gm_tells_the_story_beside_the_seats(looker: Looker) -> None:
    """A whole evening from one page: an NPC, a countdown, a conflict, an overrule, the log."""
    async with LedTable(seats=SEATS | {"gm": ("ninja", "crow")}, tabletop=HandTabletop()) as table:
        page = Console(looker, table)
        await looker.open(table.url(f"table?key={table.server.keys.of(TABLE)}"))
        await looker.until("document.querySelectorAll('[data-panel]').length === 3")
        await page.fold("npc-add")
        await page.write("npc-like", "like", "crow")
        await page.place("add like")
        await page.says("Crow 2", ".members")
        await page.tab("story")
        await page.write("countdown", "name", "The tide")
        await page.place("countdown new 6")
        await page.says("0/6", ".clock")
        await page.tab("scene")
        await page.write("scene", "stakes", "The last boat")
        await page.place("start conflict")
        await page.place("decide gm active ada")
        await page.says("Whom does Ada face?", ".asked")
        await page.press('.quick [data-sheet="overrule"]')
        await page.write("overrule", "name", "ada")
        await page.write("overrule", "why", "it is late")
        await page.press('dialog [data-field="energy.attack ada"][aria-label*="less"]')
        await page.do("overrule")
        await looker.until("!document.querySelector('dialog').open")
        await page.tab("log")
        await page.says("because it is late", ".chronicle")
        await page.says("A countdown begins: The tide.", ".chronicle")
        assert console(looker.browser) == []


async def test_the_focus_moves_on_when_its_button_goes(pages: Pages, looker: Looker) -> None:
    """Without a mouse a turn is played by pressing Enter."""
    pages.table.announce()
    await open_table(pages, looker)
    await looker.until("document.querySelector('[data-place=\"start prepared\"]')")
    await looker.run("document.querySelector('[data-place=\"start prepared\"]').focus()")
    for words in ("Who takes the first turn?", "Whom does ", "choose a stance"):
        await looker.press(Keys.ENTER)
        await looker.until_says(words)
        await looker.until("document.activeElement !== document.body")
    await looker.press(Keys.ENTER)
    await looker.until_says("Sealed.")
    await looker.until("document.activeElement.closest('[data-panel]')")


def in_the_middle(pages: Pages, cards: int = 83) -> None:
    """Give the whole table a deck whose cards have two ends."""
    table = pages.tabletop
    for number in range(4, 4 + cards):
        tags = f"up-{number}", f"down-{number}"
        for tag, end, way in ((tags[0], tags[1], "upright"), (tags[1], tags[0], "reversed")):
            value = f"{number} {way}"
            table.middle.append(HandCard(tag, value, "drawn", value, end))


async def lies(pages: Pages, seat: str, *tags: str) -> None:
    async with asyncio.timeout(60):
        while pages.tabletop.fields[seat].tags() != tags:
            await asyncio.sleep(0.02)


async def test_a_card_of_83_is_placed_by_either_end_and_turned(
    pages: Pages, looker: Looker
) -> None:
    in_the_middle(pages)
    pages.table.start()
    await open_table(pages, looker)
    assert await looker.run("return document.querySelectorAll('.endcard').length") == 0
    await looker.run("document.querySelector('[data-ten=\"8\"][data-seat=north]').click()")
    shown = "return [...document.querySelectorAll('.twoends')].map((e) => e.ariaLabel).join()"
    assert await looker.run(shown) == "80,81,82,83,84,85,86"
    await looker.run("document.querySelector('[data-find=\"north\"]').focus()")
    await looker.press("39")
    await looker.until("document.querySelectorAll('.twoends').length === 1")
    assert await looker.run(shown) == "39"
    assert await looker.run("return document.activeElement.dataset.find") == "north"
    for wanted in (card("down-39"), '[data-put="north"]'):
        await looker.run("document.querySelector(arguments[0]).click()", wanted)
    await lies(pages, "north", "down-39")
    await looker.until("document.querySelector('[data-turn=\"down-39\"]')")
    await looker.until("document.querySelectorAll('.endcard:disabled').length === 2")
    await looker.run("document.querySelector('[data-turn]').click()")
    await lies(pages, "north", "up-39")
    await looker.until("document.querySelector('[data-turn=\"up-39\"]')")
    await looker.run("document.querySelector('[data-find=\"north\"]').focus()")
    await looker.press(Keys.BACKSPACE + Keys.BACKSPACE + "999")
    await looker.until_says("No card 999", "[data-panel=north] .deck-of-all")
    assert console(looker.browser) == []


async def test_a_card_of_the_deck_is_in_one_place(pages: Pages, looker: Looker) -> None:
    in_the_middle(pages, 3)
    pages.table.start()
    pages.tabletop.fields["north"].place("up-4")
    await open_table(pages, looker)
    await looker.until("document.querySelectorAll('.endcard').length === 18")
    await looker.until("document.querySelectorAll('.endcard:disabled').length === 6")
    whole = Tabletop(pages.tabletop)
    south = pages.tabletop.fields["south"].name
    whole.do("place", south, "down-4")
    await lies(pages, "north")
    await lies(pages, "south", "down-4")
    assert whole.has(south, "up-4") and whole.has(south, "down-6") and not whole.has(south, "up-9")


async def test_a_placed_card_is_in_the_middle_of_its_reader(pages: Pages, looker: Looker) -> None:
    """Even if a family's pages use the same class names."""
    in_the_middle(pages, 1)
    pages.table.start()
    await open_table(pages, looker)
    await looker.run(
        "const link = document.createElement('link');"
        "Object.assign(link, { rel: 'stylesheet', href: 'static/css/tourists.css' });"
        "link.onload = () => { window.dressed = true; }; document.head.append(link)"
    )
    await looker.until("window.dressed")
    await looker.run("document.querySelector('.endcard').click()")
    await looker.run("document.querySelector('[data-put]').click()")
    await looker.until("document.querySelector('.lying-card')")
    middles = await looker.run(
        "return ['.lying-card', '.plate'].map((e) => document.querySelector(e)).map((e) => {"
        "const { left, right } = e.getBoundingClientRect(); return Math.round(left + right); })"
    )
    assert isinstance(middles, list) and abs(middles[0] - middles[1]) <= 2
