"""NPCs on the GM's console, with the real runner: made, seen, played, recovered, dismissed."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.triangle.story.scenes import ConflictRequest
from hub.table import acts as c
from tests.adapters.web.conftest import Looker
from tests.adapters.web.led import LedTable
from tests.adapters.web.test_gm_page import Console, OpenTable, lead, settled
from tests.rules.cast import starting
from tests.support.browser import console

__all__ = ["lead"]


@pytest.fixture
async def opened(lead: OpenTable, looker: Looker) -> Console:
    page = Console(looker, await lead(reserve=[starting(name="wenna")]))
    await page.open()
    await page.tab("scene")
    return page


def cast(table: LedTable) -> dict[str, Any]:
    assert table.state.story
    return dict(table.state.story.state.sheets)


def move_chip(move: str) -> str:
    """Return the selector of a move in the form for a new NPC."""
    return f"""[data-form="npc-new"][data-key='moves {{"id":"{move}"}}']"""


async def one_more(page: Console) -> None:
    """Add another crow."""
    await page.fold("npc-add")
    await page.write("npc-like", "like", "crow")
    await page.says("Add Crow 2")
    await page.place("add like")
    await page.told("Done.")


async def test_one_more_of_a_kind(opened: Console) -> None:
    await opened.fold("npc-crow")
    await opened.says("Attack Low, Defend Mid", ".npcs")
    await one_more(opened)
    await opened.says("Crow 2", ".npcs")
    crow, second = (cast(opened.table)[name] for name in ("crow", "crow 2"))
    assert second == replace(crow, name="crow 2")
    await opened.says("Add Crow 3")
    await opened.says("Crow 2", ".members")


async def test_an_npc_from_the_small_form_fights_at_once(opened: Console) -> None:
    table = opened.table
    await opened.fold("npc-add")
    await opened.fold("npc-form")
    await opened.write("npc-new", "name", "Toll keeper")
    await opened.press('[data-form="npc-new"][data-field="energy.attack"][data-value="4"]')
    for move in ("attack-low", "grapple-high"):
        await opened.press(move_chip(move))
    await opened.place("add sheet")
    await opened.says("Toll keeper", ".npcs")
    sheet = cast(table)["Toll keeper"]
    assert (sheet.npc, sheet.ruleset, sheet.level) == (True, "unroll", 1)
    assert (sheet.max.attack, sheet.max.defend, sheet.max.grapple) == (4, 3, 3)
    assert [str(move) for move in sheet.moves] == ["attack-low", "grapple-high"]
    name = "return document.querySelector('[data-form=npc-new]').value"
    assert await opened.looker.run(name) == ""

    await opened.place("start conflict")
    await settled(lambda: table.step == "first")
    await opened.tab("now")
    await opened.place("decide gm active ada")
    await opened.place("decide ada opponent Toll keeper")
    await opened.seal_as("Toll keeper", "stance none")
    await table.commit("ada", "stance none")
    await opened.seal_as("Toll keeper", "move attack-low")
    await opened.says("Sealed, face down.")
    await table.commit("ada", "move attack-high")
    await settled(lambda: table.step != "move")
    await opened.tab("log")
    await opened.says("Toll keeper joins.", ".chronicle")
    await opened.says("Toll keeper: Attack Low. Ada: Attack High.", ".chronicle")
    assert console(opened.looker.browser) == []


async def test_a_fault_in_a_sheet_is_reported_in_one_line(opened: Console) -> None:
    await opened.fold("npc-add")
    await opened.fold("npc-form")
    await opened.write("npc-new", "name", "gm")
    await opened.press(move_chip("attack-low"))
    await opened.place("add sheet")
    await opened.told("Not done: the character cannot join: name cannot be gm")
    said = "document.querySelector('.dock .outcome').children.length"
    assert await opened.looker.run(f"return {said}") == 0
    name = "return document.querySelector('[data-form=npc-new]').value"
    assert await opened.looker.run(name) == "gm"


async def test_a_taken_name_is_refused(opened: Console) -> None:
    await opened.fold("npc-add")
    await opened.write("npc-name", "name", "ada")
    await opened.place("add like")
    await opened.told("Not done:")
    assert len(cast(opened.table)) == 4


async def test_an_added_npc_is_removed_again(opened: Console) -> None:
    table = opened.table
    await one_more(opened)
    await opened.fold("npc-crow 2")
    await opened.place("remove crow 2")
    await opened.says("Crow 2 leaves.", "dialog .changes")
    assert "crow 2" in cast(table)
    await opened.place("do remove crow 2")
    await settled(lambda: "crow 2" not in cast(table))
    await opened.looker.until("!document.querySelector('[data-fold=\"npc-crow 2\"]')")
    await opened.tab("log")
    await opened.says("Crow 2 leaves.", ".chronicle")


async def test_an_npc_in_the_scene_cannot_be_removed(opened: Console) -> None:
    table = opened.table
    await table.stage(ConflictRequest())
    await opened.fold("npc-crow")
    await opened.place("remove crow")
    await opened.says("is in the scene", "dialog .bad")
    assert await opened.looker.run(
        "return document.querySelector('[data-place=\"do remove crow\"]').ariaDisabled === 'true'"
    )
    assert "crow" in cast(table)


async def test_an_npc_recovers_completely(opened: Console) -> None:
    table = opened.table
    await table.tell("recover ninja attack 2")
    await opened.fold("npc-ninja")
    await opened.do("tell recover ninja")
    await settled(lambda: cast(table)["ninja"].energy == cast(table)["ninja"].max)
    await opened.tab("log")
    await opened.says("Recovered: Ninja.", ".chronicle")


async def test_declarations_of_all_npcs_are_in_one_fold(opened: Console) -> None:
    """A table full of guards has a button for each of them, and the page must stay usable."""
    table = opened.table
    for number in (2, 3, 4):
        await table.obey(c.AddCharacter(like="crow", name=f"crow {number}"))
    await table.duel()
    await opened.tab("now")
    await opened.says("What your characters can also do", ".declared")
    assert not await opened.looker.run(
        "return document.querySelector('.declared [data-press*=\"use\"]')"
    )
    await opened.looker.click('.declared [data-fold^="declared-"]')
    await opened.looker.until("document.querySelector('.declared [data-press*=\"use\"]')")
