"""NPCs made by command: the hub publishes the same for any abilities."""

import asyncio
from typing import Any

from msgspec import to_builtins

from hub.games.triangle.story.scenes import ConflictRequest
from hub.table import acts as c
from hub.table import acts as i
from hub.table.acts import StorySheets
from tests.support.box import DECK, TAGS, Box, Output, public
from tests.support.evening import cast

SHEET: dict[str, Any] = {
    "name": "Guard",
    "level": 5,
    "energy": {"attack": {"max": 3}, "defend": {"max": 2, "now": 1}, "grapple": {"max": 0}},
    "moves": {"attack-high": "Hook", "defend-low": ""},
    "specials": {"scouter": {}},
}
OTHER: dict[str, Any] = {
    **SHEET,
    "level": 12,
    "description": "nobody would think so",
    "energy": {"attack": {"max": 30}, "defend": {"max": 7, "now": 1}, "grapple": {"max": 9}},
    "moves": {"grapple-mid": ""},
    "combos": {},
    "specials": {"liquid-metal": {"name": "Quicksilver"}, "to-blave": {}},
}


FOR_THE_GM = ("web console ", "web hand gm")
"""Frames in which the GM reads the sheets of NPCs."""


async def begun(box: Box) -> "asyncio.Task[None]":
    await box.runner.begin_story(i.BeginStory("unroll", StorySheets(cast())))
    return asyncio.create_task(box.runner.run())


async def ask(box: Box, command: c.Command) -> str:
    """Return why the command is refused, or an empty string when it was done."""
    return (await box.runner.inbox.ask(command, "gm")).reason


async def evening(sheet: dict[str, Any]) -> Output:
    async with Box(DECK, TAGS, gm_seat="gm") as box:
        running = await begun(box)
        assert await ask(box, c.AddCharacter(id="1", sheet=sheet)) == ""
        assert await ask(box, c.AddCharacter(id="2", like="Guard", name="Guard 2")) == ""
        wish = ConflictRequest(sides={"us": ("ada",), "them": ("ninja",)})
        assert await ask(box, c.StartScene(id="3", scene=to_builtins(wish))) == ""
        assert await ask(box, c.AddCharacter(id="4", like="Guard", name="Guard 3")) == ""
        assert await ask(box, c.RemoveCharacter(id="5", name="Guard 2")) == ""
        await box.boot()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        box._drain_log()
        return [said for said in public(box.out) if said[0] not in FOR_THE_GM]


def test_an_npcs_abilities_reach_nobody_but_the_gm() -> None:
    first, second = asyncio.run(evening(SHEET)), asyncio.run(evening(OTHER))
    assert first == second
    said = b"".join(data for _, data in second)
    assert b'"name":"Guard 3"' in said
    for word in (b"Quicksilver", b"nobody would think"):
        assert word not in said


async def test_a_sheet_has_the_keys_of_a_file_and_every_fault_is_answered() -> None:
    async with Box(DECK, TAGS, gm_seat="gm") as box:
        assert "no story" in await _first(box, c.AddCharacter(id="0", sheet=SHEET))
        running = await begun(box)
        wrong = {**SHEET, "leval": 3, "energy": {"attack": {"max": "x"}}, "moves": ["attack-high"]}
        told = await ask(box, c.AddCharacter(id="1", sheet=wrong))
        for fault in ("leval is unknown", "energy.defend is missing", "energy.attack.max must be",
                      "moves must be a table"):  # fmt: skip
            assert fault in told
        told = await ask(box, c.AddCharacter(id="2", sheet={**SHEET, "npc": False, "level": 0}))
        assert "choose a belief" in told and "level is 0; unroll starts at 1" in told
        told = await ask(box, c.AddCharacter(id="3", sheet={**SHEET, "ruleset": "chess"}))
        assert 'ruleset is "chess"' in told
        assert "Nobody" in await ask(box, c.AddCharacter(id="4", like="Nobody", name="x"))
        assert "Nobody" in await ask(box, c.RemoveCharacter(id="5", name="Nobody"))
        assert (await box.runner.inbox.ask(c.AddCharacter(id="6", sheet=SHEET), "ada")).reason == (
            "this is for the GM"
        )
        said = b"".join(data for _, data in box.out)
        assert b"leval" not in said and b"Guard" not in said
        assert await ask(box, c.AddCharacter(id="7", sheet=SHEET)) == ""
        assert box.runner.cast() == ("ada", "bo", "ninja", "crow", "Guard")
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def _first(box: Box, command: c.Command) -> str:
    running = asyncio.create_task(box.runner.run())
    told = await ask(box, command)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await box.boot()
    return told
