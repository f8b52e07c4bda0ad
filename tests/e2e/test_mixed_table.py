"""A table with one real reader among simulated ones: the virtual table does not show the real
seat."""

import asyncio
import json
import re
from pathlib import Path

import aiohttp

from hub.sim.readers import SimulatedReader
from tests.support.broker import Mosquitto
from tests.support.hub import HubProcess, watched_hub, watching, with_passwords


async def test_a_real_seats_messages_stay_off_the_virtual_table(tmp_path: Path) -> None:
    with Mosquitto(tmp_path, with_passwords(tmp_path)) as broker:
        hub = HubProcess(tmp_path, broker, web=True)
        text = hub.config.read_text()
        for seat in ("bo", "gm"):
            text = text.replace(f"pn532:{hub.readers[seat].path}", f"sim:{seat}")
        hub.config.write_text(text)
        real: SimulatedReader = hub.readers["ada"]
        with real:
            hub.start()
            try:
                await _play(hub, broker, real)
            finally:
                hub.kill()


async def _play(hub: HubProcess, broker: Mosquitto, real: SimulatedReader) -> None:
    async with (
        watching(hub, broker) as watch,
        aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session,
    ):
        await watch.until_status(b"online")
        await watch.play(until=lambda now: now["phase"] == "sealed")
        address = re.findall(r"(http://\S+/)table\?key=(\S+)", hub.output())[-1]
        await session.get(f"{address[0]}table", params={"key": address[1]})
        origin = {"Origin": address[0].rstrip("/")}
        frames: list[str] = []
        async with session.ws_connect(f"{address[0]}ws/table", headers=origin) as stream:
            real.place(hub.tag("ada", "move attack-low"))  # no stance: refused, with a message
            await hub.until_logged('msg="cards on the reader: 1" seat=ada')
            await watch.commit("Ada", ["stance attack 1"])
            await stream.send_json({"do": "place", "reader": "nobody", "tag": "", "id": "last"})
            while '"id":"last"' not in (frames or [""])[-1]:
                frames.append(str((await asyncio.wait_for(stream.receive(), 10)).data))
        told = [json.loads(frame) for frame in frames]
        assert not [frame for frame in told if frame["type"] == "tell" and frame["seat"] == "ada"]
        hands = next(frame for frame in told if frame["type"] == "tabletop")["hands"]
        assert {hand["seat"] for hand in hands} == {"bo", "gm"}


async def test_a_scene_that_fails_to_start_keeps_the_gms_characters_off_the_broker(
    tmp_path: Path,
) -> None:
    async with watched_hub(tmp_path) as (watch, _):
        scene = watch.hub.folder / "scene.toml"
        text = scene.read_text()
        scene.write_text(text.replace('"attack-high", "attack-low", "defend-mid", "grapple-mid"',
                                      '"attack-high", "attack-high"'))  # fmt: skip
        reply = await watch.command(command="start-scene")
        assert not reply["ok"]
        assert "1 fault;" in reply["reason"] and "check-config" in reply["reason"]
        assert "Crow" not in reply["reason"] and "attack" not in reply["reason"]
