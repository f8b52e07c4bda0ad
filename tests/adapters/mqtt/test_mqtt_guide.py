"""What ``docs/mqtt.md`` tells people to do, done."""

import json
import re
import subprocess
from pathlib import Path

from hub.wire import topics
from tests.adapters.mqtt.conftest import STATUS, TOPICS, Table
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


async def test_the_broker_of_the_guide_lets_each_do_its_own(table: Table, tmp_path: Path) -> None:
    users, acl = tmp_path / "users", tmp_path / "acl"
    users.touch(mode=0o600)
    for name in ("hub", "display", "gm"):
        subprocess.run(["mosquitto_passwd", "-b", users, name, name], check=True)
    acl.write_text("\n".join([*block("user hub"), ""]))
    own = {"password_file": str(users), "acl_file": str(acl)}
    lines = [
        f"{key} {own.get(key, value)}"
        for key, value in (line.split(" ", 1) for line in block("listener 1883")[1:])
    ]
    pause = json.dumps({"id": "1", "command": "pause"})
    with Mosquitto(tmp_path, lines) as broker:
        login = {"username": "hub", "password": "hub", "commands": True}
        async with (
            subscriber(broker.port, username="display", password="display") as display,
            subscriber(broker.port, username="gm", password="gm") as gm,
            table.publisher(broker.port, **login) as publisher,
        ):
            publisher.announce(table.announcement())
            await publisher.wait_connected()
            for denied in ("facedown/test/cmd", STATUS):
                await display.client.publish(denied, pause, qos=1)
            await gm.client.publish(STATUS, pause, qos=1)
            await gm.client.publish("facedown/test/cmd", pause, qos=1)
            await gm.until(lambda: gm.payloads("facedown/test/reply"))
            table.begin_turn()
            publisher.announce(table.announcement())
            await display.until(lambda: len(display.payloads(TOPICS[0])) > 1)
            heard = {message.topic for message in display.heard}
            assert not heard & {"facedown/test/cmd", "facedown/test/reply"}
            for page in (display, gm):
                assert page.payloads(STATUS) == [b"online"]
                assert TOPICS[0] in page.newest()
    assert len(table.commands) == 1
