"""The table as a Homie 5 device, checked against the convention."""

import asyncio
import json
import re
from datetime import datetime
from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.countdowns import CountdownView
from hub.games.game import GM
from hub.games.registry import stage_of, texts
from hub.kernel.catalogues import catalogue
from hub.mqtt.homie import HomieDevice
from hub.mqtt.settings import MqttSettings
from hub.table.acts import Command, Next, Pause, Resume, SetTimer
from hub.wire import topics
from hub.wire.homie import command_of, device, settable
from hub.wire.replies import Reply
from hub.wire.said import said_text
from tests.adapters.mqtt.conftest import Table
from tests.support.broker import Mosquitto
from tests.support.evening import Evening
from tests.support.subscriber import Subscriber, subscriber

BASE = "homie/5/test"
WORDS = catalogue("devices", "en")
ID = re.compile(r"[a-z0-9-]+")
NEEDS_FORMAT = {"enum", "color"}
TYPES = {"integer", "float", "boolean", "string", "enum", "color", "datetime", "duration", "json"}
NASTY = "{{ 7*7 }} \"'\\ 🜂"


def check(payload: bytes, shape: dict[str, Any]) -> None:
    """Check a value by the convention's rules for its type."""
    text, kind, form = payload.decode(), shape["datatype"], shape.get("format", "")
    assert text, "an empty message takes the topic back"
    match kind:
        case "integer" | "float":
            assert re.fullmatch(r"-?\d+" if kind == "integer" else r"-?\d+(\.\d+)?", text)
            least, _, most = form.partition(":")
            assert not least or float(text) >= float(least)
            assert not most or float(text) <= float(most)
        case "boolean":
            assert text in ("true", "false")
        case "enum":
            assert text in form.split(",")
        case "datetime":
            assert datetime.fromisoformat(text).tzinfo
        case "string":
            assert "\0" not in text or text == "\0"
        case _:
            raise AssertionError(f"{kind} is not checked here")


def test_the_base_topic() -> None:
    place = {"table": "test", "node": "table", "property": "next"}
    assert topics.HOMIE_STATE.format(**place) == f"{BASE}/$state"
    assert topics.HOMIE_DESCRIPTION.format(**place) == f"{BASE}/$description"
    assert topics.HOMIE_VALUE.format(**place) == f"{BASE}/{settable()[1]}"
    assert topics.HOMIE_SET.format(**place) == f"{BASE}/{settable()[1]}/set"


def held(newest: dict[str, bytes]) -> dict[str, bytes]:
    """Check the device against the convention, and return its properties by ``NODE/PROPERTY``."""
    told = json.loads(newest[f"{BASE}/$description"])
    assert re.fullmatch(r"5\.\d+", told["homie"])
    assert isinstance(told["version"], int) and abs(told["version"]) < 2**63
    assert told.keys() <= {"homie", "version", "name", "type", "nodes"}
    values = {
        topic.removeprefix(f"{BASE}/"): payload
        for topic, payload in newest.items()
        if payload and re.fullmatch(rf"{BASE}/[a-z0-9-]+/[a-z0-9-]+", topic)
    }
    places = set()
    for node, about in told["nodes"].items():
        assert ID.fullmatch(node) and about.keys() <= {"name", "type", "properties"}
        for name, shape in about["properties"].items():
            assert ID.fullmatch(name) and shape["datatype"] in TYPES
            allowed = {"name", "datatype", "format", "settable", "retained", "unit"}
            assert shape.keys() <= allowed
            assert shape["datatype"] not in NEEDS_FORMAT or shape["format"]
            options = shape.get("format", "").split(",")
            assert len(options) == len({*options})
            places.add(f"{node}/{name}")
            if f"{node}/{name}" in values:
                check(values[f"{node}/{name}"], shape)
    assert values.keys() <= places
    return values


class Asked:
    """Accepts commands and records them."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self.more = asyncio.Event()

    async def __call__(self, command: Any, by: str, **_: Any) -> Reply:
        assert by == GM
        self.commands.append(command)
        self.more.set()
        return Reply(command.id, True)


def homie(port: int, sink: Any = None, **more: Any) -> HomieDevice:
    settings = MqttSettings(table="test", port=port, retry_first_s=0.05, retry_most_s=0.2, **more)
    return HomieDevice(replace(settings, client_id="facedown-test-homie"), "homie", sink=sink)


async def ready(ears: Subscriber) -> dict[str, bytes]:
    await ears.until_payload(f"{BASE}/$state", b"ready")
    return held(ears.newest())


def evening() -> tuple[Table, Evening]:
    table = Table()
    told = table.talk = Evening(commit_s=30)
    told.do("countdown new 6 The tide")
    return table, told


async def test_a_table_follows_the_convention(broker: Mosquitto) -> None:
    table, told = evening()
    told.do(f"countdown new 4 {NASTY}")
    async with subscriber(broker.port, "#") as ears, homie(broker.port) as shown:
        shown.announce(table.announcement())
        values = await ready(ears)
        assert values["table/phase"] == b"idle" and values["table/title"] == b"\0"
        assert values["countdown-the-tide/marked"] == b"0"
        assert values["countdown-7-7/name"] == NASTY.encode()
        assert values["seat-ada/reader"] == b"ok"
        assert values["table/says"] == b"The table is ready" and values["table/why"] == b"\0"
        assert "table/deadline" not in values
        states = ears.payloads(f"{BASE}/$state")
        assert states[0] == b"init" and states[-1] == b"ready"
        heard = [message.topic for message in ears.heard]
        assert heard.index(f"{BASE}/$description") < heard.index(f"{BASE}/table/phase")
        told.duel(stakes="The boat")
        table.begin_turn()
        told.lose("bo")
        shown.announce(table.announcement())
        await ears.until_payload(f"{BASE}/table/phase", b"sealed")
        await ears.until_payload(f"{BASE}/seat-bo/reader", b"lost")
        values = held(ears.newest())
        assert values["table/waiting"] == b"2" and values["table/deadline"]
        assert values["table/says"] == b"Ada and Ninja choose a stance"
        assert values["table/waits-for"] == b"Waiting for Ada and Ninja"
        told.place("ada", "stance attack 1")
        shown.announce(table.announcement())
        await ears.until_payload(f"{BASE}/seat-ada/committed", b"true")
        assert "table/next" not in values, "commands are off"
        described = json.loads(ears.newest()[f"{BASE}/$description"])["nodes"]["table"]
        assert not [each for each in described["properties"].values() if each.get("settable")]
    async with subscriber(broker.port, "#") as late:
        await late.until(lambda: f"{BASE}/$state" in late.newest())
        await late.until(lambda: f"{BASE}/table/phase" in late.newest())
        assert late.newest()[f"{BASE}/$state"] == b"disconnected"
        assert all(message.retain for message in late.heard)


async def test_it_speaks_its_own_language(broker: Mosquitto) -> None:
    table, told = evening()
    told.duel()
    table.begin_turn()
    told.show(ada="stance none", gm="stance none")
    told.show(ada="move surrender", gm="move attack-low")
    settings = MqttSettings(table="test", port=broker.port)
    async with (
        subscriber(broker.port, "#") as ears,
        HomieDevice(settings, "homie", "de") as shown,
    ):
        shown.announce(table.announcement())
        values = await ready(ears)
        assert values["table/says"] == b"Ninja gewinnt."
        assert values["table/why"] == b"Ada gibt auf"


async def test_an_erased_countdown_takes_its_topics_along(broker: Mosquitto) -> None:
    table, told = evening()
    tide = f"{BASE}/countdown-the-tide/marked"
    async with homie(broker.port) as shown, subscriber(broker.port, "#") as ears:
        shown.announce(table.announcement())
        await ready(ears)
        version = json.loads(ears.newest()[f"{BASE}/$description"])["version"]
        before = len(ears.payloads(f"{BASE}/$state"))
        told.do("countdown new 4 Rain")
        told.do("countdown erase The tide")
        shown.announce(table.announcement())
        await ears.until(lambda: len(ears.payloads(f"{BASE}/$state")) == before + 2)
        assert ears.payloads(f"{BASE}/$state")[before:] == [b"init", b"ready"]
        assert ears.newest()[tide] == b"" and "countdown-rain/marked" in held(ears.newest())
        assert json.loads(ears.newest()[f"{BASE}/$description"])["version"] != version
    told.do("countdown erase Rain")
    async with homie(broker.port) as shown, subscriber(broker.port, "#") as ears:
        shown.announce(table.announcement())
        for name in ("name", "marked", "boxes"):
            await ears.until_payload(f"{BASE}/countdown-rain/{name}", b"")
        await ready(ears)


async def test_a_hub_that_vanishes_is_lost_and_comes_back(broker: Mosquitto) -> None:
    table, _ = evening()
    async with subscriber(broker.port, "#") as ears, homie(broker.port) as shown:
        shown.announce(table.announcement())
        await ready(ears)
        # Another client with its name makes the broker disconnect the first.
        async with subscriber(broker.port, "none", identifier="facedown-test-homie"):
            await ears.until(lambda: b"lost" in ears.payloads(f"{BASE}/$state"))
        await ears.until(lambda: ears.payloads(f"{BASE}/$state")[-1] == b"ready")
        held(ears.newest())


async def test_a_stalled_table_raises_an_alert(broker: Mosquitto) -> None:
    table, _ = evening()
    alert = f"{BASE}/$alert/journal"
    async with subscriber(broker.port, "#") as ears, homie(broker.port) as shown:
        shown.announce(table.announcement())
        await ready(ears)
        shown.announce(replace(table.announcement(), stalled=True))
        await ears.until(lambda: b"cannot save" in ears.newest().get(alert, b""))
        shown.announce(table.announcement())
        await ears.until_payload(alert, b"")


async def test_a_set_message_becomes_a_command(tmp_path: Any) -> None:
    acl = tmp_path / "acl"
    acl.write_text("topic read #\nuser hub\ntopic readwrite #\nuser house\ntopic readwrite #\n")
    acl.chmod(0o644)
    table, _ = evening()
    asked = Asked()
    login = {"username": "hub", "password": "any", "commands": True}
    with Mosquitto(tmp_path, ("allow_anonymous true", f"acl_file {acl}")) as broker:
        async with (
            subscriber(broker.port, "#", username="house") as house,
            homie(broker.port, asked, **login) as shown,
        ):
            shown.announce(table.announcement())
            await ready(house)
            for place, payload in (
                ("commit-seconds", "7000"),
                ("commit-seconds", "NaN"),
                ("paused", "maybe"),
                ("next", "x" * 100),
                ("phase", "over"),
                ("paused", "true"),
                ("paused", "false"),
                ("next", "next"),
                ("commit-seconds", "45"),
            ):
                await house.client.publish(f"{BASE}/table/{place}/set", payload, qos=1)
            while len(asked.commands) < 4:
                asked.more.clear()
                await asyncio.wait_for(asked.more.wait(), 10)
            assert [type(each) for each in asked.commands] == [Pause, Resume, Next, SetTimer]
            assert len({each.id for each in asked.commands}) == 4


async def test_set_messages_are_ignored_on_a_broker_open_to_all(broker: Mosquitto) -> None:
    table, _ = evening()
    asked = Asked()
    login = {"username": "hub", "password": "any", "commands": True}
    async with subscriber(broker.port, "#") as ears, homie(broker.port, asked, **login) as shown:
        shown.announce(table.announcement())
        await ready(ears)
        assert b"settable" not in ears.newest()[f"{BASE}/$description"]
        await ears.client.publish(f"{BASE}/table/next/set", "next", qos=1)
        await ears.until(lambda: f"{BASE}/table/next/set" in ears.newest())
        shown.announce(replace(table.announcement(), stalled=True))
        await ears.until(lambda: f"{BASE}/$alert/journal" in ears.newest())
        assert not asked.commands


@pytest.mark.parametrize("name", [NASTY, "🜂" * 64, "\u202etide"])
def test_any_name_is_carried_unchanged(name: str) -> None:
    view = Evening().view
    assert view.story is not None
    tide = CountdownView(id="the-tide", name=name, boxes=6, marked=1)
    shown = replace(view, story=replace(view.story, countdowns=(tide,)))
    said = said_text(stage_of(shown), texts("en"))
    found = device(shown, WORDS, said, commands=True)
    newest = {f"{BASE}/{place}": value for place, value in found.values.items()}
    values = held(newest | {f"{BASE}/$description": found.description})
    assert values["countdown-the-tide/name"] == name.encode()


def test_an_invalid_value_is_no_command() -> None:
    for payload in (b"", b"-1", b"1e9", b'"5"', b"\xff", b"[1]", b"9" * 33, b"Infinity"):
        assert command_of("table/commit-seconds", payload, "x") is None
    assert command_of("seat-ada/committed", b"true", "x") is None
