"""The guide to Tricube Tales, followed with no other knowledge: from an empty folder to a played
challenge."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.support.guides import ROOT, Walk
from tests.support.playing import Ear, sit


@pytest.mark.timeout(240)  # a shell, a table, three readers: slow on a busy machine
def test_the_guide_leads_to_a_challenge(tmp_path: Path) -> None:
    hands = {"A challenge is played at the table": play}
    with Walk(tmp_path / "walk", (), hands) as walk:
        walk.follow(ROOT / "docs" / "rules" / "tricube.md")
        told = walk.said["facedown replay ruins.journal"]
        assert "Elf" in told and "Goblins" in told
        assert "worked out again" in walk.said["facedown verify ruins.journal"]


def play(walk: Walk) -> None:
    walk.lasting.expect("Only this machine")
    said = str(walk.lasting.before)
    pages = dict(re.findall(r"(GM console|Display|Seat \S+)\s+(http://\S+)", said))
    assert {"GM console", "Display", "Seat elf", "Seat dwarf"} <= pages.keys()
    asyncio.run(_play(pages))


async def _play(pages: dict[str, str]) -> None:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http:
        gm = await sit(http, pages["GM console"], "/ws/gm")
        players = {
            who: await sit(http, pages[f"Seat {who.lower()}"], f"/ws/seat/{who.lower()}")
            for who in ("Elf", "Dwarf")
        }
        await Stranger(gm, players).play()


class Stranger:
    """Follows the guide's numbered list and does nothing else."""

    def __init__(self, gm: Ear, players: dict[str, Ear]) -> None:
        self.gm, self.players = gm, players

    async def step(self, *steps: str) -> dict[str, Any]:
        await self.gm.until(lambda now: now.get("step") in steps and now["phase"] != "locked")
        game: dict[str, Any] = self.gm.state["game"]
        return game

    async def play(self) -> None:
        await self.gm.until(
            lambda now: now and all(each["reader"] == "ok" for each in now["seats"])
        )
        await self.gm.command(command="start-scene")  # 1
        game = await self.step("scene")
        assert game["challenges"]["Goblins"]["left"] == 6
        assert {who: each["karma"] for who, each in game["cast"].items()} == {"Elf": 3, "Dwarf": 3}
        call = {"challenge": "Goblins", "type": "ranged", "rollers": {"Elf": {}}, "sealed": True}
        await self.gm.command(command="decide", actor="gm", choice=f"call {json.dumps(call)}")  # 2
        game = await self.step("approach")
        assert game["rolling"]["rolls"]["Elf"]["count"] == 3
        await self.players["Elf"].command(  # 3
            command="commit", actor="Elf", choice="approach quirk Greedy"
        )
        assert self.gm.state["game"]["rolling"]["rolls"]["Elf"]["dice"] is None
        await self.gm.command(command="commit", actor="gm", choice="difficulty 4")
        await self.step("karma", "regain", "price", "scene")  # 4
        while True:
            game = await self.step("karma", "regain", "price", "scene")
            now = game["rolling"] or game["last_rolling"]
            assert len(now["rolls"]["Elf"]["dice"]) == 3
            step = self.gm.state["step"]
            if step == "scene":
                break
            match step:
                case "karma":  # 5
                    for who in self.gm.state["awaited"]:
                        page = self.players[who]
                        await page.command(command="decide", actor=who, choice="karma none")
                case "regain":
                    choice = "regain karma"
                    await self.players["Elf"].command(command="decide", actor="Elf", choice=choice)
                case _:  # 7
                    await self.gm.command(command="decide", actor="gm", choice="price")
            await self.gm.until(lambda now, step=step: now["step"] != step)
        roll = now["rolls"]["Elf"]
        reached = sum(die >= 5 for die in roll["dice"])
        assert roll["hits"] == reached  # 6
        assert game["challenges"]["Goblins"]["left"] == 6 - reached
