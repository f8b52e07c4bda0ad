"""The toy game in the installed hub: readers, journal, broker, a kill in the middle, every
command."""

import json
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from hub.audit.verify import verify_log
from hub.cards.deck import Card, Deck
from hub.games.game import Choice
from tests.support.added import command, with_toy
from tests.support.broker import Mosquitto
from tests.support.hub import SEATS, HubProcess, Watch, watching, with_passwords

SCENE = """\
ruleset = "toy-dice"
title = "The river"
number = 7

[players.Ada]
tokens = 9
[players.Bo]
"""
CARDS = Deck(
    tuple(
        Card(f"{seat}-{approach}".ljust(22, "A"), Choice("approach", approach), seat)
        for seat in SEATS
        for approach in ("careful", "bold")
    )
)


@pytest.fixture(scope="module")
def added(tmp_path_factory: pytest.TempPathFactory) -> Sequence[str]:
    return command(with_toy(tmp_path_factory.mktemp("added")))


@asynccontextmanager
async def toy_hub(folder: Path, added: Sequence[str]) -> AsyncIterator[Watch]:
    async with AsyncExitStack() as stack:
        broker = stack.enter_context(Mosquitto(folder, with_passwords(folder)))
        hub = HubProcess(folder, broker, deck=CARDS)
        (folder / "scene.toml").write_text(SCENE, encoding="utf-8")
        config = hub.config.read_text(encoding="utf-8")
        hub.config.write_text(
            config.replace(f"characters = {json.dumps(SEATS['gm'])}", "gm = true"), encoding="utf-8"
        )
        for reader in hub.readers.values():
            stack.enter_context(reader)
        stack.callback(hub.kill)
        hub.start(added)
        watch = await stack.enter_async_context(watching(hub, broker))
        await watch.until_ready()
        await hub.until_looked()
        yield watch


async def test_it_plays_by_one_folder_and_one_line(tmp_path: Path, added: Sequence[str]) -> None:
    def facedown(*arguments: str) -> Any:
        return subprocess.run([*added, *arguments], capture_output=True, text=True, check=True)

    async with toy_hub(tmp_path, added) as watch:
        hub = watch.hub
        assert (await watch.command(command="start-scene"))["ok"]
        await watch.until(lambda now: now["phase"] == "sealed")
        await watch.commit("Ada", ["approach bold"])
        hub.kill()
        await watch.until_status(b"offline")
        hub.start(added)
        await watch.until_status(b"online")
        await hub.until_looked()
        assert watch.state["committed"] == ["Ada"]
        said = [*watch.lines(), *watch.heard.newest().values(), hub.output().encode()]
        assert b"bold" not in b"".join(said)
        await watch.commit("Bo", ["approach careful"])
        await watch.until(lambda now: now["phase"] == "decision")
        players = watch.state["game"]["players"]
        assert [len(players[name]["dice"]) for name in ("Ada", "Bo")] == [3, 2]
        while watch.state["step"] == "spend":
            before = watch.state
            short = next(name for name in before["awaited"] if name not in before["committed"])
            assert (await watch.decide(short, "spend 0"))["ok"]
            await watch.until(lambda now, seq=before["seq"]: now["seq"] > seq)  # type: ignore[misc]
        assert (await watch.decide("Bo", "yield"))["ok"]
        assert (await watch.decide("gm", "next end"))["ok"]
        await watch.until(lambda now: now["phase"] == "over")
        lines = watch.lines()
        assert verify_log(lines, "test").problems == ()
        assert hub.stop() == 0
    assert "Traceback" not in hub.output()
    journal = str(tmp_path / "journal.db")
    log = tmp_path / "log.jsonl"
    log.write_text(facedown("log", journal).stdout, encoding="utf-8")
    assert log.read_bytes().splitlines() == lines
    assert facedown("verify", str(log)).stdout.startswith("sound: table test")
    told = facedown("replay", journal).stdout
    assert "Ada: Bold. Bo: Careful." in told
