"""Seat pages in a real browser, with the real hub: whole turns without a reader, and every fault
between a thumb and a seal."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from hub.games.triangle.story.scenes import ProblemRequest
from hub.ports import ReaderTroubled
from hub.table import acts as c
from hub.table import desk
from tests.adapters.web.conftest import Looker
from tests.adapters.web.playing import SCENE, energy, fighter
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import SeatPage, complaints, tabs_of
from tests.support.browser import console, resize
from tests.support.evening import cast

CHARACTERS: dict[str, dict[str, Any]] = SCENE["characters"]  # type: ignore[assignment]
GIFTED = {
    "characters": CHARACTERS
    | {"ada": {**CHARACTERS["ada"], "specials": ["there-can-be-only-one", "wax-on-attack"]}}
}
PHONE = (390, 844)
Sit = Callable[[RunningTable, str], Awaitable[SeatPage]]


@pytest.fixture
async def sit(looker: Looker) -> AsyncIterator[Sit]:
    resize(looker.browser, PHONE)
    async with tabs_of(looker) as tabs:
        yield tabs.sit
        assert complaints(looker.browser) == []


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[RunningTable]:
    async with RunningTable(tmp_path) as running:
        yield running


async def test_two_pages_play_a_turn_against_each_other(table: RunningTable, sit: Sit) -> None:
    await table.start()
    ada, foes = await sit(table, "north"), await sit(table, "gm")
    await ada.says("Nothing for you to do now")
    await table.decide("gm", "active ada")
    await ada.says("Choose whom to face", "h1")
    await ada.decide("opponent ninja")
    await ada.says("Choose your stance", "h1")
    await ada.seal("stance grapple 3")
    await ada.said("Sealed.")
    await foes.says("Choose your stance", "h1")
    await foes.seal("stance none")
    await ada.says("Choose your move", "h1")
    await ada.seal("move grapple-high")
    await foes.seal("move attack-low")
    await ada.says("Attack beats Grapple: Ninja wins.")
    await ada.says("Which 6 does Ada give up?")
    await ada.says("At least 3 from Grapple")
    await ada.click("[data-split=attack][data-by='-1']")
    await ada.says("1 more to give up", ".split")
    await ada.click("[data-split=grapple][data-by='1']")
    await ada.click(".split .offer")
    await ada.said("Decided.")
    await foes.says("Who takes the next turn?")
    assert table.step == "next"
    split = table.told("decided")[-1]
    assert (split.actor, split.choice, split.by) == (
        "ada",
        "split attack 1 defend 1 grapple 4",
        "north",
    )


PRESS = """
const free = (all) => [...document.querySelectorAll(all)].find(
  (one) => !one.disabled && one.ariaDisabled !== 'true');
const cards = [...document.querySelectorAll('[data-pick]')];
const asked = '.question:not(.declared) .offer';
const answer = free(`${asked}.default`) ?? free(asked);
const seal = free('[data-seal]');
if (seal) seal.click();
else if (answer) answer.click();
else if (cards.length && !document.querySelector('.picked')) {
  cards.filter((card) => card.dataset.pick !== 'move surrender').at(arguments[0]).click();
}
"""
"""Presses what the page offers."""


async def test_a_whole_conflict_is_played_from_two_pages(tmp_path: Path, sit: Sit) -> None:
    seats = {"north": ("ada", "bo"), "gm": ("ninja", "sensei")}
    some = {name: fighter(energy(1, 0, 1)) for name in ("ada", "bo", "ninja", "sensei")}
    async with RunningTable(tmp_path, seats=seats, scene={"characters": some}) as table:
        await table.start()
        pages = await sit(table, "north"), await sit(table, "gm")
        async with asyncio.timeout(100):
            for turn in range(4000):
                if table.step == "over":
                    break
                asked = table.view.awaited
                if asked == ("gm",):
                    offers = [o for o in table.runner.offers("gm") if not o.reason]
                    await table.decide("gm", str(offers[0].choice))
                await pages[turn % 2].run(PRESS, (turn // 2) % 2 - 1)
        for page in pages:
            await page.says(" win", "h1")
        assert len(table.told("revealed")) >= 4
        assert {each.by for each in table.told("decided")} <= {"north", "gm"}


async def test_no_seal_of_another_seat_reaches_a_page(table: RunningTable, sit: Sit) -> None:
    hidden = fighter(energy(6, 5, 6)) | {"moves": ["attack-low", "defend-high"]}
    table.scene = SCENE | {"characters": CHARACTERS | {"ninja": hidden}}
    await table.face("ada", "ninja")
    ada, foes = await sit(table, "north"), await sit(table, "gm")
    await foes.seal("stance defend 5")
    await foes.said("Sealed.")
    await ada.until('wire.heard.some((frame) => frame.includes(\'"committed":["ninja"]\'))')
    assert "defend 5" not in await ada.heard()
    await ada.seal("stance grapple 3")
    await ada.says("Choose your move", "h1")
    assert "defend 5" in await ada.heard()
    await foes.seal("move defend-high")
    await foes.said("Sealed.")
    await ada.run("location.reload()")
    await ada.until('wire.heard.some((frame) => frame.includes(\'"committed":["ninja"]\'))')
    await ada.says("Choose your move", "h1")
    assert "defend-high" not in await ada.heard()
    assert "defend-high" not in await ada.text("html")


async def test_a_slip_seals_nothing(table: RunningTable, sit: Sit) -> None:
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    await ada.click('[data-pick="stance attack 2"]')
    await ada.said("Attack 2 picked. Seal it?")
    await ada.says("Seal Attack 2", "[data-seal]")
    await ada.click("[data-unpick]")
    await ada.until("!document.querySelector('[data-seal], .picked')")
    await ada.click('[data-pick="stance attack 2"]')
    await ada.click('[data-pick="stance defend 1"]')
    await ada.says("Seal Defend 1", "[data-seal]")
    assert table.told("committed") == []


async def test_a_sealed_card_is_face_down_and_shows_while_it_is_held(
    table: RunningTable, sit: Sit
) -> None:
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    await ada.seal("stance grapple 3")
    await ada.said("Sealed.")
    await ada.says("You are ready.", "h1")
    shown = "return document.querySelector('.own-page').outerHTML.match(/Grapple 3|grapple 3/)"
    assert await ada.run(shown) is None
    browser = ada.looker.browser
    peek = browser.find_element(By.CSS_SELECTOR, "[data-peek]")
    mouse, keys = ActionChains(browser), ActionChains(browser)
    for down, up in (
        (mouse.click_and_hold(peek).perform, ActionChains(browser).release().perform),
        (keys.key_down(Keys.SPACE).perform, ActionChains(browser).key_up(Keys.SPACE).perform),
    ):
        await asyncio.to_thread(down)
        await ada.until("document.querySelector('.own-sealed .card.up')")
        await ada.says("Grapple 3", "[data-peek]")
        await asyncio.to_thread(up)
        await ada.until("document.querySelector('.own-sealed .card.down')")
        assert await ada.run(shown) is None
    assert "grapple" not in str(await ada.run("return JSON.stringify({...localStorage})"))


async def test_a_card_from_before_a_special_cannot_be_peeked_at(
    table: RunningTable, sit: Sit
) -> None:
    """The special voids the stance, and another card is sealed elsewhere."""
    gifts = {"ada": ["scouter"], "ninja": ["there-can-be-only-one"]}
    table.scene = SCENE | {
        "characters": CHARACTERS
        | {name: {**CHARACTERS[name], "specials": special} for name, special in gifts.items()}
    }
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    await ada.seal("stance attack 2")
    await ada.until("document.querySelector('[data-peek]')")
    await table.decide("ninja", "use")
    await ada.says("Lay a special, or none", "h1")
    await table.commit("ada", "special none")
    await ada.says("You are ready.", "h1")
    assert not await ada.has("[data-peek]")


async def test_a_late_answer_is_not_taken_for_the_card_now_sealed(
    table: RunningTable, sit: Sit
) -> None:
    """The answer was lost with the connection. Before it is back, the reader seals another card."""
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    await ada.run("wire.deaf = ['reply']")
    await ada.seal("stance attack 2")
    await table.until_told("committed")
    await ada.run("wire.held = []; wire.deaf = []; wire.cut()")
    table.lay("north", "stance defend 1")
    await table.until_told("taken-back")
    await table.until_told("committed", 2)
    await ada.until('wire.heard.filter((frame) => frame.includes(\'"type":"reply"\')).length > 1')
    await ada.said("Sealed.")
    await ada.says("You are ready.", "h1")
    assert not await ada.has("[data-peek]")


async def test_a_card_is_taken_back_until_all_are_in(tmp_path: Path, sit: Sit) -> None:
    async with RunningTable(tmp_path, reveal_delay_ms=1500) as table:
        await take_back(table, sit)


async def take_back(table: RunningTable, sit: Sit) -> None:
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    await ada.seal("stance grapple 3")
    await ada.click('[data-command="take-back"]')
    await ada.said("Taken back. Choose again.")
    await ada.says("Choose your stance", "h1")
    await ada.seal("stance none")
    await ada.said("Sealed.")
    await table.commit("ninja", "stance none")
    await ada.says("All cards are in", "h1")
    assert not await ada.has('[data-command="take-back"]')
    head = table.runner._head
    await ada.says(f"Proof for later: log {head[:4]} {head[4:8]}", ".own-log")
    sealed = table.told("committed")[-2].digest
    await ada.says(f"Your seal {sealed[:4]} {sealed[4:8]}", ".own-log")
    await ada.says("Choose your move", "h1")
    await ada.says("Checked: the card that was shown is the one that was sealed", ".own-log")


async def test_the_page_replaces_a_lost_reader(table: RunningTable, sit: Sit) -> None:
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    await ada.says("or lay the paper card on the reader")
    table.lose_reader("north")
    await ada.says("Your reader is lost. Seal your card here.")
    await ada.seal("stance attack 1")
    await ada.said("Sealed.")
    await table.commit("ninja", "stance none")
    await ada.says("Choose your move", "h1")


async def test_the_readers_trouble_is_still_shown_after_a_reload(
    table: RunningTable, sit: Sit
) -> None:
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    table.lose_reader("north")
    table.find_reader("north", "stance attack 1")
    await ada.says("A card was laid while the reader was away,", "[data-lies=unseen]")
    await ada.looker.open(table.server.url + "seat/north?lang=de")
    await ada.says("als der Leser weg war", "[data-lies=unseen]")
    table.lay("north")
    await ada.until("!document.querySelector('[data-lies]')")
    table.lay("north", "?chip-card")
    await ada.says("eine Bankkarte oder ein Ausweis", "[data-lies=chip-card]")
    table.lay("north")
    table.lay("north", "stance attack 1")
    await table.until_told("committed")
    table.lose_reader("north")
    table.find_reader("north", "stance attack 1 @copy")
    await ada.says("eine andere Karte als die verdeckte", "[data-lies=exchanged]")
    table.lay("north")
    await ada.says("Die verdeckte Karte liegt nicht mehr hier", "[data-lies=gone]")
    table.lay("south", "stance attack 1 @one")
    table.lay("north", "stance attack 1 @one")
    await ada.says("die Leser auseinanderrücken", "[data-lies=crossed]")


async def test_the_last_player_is_told_that_a_dead_radio_may_hide_a_card(
    table: RunningTable, sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "QUIET_MS", 50)
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    table.runner.inbox.report(ReaderTroubled("north", losses=0, disturbances=0, blind=True))
    table.lay("north", "?phone")
    await ada.says("A phone or a watch is on the reader", "[data-lies=phone]")
    table.lay("north")
    await table.commit("ninja", "stance attack 1")
    await ada.says("this reader has seen nothing since ", "[data-lies=nothing-seen]")
    await ada.seal("stance grapple 3")
    await ada.until("!document.querySelector('[data-lies]')")


async def test_the_readers_signals_are_shown(table: RunningTable, sit: Sit) -> None:
    await table.face("ada", "ninja")
    ada, bo = await sit(table, "north"), await sit(table, "south")
    table.lay("north", "move attack-high")
    await ada.said("a stance is needed now, not a move")
    table.lay("north", "?")
    await ada.said("this tag is not in the deck file")
    table.lay("north", "stance attack 1", "stance attack 2")
    await ada.said("two cards are on the reader")
    table.lay("north", "stance attack 1")
    await ada.said("Sealed.")
    await ada.says("You are ready.", "h1")
    assert not await ada.has("[data-peek]")
    assert '"tell"' not in await bo.heard()


async def test_a_refusal_stays_until_it_can_have_been_read(table: RunningTable, sit: Sit) -> None:
    """However soon the table moves on: until the next action here, or for some seconds."""
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    await ada.run(
        "const real = setTimeout;"
        "setTimeout = (what, ms) => (ms === 6000 ? (window.read = what) : real(what, ms));"
    )
    why = "this tag is not in the deck file"
    steps = (("attack 1", "stance none"), ("attack-high", "move attack-low"))
    for own, other in steps:
        await table.commit("ada", f"{other.split()[0]} {own}")
        await ada.said("Sealed.")
        table.lay("north", "?")
        await ada.said(why)
        shown = len(table.told("revealed"))
        await table.commit("ninja", other)
        await table.until_told("revealed", shown + 1)
        await ada.until("Boolean(window.read)")
        await ada.said(why)
        if own == "attack 1":
            await ada.click("[data-pick='move attack-high']")
            await ada.said("Seal it?")
            await ada.run("window.read(); window.read = null")
            await ada.said("Seal it?")
            table.lay("north")
    await ada.run("window.read()")
    assert await ada.text(".own-said") == ""


async def test_an_action_that_became_illegal_is_refused_with_the_reason(
    table: RunningTable, sit: Sit
) -> None:
    """The page does not know yet that a card is on the reader."""
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    await ada.click('[data-pick="stance attack 2"]')
    await ada.run("wire.deaf = ['state', 'hand', 'questions', 'tell']")
    table.lay("north", "stance attack 1")
    await table.until_told("committed")
    await ada.click("[data-seal]")
    await ada.said("Not done: a choice is already sealed; take it back first")
    await ada.run("wire.release()")
    await ada.says("You are ready.", "h1")
    assert not await ada.has("[data-peek]")
    assert len(table.told("committed")) == 1


async def test_a_page_from_before_an_undo_does_nothing(table: RunningTable, sit: Sit) -> None:
    await table.face("ada", "ninja")
    await table.both("stance", ada="none", ninja="none")
    ada = await sit(table, "north")
    await ada.click('[data-pick="move attack-high"]')
    await ada.run("wire.deaf = ['state', 'hand', 'questions']")
    await table.ask(c.Undo())
    await table.decide("gm", "active ada")
    await table.decide("ada", "opponent ninja")
    await table.both("stance", ada="none", ninja="none")
    await ada.click("[data-seal]")
    await ada.said("Not done: the table had moved on.")
    assert len(table.told("committed")) == 4
    await ada.run("wire.release()")
    await ada.says("Choose your move", "h1")
    await ada.seal("move attack-high")
    await ada.said("Sealed.")


@pytest.mark.parametrize("between_ms", [0, 120])
async def test_two_rapid_presses_are_one(table: RunningTable, sit: Sit, between_ms: int) -> None:
    table.scene = SCENE | GIFTED
    await table.face("ada", "ninja")
    await table.both("stance", ada="none", ninja="none")
    ada = await sit(table, "north")
    twice = """
        const press = () => document.querySelector(arguments[0])?.click();
        press();
        return new Promise((done) => setTimeout(() => done(press()), arguments[1]));
    """
    await ada.until("document.querySelector('[data-beside]')")
    await ada.run(twice, '[data-beside="special wax-on-attack"]', between_ms)
    await ada.said("Done, face down.")
    assert (len(table.told("set-beside")), table.told("withdrawn")) == (1, [])
    await ada.click('[data-pick="move attack-high"]')
    await ada.run(twice, "[data-seal]", between_ms)
    await ada.said("Sealed.")
    assert len(table.told("committed")) == 3
    sent = [json.loads(str(each)) for each in await ada.run("return wire.said")]  # type: ignore[attr-defined]
    assert len(sent) == 2
    assert all(len(each["command"]["id"]) == 22 for each in sent)


@pytest.mark.parametrize("lost", ["the press", "the answer", "the answer, and the page"])
async def test_a_connection_cut_in_the_middle_of_a_press(
    table: RunningTable, sit: Sit, lost: str
) -> None:
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    await ada.click('[data-pick="stance attack 2"]')
    if lost == "the press":
        await ada.run("wire.swallow = true")
    else:
        await ada.run("wire.deaf = ['reply', 'state', 'hand', 'tell']")
    await ada.click("[data-seal]")
    await ada.said("On its way")
    if lost != "the press":
        await table.until_told("committed")
    await ada.run("wire.swallow = false; wire.deaf = []")
    await ada.run("location.reload()" if "page" in lost else "wire.cut()")
    await ada.said("Sealed.")
    await ada.says("You are ready.", "h1")
    assert len(table.told("committed")) == 1
    assert "attack" not in str(await ada.run("return JSON.stringify({...sessionStorage})"))


async def test_a_command_that_is_too_long_ends_one_connection_only(
    table: RunningTable, sit: Sit
) -> None:
    """An older page may have kept one; even after a reload the page recovers."""
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    await ada.run(
        "const long = { command: 'decide', actor: 'ada', choice: 'x'.repeat(9000), id: '1' };"
        "sessionStorage.setItem(`facedown-unanswered:${location.pathname}`,"
        " JSON.stringify([['decide', long]])); location.reload()"
    )
    await ada.said("Not done: this is too long for one message.")
    await ada.until("wire.sockets.length === 2 && wire.sockets[1].readyState === 1")
    assert await ada.run("return sessionStorage.length") == 0
    await ada.until("!document.querySelector('.connection')")
    await ada.seal("stance attack 2")
    await ada.said("Sealed.")


async def test_a_hub_that_is_restarted_in_the_middle_of_a_press(
    table: RunningTable, sit: Sit
) -> None:
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    await ada.click('[data-pick="stance attack 2"]')
    await ada.run("wire.deaf = ['reply', 'state', 'hand', 'tell']")
    await ada.click("[data-seal]")
    await table.until_told("committed")
    await table.halt()
    await ada.says("Connection lost", ".connection")
    await ada.run("wire.deaf = []")
    await table.boot()
    await ada.said("Sealed.")
    await ada.says("You are ready.", "h1")
    assert len(table.told("committed")) == 1


async def test_a_browser_unknown_to_the_hub_is_told(
    table: RunningTable, sit: Sit, tmp_path: Path
) -> None:
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    await table.halt()
    (tmp_path / "sessions").unlink()
    await table.boot()
    await ada.says("open the address with the key again", ".connection")
    await ada.looker.open(table.address("north"))
    await ada.says("Choose your stance", "h1")
    assert ada.looker.browser.current_url == table.server.url + "seat/north"
    console(ada.looker.browser)  # the browser logs the 401


async def test_a_timer_is_shown_and_ends(tmp_path: Path, sit: Sit) -> None:
    async with RunningTable(tmp_path, commit_s=2) as table:
        ada = await sit(table, "north")
        await ada.run(
            "new MutationObserver(() => {"
            "  window.seen ??= document.querySelector('.own-head [role=timer]');"
            "}).observe(document.body, { subtree: true, childList: true })"
        )
        await table.face("ada", "ninja")
        await ada.until("window.seen")
        await ada.until("!document.querySelector('.own-head [role=timer]')")
        await ada.says("Choose your stance", "h1")


async def test_a_press_without_a_connection_is_not_done_later(
    table: RunningTable, sit: Sit
) -> None:
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    await ada.click('[data-pick="stance attack 2"]')
    await table.halt()
    await ada.says("Connection lost", ".connection")
    await ada.click("[data-seal]")
    await ada.said("Not done: there is no connection.")
    await table.boot()
    await ada.until("!document.querySelector('.connection')")
    await ada.says("Seal Attack 2", "[data-seal]")
    assert table.told("committed") == []


async def test_a_special_is_declared_and_named(table: RunningTable, sit: Sit) -> None:
    table.scene = SCENE | GIFTED
    await table.start()
    await table.decide("gm", "active ada")
    ada = await sit(table, "north")
    await ada.decide("use")
    await ada.says("Lay a special, or none", "h1")
    await ada.seal("special there-can-be-only-one")
    await ada.says("Whom does Ada’s special affect?")
    await ada.decide("target sensei")
    await ada.says("Ada: There Can Be Only One (Sensei)")
    await ada.decide("opponent ninja")
    await ada.says("Choose your stance", "h1")


async def test_specials_are_set_beside_withdrawn_and_answered(
    table: RunningTable, sit: Sit
) -> None:
    table.scene = SCENE | GIFTED
    await table.face("ada", "ninja")
    await table.both("stance", ada="none", ninja="none")
    ada, foes = await sit(table, "north"), await sit(table, "gm")
    await foes.seal("move attack-low")
    wax = '[data-beside="special wax-on-attack"]'
    await ada.click(wax)
    await ada.says("beside your card; tap to withdraw", wax)
    await foes.says("Answer the added card, or pass", "h1")
    await ada.click(wax)
    await ada.says("One tap seals it beside your card", ".own-beside")
    assert len(table.told("withdrawn")) == 1
    await ada.click(wax)
    await ada.says("beside your card; tap to withdraw", wax)
    await ada.run("sessionStorage.clear(); location.reload()")
    await ada.says("Beside, face down: 1. Cards not added on this page", ".own-beside")
    await ada.click(wax)
    await ada.said("Not done: it is already set beside")
    await ada.says("beside your card; tap to withdraw", wax)
    await ada.seal("move defend-low")
    await ada.said("Sealed.")
    assert await ada.run("return document.querySelector('.own-sealed .card.down') !== null")
    openings = [frame for frame in (await foes.heard()).splitlines() if '"nonce"' in frame]
    assert all("wax" not in frame for frame in openings)
    await foes.decide("pass")
    await ada.says("Ada: Wax On Attack")


STYLES = """
const style = (found) => getComputedStyle(document.querySelector(found));
return {
  offer: style(".question .offer.default").backgroundColor,
  small: style(".question .offer small").display,
  gap: parseFloat(style(".question .row").columnGap),
  round: parseFloat(style(".step").borderTopLeftRadius),
};
"""
GOLD = "rgb(232, 176, 75)"


async def test_controls_that_can_be_pressed_look_like_it(table: RunningTable, sit: Sit) -> None:
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    await ada.click('[data-pick="stance none"]')
    seal = await ada.run(
        "return getComputedStyle(document.querySelector('[data-seal]')).backgroundColor"
    )
    assert seal == GOLD
    await ada.click("[data-seal]")
    await table.commit("ninja", "stance none")
    await ada.says("Choose your move", "h1")
    await table.both("move", ada="attack-high", ninja="attack-low")
    await ada.says("does Ada give up?")
    styles = await ada.run(STYLES)
    assert isinstance(styles, dict)
    assert (styles["offer"], styles["small"]) == (GOLD, "block")
    assert styles["gap"] > 0 and styles["round"] > 0


async def test_each_of_several_cards_beside_is_withdrawn_by_its_own_tap(
    table: RunningTable, sit: Sit
) -> None:
    gifted = CHARACTERS["bo"] | {"specials": ["yojimbo", "to-blave"]}
    table.scene = SCENE | {"characters": CHARACTERS | {"bo": gifted}}
    await table.face("ada", "ninja")
    await table.both("stance", ada="none", ninja="none")
    bo = await sit(table, "south")
    yojimbo, blave = (f'[data-beside="special {name}"]' for name in ("yojimbo", "to-blave"))
    for card in (yojimbo, blave):
        await bo.click(card)
        await bo.says("beside your card; tap to withdraw", card)
    await bo.says("beside your card; tap to withdraw", yojimbo)
    await bo.click(blave)
    await table.until_told("withdrawn")
    await bo.until(f"document.querySelector('{blave}').ariaPressed === 'false'")
    await bo.says("beside your card; tap to withdraw", yojimbo)
    await bo.click(yojimbo)
    await table.until_told("withdrawn", 2)
    await bo.says("One tap seals it beside your card", ".own-beside")


async def test_points_that_a_special_takes_are_spread(table: RunningTable, sit: Sit) -> None:
    gifted = {**CHARACTERS["ada"], "specials": ["pressure-point"]}
    table.scene = SCENE | {"characters": CHARACTERS | {"ada": gifted}}
    await table.face("ada", "ninja")
    await table.both("stance", ada="attack 2", ninja="none")
    ada, foes = await sit(table, "north"), await sit(table, "gm")
    await ada.click('[data-beside="special pressure-point"]')
    await ada.seal("move attack-low")
    await foes.seal("move attack-high")
    await ada.says("Still open: does Sensei step in?")
    await table.decide("sensei", "let-be")
    await ada.says("What does Ninja give up? Ada decides.")
    await ada.says("of 6", ".type.attack")
    await ada.click("[data-split=attack][data-by='-1']")
    await ada.says("1 more to take away", ".split")
    await ada.click("[data-split=grapple][data-by='1']")
    await ada.click(".split .offer.default")
    await ada.says("Who takes the next turn?")
    assert table.told("decided")[-1].choice.startswith("aim ")


async def test_unavailable_choices_are_shown_with_the_reason(table: RunningTable, sit: Sit) -> None:
    await table.face("ada", "ninja")
    ada, foes = await sit(table, "north"), await sit(table, "gm")
    await table.both("stance", ada="none", ninja="none")
    await table.both("move", ada="attack-high", ninja="attack-low")
    await ada.click(".split .offer.default")
    await foes.says("Who takes the next turn?")
    closed = "document.querySelector('[data-choice=\"active ada\"]')"
    assert await foes.run(f"return [{closed}.disabled, {closed}.ariaDisabled]") == [False, "true"]
    before = len(table.told("decided"))
    await foes.run(f"{closed}.click()")
    await foes.said("Not done: Ada is on the other side")
    assert len(table.told("decided")) == before
    await foes.decide("active sensei")
    await foes.decide("opponent ada")
    await table.both("stance", ada="none", sensei="none")
    await ada.says(
        "Lost with Attack High: now face up and not playable. Attack or High again loses ties"
    )
    await ada.says("Attack High", ".own-closed")
    await ada.says("face up", ".own-closed")
    assert not await ada.has('[data-pick="move attack-high"]')
    await ada.says("face up", ".own-move.closed")


async def test_several_characters_at_one_seat(tmp_path: Path, sit: Sit) -> None:
    seats = {"north": ("ada", "bo"), "gm": ("ninja", "sensei")}
    async with RunningTable(tmp_path, seats=seats) as table:
        await table.face("bo", "ninja")
        page = await sit(table, "north")
        await page.says("Bo’s sheet")
        await page.says("Bo", "[data-tab][aria-current]")
        await page.click('[data-tab="ada"]')
        await page.says("Ada’s sheet")
        await page.click('[data-tab="bo"]')
        await page.seal("stance defend 5")
        await page.said("Sealed.")
        assert table.told("committed")[-1].actor == "bo"
        both = await sit(table, "gm")
        await both.says("Ninja", "[data-tab][aria-current]")
        await both.says("to choose", "[data-tab=ninja]")


async def test_a_problem_is_solved_and_vetoed_from_seat_pages(tmp_path: Path, sit: Sit) -> None:
    seats = {"north": ("ada",), "south": ("bo",), "gm": ("ninja", "crow")}
    async with RunningTable(tmp_path, seats=seats, story=cast()) as table:
        await table.ask(c.TellStory(deed="countdown new 6 The <b>tide</b>"))
        await table.ask(
            c.StartScene(scene=to_builtins(ProblemRequest(problem="The bridge is down")))
        )
        ada, bo = await sit(table, "north"), await sit(table, "south")
        await ada.says("Choose a number", "h1")
        await ada.says("The bridge is down")
        await ada.says("It works, with a background: costs one of its points")
        await ada.says("ferry hand")
        await ada.seal("option 3")
        await bo.seal("option 1")
        await ada.says("First Ada tells it aloud. Then tap: told with what?")
        await ada.says("3: It works, but something goes wrong: marks belief or flaw")
        await ada.says("Belief: Debts are paid in daylight", ".own-questions")
        await ada.decide("describe belief")
        await bo.says("Does Bo veto what Ada told?")
        await bo.decide("veto")
        await bo.says("First Bo tells it again aloud, as a success.")
        await bo.decide("substitute idea")
        await bo.says("Solved: Bo told it")
        await table.ask(c.EndScene())
        await bo.says("used", ".part-traits")
        await ada.says("The <b>tide</b>")


async def test_hostile_names_are_only_names(tmp_path: Path, sit: Sit) -> None:
    name, foe = "<img src=x onerror=alert(1)> \"'&", "</script><b>"
    seats = {"north": (name,), "gm": (foe,)}
    scene = {
        "sides": {"<i>us</i>": [name], "<b>them</b>": [foe]},
        "characters": {name: fighter(energy(3, 3, 4)), foe: fighter(energy(3, 3, 4))},
    }
    async with RunningTable(tmp_path, seats=seats, scene=scene) as table:
        await table.start()
        await table.decide("gm", f"active {name}")
        page = await sit(table, "north")
        await page.click(".own-questions .offer")
        await page.says("Choose your stance", "h1")
        await page.seal("stance attack 1")
        await page.said("Sealed.")
        await table.commit(foe, "stance none")
        await page.says("Choose your move", "h1")
        assert not await page.has("#root img, #root b b, #root script, #root i i")
        assert await page.run("return document.documentElement.scrollWidth <= innerWidth")


async def test_the_keyboard_can_do_everything(table: RunningTable, sit: Sit) -> None:
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    label = "return document.activeElement.getAttribute('aria-label')"
    await ada.until("document.querySelector('[data-pick]')")
    await ada.run("document.querySelector('[data-pick]').focus()")
    await ada.looker.press(Keys.ARROW_RIGHT)
    assert await ada.run(label) == "Attack 2"
    await ada.looker.press(Keys.ENTER)
    await ada.until("document.querySelector('[data-seal]')")
    assert await ada.run(label) == "Attack 2"
    await ada.run("document.querySelector('[data-seal]').focus()")
    await ada.looker.press(Keys.ENTER)
    await ada.said("Sealed.")
    await ada.until("document.activeElement.id === 'want'")
    await table.commit("ninja", "stance none")
    await ada.says("Choose your move", "h1")
    await ada.looker.press(Keys.TAB)
    assert await ada.run(label) == "Attack High"


async def test_targets_are_large_and_nothing_overflows_the_page(
    table: RunningTable, sit: Sit
) -> None:
    await table.face("ada", "ninja")
    ada = await sit(table, "north")
    small = """return [...document.querySelectorAll('button, select')].filter((one) => {
        const { width, height } = one.getBoundingClientRect();
        return width < 43.9 || height < 43.9;
    }).map((one) => one.outerHTML)"""
    wide = "return document.documentElement.scrollWidth <= innerWidth"
    for kind, mine, theirs in (
        ("stance", "grapple 3", "none"),
        ("move", "grapple-high", "attack-low"),
        ("", "", ""),
    ):
        await ada.says(f"Choose your {kind}" if kind else "Which 6 does Ada give up?")
        for size in ((320, 640), PHONE, (1024, 768), (1366, 768)):
            resize(ada.looker.browser, size)
            await ada.looker.painted()
            assert await ada.run(small) == [], size
            assert await ada.run(wide), size
        if kind:
            await table.commit("ninja", f"{kind} {theirs}")
            await ada.seal(f"{kind} {mine}")
