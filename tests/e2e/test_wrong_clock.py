"""A hub on a machine whose clock was wrong: no effect remains once the clock is right."""

import json
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from pathlib import Path

from hub.audit.verify import verify_log
from hub.games.registry import rulebooks
from hub.journal import JournalRows
from hub.recap.gather import gather
from tests.support.broker import Mosquitto
from tests.support.hub import FACEDOWN, HubProcess, Watch, watching, with_passwords
from tests.support.wrong_clock import WrongClock

TEN_YEARS_S = 3653 * 86_400
COMMIT_S = 300
NEAR_S = 100
"""No step here takes this long, and every wrong clock is off by more."""


@asynccontextmanager
async def table(folder: Path) -> AsyncIterator[Watch]:
    """A broker, readers and a hub that is not started yet; players have 300 s to choose."""
    async with AsyncExitStack() as stack:
        broker = stack.enter_context(Mosquitto(folder, with_passwords(folder)))
        hub = HubProcess(folder, broker)
        said = hub.config.read_text(encoding="utf-8")
        hub.config.write_text(
            said.replace("[timing]\n", f"[timing]\ncommit_s = {COMMIT_S}\n"), encoding="utf-8"
        )
        for reader in hub.readers.values():
            stack.enter_context(reader)
        stack.callback(hub.kill)
        yield await stack.enter_async_context(watching(hub, broker))


async def up(watch: Watch, clock: WrongClock) -> None:
    watch.hub.start(clock.of(str(FACEDOWN)))
    await watch.until_ready()
    await watch.hub.until_looked()


def left_s(watch: Watch, ahead_s: float = 0) -> float:
    """Return how long the timer on the broker still runs, by the right time."""
    payload = watch.heard.newest().get("facedown/test/timer")
    if not payload:
        return float("inf")
    deadline = datetime.fromisoformat(json.loads(payload)["deadline"]).timestamp()
    return deadline - (time.time() + ahead_s)


def told_s(watch: Watch) -> float:
    """Return the time that the table publishes for clocks."""
    moment = json.loads(watch.heard.newest()["facedown/test/moment"])
    return datetime.fromisoformat(moment["at"]).timestamp()


def is_near(seconds: float, wanted: float = 0) -> bool:
    return abs(seconds - wanted) < NEAR_S


def facedown(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([FACEDOWN, *words], capture_output=True, text=True, timeout=60)


def sets_s(watch: Watch) -> list[float]:
    """Return each correction of the clock in the log."""
    lines = [json.loads(line) for line in watch.lines()]
    return [line["by_ms"] / 1000 for line in lines if line["type"] == "clock-set"]


def newest_ms(watch: Watch) -> int:
    return int(json.loads(watch.lines()[-1])["at_ms"])


async def test_one_start_ten_years_ahead_has_no_effect_after_the_next(tmp_path: Path) -> None:
    clock = WrongClock(tmp_path, TEN_YEARS_S)
    async with table(tmp_path) as watch:
        await up(watch, clock)
        await watch.play(until=lambda now: now["phase"] == "sealed")
        assert is_near(left_s(watch, TEN_YEARS_S), COMMIT_S), "the machine knows no better"
        assert watch.hub.stop() == 0
        await watch.until_status(b"offline")
        clock.set(0)
        doctor = facedown("doctor", "--config", str(watch.hub.config))
        assert "the log of this table ends later, at 20" in " ".join(doctor.stdout.split())

        await up(watch, clock)
        assert is_near(left_s(watch), COMMIT_S), "the timer that ran goes on, in true time"
        (by_s,) = sets_s(watch)
        assert is_near(by_s, -TEN_YEARS_S)
        assert is_near(newest_ms(watch) / 1000, time.time())
        config = ("--config", str(watch.hub.config))
        status = json.loads(facedown("status", *config, "--json").stdout)
        assert is_near(datetime.fromisoformat(status["started_at"]).timestamp(), time.time())

        turned = watch.state["turn_number"]
        await watch.play(until=lambda now: now["turn_number"] > turned or now["phase"] == "over")
        assert is_near(newest_ms(watch) / 1000, time.time())
        assert is_near(datetime.fromisoformat(watch.state["revealed_at"]).timestamp(), time.time())
        assert watch.hub.stop() == 0
        assert verify_log(watch.lines(), "test").problems == ()
        journal = str(tmp_path / "journal.db")
        verdict = facedown("verify", journal)
        assert verdict.returncode == 0, verdict.stdout
        assert "The times before it may be wrong" in verdict.stdout
        assert "clock was wrong" in facedown("replay", journal).stdout
        with JournalRows.read(Path(journal)) as rows:
            (scene,) = gather(rows.rows, "test", rulebooks()).scenes
        assert is_near(scene.began_ms / 1000, time.time()), "the recap tells of today's evening"
        assert "the log of this table ends later, at" not in facedown("doctor", *config).stdout


async def test_setting_the_clock_during_a_timer_moves_the_deadline(
    tmp_path: Path,
) -> None:
    """A machine without a clock chip learns the time when the network comes up."""
    clock = WrongClock(tmp_path, -TEN_YEARS_S)
    async with table(tmp_path) as watch:
        await up(watch, clock)
        await watch.play(until=lambda now: now["phase"] == "sealed")
        assert is_near(left_s(watch, -TEN_YEARS_S), COMMIT_S)
        for ahead_s in (0, 3600, 0):
            clock.set(ahead_s)
            await watch.heard.until(
                lambda ahead_s=ahead_s: is_near(left_s(watch, ahead_s), COMMIT_S)
            )
            assert is_near(told_s(watch), time.time() + ahead_s)
        said = facedown("status", "--config", str(watch.hub.config), "--json").stdout
        began = datetime.fromisoformat(json.loads(said)["started_at"]).timestamp()
        assert is_near(began, time.time())
        assert [round(by_s / 3600) for by_s in sets_s(watch)][1:] == [1, -1]
        assert verify_log(watch.lines(), "test").problems == ()


async def test_a_clock_set_back_between_two_scenes_is_followed_with_the_next_record(
    tmp_path: Path,
) -> None:
    clock = WrongClock(tmp_path, 3600)
    async with table(tmp_path) as watch:
        await up(watch, clock)
        clock.set(0)
        await watch.command(command="start-scene")
        await watch.until(lambda now: now["phase"] != "idle")
        assert [round(by_s / 3600) for by_s in sets_s(watch)] == [-1]
        assert is_near(newest_ms(watch) / 1000, time.time())
        assert verify_log(watch.lines(), "test").problems == ()
