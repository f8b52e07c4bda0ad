"""The guide to N-Dimensional Tourists, followed with no other knowledge: from an empty folder to a
played Balance Breaker."""

import asyncio
import re
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.support.guides import ROOT, Walk
from tests.support.playing import Ear, sit


@pytest.mark.book("breaker.taken", "npc-reserve.before", "t15.before")
@pytest.mark.timeout(240)  # a shell, a table, three readers: slow on a busy machine
def test_the_guide_leads_to_a_balance_breaker(tmp_path: Path) -> None:
    hands = {"A Balance Breaker is played at the table": play}
    with Walk(tmp_path / "walk", (), hands) as walk:
        for page in ("tourists.md", "tourists-scripts.md"):
            walk.follow(ROOT / "docs" / "rules" / page)
        told = walk.said["facedown replay quay.journal"]
        assert "Smugglers" in told and "Harbour Police" in told
        assert '"outcome":"held"' in walk.said["facedown resolve giant.json"].replace(" ", "")


def play(walk: Walk) -> None:
    walk.lasting.expect("Only this machine")
    said = str(walk.lasting.before)
    pages = dict(re.findall(r"(GM console|Display|Seat \S+)\s+(http://\S+)", said))
    assert {"GM console", "Display", "Seat ada", "Seat bo"} <= pages.keys()
    asyncio.run(_play(pages))


async def _play(pages: dict[str, str]) -> None:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http:
        gm = await sit(http, pages["GM console"], "/ws/gm")
        players = {
            who: await sit(http, pages[f"Seat {who.lower()}"], f"/ws/seat/{who.lower()}")
            for who in ("Ada", "Bo")
        }
        await Stranger(gm, players).play()


class Stranger:
    """Follows the guide's numbered list and does nothing else."""

    def __init__(self, gm: Ear, players: dict[str, Ear]) -> None:
        self.gm, self.players = gm, players

    async def step(self, step: str) -> dict[str, Any]:
        await self.gm.until(lambda now: now.get("step") == step)
        game: dict[str, Any] = self.gm.state["game"]
        return game

    async def says(self, actor: str, choice: str) -> None:
        """Decide at the actor's own page, or at the console for the GM's characters."""
        page = self.players.get(actor, self.gm)
        await page.command(command="decide", actor=actor, choice=choice)

    async def play(self) -> None:
        await self.gm.until(
            lambda now: now and all(each["reader"] == "ok" for each in now["seats"])
        )
        await self.gm.command(command="start-scene")  # 1
        game = await self.step("reserve")
        assert {name: each["total"] for name, each in game["parties"].items()} == {
            "Smugglers": 5, "Harbour Police": 5,
        } and game["control"] is None  # fmt: skip
        assert game["typical_reserve"] == {"Harbour Police": 2}
        await self.says("Harbour Police", "drawn 12 upright")  # 2
        await self.says("Harbour Police", "drawn 45 reversed")
        await self.step("tactics")
        await self.says("Ada", "tactics")  # 3
        await self.says("Harbour Police", "tactics Dogs first.")
        await self.step("draw")
        await self.says("Bo", "drawn 60 reversed")  # 4
        await self.says("Harbour Police", "drawn 30 upright")
        await self.step("answers")
        await self.says("Ada", "cover 33 upright Harbour Police")  # 5
        await self.step("because")
        await self.says("Ada", "because weakness Two men on sick leave")
        await self.step("answers")
        await self.says("Harbour Police", "let-be")
        game = await self.step("losses")
        assert game["control"] == {"party": "Smugglers", "ranks": 1}  # 6
        await self.says("Bo", "losses 60 A crate in the water.")  # 7
        await self.step("tell")
        await self.says("Ada", "told")
        await self.says("Harbour Police", "told")
        await self.step("part")
        await self.says("gm", "go-on")
        game = await self.step("tactics")
        assert [each["number"] for each in game["parties"]["Smugglers"]["temporary"]] == [60]
