"""The GM's console in a real browser, with the real runner: every group of it, and bad input."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest
from msgspec.structs import replace
from selenium.webdriver.common.keys import Keys

from hub.games.game import GM
from hub.games.triangle.sheets import write_sheet
from hub.games.triangle.story.scenes import ConflictRequest, ProblemRequest
from hub.games.triangle.story.state import StoryState
from hub.ports import FieldSeen, ReaderTroubled
from hub.table import acts as c
from hub.table import desk
from hub.table.state import AtZero
from tests.adapters.web.conftest import Looker
from tests.adapters.web.led import LedTable
from tests.rules.cast import starting, with_marks
from tests.support.browser import console, resize
from tests.support.evening import sheets

PHONE = (390, 844)
TABLET = (1024, 768)
OpenTable = Callable[..., Awaitable[LedTable]]
TAKEN = '<b>"Odd" & <i>co'


@pytest.fixture
async def lead() -> AsyncIterator[OpenTable]:
    async with AsyncExitStack() as stack:

        async def open_one(**settings: Any) -> LedTable:
            return await stack.enter_async_context(LedTable(**settings))

        yield open_one


class Console:
    """The page on a phone, with a thumb's actions."""

    def __init__(self, looker: Looker, table: LedTable) -> None:
        self.looker = looker
        self.table = table

    async def open(self) -> None:
        resize(self.looker.browser, PHONE)
        await self.looker.open(self.table.door)
        await self.looker.until("document.querySelector('.waiting') !== null")

    async def tab(self, name: str) -> None:
        await self.looker.click(f'[data-tab="{name}"]')

    async def press(self, selector: str) -> None:
        """Press a control as soon as it is enabled."""
        await self.looker.until(
            "document.querySelector(arguments[0])?.ariaDisabled !== 'true'"
            " && document.querySelector(arguments[0])",
            selector,
        )
        await self.looker.click(selector)

    async def place(self, place: str) -> None:
        await self.press(f'[data-place="{place}"]')

    async def at_any_time(self, button: str) -> None:
        """Press one of the rarer buttons, which open from the last one in the dock."""
        await self.press('.quick [data-sheet="undo"]')
        await self.press(f".any-time {button}")

    async def seal_as(self, actor: str, choice: str) -> None:
        """Pick a card of one of the GM's characters, then seal it."""
        await self.press(f'[data-pick="{choice}"][data-of="{actor}"]')
        await self.place(f"commit {actor} {choice}")

    async def do(self, place: str) -> None:
        """Look at what a deed would change, then do it."""
        await self.place(place)
        await self.looker.until("document.querySelector('dialog .changes')")
        await self.place(f"do {place}")

    async def fold(self, key: str) -> None:
        await self.looker.click(f'[data-fold="{key}"]')

    async def write(self, form: str, field: str, text: str) -> None:
        """Write into a field, or choose in a menu, as soon as it exists."""
        await self.looker.until(
            "(() => { const f = document.querySelector(`[data-form='${arguments[0]}']"
            "[data-field='${arguments[1]}']:is(input, select, textarea)`);"
            "if (!f || (f.options && ![...f.options].some((o) => o.value === arguments[2])))"
            " return false; f.value = arguments[2];"
            "f.dispatchEvent(new Event('input', {bubbles: true})); return true; })"
            "(...arguments)",
            form, field, text,
        )  # fmt: skip

    async def says(self, text: str, selector: str = "#root") -> None:
        await self.looker.until_says(text, selector)

    async def told(self, text: str) -> None:
        """Wait for this outcome near the thumb."""
        await self.says(text, ".dock .outcome")

    async def until_step(self, step: str) -> None:
        async with asyncio.timeout(60):
            while self.table.step != step:
                await asyncio.sleep(0.02)


@pytest.fixture
async def opened(lead: OpenTable, looker: Looker) -> Console:
    page = Console(looker, await lead())
    await page.open()
    return page


def story_at(page: Console) -> StoryState:
    assert page.table.state.story is not None
    state: StoryState = page.table.state.story.state
    return state


async def settled(ends: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not ends():
            await asyncio.sleep(0.02)


async def test_the_page_logs_nothing_and_keeps_its_key_to_itself(opened: Console) -> None:
    await opened.says("The table is ready", "h1")
    assert opened.looker.browser.current_url == opened.table.url()
    assert console(opened.looker.browser) == []
    script = "return document.documentElement.scrollWidth <= innerWidth"
    for tab in ("scene", "story", "log", "keys", "now"):
        await opened.tab(tab)
        assert await opened.looker.run(script), tab


async def test_a_whole_turn_is_led_from_the_phone(opened: Console) -> None:
    table = opened.table
    await opened.tab("scene")
    await opened.press('[data-key="sides bo out"]')
    await opened.write("scene", "stakes", "The last boat")
    await opened.place("start conflict")
    await opened.told("Done.")
    assert table.state.story and table.state.story.state.stakes == "The last boat"
    await opened.tab("now")
    await opened.place("decide gm active ada")
    await opened.says("Whom does Ada face?")
    await opened.place("decide ada opponent ninja")
    await opened.seal_as("ninja", "stance grapple 2")
    await opened.says("Sealed, face down.")
    await opened.says("ready", ".at-seat .badge.ready")
    assert "Grapple 2" not in await opened.looker.text(".own")
    await opened.place("take-back ninja")
    await opened.seal_as("ninja", "stance none")
    await opened.says("Sealed, face down.")
    await table.commit("ada", "stance attack 2")
    await opened.says("choose a move", "h1")
    await opened.seal_as("ninja", "move attack-low")
    await table.commit("ada", "move attack-high")
    await opened.until_step("split")
    await opened.says("Ada decides what to give up", "h1")
    await opened.press(".split .default")
    await opened.until_step("next")
    await opened.tab("log")
    await opened.says("Ada takes the turn. Ada faces Ninja. Ada: Attack 2. Ninja: No stance.")
    await opened.says("Ada: Attack High. Ninja: Attack Low. ")
    await opened.says("Ninja wins. Ada loses", ".chronicle")
    assert console(opened.looker.browser) == []


async def test_characters_who_may_not_act_are_listed_with_the_reason(opened: Console) -> None:
    table = opened.table
    await table.duel()
    await table.choose(ada="stance none", ninja="stance none")
    await table.choose(ada="move attack-high", ninja="move defend-mid")
    await opened.press(".split .default")
    await opened.says("Who takes the next turn?")
    await opened.says("Ada is on the other side, and Ninja’s side goes on", ".closed")
    assert await opened.looker.run("return !document.querySelector('[data-choice=\"active ada\"]')")
    await opened.looker.click('[data-fold$="next-agreed"]')
    await opened.press(".fold .offer:not([aria-disabled])")
    await settled(lambda: table.step != "next")
    assert table.step == "opponent"


async def test_a_loss_is_split_with_the_thumb(opened: Console) -> None:
    await opened.table.duel()
    await opened.table.choose(ada="stance none", ninja="stance none")
    await opened.table.choose(ada="move attack-high", ninja="move defend-mid")
    await opened.says("Which 2 does Ada give up?")
    await opened.press('[data-split="grapple"][data-by="1"]')
    await opened.says("1 too many")
    await opened.press(".split [data-suggested]")
    await opened.looker.until("!document.querySelector('.split [data-suggested]')")
    await opened.press('[data-split="grapple"][data-by="1"]')
    await opened.says("1 too many")
    assert await opened.looker.run("return document.querySelector('.split .default').disabled")
    less = '[data-by="-1"]:not(:disabled, [data-split="grapple"])'
    await opened.looker.run("document.querySelector(arguments[0]).click()", less)
    await opened.says("Attack 1 and Grapple 1", ".split .default")
    await opened.press(".split .default")
    await opened.until_step("next")


async def test_a_lost_reader_and_the_ways_out(opened: Console) -> None:
    table = opened.table
    await table.duel()
    await table.commit("ada", "stance none")
    await table.down("ada")
    await opened.says("This reader does not answer.", ".at-seat.lost")
    await opened.press('[data-show="key-ada"]')
    await opened.looker.until("document.querySelector('img.qr')?.naturalWidth > 0")
    await opened.tab("now")
    await opened.place("drop ada")
    await opened.says("it must be laid again", "dialog .changes")
    assert table.state.scene and table.state.scene.seals
    await opened.place("do drop ada")
    await settled(lambda: not (table.state.scene and table.state.scene.seals))
    await table.up("ada")
    await opened.looker.until("!document.querySelector('.at-seat.lost')")


async def test_a_reader_in_trouble_is_shown_at_its_seat_with_its_counts(opened: Console) -> None:
    table = opened.table
    report = table.runner.inbox.report
    report(ReaderTroubled("ada", losses=3, disturbances=7))
    await opened.says("reader unreliable", ".at-seat .reader.bad")
    await opened.fold("reader-ada")
    await opened.says("Within five minutes this reader was lost 3 times and disturbed 7 times,")
    report(ReaderTroubled("ada", losses=0, disturbances=0))
    await opened.looker.until("!document.querySelector('.at-seat .reader.bad, .at-seat .hint')")
    report(ReaderTroubled("bo", losses=0, disturbances=0, blind=True))
    await opened.fold("reader-bo")
    await opened.says("This reader cannot tell a dead radio from an empty field.")
    report(ReaderTroubled("bo", losses=0, disturbances=0))
    await opened.looker.until("!document.querySelector('.at-seat .hint')")


async def test_a_reader_that_sees_nothing_while_all_wait_for_its_seat_is_named(
    opened: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = opened.table
    monkeypatch.setattr(desk, "QUIET_MS", 50)
    await table.duel()
    report = table.runner.inbox.report
    report(ReaderTroubled("ada", losses=0, disturbances=0, blind=True))
    report(FieldSeen("ada", ("?phone",)))
    report(FieldSeen("ada", ()))
    await table.commit("ninja", "stance none")
    await opened.says("this reader has seen nothing since", "[data-lies=nothing-seen]")


async def test_an_unreadable_tag_is_named_at_its_seat(opened: Console) -> None:
    table = opened.table
    await table.duel()
    await table.down("ada")
    await table.up("ada")
    table.runner.inbox.report(FieldSeen("ada", ("?phone",)))
    await opened.says("A card was laid while the reader was away,", "[data-lies=unseen]")
    table.runner.inbox.report(FieldSeen("ada", ()))
    await opened.looker.until("!document.querySelector('[data-lies]')")
    for seat in ("ada", "bo"):
        table.runner.inbox.report(FieldSeen(seat, ("one",)))
    await opened.looker.until("document.querySelectorAll('[data-lies=crossed]').length === 2")
    await opened.says("move the readers apart", "[data-lies=crossed]")


async def test_the_gm_chooses_for_a_player_who_is_too_late(lead: OpenTable, looker: Looker) -> None:
    page = Console(looker, await lead(commit_s=0.5, at_zero=AtZero.GM_DECIDES))
    await page.open()
    await page.table.duel()
    await page.fold("stand-in-ada")
    await page.seal_as("ada", "stance attack 1")
    await page.says("ready", ".at-seat .badge.ready")
    assert page.table.state.scene and "ada" in page.table.state.scene.chosen()


async def test_the_gm_declares_no_special_for_a_player_who_is_too_late(
    lead: OpenTable, looker: Looker
) -> None:
    page = Console(looker, await lead(story=False, commit_s=0.5, at_zero=AtZero.GM_DECIDES))
    await page.open()
    await page.table.obey(c.StartScene())
    await page.table.decide(GM, "active ada")
    await page.table.decide("ada", "opponent ninja")
    await page.table.decide("ninja", "use")
    await page.until_step("specials")
    await page.fold("stand-in-ada")
    await page.seal_as("ada", "special none")
    await page.says("ready", ".at-seat .badge.ready")


async def test_the_gms_own_special_is_set_beside_and_withdrawn(
    lead: OpenTable, looker: Looker
) -> None:
    page = Console(looker, await lead(story=False))
    await page.open()
    table = page.table
    await table.obey(c.StartScene())
    await table.decide(GM, "active ada")
    await table.decide("ada", "opponent ninja")
    await table.choose(ada="stance none", ninja="stance none")
    await page.fold("beside-ninja-special")
    wax = "commit ninja special wax-on-attack"
    await page.place(wax)
    await page.says("tap to withdraw", f'[data-place="{wax}"]')
    await looker.run("location.reload()")
    await page.fold("beside-ninja-special")
    await page.place(wax)
    await page.told("Not done: it is already set beside")
    await page.says("tap to withdraw", f'[data-place="{wax}"]')
    await page.place(wax)
    await settled(lambda: table.state.scene and not table.state.scene.beside)
    assert console(looker.browser) == []


async def test_the_gm_cannot_choose_for_others_if_the_table_waits_on(
    lead: OpenTable, looker: Looker
) -> None:
    page = Console(looker, await lead(commit_s=0.3, at_zero=AtZero.NOTHING))
    await page.open()
    await page.table.duel()
    await settled(lambda: page.table.state.scene and page.table.state.scene.deadline_passed)
    await page.tab("log")
    await page.tab("now")
    await looker.painted()
    assert not await looker.run("return document.querySelector('[data-fold^=\"stand-in\"]')")


async def test_pause_resume_and_an_end_that_asks(opened: Console) -> None:
    table = opened.table
    await table.duel()
    await opened.at_any_time("[data-place=pause]")
    await opened.says("Paused", "h1")
    await opened.press('[data-press*="resume"]')
    await opened.says("choose a stance", "h1")
    await opened.tab("scene")
    await opened.place("end-scene")
    await opened.says("The scene ends.", "dialog .changes")
    await opened.says("Left undecided: the stances. Still to answer: Ada", "dialog .changes")
    assert table.state.scene is not None
    await opened.place("do end-scene")
    await settled(lambda: table.state.scene is None)
    await opened.says("The table is ready", "h1")
    await opened.tab("log")
    await opened.says("The scene ends. Left undecided: the stances.", ".chronicle")


async def test_a_minor_lethal_conflict_with_a_title(opened: Console) -> None:
    await opened.tab("scene")
    await opened.press('[data-field="minor"]')
    await opened.write("scene", "title", "The ferry")
    await opened.place("start conflict")
    await opened.looker.until("document.querySelector('[data-tab=\"now\"][aria-current]')")
    await opened.tab("scene")
    await opened.says("The ferry", ".scene h2")
    await opened.says("End the minor conflict")
    scene = opened.table.state.scene
    assert scene and scene.title == "The ferry" and scene.game.scene.minor


async def test_a_problem_from_its_words_to_its_end(opened: Console) -> None:
    table = opened.table
    await opened.tab("scene")
    await opened.press('[data-field="type"][data-value="problem"]')
    await opened.write("scene", "problem", "The bridge is down")
    await opened.press('[data-key="interested bo"]')
    await opened.place("start problem")
    await opened.says("Ada choose", "h1")
    await opened.tab("scene")
    await opened.says("The bridge is down", ".scene")
    assert table.state.scene and table.state.scene.game.interested == ("ada",)
    await table.commit("ada", "option 4")
    await settled(lambda: table.step != "option")
    await opened.tab("now")
    await opened.says("Ada tells how it goes", "h1")
    await opened.tab("scene")
    await opened.do("end-scene")
    await settled(lambda: table.state.scene is None)


async def test_the_prepared_scene(lead: OpenTable, looker: Looker) -> None:
    page = Console(looker, await lead(story=False))
    await page.open()
    await page.tab("scene")
    await page.place("start prepared")
    await page.says("Who takes the first turn?", "h1")
    await page.tab("scene")
    await page.says("A duel", ".scene h2")


async def test_countdowns_and_stakes(opened: Console) -> None:
    table = opened.table
    await opened.tab("story")
    await opened.looker.run("document.querySelector('[data-place=\"countdown new 6\"]').click()")
    await opened.told("Name it first.")
    await opened.write("countdown", "name", "The tide")
    await opened.place("countdown new 6")
    await opened.says("The tide", ".clock")
    name = "document.querySelector('[data-form=countdown]').value"
    assert await opened.looker.run(f"return {name}") == ""
    await opened.place("tell mark-countdown The tide")
    await opened.says("1/6", ".clock")
    await opened.place("tell unmark-countdown The tide")
    await opened.says("0/6", ".clock")
    await opened.write("stakes", "words", "The last boat")
    await opened.place("stakes")
    await opened.told("Done.")
    assert table.state.story and table.state.story.state.stakes == "The last boat"
    await opened.do("tell erase-countdown The tide")
    await opened.looker.until("!document.querySelector('.clock')")
    await opened.tab("log")
    await opened.says("A countdown begins: The tide.", ".chronicle")
    await opened.says("The tide: one box more.", ".chronicle")


async def test_a_rest_with_another_type(opened: Console) -> None:
    table = opened.table
    rest = {"do": "overrule", "holds": {"what": "rest"}, "because": "the night is long"}
    await table.obey(c.TellStory(deed=rest))
    await table.tell("lose ada attack 1")
    await table.tell("lose ada defend 1")
    await opened.tab("story")
    await opened.fold("rests")
    await opened.press('[data-form="rest-breather"][data-field="types.ada"][data-value="defend"]')
    before = table.state.story
    await opened.place("rest-breather")
    await opened.says("This will change:", "dialog")
    await opened.says("Ada: Defend 2 → 3", "dialog .changes")
    await opened.says("Bo: Rests since the last full one: none → Breather", "dialog .changes")
    assert table.state.story is before
    await opened.place("do rest-breather")
    await opened.told("Done.")
    ada = table.state.story and table.state.story.state.sheets["ada"]
    assert (ada.energy.attack, ada.energy.defend) == (3, 3)
    await opened.press('.quick [data-sheet="undo"]')
    await opened.says("Take back the last change", "dialog h2")
    await opened.says("All take a breather.", "dialog .undone-list")
    assert "loses" not in await opened.looker.text("dialog .undone-list")
    await opened.place("undo")
    await settled(lambda: table.state.story and table.state.story.state == before.state)  # type: ignore[union-attr]
    await opened.looker.until("!document.querySelector('dialog[open]')")
    await opened.tab("log")
    await opened.says("All take a breather.", ".chronicle del")
    await opened.says("The GM takes the last change back.", ".chronicle")


async def test_marks_losses_words_and_a_level(lead: OpenTable, looker: Looker) -> None:
    ada, *rest = sheets()
    page = Console(looker, await lead(party=[with_marks(ada), *rest]))
    await page.open()
    sheet = lambda: page.table.state.story.state.sheets["ada"]  # type: ignore[union-attr]  # noqa: E731
    await page.tab("story")
    await page.fold("person-ada")
    await page.place("tell mark ada flaw")
    await settled(lambda: sheet().flaw.marked)
    await page.fold("lose-ada")
    await page.do("tell lose ada grapple 1")
    await settled(lambda: sheet().energy.grapple == 2)
    await page.fold("rewrite-ada")
    await page.write("words-ada", "what", "rename attack-high")
    await page.write("words-ada", "words", "Overhand")
    await page.place("words-ada")
    await settled(lambda: any(move.name == "Overhand" for move in sheet().moves))
    await page.fold("level-ada")
    await page.press('[data-key="level-up ada-kind-move"]')
    await page.press("""[data-key='level-up ada-{"move":"defend-low"}']""")
    await page.press('[data-key="level-up ada-next"]')
    await page.write("level-up ada", "called", "Low Sun")
    await page.write("level-up ada", "goal", "Find the pilot")
    await page.says("Level 1 → 2", ".grow .changes")
    await page.place("level-up ada")
    await settled(lambda: sheet().level == 2)
    assert any(str(move) == "defend-low" and move.name == "Low Sun" for move in sheet().moves)
    assert sheet().goal.text == "Find the pilot"


async def test_a_character_who_cannot_level_up_shows_why(opened: Console) -> None:
    await opened.tab("story")
    await opened.fold("person-bo")
    await opened.fold("level-bo")
    await opened.says("Not yet:", ".characters")


async def test_a_dead_character_gets_a_successor(lead: OpenTable, looker: Looker) -> None:
    ada, *rest = sheets()
    table = await lead(party=[replace(ada, dead=True), *rest], reserve=[starting(name="wenna")])
    page = Console(looker, table)
    await page.open()
    await page.tab("story")
    await page.fold("replace-ada by wenna")
    await page.do("replace-ada by wenna")
    await settled(lambda: table.state.story and "wenna" in table.state.story.state.sheets)


async def test_a_new_player_character_joins(opened: Console) -> None:
    await opened.tab("story")
    await opened.fold("fresh")
    await opened.fold("fresh-file")
    await opened.write("fresh", "toml", write_sheet(starting(name="kit")))
    await opened.write("fresh", "seat", "bo")
    await opened.place("add fresh")
    await settled(lambda: "kit" in story_at(opened).reserve)
    await opened.says("Kit joins the party", ".newcomers")
    await opened.place("tell join kit")
    await settled(lambda: "kit" in story_at(opened).sheets)
    assert opened.table.state.seated == {"kit": "bo"}


async def test_undo_is_shown_before_it_is_done(opened: Console) -> None:
    table = opened.table
    await table.duel()
    await table.choose(ada="stance none", ninja="stance none")
    await table.choose(ada="move attack-high", ninja="move defend-mid")
    await opened.press('.quick [data-sheet="undo"]')
    await opened.says("Ada: Attack High.", "dialog")
    await opened.says("Ninja wins.", "dialog")
    await opened.press('dialog [data-key="leave"]')
    await opened.looker.until("!document.querySelector('dialog').open")
    focused = "document.activeElement.dataset.sheet"
    assert await opened.looker.run(f"return {focused}") in {"undo", None}
    assert table.step == "split"
    await opened.press('.quick [data-sheet="undo"]')
    await table.decide("ada", "split attack 1 defend 1")
    await opened.says("Something has happened since: this list is new.", "dialog")
    await opened.says("Ada gives up Attack 1 and Defend 1.", "dialog")
    await opened.place("undo")
    await opened.until_step("split")
    await opened.looker.until("!document.querySelector('dialog').open")
    await opened.tab("log")
    await opened.says("Ada gives up Attack 1 and Defend 1.", ".chronicle del")
    await opened.says("The GM takes something back.", ".chronicle")


async def test_the_gm_overrules_with_a_reason(opened: Console) -> None:
    table = opened.table
    await table.duel()
    await table.choose(ada="stance none", ninja="stance none")
    await table.choose(ada="move attack-high", ninja="move defend-mid")
    await opened.press(".split .default")
    await opened.until_step("next")
    await opened.at_any_time("[data-sheet=overrule]")
    await opened.looker.until("document.querySelector('dialog').open")
    await opened.write("overrule", "name", "ada")
    await opened.write("overrule", "why", "the lamp fell")
    await opened.press('dialog [data-field="energy.attack ada"][aria-label*="more"]')
    await opened.says("because the lamp fell", "dialog .written")
    await opened.do("overrule")
    await opened.looker.until("!document.querySelector('dialog').open")
    await opened.tab("log")
    await opened.says("The GM overrules: Ada: Attack", ".chronicle")


async def test_the_gm_overrules_between_scenes_and_in_a_problem(opened: Console) -> None:
    table = opened.table
    await opened.tab("story")
    await opened.at_any_time("[data-sheet=overrule]")
    await opened.write("overrule", "what", "veto")
    await opened.write("overrule", "name", "bo")
    await opened.press('dialog [data-field="left bo"][data-value="false"]')
    await opened.write("overrule", "why", "it was said")
    await opened.says("Bo: The veto, is used, because it was said", "dialog .written")
    await opened.do("overrule")
    await settled(lambda: table.state.story and not table.state.story.state.sheets["bo"].veto)
    await table.stage(ProblemRequest(problem="The bridge is down"))
    await opened.says("choose a number", "h1")
    await opened.at_any_time("[data-sheet=overrule]")
    await opened.says("Nothing can be overruled while cards lie face down.", "dialog")
    await opened.press('dialog [data-key="close"]')
    await table.commit("ada", "option 4")
    await table.commit("bo", "option 3")
    await settled(lambda: table.step != "option")
    await opened.at_any_time("[data-sheet=overrule]")
    await opened.write("overrule", "what", "outcome")
    await opened.press('dialog [data-field="success"][data-value="false"]')
    await opened.write("overrule", "why", "it rains")
    await opened.do("overrule")
    await opened.says("Failed", "h1")


async def test_seals_in_the_log_only_tell_who_is_ready(opened: Console) -> None:
    await opened.table.duel()
    await opened.table.commit("ada", "stance attack 2")
    await opened.tab("log")
    await opened.says("Ada is ready.", ".chronicle")
    await opened.looker.run("document.querySelector('.quick [data-sheet=\"undo\"]').click()")
    html = str(await opened.looker.run("return document.documentElement.outerHTML"))
    assert "Attack 2" not in html
    assert "digest" not in html


async def test_keys_codes_and_a_new_key(opened: Console) -> None:
    await opened.tab("keys")
    await opened.fold("key-ada")
    address = "document.querySelector('.address a')?.href"
    first = await opened.looker.until(address)
    assert "/seat/ada?key=" in str(first)
    await opened.looker.until("document.querySelector('img.qr').naturalWidth > 0")
    await opened.press('[data-do="ask-renew"]')
    await opened.press('[data-do="renew"]')
    await opened.told("Ada has a new key.")
    assert await opened.looker.run(f"return {address}") != first
    await opened.fold("key-ada")
    for name, path in (("console", "/gm?key="), ("display", "/display")):
        await opened.fold(f"key-*{name}")
        await opened.looker.until("document.querySelector('img.qr')?.naturalWidth > 0")
        address = await opened.looker.run("return document.querySelector('.address a').href")
        assert path in str(address)
        await opened.fold(f"key-*{name}")


HOLD = """
window.late = [];
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
  if (!window.holding) return send.call(this, text);
  window.late.push(() => send.call(this, text));
};
window.holding = true;
"""
RELEASE = "window.holding = false; window.late.forEach((one) => one())"


async def test_two_consoles_press_the_same_and_it_is_done_once(opened: Console) -> None:
    table, looker = opened.table, opened.looker
    first = looker.browser.current_window_handle
    await table.stage()
    await opened.says("Who takes the first turn?", "h1")
    await looker.run(HOLD)
    await opened.place("decide gm active ada")
    before = table.state.seq
    await asyncio.to_thread(looker.browser.switch_to.new_window, "tab")
    try:
        await looker.open(table.url())
        await opened.place("decide gm active ada")
        await opened.says("Ada chooses an opponent", "h1")
        await asyncio.to_thread(looker.browser.close)
    finally:
        await asyncio.to_thread(looker.browser.switch_to.window, first)
    await looker.run(RELEASE)
    await opened.told("Not done: the table had moved on.")
    assert table.state.seq == before + 1


async def test_a_press_that_comes_too_late_is_refused_and_explained(opened: Console) -> None:
    table, looker = opened.table, opened.looker
    await table.stage()
    await opened.says("Who takes the first turn?", "h1")
    await looker.run(HOLD)
    await opened.place("decide gm active ada")
    await opened.told("On its way")
    await table.decide("gm", "active bo")
    await opened.says("Bo chooses an opponent", "h1")
    await looker.run(RELEASE)
    await opened.told("Not done: the table had moved on.")
    assert table.state.scene and table.state.scene.game.turn.active == "bo"


async def test_hostile_names_stay_text(lead: OpenTable, looker: Looker) -> None:
    ada, bo, ninja, crow = sheets()
    long = "A" * 64
    party = [replace(ada, name=TAKEN), replace(bo, name=long), ninja, crow]
    seats = {"ada": (TAKEN,), "bo": (long,), "gm": ("ninja", "crow")}
    page = Console(looker, await lead(party=party, seats=seats))
    await page.open()
    await page.table.stage(ConflictRequest(title="<script>alert(1)</script>"))
    await page.says('<b>"Odd" & <i>co', ".waiting")
    await page.press(f"[data-place='decide gm active {TAKEN}']")
    await page.says("chooses an opponent", "h1")
    for tab in ("scene", "story", "log", "keys", "now"):
        await page.tab(tab)
        assert await looker.run("return document.documentElement.scrollWidth <= innerWidth"), tab
        assert await looker.run("return !document.querySelector('#root b b, #root script')")
    await page.tab("log")
    await page.says("“<script>alert(1)</script>” begins.", ".chronicle")
    assert console(looker.browser) == []


async def test_the_keyboard_reaches_everything(opened: Console) -> None:
    looker = opened.looker
    await opened.table.stage()
    await opened.says("Who takes the first turn?", "h1")
    await looker.run("document.querySelector('[data-place=\"decide gm active ada\"]').focus()")
    await looker.press(Keys.ENTER)
    await opened.says("Whom does Ada face?")
    assert await looker.run("return document.activeElement !== document.body")
    await looker.run("document.querySelector('.quick [data-sheet=undo]').focus()")
    await looker.press(Keys.ENTER)
    await looker.until("document.querySelector('dialog').open")
    assert await looker.run("return Boolean(document.activeElement.closest('dialog'))")
    await looker.run("document.querySelector('dialog [data-sheet=overrule]').focus()")
    await looker.press(Keys.ENTER)
    await opened.says("Because", "dialog")
    assert await looker.run("return Boolean(document.activeElement.closest('dialog'))")
    await looker.press(Keys.ESCAPE)
    await looker.until("!document.querySelector('dialog').open")
    assert await looker.run("return document.activeElement.dataset.sheet") == "undo"


async def test_targets_are_large_enough_for_a_thumb(opened: Console) -> None:
    await opened.table.duel()
    small = """return [...document.querySelectorAll('button, select, input')]
        .map((one) => [one.textContent, one.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.width < 44 || box.height < 44))
        .map(([text]) => text)"""
    for tab in ("now", "scene", "story", "keys"):
        await opened.tab(tab)
        await opened.looker.painted()
        assert await opened.looker.run(small) == [], tab


async def test_a_tablet_keeps_the_current_moment_in_sight(opened: Console) -> None:
    resize(opened.looker.browser, TABLET)
    await opened.looker.until("document.querySelectorAll('.column').length === 2")
    await opened.tab("log")
    await opened.says("What happened", ".column.log")
    assert await opened.looker.run("return Boolean(document.querySelector('.column.now .waiting'))")


async def test_a_lost_connection_is_reported_and_comes_back(opened: Console) -> None:
    await opened.table.duel()
    await opened.says("choose a stance", "h1")
    await opened.table.server._live.close_clients()
    await opened.says("Connection lost", ".connection")
    await opened.looker.until("!document.querySelector('.connection')")
    await opened.at_any_time("[data-place=pause]")
    await opened.says("Paused", "h1")


async def test_a_problem_with_an_open_question_has_its_buttons(opened: Console) -> None:
    await opened.table.stage(ProblemRequest(problem="The bridge is down"))
    await opened.table.commit("ada", "option 4")
    await opened.table.commit("bo", "option 4")
    await settled(lambda: opened.table.step == "tie")
    await opened.says("A tie: the GM decides who tells it", "h1")
    await opened.place("decide gm decider bo")
    await opened.says("Bo tells how it goes", "h1")
