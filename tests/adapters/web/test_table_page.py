"""The virtual table in a real browser: mouse, keyboard, decisions, and a way back."""

import asyncio

from msgspec.structs import replace
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.adapters.web.conftest import Looker, Pages
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
    async with asyncio.timeout(10):
        while not pages.table.state.scene or pages.table.state.scene.pending.step != step:
            await asyncio.sleep(0.02)


async def test_the_key_leaves_the_address_bar(pages: Pages, looker: Looker) -> None:
    await open_table(pages, looker)
    assert looker.browser.current_url == pages.url("table")
    assert pages.key not in await looker.text("html")
    assert await looker.run("return document.cookie") == ""
    assert console(looker.browser) == []


async def test_without_the_key_there_is_a_page_that_says_so(pages: Pages, looker: Looker) -> None:
    await looker.open(pages.url("table"))
    await looker.until_says("The virtual table needs its key.", "h1")


async def test_a_turn_is_played_by_clicks(pages: Pages, looker: Looker) -> None:
    pages.table.announce()
    await open_table(pages, looker)
    await looker.click('[data-command="start-scene"]')
    await looker.until_says("Who takes the first turn?")
    await looker.click('[data-choice="active ada"]')
    await looker.until_says("Whom does Ada face?")
    await looker.click('[data-choice="opponent ninja"]')
    await looker.until_says("Ada and Ninja choose a stance")
    await looker.click(card("ada-grapple-3"))
    await looker.click("[data-put=north]")
    await looker.until_says("Sealed.", PANEL.format(seat="north"))
    await looker.until("document.querySelector('[data-panel=north] .lies .card.down')")
    await looker.click(card("ninja-defend-1"))
    await looker.click("[data-put=gm]")
    await looker.until_says("All cards are in")
    pages.table.reveal()
    await looker.until_says("choose a move")
    await looker.until("document.querySelector('[data-panel=north] .lies .card.up')")
    for seat, tag in (("north", "ada-grapple-high"), ("gm", "ninja-defend-low")):
        await looker.click(card(tag))
        await looker.click(f"[data-put={seat}]")
    await looker.until_says("All cards are in")
    pages.table.reveal()
    await looker.until_says("Where does Ninja take 11 from?")

    await looker.click("[data-split=attack][data-by='-1']")
    await looker.until_says("1 more to take", ".split")
    take = "document.querySelector('.split .offer')"
    assert await looker.run(f"return {take}.disabled")
    await looker.click("[data-split=grapple][data-by='1']")
    await looker.until(f"!{take}.disabled")
    await looker.click(".split .offer")
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
    assert pages.bench.fields["north"].tags() == ("ada-attack-2",)
    assert not await looker.run("return Boolean(document.querySelector('.ghost, .picked'))")
    assert console(looker.browser) == []


async def test_everything_goes_by_keyboard(pages: Pages, looker: Looker) -> None:
    await in_stance(pages, looker)
    await looker.run("document.querySelector('[data-card]').focus()")
    focused = "return document.activeElement.getAttribute('aria-label')"
    assert await looker.run(focused) == "No stance"
    await looker.press(Keys.ARROW_RIGHT)
    await looker.press(Keys.ARROW_RIGHT)
    assert await looker.run(focused) == "Attack 2"
    await looker.press(Keys.ENTER)
    await looker.until_says("Sealed.", PANEL.format(seat="north"))
    assert pages.bench.fields["north"].tags() == ("ada-attack-2",)
    await looker.run("document.querySelector('[data-panel=north] [data-card]').focus()")
    await looker.press(Keys.ARROW_UP)
    assert "face down; press to lift" in str(await looker.run(focused))
    await looker.press(Keys.ARROW_DOWN)
    assert await looker.run(focused) == "No stance"
    await looker.press(Keys.ESCAPE)
    await looker.until("!document.querySelector('[data-panel=north] [data-lift]')")
    assert pages.bench.fields["north"].tags() == ()
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
    await looker.until_says("This card does not fit now.", PANEL.format(seat="north"))
    assert pages.table.signals[-1] == ("north", "refused")


async def test_a_cable_is_pulled_and_put_back(pages: Pages, looker: Looker) -> None:
    await in_stance(pages, looker)
    await looker.click("[data-panel=south] [data-cable]")
    await looker.until_says("Plug in", PANEL.format(seat="south"))
    assert not pages.bench.fields["south"].plugged
    await looker.click("[data-panel=south] [data-cable]")
    await looker.until_says("Unplug", PANEL.format(seat="south"))
    assert pages.bench.fields["south"].plugged


async def test_commands_and_their_refusals(pages: Pages, looker: Looker) -> None:
    await in_stance(pages, looker)
    await looker.click('[data-command="pause"]')
    await looker.until_says("Paused")
    await looker.click('[data-command="resume"]')
    await looker.until_says("choose a stance")
    await looker.click('[data-command="undo"]')
    await looker.until_says("Who takes the first turn?")
    await looker.click('[data-command="undo"]')
    await looker.until_says("nothing has happened since the scene began", ".decisions")
    await looker.click('[data-command="end-scene"]')
    await looker.until_says("Really end it?")
    assert pages.table.state.scene is not None
    await looker.click('[data-command="end-scene"]')
    await looker.until_says("Start a scene to begin.")


async def test_offers_that_are_not_open_say_why(pages: Pages, looker: Looker) -> None:
    pages.table.start()
    none = {"ada": "none", "ninja": "none"}
    pages.table.turn("ada", "ninja", none, {"ada": "attack-low", "ninja": "attack-high"})
    pages.table.decide("ninja", "split attack 1 defend 1 grapple 1")
    await open_table(pages, looker)
    await looker.until_says("Who takes the next turn?")
    offers = await looker.run(
        "return [...document.querySelectorAll('[data-choice^=active]')].map("
        "(button) => [button.dataset.choice, button.disabled, button.textContent])"
    )
    assert isinstance(offers, list)
    closed = {choice: text for choice, disabled, text in offers if disabled}
    assert "on the other side" in closed["active ninja"]
    default = await looker.run("return document.querySelector('.offer.default').dataset.choice")
    assert default == "active bo"


async def test_a_forgotten_browser_is_told(pages: Pages, looker: Looker) -> None:
    port = pages.server.port
    await open_table(pages, looker)
    await pages.server.__aexit__(None, None, None)
    await looker.until_says("Connection lost", ".connection")
    settings = replace(pages.settings, port=port)
    pages.server = pages.make(settings)
    async with pages.server:
        await looker.until_says("open the address with the key again", ".connection")


async def test_it_fits_a_phone(pages: Pages, looker: Looker) -> None:
    resize(looker.browser, (390, 844))
    pages.table.start()
    pages.table.book_example()
    await open_table(pages, looker)
    await looker.until_says("Where does Ninja take 13 from?")
    assert await looker.run("return document.documentElement.scrollWidth <= innerWidth")


async def test_the_focus_finds_a_new_home_when_its_button_goes(
    pages: Pages, looker: Looker
) -> None:
    """Without a mouse a turn goes from Enter to Enter."""
    pages.table.announce()
    await open_table(pages, looker)
    await looker.until("document.querySelector('[data-command=\"start-scene\"]')")
    await looker.run("document.querySelector('[data-command=\"start-scene\"]').focus()")
    for words in ("Who takes the first turn?", "Whom does ", "choose a stance"):
        await looker.press(Keys.ENTER)
        await looker.until_says(words)
        await looker.until("document.activeElement !== document.body")
    await looker.press(Keys.ENTER)
    await looker.until_says("Sealed.")
    await looker.until("document.activeElement.closest('[data-panel]')")
