"""The steps of the pages about MQTT in ``docs/connect``, carried out."""

import json
import re

import pytest

from hub.games.registry import rulebooks
from hub.wire.asyncapi import document
from tests.adapters.mqtt.conftest import EVENT, TOPICS, Table
from tests.support.broker import Mosquitto
from tests.support.shown import mqtt_pages
from tests.support.subscriber import subscriber

GUIDE = mqtt_pages()
NAMES = {"table": "T", "seat": "S", "countdown": "C", "client": "NAME", "clock": "N"}
"""The guide's placeholder for each variable part of a topic."""
ADDRESSES = [each["address"] for each in document(rulebooks())["channels"].values()]


@pytest.mark.parametrize("address", [a for a in ADDRESSES if "{property}" not in a])
def test_every_topic_is_in_the_guide(address: str) -> None:
    topic = re.sub(r"\{(\w+)\}", lambda part: NAMES[part[1]], address)
    assert f"`{topic.removeprefix('homie/5/T/')}`" in GUIDE


async def test_every_key_of_a_state_is_in_the_guide(table: Table, broker: Mosquitto) -> None:
    """``test_described.py`` compares the guide's whole messages with those of an evening."""
    async with subscriber(broker.port) as display, table.publisher(broker.port) as publisher:
        publisher.announce(table.announcement())
        await publisher.wait_connected()
        table.begin_turn()
        for seat, card in (("ada", "stance attack 2"), ("gm", "stance defend 1")):
            publisher.announce(table.announcement())
            before = len(display.heard)
            await display.until(lambda: len(display.heard) > before)  # noqa: B023
            table.talk.place(seat, card)
        publisher.announce(table.announcement())
        await display.until(lambda: any(b'"locked"' in each for each in display.payloads(EVENT)))
        await display.until(lambda: b'"committed":2' in display.newest()[TOPICS[1]])
    keys = json.loads(display.newest()["facedown/test/state"]).keys()
    listed = re.search(r"always there \((.*?)\)", GUIDE, re.S)
    assert listed is not None
    assert set(re.findall(r"`(\w+)`", listed[1])) <= keys
    assert keys - set(re.findall(r"`(\w+)`", GUIDE)) == set()
