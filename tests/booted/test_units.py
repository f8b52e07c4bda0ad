"""The units in a booted systemd: started, stopped, killed, starved, unplugged, cut off."""

import asyncio
import json
import os
import re
import signal
import subprocess
from datetime import datetime
from pathlib import Path

import pytest

from tests.booted.machine import FACEDOWN, TABLES, Machine
from tests.booted.table import SECONDS, Booted, booted, committed, until_waiting
from tests.booted.threads import held, reading_thread
from tests.support.broker import free_port

pytestmark = [pytest.mark.booted, pytest.mark.timeout(900)]
SUITES = ("bookworm", "trixie")
UNITS = Path(__file__).parent.parent.parent / "systemd"


@pytest.mark.parametrize("suite", SUITES)
def test_the_units_are_valid_and_well_confined(suite: str, tmp_path: Path) -> None:
    units = ("facedown.service", "facedown@cellar.service", "facedown-kiosk.service")
    with Machine(suite, tmp_path) as machine:

        def told(*words: str) -> "subprocess.CompletedProcess[str]":
            command = ["chroot", machine.root, "systemd-analyze", *words]
            return subprocess.run(command, capture_output=True, text=True)

        for program in ("cage", "chvt"):
            (machine.root / "usr/bin" / program).touch(0o755)
        for file in UNITS.glob("*.service"):
            (machine.root / "etc/systemd/system" / file.name).write_bytes(file.read_bytes())
        for unit in units:
            said = told("verify", "--man=no", unit).stderr
            assert not [line for line in said.splitlines() if "facedown" in line]
        for unit in units[:2]:
            found = told("security", "--offline=true", "--threshold=20", unit)
            assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("suite", SUITES)
async def test_the_hub_starts_reports_its_status_and_stops(suite: str, tmp_path: Path) -> None:
    async with booted(suite, tmp_path, free_port()) as (hub, watch, _):
        machine = hub.machine
        await hub.until_shown(StatusText="Table test: between scenes")
        hub.tune("[Service]\nTimeoutStopSec=2\n")
        first = await until_waiting(watch)
        asked = machine.run(FACEDOWN, "addresses", "--config", f"{TABLES}/table/hub.toml")
        keys = re.findall(r"key=([\w-]+)", asked.stdout)
        assert len(set(keys)) == 4, asked.stderr
        logged = machine.everything_logged()
        assert "reader is ready" in logged
        assert not any(key in logged for key in keys)
        assert "secret-of-the-broker" not in logged
        shown = machine.run("systemctl", "status", "facedown").stdout
        assert f"waits for {first}" in shown
        machine.run("systemctl", "stop", "facedown", check=True)
        await watch.until_status(b"offline")
        # It stopped within TimeoutStopSec, or it would have been killed.
        ended = machine.show("facedown", "Result", "ExecMainStatus", "NRestarts")
        assert ended == {"Result": "success", "ExecMainStatus": "0", "NRestarts": "0"}


async def test_a_killed_hub_comes_back_with_its_seals(tmp_path: Path) -> None:
    async with booted("bookworm", tmp_path, free_port()) as (hub, watch, _):
        first = await until_waiting(watch)
        await watch.commit(first, watch.cards(first, watch.state["step"]))
        os.kill(hub.pid, signal.SIGKILL)
        await watch.until_status(b"offline")
        await hub.until_shown(NRestarts="1")
        await hub.again(watch)
        assert committed(watch) == {first}
        await watch.play(until=lambda now: now["turn_number"] > 1 or now["phase"] == "over")


async def test_a_hub_with_a_stopped_loop_is_killed_and_restarted(tmp_path: Path) -> None:
    async with booted("bookworm", tmp_path, free_port(), start=False) as (hub, watch, _):
        hub.tune("[Service]\nWatchdogSec=3\n")
        hub.up()
        await watch.until_ready()
        os.kill(hub.pid, signal.SIGSTOP)
        await watch.until_status(b"offline")
        await hub.until_shown(NRestarts="1", ActiveState="active")
        assert "Failed with result 'watchdog'" in hub.machine.log()
        await watch.until_status(b"online")


async def test_a_hanging_reader_thread_is_named_and_ends_the_hub(tmp_path: Path) -> None:
    async with booted("bookworm", tmp_path, free_port(), start=False) as (hub, watch, _):
        hub.tune("[Service]\nWatchdogSec=3\n")
        hub.up()
        await watch.until_ready()
        terminal = Path(hub.readers["bo"].path).resolve()
        with held(reading_thread(hub.pid, terminal.name)):
            await hub.until_told("watchdog is not fed: the reader of seat bo has hung for 15 s")
            assert "seat ada has hung" not in hub.machine.log()
            await watch.until_status(b"offline")
        await hub.until_shown(NRestarts="1")
        await hub.again(watch)


async def test_a_journal_locked_by_another_program_is_named(tmp_path: Path) -> None:
    async with booted("bookworm", tmp_path, free_port(), start=False) as (hub, watch, _):
        hub.tune("[Service]\nWatchdogSec=3\n")
        hub.up()
        await watch.until_ready()
        lock = (
            "import sqlite3, sys, time\n"
            f"db = sqlite3.connect('{TABLES}/table/journal.db', isolation_level=None)\n"
            "db.execute('BEGIN IMMEDIATE')\ntime.sleep(600)\n"
        )
        hub.machine.run("systemd-run", "--unit=other", "python3", "-c", lock, check=True)
        await hub.until_told("watchdog is not fed: the journal")
        hub.machine.run("systemctl", "stop", "other", check=True)
        await watch.until_ready()


async def test_a_reader_is_pulled_out_and_plugged_in_again(tmp_path: Path) -> None:
    async with booted("bookworm", tmp_path, free_port()) as (hub, watch, _):
        first = await until_waiting(watch)
        await watch.commit(first, watch.cards(first, watch.state["step"]))
        await hub.machine_says("readers lost", present=False)
        hub.pull_out("bo")
        await watch.until(lambda _: watch.seat("bo")["reader"] == "lost")
        await hub.machine_says("readers lost: bo")
        assert committed(watch) == {first}
        hub.readers["bo"].replug()
        hub.machine.plug(hub.readers["bo"].path)
        await watch.until_ready()
        await hub.machine_says("readers lost", present=False)
        assert hub.machine.show("facedown", "NRestarts") == {"NRestarts": "0"}


async def test_after_a_power_cut_the_hub_starts_by_itself_and_keeps_its_seals(
    tmp_path: Path,
) -> None:
    async with booted("bookworm", tmp_path, free_port()) as (hub, watch, _):
        hub.machine.run("systemctl", "enable", "facedown", check=True)
        subprocess.run(["sync"], check=True)
        first = await until_waiting(watch)
        await watch.commit(first, watch.cards(first, watch.state["step"]))
        hub.machine.cut_power()
        await watch.until_status(b"offline")
        hub.machine.boot()
        await hub.again(watch)
        assert committed(watch) == {first}
        await watch.play(until=lambda now: now["turn_number"] > 1 or now["phase"] == "over")


async def test_an_upgrade_in_the_middle_of_a_turn(tmp_path: Path) -> None:
    async with booted("bookworm", tmp_path, free_port()) as (hub, watch, _):
        first = await until_waiting(watch)
        await watch.commit(first, watch.cards(first, watch.state["step"]))
        pip = ("/opt/facedown/venv/bin/pip", "install", "--no-index", "--find-links=/wheels")
        hub.machine.run(*pip, "--no-deps", "--force-reinstall", "facedown", check=True)
        hub.machine.run(FACEDOWN, "install", check=True)
        hub.machine.run("systemctl", "restart", "facedown", check=True)
        await watch.until_ready()
        assert committed(watch) == {first}


async def test_a_full_disk_stops_the_table_until_there_is_space(tmp_path: Path) -> None:
    async with booted("bookworm", tmp_path, free_port(), start=False) as (hub, watch, _):
        place = f"{TABLES}/table"
        hub.machine.run("mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", place, check=True)
        hub.furnish_inside()
        hub.up()
        await watch.until_ready()
        hub.machine.run("sh", "-c", f"cat /dev/zero > {place}/much")
        asking = asyncio.create_task(watch.command(command="start-scene"))
        await hub.until_told("the disk is full")
        await watch.until_status(b"offline")
        hub.machine.run("rm", f"{place}/much", check=True)
        assert (await asking)["ok"], "what was asked then is done when there is room"
        await watch.until_ready()


async def test_a_read_only_disk_delays_the_start_until_it_is_writable(tmp_path: Path) -> None:
    async with booted("bookworm", tmp_path, free_port(), start=False) as (hub, watch, _):
        place = f"{TABLES}/table"
        hub.machine.run("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", place, check=True)
        hub.furnish_inside()
        hub.machine.run("mount", "-o", "remount,ro", place, check=True)
        hub.machine.run("systemctl", "start", "--no-block", "facedown", check=True)
        await hub.until_told("Read-only file system")
        hub.machine.run("mount", "-o", "remount,rw", place, check=True)
        await watch.until_ready()


async def test_a_clock_that_jumps_an_hour_takes_a_timer_along(tmp_path: Path) -> None:
    async with booted("bookworm", tmp_path, free_port(), start=False) as (hub, watch, _):
        file = hub.table / "hub.toml"
        file.write_text(file.read_text().replace("[timing]\n", "[timing]\ncommit_s = 600\n"))
        clock = hub.machine.root / "etc/clock"
        clock.write_text("+0\n")
        clock.chmod(0o644)
        library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"
        hub.tune(
            f"[Service]\nEnvironment=LD_PRELOAD={library} FAKETIME_TIMESTAMP_FILE=/etc/clock\n"
            "Environment=FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1\n"
        )
        hub.up()
        await watch.until_status(b"online")
        first = await until_waiting(watch)
        timer, before = watch.state["timer"], watch.lines()
        assert timer is not None
        clock.write_text("+3600\n")
        for _ in range(3):  # commands to judge: any event due is recorded before them
            assert not (await watch.decide(first, "stance nothing of the kind"))["ok"]
        moved = watch.state["timer"]
        assert moved | {"deadline": ""} == timer | {"deadline": ""}
        ends = [datetime.fromisoformat(each["deadline"]) for each in (timer, moved)]
        assert abs((ends[1] - ends[0]).total_seconds() - 3600) < 1
        new = [json.loads(line)["type"] for line in watch.lines() if line not in before]
        assert {*new} == {"clock-set"}


async def until_status_says(hub: Booted, words: str) -> None:
    """Wait until ``facedown status`` prints ``words``."""
    async with asyncio.timeout(SECONDS):
        asked = (FACEDOWN, "status", "--config", f"{TABLES}/table/hub.toml")
        while words not in hub.machine.run(*asked).stdout:
            await asyncio.sleep(0.2)


async def test_a_broker_that_refuses_the_password(tmp_path: Path) -> None:
    async with booted("bookworm", tmp_path, free_port(), start=False) as (hub, watch, _):
        secret = hub.machine.root / "etc/facedown/credentials/table/mqtt-password"
        secret.write_text("wrong\n")
        hub.up()
        await hub.until_told("refuse")
        await until_status_says(hub, "The broker refuses the hub’s user name or password")
        assert hub.machine.show("facedown", "ActiveState") == {"ActiveState": "active"}
        secret.write_text("secret-of-the-broker\n")
        hub.machine.run("systemctl", "restart", "facedown", check=True)
        await watch.until_ready()
        await until_status_says(hub, "connected; lost: never")


async def test_a_missing_credential(tmp_path: Path) -> None:
    async with booted("bookworm", tmp_path, free_port(), start=False) as (hub, _, _broker):
        (hub.machine.root / "etc/facedown/credentials/table/mqtt-password").unlink()
        assert hub.machine.run("systemctl", "start", "facedown").returncode
        assert "must name a credential with a password" in hub.machine.log()
        await hub.until_shown(ActiveState="failed", NRestarts="0")


async def test_a_broker_that_is_missing_at_the_start(tmp_path: Path) -> None:
    async with booted("bookworm", tmp_path, free_port(), start=False) as (hub, _, broker):
        broker.kill()
        hub.up()
        await hub.until_shown(StatusText="Table test: between scenes", ActiveState="active")
        await hub.until_told("no connection to the broker")
        await until_status_says(hub, "The broker cannot be reached")
        broker.start()
        await hub.until_told("connected to the broker")
        await until_status_says(hub, "connected; lost: never")
        said = [each for each in hub.machine.log().splitlines() if "no connection to the" in each]
        warned = [each for each in said if "level=debug" not in each]
        assert len(warned) == 1, said


async def test_a_stopped_loop_is_named(tmp_path: Path) -> None:
    async with booted("bookworm", tmp_path, free_port(), start=False) as (hub, watch, _):
        hub.tune("[Service]\nWatchdogSec=3\n")
        hub.up()
        await watch.until_ready()
        with held(hub.pid):  # only its main thread, which runs the loop
            await hub.until_told("watchdog is not fed: the event loop has stood still for 2 s, at ")
            await watch.until_status(b"offline")
        said = [line for line in hub.machine.log().splitlines() if "watchdog is not fed" in line]
        assert len(said) == 1, "the reader and the journal live"
        await hub.until_shown(NRestarts="1")
        await hub.again(watch)
