"""The hub as a process with PN532 readers, real nfcpy and a real mosquitto, while parts are
unplugged or killed."""

import json
import re
import resource
import sqlite3
import subprocess
from pathlib import Path
from random import Random
from typing import Any

from hub.audit.verify import verify_log
from hub.sim.pn532.uart import Fault
from tests.support.broker import Mosquitto
from tests.support.hub import FACEDOWN, HubProcess, watched_hub, watching

WITHOUT_VOLATILE = ("head", "seq", "timer", "reveal_at")


def public(state: dict[str, Any]) -> dict[str, Any]:
    """Return the state without the parts that a restart changes; readers answer some time after
    it."""
    lasting = {key: value for key, value in state.items() if key not in WITHOUT_VOLATILE}
    return lasting | {"seats": [{**seat, "reader": ""} for seat in state["seats"]]}


def over(state: dict[str, Any]) -> bool:
    return state["phase"] == "over"


async def test_a_conflict_from_first_card_to_last(tmp_path: Path) -> None:
    async with watched_hub(tmp_path) as (watch, _):
        await watch.play(until=over)
        result = watch.state["game"]["result"]
        assert result["winner"] in {"players", "elbow-clan"}
        losers = next(
            s for name, s in watch.state["game"]["sides"].items() if name != result["winner"]
        )
        assert all(watch.state["game"]["characters"][name]["out"] for name in losers)
        verdict = verify_log(watch.lines(), "test")
        assert verdict.problems == ()
        assert verdict.seals_opened > 0
        assert watch.hub.stop() == 0
        await watch.until_status(b"offline")
    assert "Traceback" not in watch.hub.output()
    assert "secret-of-the-broker" not in watch.hub.output()
    for name in ("journal.db", "deck.toml"):
        assert (watch.hub.folder / name).stat().st_mode & 0o077 == 0


async def test_a_hub_that_is_killed_repeatedly_continues_where_it_was(tmp_path: Path) -> None:
    """Each event keeps its number and its bytes across every kill."""
    random = Random(7)
    async with watched_hub(tmp_path) as (watch, _):
        for _ in range(4):
            kills_at = watch.state.get("seq", 0) + random.randint(1, 12)
            await watch.play(until=lambda now, at=kills_at: now["seq"] >= at or over(now))
            before = watch.state
            watch.hub.kill()
            await watch.until_status(b"offline")
            watch.hub.start()
            await watch.until_status(b"online")
            await watch.hub.until_looked()
            await watch.until(lambda now, seq=before["seq"]: now["seq"] >= seq)
            assert public(watch.state) == public(before)
            if over(watch.state):
                break
        goes_on = watch.state["seq"] + 1
        await watch.play(until=lambda now: now["seq"] >= goes_on)
        heard: dict[int, bytes] = {}
        for line in watch.heard.lines():
            seq = json.loads(line)["seq"]
            assert heard.setdefault(seq, line) == line
        assert sorted(heard) == list(range(1, len(heard) + 1))
        assert verify_log(watch.lines(), "test").problems == ()


async def test_a_seal_outlives_the_hub_that_made_it(tmp_path: Path) -> None:
    async with watched_hub(tmp_path) as (watch, _):
        await watch.play(until=lambda now: now["phase"] == "sealed")
        await watch.commit("Ada", ["stance attack 2"])
        seen = 'msg="cards on the reader: 1" seat=ada'
        watch.hub.kill()
        before = watch.hub.output().count(seen)
        await watch.until_status(b"offline")
        watch.hub.start()
        await watch.until_status(b"online")
        assert watch.state["committed"] == ["Ada"]
        await watch.hub.until_logged(seen, before + 1)
        watch.hub.readers["ada"].lift()
        await watch.until(lambda now: now["committed"] == [])
        await watch.commit("Ada", ["stance grapple 1"])
        opponent = next(a for a in watch.state["awaited"] if a != "Ada")
        await watch.commit(opponent, ["stance none"])
        await watch.until(lambda now: now["step"] == "move")
        assert watch.state["game"]["turn"]["stances"]["Ada"] == "grapple 1"


async def test_reader_faults_neither_lose_nor_make_a_seal(
    tmp_path: Path,
) -> None:
    async with watched_hub(tmp_path) as (watch, _):
        await watch.play(until=lambda now: now["phase"] == "sealed")
        ada = watch.hub.readers["ada"]
        await watch.commit("Ada", ["stance attack 2"])
        for hurt, mend in (
            (ada.unplug, ada.replug),
            (lambda: ada.suffer(Fault.HANG), lambda: ada.suffer(Fault.NONE)),
            (lambda: ada.suffer(Fault.STALL), lambda: ada.suffer(Fault.NONE)),
        ):
            hurt()
            await watch.heard.until(lambda: watch.seat("ada")["reader"] == "lost")
            assert watch.state["committed"] == ["Ada"]
            mend()
            await watch.heard.until(lambda: watch.seat("ada")["reader"] == "ok")
            assert watch.state["committed"] == ["Ada"]
        for _ in range(20):
            ada.noise(b"\x00\x00\xff\x10 not a frame \xff")
        opponent = next(a for a in watch.state["awaited"] if a != "Ada")
        await watch.commit(opponent, ["stance none"])
        await watch.until(lambda now: now["step"] == "move")
        assert watch.state["game"]["turn"]["stances"]["Ada"] == "attack 2"


async def test_the_broker_dies_and_the_table_plays_on(tmp_path: Path) -> None:
    async with watched_hub(tmp_path) as (watch, broker):
        await watch.play(until=lambda now: now["phase"] == "sealed")
        seq = watch.state["seq"]
        broker.kill()
        watch.lay("ada", "stance attack 2")
        journal = watch.hub.folder / "journal.db"
        await watch.hub.until_logged("msg=committed")
        with sqlite3.connect(f"file:{journal}?mode=ro", uri=True) as reader:
            (count,) = reader.execute("SELECT count(*) FROM record").fetchone()
        reader.close()
        assert count == seq + 1, "the table did not play on without its broker"
        broker.start()
        async with watching(watch.hub, broker) as again:
            await again.until_status(b"online")
            await again.until(lambda now: now.get("committed") == ["Ada"])
            assert set(again.heard.newest()) >= {
                "facedown/test/state",
                "facedown/test/seat/ada",
                "facedown/test/seat/bo",
                "facedown/test/seat/gm",
                "facedown/test/status",
            }
            await again.heard.until(lambda: count in again.heard.events())


async def test_a_full_disk_stops_the_table_with_one_clear_line(tmp_path: Path) -> None:
    async with watched_hub(tmp_path) as (watch, _):
        await watch.play(until=lambda now: now["phase"] == "sealed")
        process = watch.hub.process
        assert process is not None
        size = max(f.stat().st_size for f in watch.hub.folder.glob("journal.db*"))
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, size))
        before = watch.state
        for reader in watch.hub.readers.values():
            reader.unplug()  # each loss is a record that cannot be written
        await watch.until_status(b"offline")
        assert process.wait(timeout=20) == 1
        error = watch.hub.output().splitlines()[-1]
        assert re.match(r"facedown: .*journal\.db.*", error), error
        assert public(watch.state) == public(before), "announced before it was stored"
        for reader in watch.hub.readers.values():
            reader.replug()
        watch.hub.process = None
        watch.hub.start()
        await watch.until_status(b"online")
        assert public(watch.state) == public(before)


def test_a_bad_configuration_is_reported_in_one_list_with_exit_2(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as broker:
        hub = HubProcess(tmp_path, broker)
    text = hub.config.read_text().replace('name = "test"', 'name = "Te st"')
    hub.config.write_text(text.replace("dwell_s = 0.05", "dwell_s = true") + "\n[tabel]\n")
    done = subprocess.run(
        [FACEDOWN, "run", "--config", hub.config], capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 2
    for words in ("table.name", "dwell_s", "did you mean table"):
        assert words in done.stderr
    assert "Traceback" not in done.stderr
