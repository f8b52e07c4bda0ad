"""The display in a real browser: a turn from start to end, and what can go wrong in between."""

import pytest
from msgspec.structs import replace
from selenium.webdriver.common.by import By

from hub.table import acts as i
from tests.adapters.web.conftest import Looker, OpenPages, Pages
from tests.adapters.web.playing import energy, fighter
from tests.support.browser import chromium, console, resize

FRONTS = (
    "[...document.querySelectorAll('.duel .card.up')]"
    ".map((card) => card.getAttribute('aria-label'))"
)
DOWN = "document.querySelectorAll('.duel .card.down').length"
SUM = (
    "[...document.querySelectorAll('.sum .part b, .sum .sign-of')]"
    ".map((part) => part.textContent).join(' ')"
)
LIVE = "#live"
WAX_ON = "wax-on-grapple"


async def test_a_whole_turn_is_shown(pages: Pages, looker: Looker) -> None:
    table = pages.table
    table.announce()
    await looker.open(pages.url("display?near"))
    await looker.until_says("The table is ready")
    table.start()
    await looker.until_says("Who takes the first turn?")
    assert "Heroes" in await looker.text(".side-left h2")
    assert "Elbow clan" in await looker.text(".side-right h2")
    energy = await looker.run(
        "return [...document.querySelectorAll('[data-name=ninja] .energy')]"
        ".map((row) => row.getAttribute('aria-label'))"
    )
    assert energy == ["Attack: 6 of 6", "Defend: 5 of 5", "Grapple: 6 of 6"]

    table.decide("gm", "active ada")
    await looker.until_says("Ada chooses an opponent")
    table.decide("ada", "opponent ninja")
    await looker.until_says("Ada and Ninja choose a stance")
    assert await looker.run(f"return {DOWN}") == 0
    table.lay("north", "stance grapple 3")
    await looker.until_says("Ada is ready. Waiting for Ninja.")
    assert await looker.run(f"return {DOWN}") == 1
    table.lay("gm", "stance defend 1")
    await looker.until_says("All cards are in")
    assert await looker.run(f"return {DOWN}") == 2
    assert "Grapple 3" not in await looker.text("html")
    table.reveal()
    await looker.until_says("Ada and Ninja choose a move")
    assert await looker.run(f"return {FRONTS}") == ["Grapple 3", "Defend 1"]
    await looker.until_says("Ada: Grapple 3. Ninja: Defend 1.", LIVE)

    table.both("move", ada="grapple-high", ninja="defend-low")
    await looker.until_says("Ninja decides what to give up")
    fronts = await looker.run(f"return {FRONTS}")
    assert fronts == ["Grapple 3", "Grapple High", "Defend 1", "Defend Low"]
    assert await looker.text(".verdict") == "Grapple beats Defend: Ada wins."
    assert await looker.run(f"return {SUM}") == "3 × 2 + 1 + 4 = 11"
    await looker.until_says("Grapple beats Defend: Ada wins. Ninja loses 11.", LIVE)
    table.decide("ninja", "split attack 5 defend 1 grapple 5")
    await looker.until_says("Bo goes next")
    await looker.until_says("Taken from", ".taken")
    assert "At disadvantage" in await looker.text("[data-name=ninja]")
    assert console(looker.browser) == []


async def test_the_books_thirteen(pages: Pages, looker: Looker) -> None:
    pages.table.start()
    pages.table.book_example()
    await looker.open(pages.url("display?near"))
    await looker.until_says("Ninja loses")
    assert await looker.run(f"return {SUM}") == "3 × 2 + 1 + 4 + 1 + 1 = 13"
    assert "combo" in await looker.text(".sum")
    assert "disadvantage" in await looker.text(".sum")
    assert "Combo against Ninja" in await looker.text("[data-name=ninja]")
    assert "keeps the turn: the combo goes on" in await looker.text(".top")
    assert "takes 4, stance × 2" in await looker.text(".fighter.left .move .use")
    await looker.until_says("× 2:a win with Grapple High takes the stance behind it 2", ".guide")
    assert not await looker.text(".missed")


async def test_a_combo_that_did_not_count_is_explained(pages: Pages, looker: Looker) -> None:
    """The combo was announced, so viewers look for it in the sum."""
    table = pages.table
    table.start()
    none = {"ada": "none", "ninja": "none"}
    table.turn("ada", "ninja", none, {"ada": "defend-low", "ninja": "attack-low"})
    table.decide("ninja", "split attack 1 grapple 1")
    table.turn("ada", "ninja", none, {"ada": "attack-low", "ninja": "grapple-high"})
    await looker.open(pages.url("display?near"))
    missed = "The combo adds nothing: Attack Low is not a follow-up of Ada’s."
    await looker.until_says(missed, ".sum .missed")
    assert await looker.text(".verdict") == "Attack beats Grapple: Ada wins."
    table.decide("ninja", "split attack 1 defend 1 grapple 1")
    await looker.until_says("Bo goes next No one else there may. Ada says when.", ".waits")


async def test_a_card_turns_over_and_is_not_replaced(pages: Pages, looker: Looker) -> None:
    pages.table.start()
    pages.table.decide("gm", "active ada")
    pages.table.decide("ada", "opponent ninja")
    pages.table.lay("north", "stance attack 2")
    await looker.open(pages.url("display?near"))
    await looker.until(f"{DOWN} === 1")
    await looker.run("document.querySelector('.card.down').dataset.same = 'yes'")
    await looker.run("window.turned = document.querySelector('.card.down')")
    pages.table.lay("gm", "stance none")
    pages.table.reveal()
    await looker.until(f"{FRONTS}.length === 2")
    assert await looker.run("return window.turned.isConnected && window.turned.matches('.up')")
    duration = "return getComputedStyle(window.turned.firstChild).transitionDuration"
    assert await looker.run(duration) == "0.7s"


async def test_no_motion_under_reduced_motion(pages: Pages, looker: Looker) -> None:
    looker.browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]},
    )
    pages.table.start()
    pages.table.decide("gm", "active ada")
    pages.table.decide("ada", "opponent ninja")
    pages.table.lay("north", "stance attack 2")
    pages.table.lay("gm", "stance none")
    await looker.open(pages.url("display?near"))
    await looker.until_says("All cards are in")
    moving = "[...document.getAnimations()].filter((one) => one.playState === 'running').length"
    assert await looker.run(f"return {moving}") == 0
    pages.table.reveal()
    await looker.until(f"{FRONTS}.length === 2")
    assert await looker.run(f"return {moving}") == 0


async def test_ties_ends_and_characters_who_are_out(pages: Pages, looker: Looker) -> None:
    table = pages.table
    person = {"level": 1, "moves": ["attack-high"], "combos": {}}
    characters = {
        "ada": person | {"energy": energy(3, 3, 4)},
        "ninja": person | {"energy": energy(1, 1, 1)},
    }
    sides = {"heroes": ["ada"], "elbow-clan": ["ninja"]}
    table.start(sides=sides, characters=characters)
    none = {"ada": "none", "ninja": "none"}
    table.turn("ada", "ninja", none, {"ada": "attack-high", "ninja": "attack-high"})
    table.decide("ada", "split attack 3")
    await looker.open(pages.url("display?near"))
    await looker.until_says("Heroes win")
    await looker.until_says("Everyone on the other side is out.")
    assert await looker.text(".why") == "Neither move beats the other: a tie."
    assert "out" in await looker.text("[data-name=ninja] .gone")
    assert await looker.run("return document.querySelector('.side-left').matches('.won')")
    table.tell(i.EndScene())
    await looker.until_says("The table is ready")


async def test_timer_pause_and_lost_readers(open_pages: OpenPages, looker: Looker) -> None:
    pages = await open_pages()
    table = pages.table
    table.settings = type(table.settings)(seats=table.settings.seats, commit_s=30)
    table.start()
    table.decide("gm", "active ada")
    await looker.open(pages.url("display?near"))
    await looker.until_says("Ada chooses an opponent")
    table.decide("ada", "opponent ninja")
    label = "document.querySelector('[role=timer]')?.getAttribute('aria-label')"
    said = await looker.until(label)
    assert "s left to choose" in str(said)
    table.tell(i.ReaderMissing("north"))
    await looker.until_says("Reader lost at North", ".lost-readers")
    await looker.until_says("reader lost", "[data-name=ada]")
    table.tell(i.ReaderFound("north"))
    await looker.until("!document.querySelector('.lost-readers')")
    table.tell(i.Pause())
    await looker.until_says("Paused")


async def test_it_comes_back_after_the_server(pages: Pages, looker: Looker) -> None:
    pages.table.start()
    port = pages.server.port
    await looker.open(pages.url("display?near"))
    await looker.until_says("Who takes the first turn?")
    await pages.server.__aexit__(None, None, None)
    await looker.until_says("Connection lost", ".connection")
    await looker.until_says("Connection lost", LIVE)
    settings = replace(pages.settings, port=port)
    pages.server = pages.make(settings)
    pages.table.decide("gm", "active bo")
    async with pages.server:
        await looker.until_says("Bo chooses an opponent")
        await looker.until("!document.querySelector('.connection')")
        console(looker.browser)  # drops the failed attempts
        pages.table.decide("bo", "opponent sensei")
        await looker.until_says("Bo and Sensei choose a stance")
        assert console(looker.browser) == []


async def test_it_fits_every_screen(pages: Pages, looker: Looker) -> None:
    """Small ones scroll down, never sideways."""
    pages.table.start()
    pages.table.book_example()
    await looker.open(pages.url("display?near"))
    await looker.until_says("Ninja loses")
    large = ((1920, 1080), (1080, 1920), (1024, 768), (1280, 720))
    for size in (*large, (390, 844), (320, 568), (800, 480), (844, 390), (1024, 600)):
        resize(looker.browser, size)
        await looker.painted()
        assert await looker.run("return document.documentElement.scrollWidth <= innerWidth"), size
        if size in large:
            fits = "return document.documentElement.scrollHeight <= innerHeight"
            assert await looker.run(fits), size


async def test_text_has_contrast(pages: Pages, looker: Looker) -> None:
    """WCAG AA of every colour of the palette on the backgrounds it is used on."""
    await looker.open(pages.url("display?near"))
    palette = await looker.run(
        "const style = getComputedStyle(document.documentElement);"
        "return Object.fromEntries(['ink','felt','raised','text','quiet','gold','attack','defend',"
        "'grapple','plain','alarm'].map((name) => [name, style.getPropertyValue('--' + name)]))"
    )
    assert isinstance(palette, dict)
    for dark in ("ink", "felt", "raised"):
        for light in ("text", "quiet", "gold", "attack", "defend", "grapple", "plain", "alarm"):
            assert contrast(palette[light], palette[dark]) >= 4.5, (light, dark)


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2."""

    def luminance(colour: str) -> float:
        parts = [int(colour.strip()[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


async def test_names_are_text_and_never_markup(pages: Pages, looker: Looker) -> None:
    title = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    pages.table.start()
    told = pages.table.announcement()
    pages.server.announce(replace(told, view=replace(told.view, title=title)))
    await looker.open(pages.url("display?near"))
    await looker.until_says("<img src=x")
    assert looker.browser.find_elements(By.CSS_SELECTOR, "#root img, #root script") == []
    assert console(looker.browser) == []


async def test_an_unknown_ruleset_is_shown_plainly(pages: Pages, looker: Looker) -> None:
    """For a game without pages: who is awaited, and who is ready."""
    pages.table.start()
    await looker.open(pages.url("display?near"))
    await looker.until_says("Who takes the first turn?")
    script = (
        "const {$load} = await import(document.querySelector('script').src);"
        "const [{make}, {readState}, {enter}, {display}] ="
        " ['core/dom.js', 'core/state.js', 'core/game.js', 'pages/stage.js']"
        ".map((path) => $load[`js/${path}`]());"
        "const frame = {phase: 'sealed', step: 'bid', awaited: ['ada'], committed: [], seats: "
        "[{seat: 'north', characters: ['ada'], reader: 'ok', awaited: true, committed: false}],"
        "sits_out: [], away: [], gm_plays: [], hub_plays: [], evening: '', portraits: {}, "
        "game: {ruleset: 'another'}, turn_number: 1, title: 'x', timer: null};"
        "enter(frame);"
        "return make(display({state: readState(frame), status: 'open', notice: ''})).textContent"
    )
    text = await looker.run(f"return (async () => {{{script}}})()")
    assert "Waiting for Ada" in str(text)


async def test_house_rules_are_shown_by_name(pages: Pages, looker: Looker) -> None:
    """Elements and moves without a sign, even if a name equals one that the page knows."""
    table = pages.table
    house = {
        "id": "odd",
        "base": "unroll",
        "elements": {"wood": ["constructor"], "constructor": []},
        "moves": {
            "attack-wood": {"base": 3, "multiplier": 2},
            "attack-constructor": {"base": 3, "multiplier": 2},
            "side-kick": {"action": "grapple", "element": "wood", "base": 1, "multiplier": 1},
        },
    }
    person = {"energy": energy(9, 9, 9), "moves": list(house["moves"])}  # type: ignore[call-overload]
    names = {"ada": person, "bo": person, "ninja": person, "sensei": person}
    table.start(house=house, characters=names)
    none = {"ada": "none", "ninja": "none"}
    table.turn("ada", "ninja", none, {"ada": "attack-wood", "ninja": "attack-constructor"})
    await looker.open(pages.url("display?near"))
    await looker.until_says("Ninja decides what to give up")
    fronts = await looker.run(f"return {FRONTS}")
    assert fronts == ["No stance", "Attack Wood", "No stance", "Attack Constructor"]
    assert await looker.text(".verdict") == "Wood beats Constructor: Ada wins."
    table.decide("ninja", "split attack 3")
    none = {"bo": "none", "ninja": "none"}
    table.turn("bo", "ninja", none, {"bo": "side-kick", "ninja": "attack-wood"})
    await looker.until_says("Bo decides what to give up")
    assert "Side kick" in await looker.run(f"return {FRONTS}")  # type: ignore[operator]
    assert await looker.text(".verdict") == "Attack beats Side kick: Ninja wins."
    assert console(looker.browser) == []


def test_a_missing_browser_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with (
        pytest.raises(
            pytest.fail.Exception, match="apt-get install chromium-headless-shell chromium-driver"
        ),
        chromium(),
    ):
        pass


async def test_silence_is_noticed(pages: Pages, looker: Looker) -> None:
    """A cut cable gives no event, so the page asks; no answer means that the connection is lost."""
    pages.table.start()
    await looker.open(pages.url("display?near"))
    await looker.until_says("Who takes the first turn?")
    script = (
        "const {Connection} = await import('/static/js/core/connection.js');"
        "window.statuses = [];"
        "window.other = new Connection('ws', () => {}, (status) => window.statuses.push(status));"
    )
    await looker.run(f"return (async () => {{{script}}})()")
    await looker.until("window.statuses.includes('open')")
    await looker.run("window.other.heardAt = 0; window.fetch = () => Promise.reject(new Error());")
    await looker.run("return window.other.listen()")
    await looker.until("window.statuses.includes('lost')")
    await looker.until("window.statuses.at(-1) === 'open'")


async def test_the_storys_words_are_in_the_viewers_language(pages: Pages, looker: Looker) -> None:
    """The sides of a story have names in each language, and none appears twice."""
    sides = {"players": ["ada", "bo"], "others": ["ninja", "sensei"]}
    pages.table.start(sides=sides)
    told = pages.table.announcement()
    await looker.open(pages.url("display?near&lang=de"))
    await looker.until_says("Gruppe", ".side-left h2")
    await looker.until_says("Gegenseite", ".side-right h2")
    pages.server.announce(replace(told, view=replace(told.view, title="")))
    await looker.until_says("Konflikt", "h1")
    assert await looker.text(".eyebrow") == ""
    await looker.open(pages.url("display?near&lang=en"))
    await looker.until_says("Who takes the first turn? Anyone", LIVE)


async def test_a_stance_that_a_special_took_out_does_not_count(
    pages: Pages, looker: Looker
) -> None:
    table = pages.table
    fighters = {name: fighter(energy(6, 6, 9)) for name in ("ada", "bo", "ninja", "sensei")}
    table.start(characters=fighters | {"ninja": fighters["ninja"] | {"specials": [WAX_ON]}})
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", ada="grapple 3", ninja="defend 1")
    table.lay("gm", f"special {WAX_ON}")
    table.lay("gm")
    table.both("move", ada="grapple-high", ninja="defend-low")
    await looker.open(pages.url("display?near"))
    await looker.until_says("cancelled", ".fighter.left .use")
    assert await looker.text(".fighter.right .use") == "counts"
    faded = "(one) => getComputedStyle(document.querySelector(one + ' .card')).opacity < 1"
    sides = [".fighter.left .stance", ".fighter.right .stance"]
    await looker.until(f"({faded})(arguments[0])", sides[0])
    assert not await looker.run(f"return ({faded})(arguments[0])", sides[1])
