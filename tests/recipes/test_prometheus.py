"""docs/connect/recipes/grafana.json and prometheus.yml: every expression of every panel, queried
from a real Prometheus that scrapes a hub."""

import asyncio
import json
import math
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
import pytest

from hub.daemon.health import Counters
from hub.daemon.prometheus import Prometheus, open_prometheus
from hub.ports import ReaderDown, ReaderUp
from hub.table.acts import Committed, Revealed
from tests.adapters.test_metrics import stage
from tests.recipes.tools import RECIPES
from tests.support.broker import free_port

pytestmark = pytest.mark.recipes


def expressions() -> list[str]:
    board = json.loads((RECIPES / "grafana.json").read_text(encoding="utf-8"))
    return [target["expr"] for panel in board["panels"] for target in panel["targets"]]


def played_on(counters: Counters) -> None:
    """Increase every counter once."""
    card = Committed(actor="a", seat="ada", digest="0" * 64, scene=1, turn=1, phase=1)
    counters.note_told([card, Revealed(openings={})], 3)
    counters.note_stored(0.004)
    counters.note_reader(ReaderDown("ada", "unplugged"))
    counters.note_reader(ReaderUp("ada"))


async def test_every_panel_shows_data(tmp_path: Path) -> None:
    counters = Counters(("ada", "gm"), lambda: 1_700_000_000_000)
    counters.note_reader(ReaderUp("ada"))
    counters.note_broker(True)
    hub, here = free_port(), free_port()
    config = tmp_path / "prometheus.yml"
    text = (RECIPES / "prometheus.yml").read_text(encoding="utf-8")
    config.write_text(text.replace("9464", str(hub)).replace("15s", "1s"), encoding="utf-8")
    checked = await asyncio.create_subprocess_exec("promtool", "check", "config", str(config))
    assert await checked.wait() == 0
    wanted = expressions()
    assert len(wanted) >= 10
    async with AsyncExitStack() as stack, aiohttp.ClientSession() as asking:
        await open_prometheus(stage(counters), Prometheus(port=hub), stack)
        with (tmp_path / "log").open("wb") as log:
            process = await asyncio.create_subprocess_exec(
                "prometheus", f"--config.file={config}", f"--storage.tsdb.path={tmp_path}/data",
                f"--web.listen-address=127.0.0.1:{here}", stdout=log, stderr=log,
            )  # fmt: skip
        try:
            left = wanted
            async with asyncio.timeout(60):
                while left:
                    played_on(counters)
                    left = [each for each in left if not await shows(asking, here, each)]
                    await asyncio.sleep(0.5)  # Prometheus scrapes on its own schedule
        except TimeoutError:
            pytest.fail(f"nothing is shown for {left}")
        finally:
            process.terminate()
            await process.wait()


async def shows(asking: aiohttp.ClientSession, port: int, expression: str) -> bool:
    """Whether the expression yields at least one series, and a number for each."""
    try:
        address = f"http://127.0.0.1:{port}/api/v1/query"
        async with asking.get(address, params={"query": expression}) as answer:
            found = (await answer.json())["data"]["result"]
    except aiohttp.ClientError:
        return False
    return bool(found) and not any(math.isnan(float(each["value"][1])) for each in found)
