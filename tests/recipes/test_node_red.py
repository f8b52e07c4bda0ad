"""docs/connect/recipes/node-red.json, imported into a real Node-RED while a turn is played."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.adapters.mqtt.conftest import Table
from tests.recipes.tools import NODE_RED, RECIPES
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
            subscriber(broker.port, "den/#") as den,
            table.publisher(broker.port) as publisher,
        ):
            publisher.announce(table.announcement())
            await publisher.wait_connected()

            async def until(topic: str, said: object) -> None:
                async with asyncio.timeout(90):
                    while json.loads(den.newest().get(topic, b"null")) != said:
                        await den.next()

            async with node_red(tmp_path / "node-red", broker.port):
                await until("den/lamp", OFF)
                await until("den/waiting", {"waiting": [], "ready": []})
                table.begin_turn()
                publisher.announce(table.announcement())
                await until("den/waiting", {"waiting": ["ada", "ninja"], "ready": []})
                table.talk.place("ada", "stance attack 2")
                publisher.announce(table.announcement())
                await until("den/waiting", {"waiting": ["ninja"], "ready": ["ada"]})
                table.talk.place("gm", "stance defend 1")
                publisher.announce(table.announcement())
                await until("den/lamp", WHITE)
                table.talk.reveal()
                publisher.announce(table.announcement())
                await until("den/lamp", GOLD)
                await den.until(lambda: b"The cards turn over" in den.payloads("den/say"))
    page = (RECIPES / "README.md").read_text(encoding="utf-8")
    assert unsaid(page, den.heard) == [], "the page shows what it does not say"
    said = [payload.decode() for payload in den.payloads("den/say")]
    assert said == [
        "ada has chosen",
        "ninja has chosen",
        "All cards are in",
        "The cards turn over",
    ]
