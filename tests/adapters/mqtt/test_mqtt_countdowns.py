"""Countdowns on a broker: retained while they exist, cleared when they are gone."""

import json

from tests.adapters.mqtt.conftest import Table
from tests.support.broker import Mosquitto
from tests.support.described import Described
from tests.support.evening import Evening
from tests.support.subscriber import subscriber

TIDE = "facedown/test/countdown/the-tide"
RAIN = "facedown/test/countdown/rain"


async def test_clocks_follow_the_countdowns(broker: Mosquitto) -> None:
    table = Table()
    evening = table.talk = Evening()
    evening.do("countdown new 6 The tide")
    async with table.publisher(broker.port) as publisher, subscriber(broker.port) as clock:
        publisher.announce(table.announcement())
        await clock.until_payload(TIDE, b'{"boxes":6,"id":"the-tide","marked":0,"name":"The tide"}')
        evening.duel(stakes="The boat")
        evening.do("countdown mark The tide")
        evening.do("countdown new 4 Rain")
        publisher.announce(table.announcement())
        await clock.until_payload(TIDE, b'{"boxes":6,"id":"the-tide","marked":1,"name":"The tide"}')
        await clock.until(lambda: RAIN in clock.newest())
        evening.do("countdown erase Rain")
        publisher.announce(table.announcement())
        await clock.until_payload(RAIN, b"")
        countdowns = [m for m in clock.heard if "/countdown/" in m.topic]
        assert all(json.loads(m.payload) for m in countdowns if m.payload)
        Described().hold(clock.heard)


async def test_a_countdown_erased_while_the_hub_was_away_is_cleared(broker: Mosquitto) -> None:
    table = Table()
    evening = table.talk = Evening()
    evening.do("countdown new 6 The tide")
    async with table.publisher(broker.port) as publisher:
        publisher.announce(table.announcement())
        await publisher.wait_connected()
    evening.do("countdown erase The tide")
    async with table.publisher(broker.port, cursor=len(table.rows)) as publisher:
        publisher.announce(table.announcement())
        await publisher.wait_connected()
        async with subscriber(broker.port) as late:
            await late.until(lambda: "facedown/test/status" in late.newest())
            assert TIDE not in late.newest()
