"""The power is cut in every phase; afterwards the table is in the same state."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.booted.machine import FACEDOWN, TABLES
from tests.booted.table import Booted, booted, committed, until_waiting
from tests.support.broker import free_port
from tests.support.hub import Watch
from tests.support.playing import Ear, sit

pytestmark = [pytest.mark.booted, pytest.mark.timeout(900)]
JOURNAL = f"{TABLES}/table/journal.db"
PASSING = {"at", "head", "seq", "readers"}
"""State that may differ after a start."""


async def cut(hub: Booted, watch: Watch) -> None:
    """Cut the power and boot again: the state is the same, and every published event is in the
    journal."""
    shown, told = watch.state, watch.lines()
    hub.machine.cut_power()
    await watch.until_status(b"offline")
    hub.machine.boot()
    await hub.again(watch)
    if shown["phase"] not in {"locked", "open"}:  # these phases go on by themselves
        for name in shown.keys() - PASSING:
            assert watch.state[name] == shown[name], name
    assert watch.lines()[: len(told)] == told
    verify(hub)


def verify(hub: Booted) -> None:
    """Check that the journal is intact and that every card equals its seal."""
    done = hub.machine.run(FACEDOWN, "verify", JOURNAL, "--table", "test")
    assert done.returncode == 0, done.stdout + done.stderr


@asynccontextmanager
async def console(hub: Booted) -> AsyncIterator[Ear]:
    """Open the GM console at the address that root is told."""
    asked = hub.machine.run(FACEDOWN, "addresses", "--config", f"{TABLES}/table/hub.toml")
    address = next(word for word in asked.stdout.split() if "/gm?key=" in word)
    jar = aiohttp.CookieJar(unsafe=True)  # the host is an IP address, not a name
    async with aiohttp.ClientSession(cookie_jar=jar) as http:
        yield await sit(http, address, "/ws/gm")


async def ask(watch: Watch, name: str, **more: Any) -> None:
    reply = await watch.command(command=name, **more)
    assert reply["ok"], reply


async def seal(watch: Watch, actor: str) -> None:
    await watch.commit(actor, watch.cards(actor, watch.state["step"]))


async def test_the_table_survives_a_power_cut_in_every_phase(tmp_path: Path) -> None:
    async with booted("bookworm", tmp_path, free_port(), start=False) as (hub, watch, _):
        file = hub.table / "hub.toml"
        text = file.read_text()
        assert "reveal_delay_s = 0" in text
        file.write_text(text.replace("reveal_delay_s = 0", "reveal_delay_s = 5"))
        hub.up()
        hub.machine.run("systemctl", "enable", "facedown", check=True)
        await watch.until_ready()

        await cut(hub, watch)
        assert watch.state["phase"] == "idle", "between scenes"

        first = await until_waiting(watch)
        await cut(hub, watch)
        assert committed(watch) == set(), "before the first card"

        await seal(watch, first)
        await cut(hub, watch)
        assert committed(watch) == {first}, "partly sealed"
        digests = of_kind(watch, "committed")

        await ask(watch, "pause")
        await watch.until(lambda now: now["phase"] == "paused")
        await cut(hub, watch)
        await ask(watch, "resume")
        await watch.until(lambda now: now["phase"] == "sealed")
        assert committed(watch) == {first}, "paused"

        for actor in watch.state["awaited"]:
            if actor not in watch.state["committed"]:
                await seal(watch, actor)
        await watch.until(lambda now: now["phase"] == "locked")
        watch.clear()
        before = of_kind(watch, "revealed")
        await cut(hub, watch)  # all are locked; a card lifted since then is still sealed
        await watch.until(lambda now: now["phase"] != "locked")
        assert len(of_kind(watch, "revealed")) > len(before)
        assert of_kind(watch, "committed")[: len(digests)] == digests

        await cut(hub, watch)  # just revealed
        await watch.play(until=lambda now: now["phase"] == "decision")
        await cut(hub, watch)
        assert watch.state["phase"] == "decision"

        async with console(hub) as gm:
            await gm.socket.send_json(
                {"do": "preview", "command": {"id": "0000000000000001", "command": "undo"}}
            )
            while "preview" not in (frame := await gm.hear()).get("type", ""):
                pass
            assert frame
            await cut(hub, watch)
        assert watch.state["phase"] == "decision", "only looked at, so nothing was taken back"
        await ask(watch, "undo")
        verify(hub)
        turn = watch.state["turn_number"]
        await watch.play(until=lambda now: now["turn_number"] > turn or now["phase"] == "over")


def of_kind(watch: Watch, kind: str) -> list[bytes]:
    return [line for line in watch.lines() if f'"type":"{kind}"'.encode() in line]
