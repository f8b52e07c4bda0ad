"""The demo of a tale as a newcomer sees it: the hub plays every seat, and the log verifies."""

import asyncio
import json
import subprocess
from pathlib import Path

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


async def test_the_hub_plays_a_tale_to_its_end(tmp_path: Path) -> None:
    # Two challenges without a drum roll keep the test short.
    (tmp_path / "scene.toml").write_text(SCENE, encoding="utf-8")
    arguments = ("--ruleset", "tricube", "--autoplay", "--pace", "0.01", "--data", str(tmp_path))
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
        assert view["ruleset"] == "tricube"
        assert all(each["overcome"] for each in view["challenges"].values())
    journal = str(tmp_path / "journal.db")
    log = said("log", journal)
    assert b"sound" in said("verify", "-", "--table", "demo", stdin=log)
    story = said("replay", journal).decode()
    assert "The flooded stairs is overcome" in story
    assert "the GM calls " in story
    assert "decides: " not in story
    assert "declares: " not in story


SCENE = """\
title = "The clock tower in the storm"
ruleset = "tricube"

[characters.Ada]
trait = "agile"
concept = "roof runner"
perks = ["Walks on any ledge"]

[characters.Bo]
trait = "brawny"
concept = "bell ringer"
quirks = ["Hums"]

[characters.Cy]
trait = "crafty"
concept = "clockmaker"

[challenges."The flooded stairs"]
difficulty = 4

[challenges."The owls"]
difficulty = 4
effort = 1
"""
