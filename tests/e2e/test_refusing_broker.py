"""Brokers that refuse messages or deliver too much: the table plays, and the fault is reported."""

import json
import subprocess
from contextlib import ExitStack
from pathlib import Path

from tests.support.broker import Mosquitto
from tests.support.hub import FACEDOWN, HubProcess, watched_hub, watching, with_passwords


def facedown(*words: object) -> str:
    command = [FACEDOWN, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout


async def test_refused_events_are_in_log_status_and_doctor(tmp_path: Path) -> None:
    acl = tmp_path / "acl"
    acl.write_text("user hub\ntopic deny facedown/test/event\ntopic readwrite #\n")
    acl.chmod(0o600)
    with ExitStack() as stack:
        lines = (*with_passwords(tmp_path), f"acl_file {acl}")
        broker = stack.enter_context(Mosquitto(tmp_path, lines))
        hub = HubProcess(tmp_path, broker, protocol="5")
        for reader in hub.readers.values():
            stack.enter_context(reader)
        stack.callback(hub.kill)
        hub.start()
        async with watching(hub, broker) as watch:
            await watch.until_ready()
            await hub.until_logged("the broker does not take facedown/test/event")
            reply = await watch.command(command="start-scene")
            assert reply["ok"], reply
            await watch.until(lambda state: state["scene"] == 1)
        assert hub.output().count("the broker does not take") == 1
        shown = facedown("status", "--config", hub.config)
        assert "connected; lost: never. The broker refuses some of the hub’s messages" in shown
        assert "facedown/test/event: Not authorized\n" in shown
        told = json.loads(facedown("status", "--config", hub.config, "--json"))["broker"]
        assert told["hindrance"] == "broker-denies"
        assert told["reason"] == "facedown/test/event: Not authorized"
        found = facedown("doctor", "--config", hub.config)
        assert "refuses some of the hub’s messages: facedown/test/event: Not" in found


COMPANIONS = """
[homie]
enabled = true

[[clock]]
driver = "wled"
topic = "wled/wall"
shows = "reveal"
lights = 4

[mqtt.homeassistant]
enabled = true
"""


async def test_refused_companions_are_in_the_health_document(tmp_path: Path) -> None:
    acl = tmp_path / "acl"
    acl.write_text(
        "user hub\ntopic readwrite #\ntopic deny homeassistant/#\n"
        "topic deny homie/5/test/$state\ntopic deny wled/wall/api\n"
    )
    acl.chmod(0o600)
    with ExitStack() as stack:
        lines = (*with_passwords(tmp_path), f"acl_file {acl}")
        broker = stack.enter_context(Mosquitto(tmp_path, lines))
        hub = HubProcess(tmp_path, broker, protocol="5")
        with hub.config.open("a", encoding="utf-8") as config:
            config.write(COMPANIONS)
        for reader in hub.readers.values():
            stack.enter_context(reader)
        stack.callback(hub.kill)
        hub.start()
        refused = {
            "clock-1": "wled/wall/api",
            "homeassistant": "homeassistant/device/facedown_test/config",
            "homie": "homie/5/test/$state",
        }
        async with watching(hub, broker) as watch:
            await watch.until_ready()
            for topic in refused.values():
                await hub.until_logged(f"the broker does not take {topic}")
        told = json.loads(facedown("status", "--config", hub.config, "--json"))["companions"]
        assert told == {
            name: {
                "connected": True,
                "hindrance": "broker-denies",
                "reason": f"{topic}: Not authorized",
            }
            for name, topic in refused.items()
        }
        shown = facedown("status", "--config", hub.config)
        for name, topic in zip(
            ("Clock 1", "Home Assistant", "Homie"), refused.values(), strict=True
        ):
            assert f"{topic}: Not authorized" in next(
                line for line in shown.splitlines() if line.startswith(name)
            )


def most_memory_kib(process: int) -> int:
    """Return the peak memory of a process so far."""
    (line,) = (
        each
        for each in Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
        if each.startswith("VmHWM")
    )
    return int(line.split()[1])


async def test_a_message_of_64_mib_costs_the_hub_no_memory(tmp_path: Path) -> None:
    async with watched_hub(tmp_path / "table") as (watch, _):
        hub = watch.hub
        assert hub.process is not None
        before = most_memory_kib(hub.process.pid)
        topic, forged = "facedown/test/state", bytes(64 * 1024 * 1024)
        await watch.heard.client.publish(topic, forged, qos=1, retain=True)
        await hub.until_logged(f"a message on {topic} of 64.0 MiB comes from it")
        await watch.heard.until(lambda: forged in watch.heard.payloads(topic), watch.wait_s)
        await watch.heard.until(lambda: len(watch.heard.newest()[topic]) < 1024 * 1024)
        await watch.until_status(b"online")
        reply = await watch.command(command="start-scene")
        assert reply["ok"], reply
        assert most_memory_kib(hub.process.pid) < before + 16 * 1024
