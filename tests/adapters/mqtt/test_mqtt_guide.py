"""What ``docs/mqtt.md`` tells people to do, done."""

import json
import re
from pathlib import Path

from hub.wire import topics
from tests.adapters.mqtt.conftest import EVENT, TOPICS, Table
from tests.support.broker import Mosquitto
from tests.support.subscriber import subscriber

GUIDE = (Path(__file__).parents[3] / "docs" / "mqtt.md").read_text(encoding="utf-8")


def block(start: str) -> list[str]:
    """The lines of the fenced block that begins with ``start``."""
    (found,) = re.findall(rf"```\n({re.escape(start)}.*?)```", GUIDE, re.DOTALL)
    return str(found).splitlines()


def test_every_topic_is_in_the_guide() -> None:
    for template in (topics.STATUS, topics.STATE, topics.SEAT, topics.TIMER, topics.EVENT,
                     topics.COMMAND, topics.REPLY):  # fmt: skip
        assert f"`{template.format(table='T', seat='S')}`" in GUIDE
    assert topics.REPLY_TO.format(table="T", client="NAME") in GUIDE


def pattern(shown: str) -> str:
    return ".*".join(re.escape(part.strip(",")) for part in shown.split("…"))


async def test_every_message_of_the_guide_is_one_that_a_table_says(
    table: Table, broker: Mosquitto
) -> None:
    """A turn whose messages are held against the lines that the guide shows; and the documents in
    its table of topics."""
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
    said = [f"{each.topic} {each.payload.decode()}" for each in display.heard]
    shown = [line for line in block("$ mosquitto_sub")[1:] if line.startswith("facedown/")]
    assert len(shown) >= 4
    for line in shown:
        wanted = pattern(line.replace("facedown/demo/", "facedown/test/"))
        assert [one for one in said if re.fullmatch(wanted, one)], line
    keys = {topic.rpartition("/")[2]: json.loads(payload)
            for topic, payload in display.newest().items()
            if payload.startswith(b"{")}  # fmt: skip
    for topic in ("timer", "moment"):
        (document,) = re.findall(rf"^\| `facedown/T/{topic}` .*?`(\{{.*?\}})`", GUIDE, re.M)
        assert json.loads(document).keys() == keys[topic].keys()
    listed = re.search(r"always there \((.*?)\)", GUIDE, re.S)
    assert listed is not None
    assert set(re.findall(r"`(\w+)`", listed[1])) <= keys["state"].keys()
    assert keys["state"].keys() - set(re.findall(r"`(\w+)`", GUIDE)) == set()
