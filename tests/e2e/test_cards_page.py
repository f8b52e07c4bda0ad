"""The console's page of cards, in a real browser on a demo: empty tags become a seat's cards."""

import asyncio
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from hub.cards.deck import Mark, read_deck
from tests.support.accessibility import violations
from tests.support.browser import close_others, console
from tests.support.demo import SECONDS, Demo, Page, demo


class CardPage:
    def __init__(self, browser: webdriver.Chrome, table: Demo) -> None:
        self.browser, self.table = browser, table
        browser.get(table.gm)
        browser.get(f"http://127.0.0.1:{table.port}/gm/cards")

    def says(self, *words: str) -> None:
        def said(browser: webdriver.Chrome) -> bool:
            script = "return document.querySelector('#root')?.innerText ?? ''"
            text = str(browser.execute_script(script))  # type: ignore[no-untyped-call]
            return all(word in text for word in words)

        try:
            WebDriverWait(self.browser, SECONDS, 0.05).until(said)
        except TimeoutException:
            text = " | ".join(self.browser.find_element(By.ID, "root").text.split("\n"))
            raise AssertionError(f"it never says {words}, but: {text}") from None

    def press(self, name: str) -> None:
        script = """const found = [...document.querySelectorAll("button")].find(
          (each) => (each.getAttribute("aria-label") ?? each.innerText).startsWith(arguments[0]));
        found?.click(); return Boolean(found);"""
        done = lambda browser: browser.execute_script(script, name)  # noqa: E731
        WebDriverWait(self.browser, SECONDS, 0.05).until(done, f"no button {name}")

    def look(self) -> None:
        assert violations(self.browser) == []


def _the_others_say_so(browser: webdriver.Chrome, table: Demo) -> None:
    """Check that every page reports the writing, and that the console shows the reader as busy
    instead of lost."""
    here = browser.current_window_handle
    for address in (table.display, table.seats["bo"]):
        Page(browser, address).says("Cards are being written at Ada.")
    console = Page(browser, table.gm)
    console.until("document.querySelector('[data-key=seat-ada] .reader')")
    assert console.text("[data-key=seat-ada] .reader") == "writing cards"
    virtual = Page(browser, table.table)
    virtual.says("writing cards", "[data-panel=ada] .badge")
    everywhere = []
    for handle in browser.window_handles:
        browser.switch_to.window(handle)
        everywhere.append(str(browser.execute_script("return document.body.innerText")))  # type: ignore[no-untyped-call]
    assert "reader lost" not in " ".join(everywhere).lower()
    close_others(browser, here)


def _what_is_for_good_is_said_twice(page: CardPage) -> None:
    browser = page.browser
    asked = """document.querySelector(".finish").open = true;
      const tick = (what) => document.querySelector(`[data-finish=${what}]`);
      tick("lock").click(); tick("password").value = "open sesame";
      tick("password").dispatchEvent(new Event("input", {bubbles: true}));"""
    browser.execute_script(asked)  # type: ignore[no-untyped-call]
    page.look()
    page.press("Write")
    page.says("This is for good", "locked for good", "protected by your password")
    page.look()
    page.press("Better not")
    page.says("Whose cards")
    assert browser.find_elements(By.CSS_SELECTOR, "[data-finish]:checked") == []
    page.press("Write")  # without locking the tags
    page.says("Lay Attack 1 on the reader of Ada.")
    assert "for ever" not in browser.find_element(By.ID, "root").text
    page.press("Stop")
    page.says("Whose cards")
    unsaid = """return fetch("/gm/cards", {method: "POST", body: JSON.stringify(
      {do: "begin", seat: "ada", set: "ada", lock: true})}).then((answer) => answer.json())"""
    answer = browser.execute_script(unsaid)  # type: ignore[no-untyped-call]
    assert (answer["session"], answer["fault"]["reason"]) == (
        None,
        "this cannot be taken back: confirm it once more",
    )
    browser.execute_script(asked)  # type: ignore[no-untyped-call]
    page.press("Write")
    page.press("Yes, for good")
    page.says(
        "Lay Attack 1", "Each tag is locked for good. Each tag is protected by your password."
    )
    page.press("Lay an empty tag")
    page.says("Attack 1 is written and checked")
    page.press("Take the tag away")
    assert "sesame" not in browser.page_source


async def test_a_set_is_written_at_a_simulated_reader(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    async with demo("--data", str(tmp_path)) as table:
        await asyncio.to_thread(_write, browser, table, tmp_path / "deck.toml")


def _write(browser: webdriver.Chrome, table: Demo, file: Path) -> None:
    deck = read_deck(file)
    own = [card for card in deck.cards if card.group == "ada"]
    page = CardPage(browser, table)
    page.says("Whose cards", f"0 of {len(own)} written", "On which reader")
    page.look()
    page.press("Write")
    page.says("Lay No stance on the reader of Ada.")
    page.look()
    _the_others_say_so(browser, table)
    page.press("Lay an empty tag")
    page.says("No stance is written and checked. Take it away.", f"1 of {len(own)} written")
    page.look()
    page.press("Take the tag away")
    page.says("Lay Attack 1 on the reader of Ada.")
    page.press("Later")
    page.says("Lay Attack 2 on the reader of Ada.")
    page.press("Lay an empty tag")
    page.says("Attack 2 is written and checked")
    browser.refresh()
    page.says("Attack 2 is written and checked", f"2 of {len(own)} written")
    page.press("Take the tag away")
    page.says("Lay Attack 3")
    page.press("Stop")
    page.says("Whose cards", f"2 of {len(own)} written")
    marks = {str(card.choice): card.mark for card in read_deck(file).cards if card.group == "ada"}
    assert [name for name, mark in marks.items() if mark] == ["stance none", "stance attack 2"]
    assert set(marks.values()) == {Mark.NONE, Mark.WRITTEN}
    source = browser.page_source
    assert not [card.tag for card in deck.cards if card.tag in source]

    _what_is_for_good_is_said_twice(page)
    here = browser.current_window_handle
    virtual = Page(browser, table.table)
    virtual.click('[data-place="start prepared"]')
    browser.close()
    browser.switch_to.window(here)
    page.says("A scene has begun, so no more cards can be written.", "A scene is being played")
    page.look()
    assert not [e for e in console(browser) if "401" not in str(e)]
    assert browser.find_elements(By.CSS_SELECTOR, "[data-do=begin][aria-disabled=true]")
