"""The lines of docs/connect/recipes/README.md, typed into a real shell next to a table that plays a
turn."""

import asyncio
import os
import re
import signal
from asyncio.subprocess import PIPE
from contextlib import suppress
from pathlib import Path

import pytest

from tests.adapters.mqtt.conftest import Table
from tests.recipes.tools import RECIPES, as_at_the_test_table
from tests.support.broker import Mosquitto

pytestmark = pytest.mark.recipes
PAGE = as_at_the_test_table((RECIPES / "README.md").read_text(encoding="utf-8"))
DIALOGUES = re.findall(r"```console\n\$ ([^\n]+)\n(.*?)```", PAGE, re.S)


def pattern(line: str) -> str:
    return ".*".join(re.escape(part.strip()) for part in line.split("…"))


async def shown(line: str, wanted: list[str], port: int, typed: asyncio.Event) -> None:
    """Run the line in a shell until it has printed the ``wanted`` lines in this order."""
    here = line.replace("facedown/demo", "facedown/test").replace("jq ", "jq --unbuffered ")
    process = await asyncio.create_subprocess_shell(
        here.replace("mosquitto_sub ", f"mosquitto_sub -p {port} "),
        stdout=PIPE, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    typed.set()
    try:
        left = [pattern(each) for each in wanted]
        while left:
            said = (await process.stdout.readline()).decode().strip()
            assert said or not process.stdout.at_eof(), f"{line}: never {left[0]}"
            if re.fullmatch(left[0], said):
                left.pop(0)
    finally:
        with suppress(ProcessLookupError):  # a line with -C ends by itself
            os.killpg(process.pid, signal.SIGTERM)
        await process.wait()


async def test_each_line_prints_what_the_page_shows(tmp_path: Path) -> None:
    assert len(DIALOGUES) >= 4
    for line, text in DIALOGUES:
        table = Table()
        with Mosquitto(tmp_path) as broker:
            async with table.publisher(broker.port) as publisher:
                publisher.announce(table.announcement())
                await publisher.wait_connected()
                if " -C 1 " in line:
                    table.begin_turn()
                    publisher.announce(table.announcement())
                typed = asyncio.Event()
                async with asyncio.timeout(30), asyncio.TaskGroup() as both:
                    both.create_task(shown(line, text.splitlines(), broker.port, typed))
                    await typed.wait()
                    await asyncio.sleep(0.5)  # nothing reports another client's subscription
                    if " -C 1 " not in line:
                        await played(table, publisher)


async def played(table: Table, publisher: object) -> None:
    table.begin_turn()
    for seat, card in (("ada", "stance attack 2"), ("gm", "stance defend 1")):
        publisher.announce(table.announcement())  # type: ignore[attr-defined]
        await asyncio.sleep(0.1)  # the publisher may skip states that follow each other at once
        table.talk.place(seat, card)
    publisher.announce(table.announcement())  # type: ignore[attr-defined]
    table.talk.lose("bo")
    table.talk.reveal()
    publisher.announce(table.announcement())  # type: ignore[attr-defined]
