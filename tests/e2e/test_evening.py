"""An evening of three people: the GM and two players on phones, the display on a screen, cards on
readers; and the files it leaves."""

import asyncio
import subprocess
from pathlib import Path

import pytest
from selenium import webdriver

from tests.support.browser import console
from tests.support.demo import Demo, Page, demo
from tests.support.hub import FACEDOWN

PHONE = (390, 844)
SCREEN = (1920, 1080)
TIDE = "The tide comes in"
STORY = (
    "Ada: Complication. Bo: Idea.",
    "Bo says veto. (entered at seat Bo)",
    "→ Solved: Bo told it.",
    "Dock Hand joins.",
    ": Ada wins. Crow loses 5.",
    "The GM takes something back. (back to record ",
    "The reader at Ada is lost.",
    "→ Players win. Everyone on the other side is out.",
    "Ada levels up: ",
    "A countdown begins: Crow comes back.",
)
"""Lines of `facedown replay`, in this order among many others."""


class Evening:
    """All pages. The virtual table stands in for cards and readers."""

    def __init__(self, browser: webdriver.Chrome, table: Demo) -> None:
        self.room = Page(browser, table.display, SCREEN)
        self.display = Page(browser, f"{table.display}?near", SCREEN)
        self.readers = _connected(Page(browser, table.table, SCREEN))
        self.gm = _connected(Page(browser, table.gm, PHONE))
        self.seats = {
            seat: _connected(Page(browser, table.seats[seat], PHONE)) for seat in ("ada", "bo")
        }
        self.ada, self.bo = self.seats.values()
        self.pages = (self.room, self.display, self.readers, self.gm, self.ada, self.bo)

    def tab(self, name: str) -> None:
        self.gm.click(f'[data-tab="{name}"]')

    def place(self, place: str) -> None:
        self.gm.click(f'[data-place="{place}"]:not([aria-disabled])')

    def seal_as(self, actor: str, choice: str) -> None:
        self.gm.click(f'[data-pick="{choice}"][data-of="{actor}"]')
        self.place(f"commit {actor} {choice}")

    def fold(self, name: str) -> None:
        self.gm.click(f'[data-fold="{name}"]:not([aria-expanded="true"])')

    def seal(self, seat: str, choice: str) -> None:
        page = self.seats[seat]
        page.click(f'[data-pick="{choice}"]')
        page.click("[data-seal]:not([aria-disabled])")
        page.has(".own-sealed")

    def say(self, words: str, *pages: Page) -> None:
        for page in pages:
            page.says(words)


def _connected(page: Page) -> Page:
    """Wait until the page shows the table. All these phones share one browser and one session:
    opening another key replaces the session, and a request at that moment is refused once."""
    page.until(
        "document.querySelector('h1')?.innerText"
        " && !document.body.innerText.includes('as soon as it answers')"
    )
    return page


def play(browser: webdriver.Chrome, table: Demo) -> None:
    evening = Evening(browser, table)
    a_problem(evening)
    a_countdown(evening)
    a_conflict(evening)
    after_it(evening)
    for page in evening.pages:
        page.front()
        assert console(browser) == []
        browser.close()
    browser.switch_to.window(browser.window_handles[0])


def a_problem(evening: Evening) -> None:
    """Sealed by phone and by reader; one player narrates, is vetoed, and the other narrates
    again."""
    display, gm, ada, bo = evening.display, evening.gm, evening.ada, evening.bo
    evening.tab("scene")
    gm.click('[data-form="scene"][data-field="type"][data-value="problem"]')
    gm.fill("scene", "problem", "The lock gate is stuck")
    evening.place("start problem")
    evening.say("The lock gate is stuck", *evening.pages)
    evening.seal("ada", "option 3")
    display.says("Ada is ready")
    gm.says("Ada is ready")
    bo.has('[data-pick="option 1"]')
    evening.room.says("The lock gate is stuck", ".frame-stage")
    for page in (display, evening.room):
        assert "Complication" not in page.text(".problem, .frame-stage")
    assert "Complication" not in bo.text(".own-around")
    assert "Complication" not in gm.text()
    evening.readers.lay("bo", "Idea")
    display.says("Complication", ".problem")
    ada.click('[data-choice="describe belief"]')
    display.says("Does anyone veto?")
    bo.click('[data-choice="veto"]')
    evening.say("Bo tells it again", display, gm)
    bo.click('[data-choice="substitute background Piano mover"]')
    evening.say("Solved: Bo told it", display, gm, ada, bo)
    for page in (display, evening.room):
        page.says("A veto undid Ada’s outcome.")
    evening.gm.do("end-scene")
    evening.say("The table is ready", evening.room, display, gm)
    bo.says("0 of 1", ".own-sheet")


def a_countdown(evening: Evening) -> None:
    evening.tab("story")
    for box in range(1, 7):
        evening.place(f"tell mark-countdown {TIDE}")
        evening.gm.says(f"{box}/6")
    evening.say("6/6", evening.room, evening.display, evening.ada)
    evening.display.has(".clock.full")
    evening.gm.has(f'[data-place="tell mark-countdown {TIDE}"][aria-disabled]')


def a_conflict(evening: Evening) -> None:
    display, gm, ada, bo = evening.display, evening.gm, evening.ada, evening.bo
    _somebody_new(evening)
    for name in ("Heron", "Magpie"):
        gm.click(f'[data-key="sides {name} out"]')
    gm.fill("scene", "stakes", "The tide book")
    evening.place("start conflict")
    evening.say("The tide book", evening.room, display, gm, ada, bo)
    display.says("Dock Hand")
    assert "Heron" not in display.text()
    _a_turn_with_a_special(evening)
    _an_undo(evening)
    _a_turn_without_a_reader(evening)
    _two_surrenders(evening)


def _somebody_new(evening: Evening) -> None:
    evening.tab("scene")
    evening.gm.click('[data-form="scene"][data-field="type"][data-value="conflict"]')
    evening.fold("npc-add")
    evening.fold("npc-form")
    evening.gm.fill("npc-new", "name", "Dock Hand")
    for move in ("attack-low", "defend-mid"):
        evening.gm.click(f"""[data-form="npc-new"][data-key='moves {{"id":"{move}"}}']""")
    evening.place("add sheet")
    evening.gm.has('[data-fold="npc-Dock Hand"]')


def _a_turn_with_a_special(evening: Evening) -> None:
    display, gm, ada, bo = evening.display, evening.gm, evening.ada, evening.bo
    evening.tab("now")
    evening.place("decide gm active Ada")
    ada.click('[data-choice="opponent Crow"]')
    evening.say("Ada and Crow choose a stance", display, gm, bo)
    evening.seal("ada", "stance grapple 2")
    display.says("Ada is ready")
    evening.readers.lay("gm", "Attack 2")
    ada.says("Choose your move", "h1")
    ada.click('[data-beside="special wax-on-attack"]')
    ada.has('[data-beside="special wax-on-attack"][aria-pressed="true"]')
    evening.seal("ada", "move attack-mid")
    display.says("Ada has added a card face down")
    gm.says("one more card lies face down", ".waiting")
    evening.room.says("Special", ".side-of:first-child .notes")
    for page in (display, gm, evening.room):
        assert "Attack Mid" not in page.text(".turn, .waiting, .frame-stage")
    assert "against Attack, the stance of Crow takes nothing" not in display.text()
    evening.seal_as("Crow", "move attack-low")
    display.says("Mid beats Low: Ada wins.")
    display.says("against Attack, the stance of Crow takes nothing")
    evening.room.says("Ada wins", "h2")
    evening.room.says("Crow", ".cost-of")
    gm.says("Which 5 does Crow give up?")
    bo.says("Crow decides what to give up")


def _an_undo(evening: Evening) -> None:
    """The GM splits wrongly, reads what an undo would undo, and splits again."""
    display, gm, ada = evening.display, evening.gm, evening.ada
    gm.click('[data-split="grapple"][data-by="-1"]')
    gm.click('[data-split="defend"][data-by="1"]')
    gm.click('.split [data-choice="split attack 3 defend 2"]')
    evening.place("decide Dock Hand let-be")
    display.says("Ada decides who goes next")
    gm.click('.quick [data-sheet="undo"]')
    gm.says("Crow gives up Attack 3 and Defend 2.", "dialog")
    evening.place("undo")
    evening.say("Crow decides what to give up", display, ada)
    gm.until("!document.querySelector('dialog').open")
    gm.click('.split [data-choice="split attack 3 defend 1 grapple 1"]')
    evening.place("decide Dock Hand let-be")
    evening.say("Ada decides who goes next", display, gm)
    gm.says("Dock Hand is on the other side", ".closed")
    evening.fold("gm-next-agreed")
    gm.has('[data-place="decide gm agreed Dock Hand"]')
    ada.click('[data-choice="active Ada"]')


def _a_turn_without_a_reader(evening: Evening) -> None:
    """A combo keeps the opponent; the reader is lost, and the phone replaces it."""
    display, gm, ada = evening.display, evening.gm, evening.ada
    display.says("keeps the turn: the combo goes on")
    evening.readers.click('[data-cable="unplug"][data-seat="ada"]')
    ada.says("Your reader is lost")
    evening.say("Reader lost at Ada", display, evening.room)
    gm.has(".at-seat.lost")
    evening.seal("ada", "stance grapple 2")
    evening.seal_as("Crow", "stance none")
    ada.says("Choose your move", "h1")
    evening.seal("ada", "move grapple-low")
    evening.seal_as("Crow", "move attack-high")
    ada.says("Which 5 does Ada give up?")
    ada.click('[data-split="attack"][data-by="-1"]')
    ada.click('[data-split="defend"][data-by="1"]')
    ada.click('.split [data-choice="split attack 2 defend 1 grapple 2"]')
    evening.place("decide Crow active Crow")
    evening.place("decide Crow opponent Bo")


def _two_surrenders(evening: Evening) -> None:
    display, gm, bo = evening.display, evening.gm, evening.bo
    evening.readers.lay("bo", "No stance")
    evening.seal_as("Crow", "stance none")
    bo.says("Choose your move", "h1")
    evening.readers.lay("bo", "Attack Low")
    evening.seal_as("Crow", "move surrender")
    display.says("Crow surrenders: Bo wins.")
    bo.click('[data-choice="active Bo"]')
    bo.click('[data-choice="opponent Dock Hand"]')
    evening.seal("bo", "stance none")
    evening.seal_as("Dock Hand", "stance none")
    bo.says("Choose your move", "h1")
    evening.seal("bo", "move attack-low")
    evening.seal_as("Dock Hand", "move surrender")
    evening.say("Players win", evening.room, display, gm, evening.ada, bo)
    evening.gm.do("end-scene")
    evening.say("The table is ready", display, gm)


def after_it(evening: Evening) -> None:
    """The cost of the conflict, a rest, marks, a level, and the next scene."""
    display, gm, ada = evening.display, evening.gm, evening.ada
    ada.says("0/2", ".own-sheet")
    ada.says("used", ".part-specials")
    evening.tab("story")
    evening.fold("person-Ada")
    for trait in ("belief", "goal"):
        evening.place(f"tell mark Ada {trait}")
        gm.has(f'[data-place="tell unmark Ada {trait}"]')
    evening.fold("level-Ada")
    gm.click('[data-key="level-up Ada-kind-move"]')
    gm.click("""[data-key='level-up Ada-{"move":"grapple-high"}']""")
    gm.click('[data-key="level-up Ada-next"]')
    gm.fill("level-up Ada", "goal", "Hang the book where everybody can read it")
    evening.place("level-up Ada")
    ada.says("Level 4")
    ada.says("Grapple High", ".part-moves")
    ada.says("Hang the book where everybody can read it")
    evening.fold("rests")
    evening.place("rest-full")
    evening.place("do rest-full")
    ada.says("2/2", ".own-sheet")
    ada.says("can be used", ".part-specials")
    erase = f"tell erase-countdown {TIDE}"
    gm.do(erase)
    display.until("!document.querySelector('.clock')")
    gm.fill("countdown", "name", "Crow comes back")
    evening.place("countdown new 4")
    evening.say("Crow comes back", display, ada, evening.bo)
    evening.tab("log")
    gm.says("Bo wins", ".chronicle")
    gm.says("The GM takes something back.", ".chronicle")


def facedown(*arguments: str | Path) -> str:
    """Run a command on the finished evening and return its output."""
    done = subprocess.run([FACEDOWN, *arguments], check=True, capture_output=True, text=True)
    return done.stdout


@pytest.mark.timeout(300)  # a whole evening: 45 s on an idle machine, more next to other tests
async def test_an_evening_on_three_phones(browser: webdriver.Chrome, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    async with demo("--data", str(kept)) as table:
        await asyncio.to_thread(play, browser, table)
    log = tmp_path / "log.jsonl"
    log.write_text(facedown("log", kept / "journal.db"), encoding="utf-8")
    assert "sound" in facedown("verify", log, "--table", "demo")
    story = facedown("replay", kept / "journal.db")
    at = 0  # on a busy machine a reader may have been lost earlier, too
    for line in STORY:
        at = story.find(line, at)
        assert at >= 0, line
