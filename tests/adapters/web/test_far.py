"""Everything a spectator needs is readable from four metres on a 55-inch screen."""

from hub.table import acts as i
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.test_accessibility import SETTLED, over, problem, specials, story
from tests.support.browser import resize

LEAST_PX = 24
"""On a screen of 1920 by 1080: 15 mm on one of 55 inches, some 13 minutes of arc at four metres."""
SMALL = """
const found = new Map();
const walker = document.createTreeWalker(document.querySelector("#root"), NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const around = node.parentElement;
  const text = node.textContent.trim();
  if (!text || around.closest("svg, .unseen, .shown") || !around.checkVisibility()) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  const { width, height } = range.getBoundingClientRect();
  const size = Number.parseFloat(getComputedStyle(around).fontSize);
  if (!width || !height || size === 0 || size >= arguments[0]) continue;
  const path = [around.parentElement, around].map((at) => at.className || at.tagName);
  found.set(`${path.join(" > ")}: ${text.slice(0, 40)}`, Math.round(size * 10) / 10);
}
return [...found].map(([what, size]) => `${size} px ${what}`);
"""


async def small(looker: Looker) -> list[str]:
    await looker.run(SETTLED)
    await looker.painted()
    found: list[str] = await looker.run(SMALL, LEAST_PX)  # type: ignore[assignment]
    return found


UNDER = """
const button = document.querySelector(".sound-on button");
const { left, right, top, bottom } = button.getBoundingClientRect();
const walker = document.createTreeWalker(document.querySelector("#root"), NodeFilter.SHOW_TEXT);
const found = [];
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const range = document.createRange();
  range.selectNodeContents(node);
  const at = range.getBoundingClientRect();
  const over = at.left < right && at.right > left && at.top < bottom && at.bottom > top;
  if (over && !node.parentElement.closest(".unseen")) found.push(node.textContent);
}
return found;
"""


async def under_the_button(looker: Looker) -> list[str]:
    """Return the texts hidden under the button that asks for sound."""
    await looker.run(SETTLED)
    await looker.painted()
    found: list[str] = await looker.run(UNDER)  # type: ignore[assignment]
    fits = "document.documentElement.scrollHeight <= innerHeight"
    return found if await looker.run(f"return {fits}") else [*found, "the page does not fit"]


async def test_no_text_is_too_small(pages: Pages, looker: Looker) -> None:
    resize(looker.browser, (1920, 1080))
    table = pages.table
    seen: dict[str, list[str]] = {}
    table.settings = type(table.settings)(seats=table.settings.seats, commit_s=30)
    table.announce()
    await looker.open(pages.url("display?near"))
    await looker.until("document.querySelector('.interval')")
    seen["idle"] = await small(looker)
    await story(pages, looker)
    seen["countdowns"] = await small(looker)
    table.start()
    await looker.until_says("Who takes the first turn?")
    seen["first"] = await small(looker)
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.lay("north", "stance attack 2")
    await looker.until_says("Waiting for Ninja")
    seen["stance"] = await small(looker)
    table.lay("gm", "stance none")
    await looker.until_says("All cards are in")
    seen["locked"] = await small(looker)
    table.reveal()
    await looker.until_says("choose a move")
    seen["move"] = await small(looker)
    table.both("move", ada="defend-low", ninja="attack-low")
    table.decide("ninja", "split attack 1 grapple 1")
    await looker.until_says("Ada decides who goes next")
    seen["next"] = await small(looker)
    stances = {"ada": "grapple 3", "ninja": "defend 1"}
    table.turn("ada", "ninja", stances, {"ada": "grapple-high", "ninja": "defend-low"})
    await looker.until_says("Ninja decides what to give up")
    await looker.until("document.querySelector('.split, .sum')")
    seen["thirteen"] = await small(looker)
    table.decide("ninja", "split attack 5 defend 4 grapple 4")
    table.tell(i.ReaderMissing("south"))
    await looker.until("document.querySelector('.lost-readers')")
    seen["taken"] = await small(looker)
    await looker.until("document.querySelector('.sound-on')")
    seen["under the button"] = await under_the_button(looker)
    table.tell(i.EndScene())
    await looker.until("document.querySelector('.end-card .cost')")
    seen["ended"] = await small(looker)
    seen["under the button, ended"] = await under_the_button(looker)
    assert not await looker.run("return document.querySelector('.notice')?.innerText")
    await problem(pages, looker)
    seen["problem asked"] = await small(looker)
    table.lay("south", "option 3")
    table.reveal()
    await looker.until_says("Bo tells")
    seen["problem shown"] = await small(looker)
    table.decide("bo", "describe belief")
    table.decide("ada", "veto")
    await looker.until_says("Ada tells it again")
    seen["problem vetoed"] = await small(looker)
    said = await looker.text()
    assert "A veto undid Bo’s outcome." in said
    assert "Only 1s and 4s" not in said
    assert "Told with" not in said
    assert await looker.text(".options .decides > b") == "Ada"
    table.decide("ada", "substitute idea")
    await looker.until_says("Solved: Ada told it")
    seen["problem"] = await small(looker)
    table.tell(i.EndScene())
    table.tell(i.ReaderFound("south"))
    await specials(pages, looker)
    seen["specials"] = await small(looker)
    table.tell(i.EndScene())
    await over(pages, looker)
    seen["over"] = await small(looker)
    assert not any(seen.values()), "\n".join(f"{k}: {one}" for k, v in seen.items() for one in v)
