"""The demos of a Conflict and of a tale: the hub plays every seat, and the log verifies."""

import asyncio
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hub.games.tourists.demo import files
from tests.support.demo import demo
from tests.support.described import Described
from tests.support.hub import FACEDOWN
from tests.support.subscriber import subscriber

STATE = "facedown/demo/state"
TALE = """\
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
"""Two challenges without a drum roll keep the test short."""


def said(*arguments: str, stdin: bytes = b"") -> bytes:
    done = subprocess.run(
        [str(FACEDOWN), *arguments], input=stdin, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr.decode() + done.stdout.decode()
    return done.stdout


async def played(folder: Path, ruleset: str, scene: str) -> tuple[Any, str]:
    """Let the hub play to the end; return the last view and the story of ``facedown replay``."""
    (folder / "scene.toml").write_text(scene, encoding="utf-8")
    arguments = ("--ruleset", ruleset, "--autoplay", "--pace", "0.01", "--data", str(folder))
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
        assert view["ruleset"] == ruleset
    journal = str(folder / "journal.db")
    log = said("log", journal)
    assert b"sound" in said("verify", "-", "--table", "demo", stdin=log)
    return view, said("replay", journal).decode()


@pytest.mark.parametrize("ruleset", ["tourists", "tricube"])
async def test_the_hub_plays_to_the_end(tmp_path: Path, ruleset: str) -> None:
    # With this much Control the other parties soon drop out, which keeps the test short.
    conflict = files()["scene.toml"].replace("value = 6", "value = 12")
    view, story = await played(tmp_path, ruleset, TALE if ruleset == "tricube" else conflict)
    if ruleset == "tourists":
        assert view["result"]["reason"] == "last-standing"
        won = f"{view['result']['winner']} wins the Conflict."
        assert won in story
        assert ", drawn by " in story
    else:
        assert all(each["overcome"] for each in view["challenges"].values())
        assert "The flooded stairs: overcome." in story
        assert " against The flooded stairs (" in story
