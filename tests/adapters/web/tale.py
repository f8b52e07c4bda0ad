"""A tale that is played by its pages alone: fingers on the seats' pages and on the GM's console,
eyes on what the table says of itself, on the display, and on what other pages have heard."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import hub.games.tricube
import hub.kernel.catalogues
from hub.web.keys import GM_PAGE
from hub.wire import commands as c
from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import SeatPage, Tabs, tabs_of
from tests.support.browser import console, resize

PHONE = (390, 844)
LAPTOP = (1366, 768)
ROOM = (1920, 1080)
SEATS = {"north": ("ada",), "south": ("bo",), "gm": ()}
SCENE: dict[str, Any] = {
    "dice": "hand",
    "characters": {
        "ada": {
            "trait": "agile",
            "concept": "elven ranger",
            "perks": ["marksman", "keen eyes"],
            "quirks": ["greedy"],
        },
        "bo": {
            "trait": "brawny",
            "concept": "battle priest",
            "perks": ["berserker", "healer"],
            "quirks": ["loud"],
            "karma": 2,
            "afflictions": [
                {"name": "broken arm"},
                {"name": "afraid of ice", "lasts": "permanent"},
            ],
        },
    },
}
SAYS = {"seat": ".own-said", "gm": ".dock .outcome"}
"""Where a page says what became of a press."""


FOLDERS = [
    Path(hub.kernel.catalogues.__path__[0]),
    Path(hub.games.tricube.__path__[0]) / "catalogues",
]


def t(key: str, language: str = "en", **places: str) -> str:
    """A sentence of the pages."""
    found = sentences("pages", language)[key]
    for name, value in places.items():
        assert f"{{{name}}}" in found, (key, name)
        found = found.replace(f"{{{name}}}", value)
    return found


def why(code: str, language: str = "en", **places: str) -> str:
    """Why something is not possible, as a sentence."""
    found = sentences("reasons", language)[code]
    for name, value in places.items():
        found = found.replace(f"{{{name}}}", value)
    return found


@cache
def sentences(kind: str, language: str) -> dict[str, str]:
    """A catalogue's, with the family's own."""
    found: dict[str, str] = {}
    for folder in FOLDERS:
        found |= json.loads((folder / f"{kind}.{language}.json").read_text("utf-8"))
    return found


HOLD = """
window.late = [];
window.sends ??= WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
  if (window.holding) window.late.push(() => window.sends.call(this, text));
  else window.sends.call(this, text);
};
window.holding = true;
"""
RELEASE = "window.holding = false; window.late.splice(0).forEach((one) => one());"


class Page(SeatPage):
    """One page, and what is done on it with a finger or a keyboard."""

    kind = "seat"
    table: RunningTable

    async def catches_up(self) -> None:
        """Nobody is as fast as a test: what a page shows is what the table says by now."""
        newest = "JSON.parse(wire.heard.findLast((one) => one.includes(STATE)) ?? '{}').seq"
        newest = newest.replace("STATE", """'"type":"state"'""")
        await self.looker.until(f"({newest} ?? 0) >= arguments[0]", self.table.view.seq)

    async def is_answered(self) -> None:
        """The newest that the table has written was asked for from here, and answered."""
        reply = "one.startsWith('{\"code\"') && JSON.parse(one).seq >= arguments[0]"
        await self.looker.until(f"wire.heard.some((one) => {reply})", self.table.view.seq)

    async def write(self, field: str, text: str, form: str = "") -> None:
        """Into a line, or a menu."""
        line = f"[data-form^='{form}'][data-field='{field}']:is(input, select, textarea)"
        await self.until(f'document.querySelector("{line}")')
        await self.run(
            "const line = document.querySelector(arguments[0]);"
            "line.value = arguments[1];"
            "const kind = line.matches('select') ? 'change' : 'input';"
            "line.dispatchEvent(new Event(kind, { bubbles: true }));",
            line,
            text,
        )

    async def pick(self, field: str, value: str | None = None, form: str = "") -> None:
        """A button that fills a field: of several the one with this value."""
        which = "" if value is None else f"[data-value='{value}']"
        await self.click(f"button[data-form^='{form}'][data-field='{field}']{which}")

    async def more(self, field: str, form: str = "") -> None:
        """The knob that makes a number larger."""
        await self.click(f"button.step[data-form^='{form}'][data-field='{field}']:last-of-type")

    async def less(self, field: str, form: str = "") -> None:
        await self.click(f"button.step[data-form^='{form}'][data-field='{field}']:first-of-type")

    async def unfold(self, fold: str) -> None:
        """What stands folded; it stays open."""
        await self.click(f".folder[data-fold^='{fold}'][aria-expanded=false]")

    async def press(self, choice: str) -> None:
        """A button that decides, by what it decides."""
        await self.catches_up()
        await self.click(deciding(choice))

    async def seal(self, choice: str) -> None:
        await self.click(f"[data-pick='{choice}']")
        await self.click("[data-seal], .seals")

    async def throw(self, *faces: int, of: str = "") -> None:
        """Dice that lie there, one after another, of whoever is asked for them."""
        whose = f"[data-form$='-{of}']" if of else ""
        for face in faces:
            await self.click(f"[data-key='face-{face}']{whose}")
        await self.press(f"dice {' '.join(map(str, faces))}")

    async def would(self, choice: str) -> Any:
        """What a button would say, as the page has written it."""
        written = await self.until(f"document.querySelector(`{deciding(choice)}`)?.dataset.press")
        return json.loads(str(written))["choice"].partition(" ")[2]

    async def forge(self, button: str, choice: str) -> None:
        """Press a button on which something else has been written than the page did."""
        await self.until(f"document.querySelector(`{button}`)")
        await self.run(
            "const button = document.querySelector(arguments[0]);"
            "const { press, place } = button.dataset;"
            "const forged = { ...JSON.parse(press), choice: arguments[1] };"
            "Object.assign(button.dataset, {"
            "  press: JSON.stringify(forged), place: `forged ${arguments[1]}` });"
            "button.removeAttribute('aria-disabled'); button.removeAttribute('data-why');"
            "button.click();"
            "Object.assign(button.dataset, { press, place });",
            button,
            choice,
        )

    async def answers(self, text: str) -> None:
        """What the page says of the last press, and nothing else."""
        await self.looker.until_says(text, SAYS[self.kind])
        assert (await self.text(SAYS[self.kind])).strip() == text

    async def refuses(self, code: str, language: str = "en", **places: str) -> None:
        """Why the last press was not done, in one sentence of the page's language."""
        await self.answers(t("reply.illegal", language, reason=why(code, language, **places)))

    async def holds(self) -> None:
        """What is pressed here from now on stays on the way."""
        await self.run(HOLD)

    async def lets_go(self) -> None:
        await self.run(RELEASE)

    async def lacks(self, text: str) -> None:
        """A button is there and says why it cannot be pressed yet."""
        said = "(one) => one.dataset.why === arguments[0]"
        await self.looker.until(f"[...document.querySelectorAll('[data-why]')].some({said})", text)


class Console(Page):
    kind = "gm"


def deciding(choice: str) -> str:
    """The button that decides so, or begins so."""
    pressed = f"[data-place^='decide '][data-place*=' {choice}']"
    return f"{pressed}, [data-command=decide][data-choice^='{choice}']"


class Evening:
    """Everybody's page, and the table as it tells of itself."""

    ada: Page
    bo: Page
    gm: Console
    ada2: Page
    gm2: Console
    """Where there are two browsers: those of the second one, in German."""

    def __init__(self, table: RunningTable, tabs: Tabs) -> None:
        self.table = table
        self.tabs = tabs

    def _page(self, page: SeatPage, size: tuple[int, int] = PHONE) -> Page:
        """Of this size: each tab has one of its own."""
        on_a(size, page.looker)
        made = Page(page.looker, page.looker.browser.current_window_handle)
        made.table = self.table
        return made

    async def sit(self, seat: str, language: str = "en", tabs: Tabs | None = None) -> Page:
        """``tabs``: those of another browser."""
        page = await (tabs or self.tabs).sit(self.table, seat)
        if language != "en":
            await page.looker.open(f"{self.table.address(seat)}&lang={language}")
            await page.until("document.querySelector('.own-moment h1')")
        return self._page(page)

    async def console(self, language: str = "en", tabs: Tabs | None = None) -> Console:
        page = await (tabs or self.tabs).sit(self.table, "gm")
        key = self.table.server.keys.of(GM_PAGE)
        await page.looker.open(f"{self.table.server.url}gm?key={key}&lang={language}")
        await page.until("document.querySelector('.moment h1')")
        on_a(PHONE, page.looker)
        made = Console(page.looker, page.looker.browser.current_window_handle)
        made.table = self.table
        return made

    async def display(self) -> Page:
        page = await self.tabs.sit(self.table, "gm")
        await page.looker.open(f"{self.table.server.url}display")
        return self._page(page, ROOM)

    @property
    def game(self) -> Any:
        """What the topic ``state`` says of the scene."""
        return self.table.view.game

    def who(self, name: str) -> Any:
        return self.game.cast[name]

    @property
    def rolls(self) -> Any:
        """Those that are made now, or were made last."""
        return (self.game.rolling or self.game.last_rolling).rolls

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until the table says so."""
        async with asyncio.timeout(10):
            while not holds():
                await asyncio.sleep(0.005)

    async def word(self, what: str, **holds: Any) -> None:
        """The GM's word, of a GM whose page is not looked at."""
        await self.table.ask(c.Overrule(holds={"what": what, **holds}, because="so it is"))

    async def step(self, name: str) -> None:
        try:
            await self.until(lambda: self.table.step == name)
        except TimeoutError:
            raise AssertionError(f"it is {self.table.step}, not {name}") from None

    async def does(self, page: Page, choice: str) -> None:
        """A button that decides is pressed, and the table has gone on."""
        stood = self.table.view.seq
        await page.press(choice)
        await self.until(lambda: self.table.view.seq > stood)

    async def call(self, **said: Any) -> None:
        """By the word of a GM whose page is not looked at."""
        whole = {"challenge": {"name": f"challenge {len(self.game.listed)}"}} | said
        await self.table.decide("gm", f"call {json.dumps(whole)}")

    async def rolled(self, who: str, dice: str, **said: Any) -> None:
        """Somebody has rolled, by word; what follows is not said yet."""
        await self.call(**({"type": "brawny", "rollers": {who: {}}} | said))
        await self.table.commit(who, "approach plain")
        await self.step("dice")
        await self.table.decide(who, f"dice {dice}")


@asynccontextmanager
async def evening(
    folder: Path, looker: Looker, scene: Mapping[str, Any] = SCENE, **more: Any
) -> AsyncIterator[Evening]:
    """A table with its scene begun, the pages of both players and the console open; no page has
    said anything bad to the browser's console at the end."""
    async with (
        tabs_of(looker) as tabs,
        RunningTable(folder, seats=SEATS, ruleset="tricube", scene=scene, **more) as table,
    ):
        played = Evening(table, tabs)
        await table.start()
        played.ada, played.bo = await played.sit("north"), await played.sit("south")
        played.gm = await played.console()
        yield played
        said = [e["message"] for e in console(looker.browser) if e["level"] == "SEVERE"]
        assert [each for each in said if "ERR_CONNECTION" not in each and "ws://" not in each] == []


def on_a(size: tuple[int, int], looker: Looker) -> None:
    resize(looker.browser, size)
