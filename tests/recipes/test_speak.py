"""docs/connect/recipes/speak.sh, run with a real broker and a real voice while a turn is played."""

import asyncio
import os
import shutil
import signal
import time
import wave
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.adapters.mqtt.conftest import Table
from tests.recipes.tools import RECIPES
from tests.support.broker import Mosquitto
from tests.support.publisher import Publisher

pytestmark = pytest.mark.recipes
HEARS = """#!/bin/sh
text=$(cat)
printf '%s\\n' "$text" | {voice} "$@" -w "{folder}/$(wc -l < {folder}/spoken).wav"
printf '%s\\n' "$text" >> {folder}/spoken
"""
"""The voice, recorded instead of played."""
SHORTEST_S = 0.4
TURNING_S = 4


class Ear:
    """Hears what is spoken: the text, and how long it sounds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def spoken(self) -> list[str]:
        return (self.folder / "spoken").read_text(encoding="utf-8").splitlines()

    async def until(self, text: str) -> None:
        try:
            async with asyncio.timeout(30):
                while text not in self.spoken:
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"never {text!r}, but {self.spoken}") from None

    def seconds(self, number: int) -> float:
        with wave.open(str(self.folder / f"{number}.wav")) as sound:
            assert any(sound.readframes(sound.getnframes())), "silence"
            return sound.getnframes() / sound.getframerate()


@asynccontextmanager
async def speaking(folder: Path, language: str, port: int) -> AsyncIterator[Ear]:
    voice = shutil.which("espeak-ng")
    assert voice, "make recipes installs it"
    folder.mkdir()
    (folder / "spoken").touch()
    (folder / "espeak-ng").write_text(HEARS.format(voice=voice, folder=folder), encoding="utf-8")
    (folder / "espeak-ng").chmod(0o755)
    process: Process = await asyncio.create_subprocess_exec(
        RECIPES / "speak.sh", "test", language, "-p", str(port),
        env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}, start_new_session=True,
    )  # fmt: skip
    try:
        yield Ear(folder)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        await process.wait()


async def test_a_turn_is_spoken(tmp_path: Path) -> None:
    table = Table()
    with Mosquitto(tmp_path) as broker:
        async with (
            table.publisher(broker.port) as publisher,
            speaking(tmp_path / "en", "en", broker.port) as english,
            speaking(tmp_path / "de", "de", broker.port) as german,
        ):
            await play_to_the_moves(table, publisher, english)
            table.talk.show(ada="move attack-high", gm="move grapple-mid")
            publisher.announce(table.announcement())
            turned_s = time.monotonic()
            await english.until("Ada wins. Attack beats Grapple. Ninja loses 7.")
            assert time.monotonic() - turned_s >= TURNING_S, "displays still turn the cards"
            await german.until("Ada gewinnt. Angriff schlägt Griff. Ninja verliert 7.")
    assert english.spoken[0] == "Who takes the first turn?"
    lengths = [english.seconds(number) for number in range(len(english.spoken))]
    assert min(lengths) > SHORTEST_S and lengths[-1] > lengths[0]


async def play_to_the_moves(table: Table, publisher: Publisher, ear: Ear) -> None:
    publisher.announce(table.announcement())
    await publisher.wait_connected()
    await ear.until("Who takes the first turn?")
    table.begin_turn()
    publisher.announce(table.announcement())
    await ear.until("Ada and Ninja choose a stance.")
    table.talk.place("ada", "stance attack 2")
    publisher.announce(table.announcement())
    table.talk.place("gm", "stance defend 1")
    publisher.announce(table.announcement())
    await ear.until("All cards are in.")
    table.talk.reveal()
    table.talk.clear()
    publisher.announce(table.announcement())
    await ear.until("Ada and Ninja choose a move.")


async def test_only_the_newest_is_spoken_and_nothing_twice(tmp_path: Path) -> None:
    table = Table()
    with Mosquitto(tmp_path) as broker:
        async with (
            table.publisher(broker.port) as publisher,
            speaking(tmp_path / "en", "en", broker.port) as ear,
        ):
            await play_to_the_moves(table, publisher, ear)
            table.talk.show(ada="move attack-high", gm="move grapple-mid")
            publisher.announce(table.announcement())
            await asyncio.sleep(TURNING_S / 2)
            table.talk.overrule("end nobody because so")
            publisher.announce(table.announcement())
            await ear.until("The scene is over. The GM has ended it. Ninja loses 7.")
            table.flicker()
            publisher.announce(table.announcement())
            await asyncio.sleep(1)
    assert not [text for text in ear.spoken if text.startswith("Ada wins")]
    assert len({*ear.spoken}) == len(ear.spoken)
