"""docs/connect/recipes/node-red.json, imported into a real Node-RED while a turn is played."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.adapters.mqtt.conftest import Table
from tests.recipes.tools import NODE_RED, RECIPES, as_at_the_test_table
from tests.support.broker import Mosquitto, free_port
from tests.support.shown import unsaid
from tests.support.subscriber import subscriber

pytestmark = pytest.mark.recipes
SETTINGS = "module.exports = {{ uiHost: '127.0.0.1', uiPort: {port}, flowFile: 'flows.json' }};\n"
OFF, WHITE, GOLD = (
    {"on": False, "colour": ""},
    {"on": True, "colour": "white"},
    {"on": True, "colour": "gold"},
)


def flow(port: int) -> list[dict[str, object]]:
    """Return the recipe's flow with the test's table and broker."""
    text = (RECIPES / "node-red.json").read_text(encoding="utf-8")
    nodes: list[dict[str, object]] = json.loads(text.replace("facedown/demo/", "facedown/test/"))
    (broker,) = (node for node in nodes if node["type"] == "mqtt-broker")
    broker["port"] = str(port)
    return nodes


@asynccontextmanager
async def node_red(folder: Path, port: int) -> AsyncIterator[None]:
    folder.mkdir()
    (folder / "flows.json").write_text(json.dumps(flow(port)), encoding="utf-8")
    (folder / "settings.js").write_text(SETTINGS.format(port=free_port()), encoding="utf-8")
    with (folder / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            NODE_RED, "--userDir", folder, "--settings", folder / "settings.js",
            stdout=log, stderr=log, env=os.environ | {"NODE_OPTIONS": ""},
        )  # fmt: skip
        try:
            yield
        finally:
            process.terminate()
            await process.wait()
    assert "[error]" not in (folder / "log").read_text(encoding="utf-8")


async def test_the_flow_follows_a_turn(tmp_path: Path) -> None:
    table = Table()
    with Mosquitto(tmp_path) as broker:
        async with (
            subscriber(broker.port, "home/#") as home,
            table.publisher(broker.port) as publisher,
        ):
            publisher.announce(table.announcement())
            await publisher.wait_connected()

            async def until(topic: str, said: object) -> None:
                async with asyncio.timeout(90):
                    while json.loads(home.newest().get(topic, b"null")) != said:
                        await home.next()

            async with node_red(tmp_path / "node-red", broker.port):
                await until("home/lamp", OFF)
                await until("home/waiting", {"waiting": [], "ready": []})
                table.begin_turn()
                publisher.announce(table.announcement())
                await until("home/waiting", {"waiting": ["ada", "ninja"], "ready": []})
                table.talk.place("ada", "stance attack 2")
                publisher.announce(table.announcement())
                await until("home/waiting", {"waiting": ["ninja"], "ready": ["ada"]})
                table.talk.place("gm", "stance defend 1")
                publisher.announce(table.announcement())
                await until("home/lamp", WHITE)
                table.talk.reveal()
                publisher.announce(table.announcement())
                await until("home/lamp", GOLD)
                await home.until(lambda: b"The cards turn over" in home.payloads("home/say"))
    page = as_at_the_test_table((RECIPES / "README.md").read_text(encoding="utf-8"))
    assert unsaid(page, home.heard) == [], "the page shows what it does not say"
    said = [payload.decode() for payload in home.payloads("home/say")]
    assert said == [
        "ada has chosen",
        "ninja has chosen",
        "All cards are in",
        "The cards turn over",
    ]
