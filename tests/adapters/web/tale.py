"""A tale played through its pages alone: presses on the seats' pages and the GM's console, checked
against the table's state, the display, and the streams of other pages."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import hub.games.tricube
import hub.kernel.catalogues
from hub.table import acts as c
from hub.web.keys import GM_PAGE
from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import SeatPage, Tabs, complaints, tabs_of
from tests.support.browser import resize

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
"""Where a page shows the outcome of a press."""


FOLDERS = [
    Path(hub.kernel.catalogues.__path__[0]),
    Path(hub.games.tricube.__path__[0]) / "catalogues",
]


def t(key: str, language: str = "en", **places: str) -> str:
    """Return a sentence of the pages."""
    found = sentences("pages", language)[key]
    for name, value in places.items():
        assert f"{{{name}}}" in found, (key, name)
        found = found.replace(f"{{{name}}}", value)
    return found


def why(code: str, language: str = "en", **places: str) -> str:
    """Return the sentence for a reason why something is not possible."""
    found = sentences("reasons", language)[code]
    for name, value in places.items():
        found = found.replace(f"{{{name}}}", value)
    return found


@cache
def sentences(kind: str, language: str) -> dict[str, str]:
    """Return a catalogue, together with the family's own."""
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
    """A page, with the actions of a finger or a keyboard."""

    kind = "seat"
    table: RunningTable

    async def catches_up(self) -> None:
        """Wait until the page shows the table's current state; a test is faster than any person."""
        newest = "JSON.parse(wire.heard.findLast((one) => one.includes(STATE)) ?? '{}').seq"
        newest = newest.replace("STATE", """'"type":"state"'""")
        await self.looker.until(f"({newest} ?? 0) >= arguments[0]", self.table.view.seq)

    async def is_answered(self) -> None:
        """Wait until the newest record was commanded from this page, and the page has its
        answer."""
        reply = "one.startsWith('{\"code\"') && JSON.parse(one).seq >= arguments[0]"
        await self.looker.until(f"wire.heard.some((one) => {reply})", self.table.view.seq)

    async def write(self, field: str, text: str, form: str = "") -> None:
        """Write into a text field, or choose in a menu."""
        line = f"[data-form^='{form}'][data-field='{field}']:is(input, select, textarea)"
        await self.fill(line, text)

    async def pick(self, field: str, value: str | None = None, form: str = "") -> None:
        """Press a button that fills a field: of several, the one with this value."""
        which = "" if value is None else f"[data-value='{value}']"
        await self.click(f"button[data-form^='{form}'][data-field='{field}']{which}")

    async def perk(self, name: str, form: str) -> None:
        """Select a perk; none is selected unless it is the only one."""
        await self.click(f"[data-form^={form}][data-key='perk-{name}'][aria-pressed=false]")

    async def more(self, field: str, form: str = "") -> None:
        """Press the control that increases a number."""
        await self.click(f"button.step[data-form^='{form}'][data-field='{field}']:last-of-type")

    async def less(self, field: str, form: str = "") -> None:
        await self.click(f"button.step[data-form^='{form}'][data-field='{field}']:first-of-type")

    async def unfold(self, fold: str) -> None:
        """Open a fold; it stays open."""
        await self.click(f".folder[data-fold^='{fold}'][aria-expanded=false]")

    async def press(self, choice: str) -> None:
        """Press the button that decides this."""
        await self.catches_up()
        await self.click(deciding(choice))

    async def seal(self, choice: str) -> None:
        await self.click(f"[data-pick='{choice}']")
        await self.click("[data-seal], .seals")

    async def throw(self, *faces: int, of: str = "") -> None:
        """Enter rolled dice one after another; ``of`` names the roller if there are several."""
        whose = f"[data-form$='-{of}']" if of else ""
        for face in faces:
            await self.click(f"[data-key='face-{face}']{whose}")
        await self.press(f"dice {' '.join(map(str, faces))}")

    async def would(self, choice: str) -> Any:
        """Return the choice that the page has written on a button."""
        written = await self.until(f"document.querySelector(`{deciding(choice)}`)?.dataset.press")
        return json.loads(str(written))["choice"].partition(" ")[2]

    async def forge(self, button: str, choice: str) -> None:
        """Change the choice on a button, and press it."""
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
        """Check that the page shows only this outcome for the last press."""
        await self.looker.until_says(text, SAYS[self.kind])
        assert (await self.text(SAYS[self.kind])).strip() == text

    async def refuses(self, code: str, language: str = "en", **places: str) -> None:
        """Check that the last press was refused with this sentence, in the page's language."""
        await self.answers(t("reply.illegal", language, reason=why(code, language, **places)))

    async def holds(self) -> None:
        """Hold back this page's presses from now on."""
        await self.run(HOLD)

    async def lets_go(self) -> None:
        await self.run(RELEASE)

    async def lacks(self, text: str) -> None:
        """Wait for a button that says why it is still disabled."""
        said = "(one) => one.dataset.why === arguments[0]"
        await self.looker.until(f"[...document.querySelectorAll('[data-why]')].some({said})", text)


class Console(Page):
    kind = "gm"


def deciding(choice: str) -> str:
    """Return the selector of the button that makes this choice, or one beginning with it."""
    pressed = f"[data-place^='decide '][data-place*=' {choice}']"
    return f"{pressed}, [data-command=decide][data-choice^='{choice}']"


class Evening:
    """Everyone's page, and the table's published state."""

    ada: Page
    bo: Page
    gm: Console
    ada2: Page
    gm2: Console
    """In tests with two browsers, these are the second one's, in German."""

    def __init__(self, table: RunningTable, tabs: Tabs) -> None:
        self.table = table
        self.tabs = tabs

    def _page(self, page: SeatPage, size: tuple[int, int] = PHONE) -> Page:
        """Wrap a page with this window size; each tab has its own."""
        on_a(size, page.looker)
        made = Page(page.looker, page.looker.browser.current_window_handle)
        made.table = self.table
        return made

    async def sit(self, seat: str, language: str = "en", tabs: Tabs | None = None) -> Page:
        """Open a seat's page. ``tabs``: those of another browser."""
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
        await page.looker.open(f"{self.table.server.url}display?near")
        return self._page(page, ROOM)

    @property
    def game(self) -> Any:
        """The scene in the published state."""
        return self.table.view.game

    def who(self, name: str) -> Any:
        return self.game.cast[name]

    @property
    def rolls(self) -> Any:
        """The current rolls, or else the last ones."""
        return (self.game.rolling or self.game.last_rolling).rolls

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until this holds for the published state."""
        async with asyncio.timeout(60):
            while not holds():
                await asyncio.sleep(0.005)

    async def word(self, what: str, **holds: Any) -> None:
        """Overrule by command, without a page."""
        await self.table.ask(c.Overrule(holds={"what": what, **holds}, because="so it is"))

    async def step(self, name: str) -> None:
        try:
            await self.until(lambda: self.table.step == name)
        except TimeoutError:
            raise AssertionError(f"it is {self.table.step}, not {name}") from None

    async def does(self, page: Page, choice: str) -> None:
        """Press a button that decides, and wait until the table has moved on."""
        stood = self.table.view.seq
        await page.press(choice)
        try:
            await self.until(lambda: self.table.view.seq > stood)
        except TimeoutError:
            shown = await page.looker.text()
            raise AssertionError(f"{choice} at {self.table.step}: {shown[-400:]}") from None

    async def call(self, **said: Any) -> None:
        """Call for a roll by command, without the GM's page."""
        whole = {"challenge": {"name": f"challenge {len(self.game.listed)}"}} | said
        await self.table.decide("gm", f"call {json.dumps(whole)}")

    async def rolled(self, who: str, dice: str, **said: Any) -> None:
        """Roll for a character by command; later decisions are still open."""
        await self.call(**({"type": "brawny", "rollers": {who: {}}} | said))
        await self.table.commit(who, "approach plain")
        await self.step("dice")
        await self.table.decide(who, f"dice {dice}")


@asynccontextmanager
async def evening(
    folder: Path, looker: Looker, scene: Mapping[str, Any] = SCENE, **more: Any
) -> AsyncIterator[Evening]:
    """A table with its scene begun, and the pages of both players and the console open. At the end
    no page may have logged an error to the browser's console."""
    async with (
        tabs_of(looker) as tabs,
        RunningTable(folder, seats=SEATS, ruleset="tricube", scene=scene, **more) as table,
    ):
        played = Evening(table, tabs)
        await table.start()
        played.ada, played.bo = await played.sit("north"), await played.sit("south")
        played.gm = await played.console()
        yield played
        assert complaints(looker.browser, "SEVERE") == []


def on_a(size: tuple[int, int], looker: Looker) -> None:
    resize(looker.browser, size)
