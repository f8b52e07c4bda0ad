"""The demo of a Conflict as a newcomer sees it: the hub plays every seat, and the log verifies."""

import asyncio
import json
import subprocess
from pathlib import Path

from hub.games.tourists.demo import files
from tests.support.demo import demo
from tests.support.described import Described
from tests.support.hub import FACEDOWN
from tests.support.subscriber import subscriber

STATE = "facedown/demo/state"


def said(*arguments: str, stdin: bytes = b"") -> bytes:
    done = subprocess.run(
        [str(FACEDOWN), *arguments], input=stdin, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr.decode() + done.stdout.decode()
    return done.stdout


async def test_the_hub_plays_a_conflict_to_its_end(tmp_path: Path) -> None:
    # With this much Control the other parties soon drop out, which keeps the test short.
    scene = files()["scene.toml"].replace("value = 6", "value = 12")
    (tmp_path / "scene.toml").write_text(scene, encoding="utf-8")
    arguments = ("--ruleset", "tourists", "--autoplay", "--pace", "0.01", "--data", str(tmp_path))
    async with (
        demo(*arguments) as table,
        subscriber(table.broker_port, "facedown/demo/#") as heard,
        asyncio.timeout(110),
    ):
        assert [*table.seats] == ["ada", "bo", "cy", "gm"]
        while b'"phase":"over"' not in heard.newest().get(STATE, b""):
            await heard.next()
        # Retained messages are skipped: the demo's broker delivers them in its own way.
        Described().hold(each for each in heard.heard if not each.retain)
        events = heard.events()
        assert events == list(range(events[0], events[0] + len(events)))
        view = json.loads(heard.newest()[STATE])["game"]
        assert view["ruleset"] == "tourists"
        assert view["result"]["reason"] == "last-standing"
        winner = view["result"]["winner"]
    journal = str(tmp_path / "journal.db")
    log = said("log", journal)
    assert b"sound" in said("verify", "-", "--table", "demo", stdin=log)
    story = said("replay", journal).decode()
    assert f"the Conflict is over: {winner} is the victor" in story
    assert "has drawn" in story
    assert "decides: " not in story
    assert "declares: " not in story
