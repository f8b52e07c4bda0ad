"""A second table, ``facedown@cellar``, next to the first."""

import asyncio
import json
import os
import signal
from pathlib import Path

import pytest

from tests.booted.machine import TABLES, Machine
from tests.booted.table import PASSWORD, SECONDS, booted, until_waiting
from tests.support.broker import free_port
from tests.support.subscriber import Subscriber, subscriber

pytestmark = [pytest.mark.booted, pytest.mark.timeout(900)]
CELLAR = "facedown@cellar"
LOGIN = {"username": "hub", "password": PASSWORD}


def furnish(machine: Machine, name: str, *, password: str = PASSWORD) -> None:
    """Give it its own folder, name, port, cards and credential; its readers are the virtual
    table's."""
    there, first = (machine.root / TABLES[1:] / each for each in ("cellar", "table"))
    there.mkdir()
    lines = (first / "hub.toml").read_text().splitlines()
    text = "\n".join(
        line.replace('reader = "pn532:', 'reader = "sim:').replace("/", "-")
        if line.startswith("reader")
        else line
        for line in lines
    )
    port = next(line for line in lines if line.startswith("port = ") and "mqtt" not in line)
    text = text.replace('name = "test"', f'name = "{name}"')
    web = text[text.index("[web]") :]
    text = text.replace(web, "[web]\nenabled = true\n" + f"port = {free_port()}\n")
    assert port
    (there / "hub.toml").write_text(text)
    for file in ("deck.toml", "scene.toml"):
        (there / file).write_bytes((first / file).read_bytes())
    machine.run("chown", "-R", "facedown:facedown", f"{TABLES}/cellar", check=True)
    machine.run("chmod", "-R", "go=", f"{TABLES}/cellar", check=True)
    credential = machine.root / "etc/facedown/credentials/cellar/mqtt-password"
    credential.parent.mkdir()
    credential.write_text(f"{password}\n")
    machine.run("chmod", "-R", "u=rwX,go=", "/etc/facedown", check=True)


async def until_status(heard: Subscriber, word: bytes) -> None:
    await heard.until(lambda: heard.newest().get("facedown/cellar/status") == word)


async def ask(heard: Subscriber, number: int, **command: str) -> None:
    """Send a command to the cellar's table, which must succeed."""
    said = json.dumps({"id": f"cellar-{number}", **command})
    await heard.client.publish("facedown/cellar/cmd", said, qos=1)
    await heard.until(lambda: len(heard.payloads("facedown/cellar/reply")) == number)
    reply = json.loads(heard.payloads("facedown/cellar/reply")[-1])
    assert reply["ok"], reply


async def test_two_tables_play_side_by_side(tmp_path: Path) -> None:
    async with (
        booted("bookworm", tmp_path, free_port()) as (hub, watch, broker),
        subscriber(broker.port, "facedown/cellar/#", **LOGIN) as heard,
    ):
        machine = hub.machine
        furnish(machine, "cellar")
        done = machine.run("systemctl", "start", CELLAR)
        assert done.returncode == 0, machine.log(CELLAR)
        await until_status(heard, b"online")
        await ask(heard, 1, command="start-scene")
        below = "facedown/cellar/state"
        await heard.until(lambda: json.loads(heard.newest()[below])["phase"] != "idle")
        assert watch.state["phase"] == "idle", "what happens below does not happen above"
        first = await until_waiting(watch)
        await watch.commit(first, watch.cards(first, watch.state["step"]))
        state = heard.newest()[below]

        os.kill(hub.pid, signal.SIGKILL)
        await watch.until_status(b"offline")
        await ask(heard, 2, command="pause")
        await hub.again(watch)
        assert watch.state["committed"] == [first]
        assert machine.show(CELLAR, "NRestarts") == {"NRestarts": "0"}
        assert json.loads(heard.newest()[below])["scene"] == json.loads(state)["scene"]

        for unit in ("facedown", CELLAR):
            folder = machine.root / f"etc/systemd/system/{unit}.service.d"
            folder.mkdir(parents=True)
            (folder / "test.conf").write_text("[Service]\nTimeoutStopSec=2\n")
        machine.run("systemctl", "daemon-reload", check=True)
        machine.run("systemctl", "stop", "facedown", CELLAR, check=True)
        await watch.until_status(b"offline")
        await until_status(heard, b"offline")
        for unit in ("facedown", CELLAR):
            # Neither took longer than two seconds to stop, or it would have been killed.
            ended = machine.show(unit, "Result", "ExecMainStatus")
            assert ended == {"Result": "success", "ExecMainStatus": "0"}
        there = [each.name for each in (machine.root / TABLES[1:] / "cellar").iterdir()]
        assert "journal.db" in there


async def test_two_tables_of_one_name_each_report_it_once(tmp_path: Path) -> None:
    words = "another table is called test at this broker"
    async with booted("bookworm", tmp_path, free_port()) as (hub, _, _broker):
        machine = hub.machine
        furnish(machine, "test")
        machine.run("systemctl", "start", CELLAR, check=True)
        async with asyncio.timeout(SECONDS):
            while not all(words in machine.log(unit) for unit in ("facedown", CELLAR)):
                await asyncio.sleep(0.1)
        for unit in ("facedown", CELLAR):
            assert machine.log(unit).count(words) == 1
            assert machine.show(unit, "ActiveState", "NRestarts") == {
                "ActiveState": "active",
                "NRestarts": "0",
            }
