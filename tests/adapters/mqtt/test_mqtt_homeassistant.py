"""Home Assistant discovers the table by itself, and forgets what is gone."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.countdowns import CountdownView
from hub.kernel.catalogues import catalogue, languages
from hub.mqtt.connection import Incoming
from hub.mqtt.homeassistant import HomeAssistant
from hub.table.views import PublicView
from hub.wire import topics
from hub.wire.homeassistant import config_payload, config_topic, known_parts
from hub.wire.parts import Kind, Part, part_of, parts
from hub.wire.topics import Topics
from tests.adapters.mqtt.conftest import STATUS, Table
from tests.support.broker import Mosquitto
from tests.support.evening import Evening
from tests.support.subscriber import Subscriber, subscriber

CONFIG = "homeassistant/device/facedown_test/config"
BIRTH = "homeassistant/status"
WORDS = catalogue("devices", "en")
NASTY = "{{ 7*7 }} {% raw %} \"'\\ 🜂 %s {0}"
ALWAYS = {"phase", "says", "waiting", "deadline", "reveal", "revealed"}
SEATS = {f"seat_{seat}_{what}" for seat in ("ada", "bo", "gm") for what in ("committed", "reader")}
DEMANDS = {"pause", "next", "commit_seconds"}


def companion(*, commands: bool = False, **more: Any) -> HomeAssistant:
    return HomeAssistant("test", "homeassistant", commands=commands, **more)


def components(payload: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(payload)["cmps"]
    return found


def alive(payload: bytes) -> set[str]:
    """Return the components that are not just notices of removal."""
    return {name for name, one in components(payload).items() if one.keys() > {"p"}}


def config(**changes: Any) -> dict[str, Any]:
    """Return the discovery message of a table with one countdown."""
    evening = Evening()
    evening.do("countdown new 6 The tide")
    view = replace(evening.view, seats=tuple(evening.seats.values()), **changes)
    found: dict[str, Any] = json.loads(
        config_payload("test", parts(view, WORDS, commands=True), WORDS)
    )
    return found


async def test_the_device_and_all_its_components() -> None:
    found = config()
    assert found["dev"]["ids"] == ["facedown_test"]
    assert found["dev"]["name"] == "Game table test"
    assert found["availability"] == [{"topic": STATUS}]
    assert found["cmps"].keys() == ALWAYS | SEATS | DEMANDS | {"countdown_the-tide"}
    platforms = {one["p"] for one in found["cmps"].values()}
    assert platforms == {
        *("sensor", "binary_sensor", "event", "device_automation", "button", "number")
    }, "and no tag scanner: a card is no tag of the house's"
    names = [one["unique_id"] for one in found["cmps"].values() if "unique_id" in one]
    assert len({*names}) == len(names) == len(found["cmps"]) - 1
    reader = found["cmps"]["seat_ada_reader"]
    assert (reader["device_class"], reader["entity_category"]) == ("problem", "diagnostic")


async def test_a_broker_that_marks_live_messages_as_retained_is_not_told_without_end() -> None:
    evening, told = Evening(), companion()
    evening.do("countdown new 6 The tide")
    told.connected()

    def publish(view: PublicView) -> int:
        sent = [*told.due(view)]
        for each in sent:
            told.heard(Incoming(each.payload, topic=each.topic, retained=True))
        return len(sent)

    assert publish(evening.view) == 1
    evening.do("countdown erase The tide")
    assert [publish(evening.view) > 0 for _ in range(4)][2:] == [False, False]


def test_discovery_uses_only_the_tables_usual_topics() -> None:
    own = Topics("test")
    known = {own.status, own.state, own.moment, own.said, own.event, own.command}
    known |= {own.seat(seat) for seat in ("ada", "bo", "gm")} | {own.countdown("the-tide")}
    found = config()
    said = {
        value
        for one in found["cmps"].values()
        for key, value in one.items()
        if key == "topic" or key.endswith("_topic")
    }
    assert said == known - {STATUS}


@pytest.mark.parametrize("name", [NASTY, "x" * 64, "{{ states('x') }}", "🜂" * 64])
def test_names_given_by_people_are_plain_text(name: str) -> None:
    plain, named = config(), Evening()
    tide = CountdownView(id="the-tide", name=name, boxes=6, marked=0)
    view = replace(named.view, seats=tuple(named.seats.values()))
    assert view.story is not None
    view = replace(view, story=replace(view.story, countdowns=(tide,)), title=name)
    found = json.loads(config_payload("test", parts(view, WORDS, commands=True), WORDS))
    changed = found["cmps"]["countdown_the-tide"]
    assert changed.pop("name") == f"Countdown: {name}"
    plain["cmps"]["countdown_the-tide"].pop("name")
    assert found == plain, "it stands in no template, no id and no topic"


def test_ids_are_the_same_in_every_language() -> None:
    assert languages() == ["en", "de"]
    german = catalogue("devices", "de")
    assert german.keys() == WORDS.keys()
    assert [*map(len, german.values())] and all(german.values())
    view = Evening().view
    told = [
        json.loads(config_payload("test", parts(view, words, commands=True), words))["cmps"]
        for words in (WORDS, german)
    ]
    for one in told:
        for each in one.values():
            each.pop("name", None)
    assert told[0] == told[1]


@pytest.mark.parametrize("language", languages())
async def test_what_the_stage_says_is_read_in_one_language(language: str) -> None:
    told = HomeAssistant("test", "homeassistant", language, commands=False)
    told.connected()
    (message,) = told.due(Evening().view)
    says = components(message.payload)["says"]
    assert says["name"] == catalogue("devices", language)["says"]
    assert says["state_topic"] == says["json_attributes_topic"] == "facedown/test/said"
    assert says["value_template"] == f"{{{{ value_json.texts.{language}.headline[:255] }}}}"
    for key in ("why", "cost", "more", "waits_for", "names"):
        assert f"'{key}': value_json.texts.{language}.{key}" in says["json_attributes_template"]


def test_a_retained_message_is_read_within_bounds_and_only_for_our_parts() -> None:
    whole = config_payload("test", [Part(Kind.COUNTDOWN, "rain", "Rain")], WORDS, ["seat_x_reader"])
    assert known_parts(whole) == ["countdown_rain", "seat_x_reader"]
    for strange in (b"", b"[]", b"{", b'{"cmps": 7}', b'{"cmps": {"../x": {}}}', b"[" * 10**6):
        assert known_parts(strange) == []
    many = {"cmps": {f"countdown_{number}": {} for number in range(1000)}}
    assert len(known_parts(json.dumps(many).encode())) == 128
    assert part_of("phase") is None, "what every table has is never taken back"


async def announced(ears: Subscriber, count: int) -> list[bytes]:
    """Wait for ``count`` discovery messages and return them."""
    await ears.until(lambda: len(ears.payloads(CONFIG)) >= count)
    return ears.payloads(CONFIG)


async def test_it_is_announced_before_the_table_is_online(broker: Mosquitto) -> None:
    table = Table()
    async with subscriber(broker.port, "#") as ears:
        async with table.publisher(broker.port, companion=companion()) as publisher:
            publisher.announce(table.announcement())
            await publisher.wait_connected()
            await ears.until(lambda: ears.newest().get(STATUS) == b"online")
            assert alive(ears.newest()[CONFIG]) == ALWAYS | SEATS
            heard = [message.topic for message in ears.heard]
            assert heard.index(CONFIG) < heard.index(STATUS)
            assert all(message.qos == 1 for message in ears.heard if message.topic == CONFIG)
        async with subscriber(broker.port, "#") as late:
            await late.until(lambda: CONFIG in late.newest())
            assert all(m.retain for m in late.heard if m.topic == CONFIG)


async def test_it_is_announced_once_and_again_when_home_assistant_starts(broker: Mosquitto) -> None:
    table = Table()
    async with (
        subscriber(broker.port, "#") as ears,
        table.publisher(broker.port, companion=companion()) as publisher,
    ):
        publisher.announce(table.announcement())
        await publisher.wait_connected()
        first = (await announced(ears, 1))[0]
        table.begin_turn()
        publisher.announce(table.announcement())
        await ears.until(ears.lines)
        assert ears.payloads(CONFIG) == [first], "a turn changes nothing of it"
        await ears.client.publish(BIRTH, "offline", qos=1)
        await ears.client.publish(BIRTH, "online", qos=1)
        assert await announced(ears, 2) == [first, first]


async def test_an_erased_countdown_is_removed(broker: Mosquitto) -> None:
    """The first message has only its platform; the next no longer has it."""
    table = Table()
    evening = table.talk = Evening()
    evening.do("countdown new 6 The tide")
    async with (
        subscriber(broker.port, "#") as ears,
        table.publisher(broker.port, companion=companion()) as publisher,
    ):
        publisher.announce(table.announcement())
        await publisher.wait_connected()
        assert "countdown_the-tide" in alive((await announced(ears, 1))[0])
        await ears.client.publish(BIRTH, "online", qos=1)
        await announced(ears, 2)
        evening.do("countdown erase The tide")
        publisher.announce(table.announcement())
        marked, clean = (await announced(ears, 4))[2:]
        assert components(marked)["countdown_the-tide"] == {"p": "sensor"}
        assert alive(marked) == alive(clean) == components(clean).keys()


async def test_a_countdown_erased_while_all_were_away_is_removed_later(broker: Mosquitto) -> None:
    """The hub and Home Assistant were both off. Home Assistant removes only components that it
    knows, so when it starts the hub announces the old ones once more and then removes them."""
    table = Table()
    evening = table.talk = Evening()
    evening.do("countdown new 6 The tide")
    async with table.publisher(broker.port, companion=companion(commands=True)) as publisher:
        publisher.announce(table.announcement())
        await publisher.wait_connected()
    evening.do("countdown erase The tide")
    gone = {"countdown_the-tide"} | DEMANDS
    async with (
        table.publisher(broker.port, len(table.rows), companion=companion()) as publisher,
        subscriber(broker.port, "#") as ears,
    ):
        publisher.announce(table.announcement())
        await publisher.wait_connected()
        await ears.until(
            lambda: CONFIG in ears.newest() and not alive(ears.newest()[CONFIG]) & gone
        )
        kept = ears.newest()[CONFIG]
        assert components(kept).keys() - alive(kept) == gone
        before = len(ears.payloads(CONFIG))
        await ears.client.publish(BIRTH, "online", qos=1)
        ghosts, marked, clean = (await announced(ears, before + 3))[before:]
        assert alive(ghosts) >= gone
        assert components(marked).keys() - alive(marked) == gone
        assert components(clean).keys() == ALWAYS | SEATS


async def test_foreign_messages_there_are_corrected(broker: Mosquitto) -> None:
    table = Table()
    async with (
        subscriber(broker.port, "#") as ears,
        table.publisher(broker.port, companion=companion()) as publisher,
    ):
        publisher.announce(table.announcement())
        await publisher.wait_connected()
        right = (await announced(ears, 1))[0]
        for number in range(50):  # but not without limit
            await ears.client.publish(CONFIG, f"strange {number}", qos=1, retain=True)
        await ears.until(lambda: ears.payloads(CONFIG).count(right) > 1)
        assert ears.payloads(CONFIG).count(right) < 20


async def test_turning_it_off_removes_the_device(broker: Mosquitto) -> None:
    table = Table()
    async with table.publisher(broker.port, companion=companion()) as publisher:
        publisher.announce(table.announcement())
        await publisher.wait_connected()
    async with (
        subscriber(broker.port, "#") as ears,
        table.publisher(
            broker.port, len(table.rows), companion=companion(enabled=False)
        ) as publisher,
    ):
        publisher.announce(table.announcement())
        await ears.until_payload(CONFIG, b"")


async def test_an_acl_that_forbids_discovery_does_not_keep_the_table_offline(
    broker: Mosquitto,
) -> None:
    """The broker's ACL does not allow the discovery topic."""
    folder = broker._config.parent
    acl = folder / "acl"
    acl.write_text("topic readwrite facedown/#\n")
    with Mosquitto(folder, ("allow_anonymous true", f"acl_file {acl}")) as strict:
        acl.chmod(0o644)
        table = Table()
        async with (
            table.publisher(strict.port, companion=companion()) as publisher,
            subscriber(strict.port) as ears,
        ):
            publisher.announce(table.announcement())
            await publisher.wait_connected()
            await ears.until_payload(STATUS, b"online")


def test_the_discovery_topic() -> None:
    assert config_topic("homeassistant", "test") == CONFIG
    assert topics.HOMEASSISTANT.format(table="test") == CONFIG
