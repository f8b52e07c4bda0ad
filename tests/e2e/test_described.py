"""An evening on a real broker, with a hub and a broker that die on the way: every message fits its
description in ``docs/asyncapi.json``, and every described message is heard."""

import json
import sys
from pathlib import Path

import pytest
from jsonschema import ValidationError
from msgspec.structs import replace

from hub.games.registry import rulebooks
from hub.mqtt.probe import try_out
from hub.mqtt.settings import MqttSettings
from tests.adapters.mqtt.conftest import Table
from tests.support.clocks import clock
from tests.support.described import Described
from tests.support.evening import sheets
from tests.support.hub import Watch, watched_hub, watching
from tests.support.seldom import seldom
from tests.support.shown import messages, mqtt_pages, unsaid
from tests.support.subscriber import Heard, subscriber

NAMES = ("Ada", "Bo", "Crow", "Heron")
LOGIN = {"username": "hub", "password": "secret-of-the-broker"}
BOOKS = rulebooks()
SOON = (
    "from hub.mqtt import publisher; publisher.HEALTH_S = 1; from hub.cli.process import run; run()"
)
"""The hub, but with a health report every second instead of every half minute."""


async def _answered_apart(watch: Watch, port: int) -> list[Heard]:
    """Send a command from an MQTT 5 client that names its own response topic."""
    from aiomqtt import ProtocolVersion
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties

    mine = "facedown/test/reply/panel"
    async with subscriber(port, mine, protocol=ProtocolVersion.V5, **LOGIN) as panel:
        asks = Properties(PacketTypes.PUBLISH)
        asks.ResponseTopic = mine
        command = json.dumps({"id": "panel-1", "command": "pause"})
        await panel.client.publish("facedown/test/cmd", command, qos=1, properties=asks)
        await panel.until(lambda: panel.heard)
        return panel.heard


async def _hold_what_is_seldom(described: Described, port: int) -> None:
    """Hold the rare messages of quiet tables against the description, one table after another."""
    for talk in seldom():
        table = Table(talk)
        async with (
            subscriber(port, "facedown/test/#", **LOGIN) as watch,
            table.publisher(port, **LOGIN) as publisher,
        ):
            publisher.announce(table.announcement())
            await publisher.wait_connected()
            said = {row.line for row in table.rows}
            await watch.until(lambda watch=watch, said=said: said <= set(watch.lines()))
        heard = [each for each in watch.heard if not each.retain]
        # A publisher without a health document clears the one of the hub before it.
        heard = [each for each in heard if each.payload or not each.topic.endswith("/health")]
        if talk.setup.ruleset not in BOOKS.games:  # a toy, which the description does not know
            heard = [each for each in heard if not each.topic.endswith("/state")]
        described.hold(heard)


async def _the_hub_dies(watch: Watch) -> None:
    watch.hub.kill()
    await watch.until_status(b"offline")
    text = watch.hub.config.read_text(encoding="utf-8")
    text = text.replace("[timing]\n", "[timing]\nwarnings_s = [10, 5]\n")
    more = "\n[mqtt.homeassistant]\n\n[homie]\nenabled = true\n"
    watch.hub.config.write_text(text + more, encoding="utf-8")
    watch.hub.start([sys.executable, "-c", SOON])
    await watch.until_status(b"online")
    await watch.hub.until_looked()


@pytest.mark.parametrize(
    "shown",
    [
        '| `facedown/T/timer` | yes | `{"deadline":"…Z","seconds":31.0}` |',
        '```\nfacedown/demo/seat/ada {"awaited":true,…,"seat":"bo"}\n```',
        '```\nfacedown/demo/seats/ada {"awaited":true,…}\n```',
        'A sentence with `{"deadline":"…","seconds":31.0}`.',
        '```\n$ mosquitto_pub -t facedown/demo/cmd -m \'{"command":"fly"}\'\n```',
    ],
)
def test_an_example_in_a_guide_that_no_message_matches_is_found(shown: str) -> None:
    said = [
        Heard(
            "facedown/test/timer", b'{"deadline":"2026-01-31T19:00:00Z","seconds":30.0}', 1, True
        ),
        Heard("facedown/test/seat/ada", b'{"awaited":true,"reader":"ok","seat":"ada"}', 1, True),
        Heard("facedown/test/cmd", b'{"command": "pause"}', 1, False),
    ]
    assert len(unsaid(shown, said)) == 1
    right = shown.replace("31", "30").replace("seats", "seat").replace("fly", "pause")
    assert unsaid(right.replace('"seat":"bo"', '"seat":"ada"'), said) == []


async def test_every_message_of_an_evening_is_described(tmp_path: Path) -> None:
    described = Described()
    cast = [replace(each, name=name) for each, name in zip(sheets(), NAMES, strict=True)]
    async with watched_hub(tmp_path / "hub", story=cast, protocol="5", reveal_delay_s=0.05) as (
        watch,
        broker,
    ):
        say = watch.command
        assert (await say(command="name-evening", title="The tide book"))["ok"]
        for deed in ("countdown new 6 The tide", *(["countdown mark The tide"] * 2)):
            assert (await say(command="tell-story", deed=deed))["ok"]
        assert not (await say(command="tell-story", deed="countdown mark The flood"))["ok"]
        assert (await say(command="set-timer", seconds=300))["ok"]
        scene = {"type": "problem", "problem": "The bridge is down"}
        assert (await say(command="start-scene", scene=scene))["ok"]
        await watch.until(lambda state: state["phase"] == "sealed")
        await watch.commit("Ada", ["option 2"])
        await _the_hub_dies(watch)
        assert (await say(command="drop-seal", actor="Ada"))["ok"]
        await watch.commit("Ada", ["option 3"])
        await watch.commit("Bo", ["option 1"])
        await watch.until(lambda state: state.get("step") == "describe")
        assert (await watch.decide("Ada", "describe flaw"))["ok"]
        assert (await watch.decide("Bo", "veto"))["ok"]
        assert (await watch.decide("Bo", "substitute idea"))["ok"]
        assert (await say(command="end-scene"))["ok"]
        await watch.until(lambda state: state["phase"] == "idle")
        watch.clear()
        asked = {"id": "strange", "command": "undo"}
        await watch.heard.client.publish("facedown/test/cmd", json.dumps(asked), qos=1)
        assert (await say(command="tell-story", deed="countdown erase The tide"))["ok"]
        assert (await say(command="start-scene"))["ok"]
        await watch.play(until=lambda now: now["phase"] == "sealed")
        apart = await _answered_apart(watch, broker.port)
        await watch.until(lambda state: state["phase"] == "paused")
        assert (await say(command="resume"))["ok"]
        watch.hub.readers["gm"].unplug()
        await watch.heard.until(lambda: watch.seat("gm")["reader"] == "lost")
        watch.hub.readers["gm"].replug()
        await watch.heard.until(lambda: watch.seat("gm")["reader"] == "ok")
        first = watch.heard.heard
        broker.restart()
        async with watching(watch.hub, broker) as again:
            for others in ("homie/5/test/#", "homeassistant/device/#"):
                await again.heard.client.subscribe(others, qos=2)
            await again.until_ready()
            await again.play(until=lambda now: (now["turn_number"] or 0) > 1)
            with clock(tmp_path / "clock", broker.port, table="test", username="hub",
                       password=LOGIN["password"]):  # fmt: skip
                status = "facedown/test/clock/clock/status"
                await again.heard.until(lambda: status in again.heard.newest())
                dim = "facedown/test/clock/clock/dim"
                await again.heard.client.publish(dim, b"40", qos=1, retain=True)
                await again.heard.until(lambda: dim in again.heard.newest())
            settings = MqttSettings(table="test", port=broker.port, **LOGIN)
            assert (await try_out(settings)).heard
            choose = "homie/5/test/table/commit-seconds/set"
            await again.heard.client.publish(choose, b"90", qos=2)
            await again.heard.until(lambda: choose in again.heard.newest())
            health = "facedown/test/health"
            await again.heard.until(lambda: health in again.heard.newest())
            again.hub.stop()
            await again.until_status(b"offline")
            heard = [*first, *apart, *again.heard.heard]
            described.hold(heard)
        await _hold_what_is_seldom(described, broker.port)
    assert described.seen == set(described.channels), "a kind of message that was never heard"
    assert described.events_seen == described.events, "an event that nobody has told"
    guide = mqtt_pages()
    assert len(messages(guide)) >= 11
    assert unsaid(guide, heard) == [], "the guide shows what nobody has said"


def test_an_undescribed_message_is_found() -> None:
    described = Described()
    for topic, payload in (
        ("status", b"asleep"),
        ("moment", b'{"at":"x"}'),
        ("timer", b'{"deadline":"x","seconds":1,"warnings":[],"card":"stance none"}'),
        ("clock/shelf/dim", b"256"),
        ("cmd", b'{"id":"1","command":"fly"}'),
    ):
        with pytest.raises(ValidationError):
            described.hold([Heard(f"facedown/test/{topic}", payload, 1, True)])
    with pytest.raises(ValueError, match="not enough values"):
        described.hold([Heard("facedown/test/card", b"{}", 1, True)])
