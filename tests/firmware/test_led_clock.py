"""The clock's own files, run by MicroPython against a real broker: the clock shows the table and
recovers by itself from every fault."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest

from hub.firmware.common import faces
from hub.table.views import utc
from tests.support.broker import Mosquitto
from tests.support.clocks import COUNT, Lights, clock, until

BASE = "facedown/den/"


class Hub:
    """Publishes what a hub publishes."""

    def __init__(self, port: int) -> None:
        self._client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        self.heard: dict[str, bytes] = {}
        self._client.on_message = self._note
        self._client.connect("127.0.0.1", port)
        self._client.subscribe(BASE + "clock/#", 1)
        self._client.loop_start()

    def _note(self, _: Any, __: Any, message: mqtt.MQTTMessage) -> None:
        self.heard[message.topic] = message.payload

    def say(self, topic: str, said: object, retain: bool = True) -> None:
        payload = said if isinstance(said, bytes | str) else json.dumps(said)
        self._client.publish(BASE + topic, payload, 1, retain).wait_for_publish(5)

    def moment(self, *, at_ms: int | None = None, retain: bool = True, **more: Any) -> None:
        at = utc(now_ms() if at_ms is None else at_ms)
        usual = {"awaited": 0, "committed": 0, "phase": "sealed", "reveal_at": None}
        self.say("moment", {"at": at, **usual, "revealed_at": None, **more}, retain)

    def countdown(self, marked: int) -> None:
        said = {"boxes": 4, "id": "the-tide", "marked": marked, "name": "The tide"}
        self.say("countdown/the-tide", said)

    def leave(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path) as broker:
        yield broker


def marked(seen: Lights) -> int:
    return seen.count(faces.MARKED)


def test_a_clock_shows_a_countdown_through_an_evening_of_faults(
    broker: Mosquitto, tmp_path: Path
) -> None:
    hub = Hub(broker.port)
    board = clock(tmp_path, broker.port)
    try:
        with board:
            until(board, lambda seen: seen and seen[0] in (faces.AMBER, faces.DIM))  # no hub yet
            hub.countdown(1)
            hub.moment()
            hub.say("status", "online")
            until(board, lambda seen: marked(seen) == 2)
            assert hub.heard[BASE + "clock/clock/status"] == b"online"
            hub.countdown(2)
            until(board, lambda seen: faces.WHITE in seen)
            until(board, lambda seen: marked(seen) == 4)

            hub.say("clock/clock/dim", "51")
            until(board, lambda seen: (51, 12, 0) in seen)
            hub.say("clock/clock/dim", "")
            until(board, lambda seen: marked(seen) == 4)

            # Noise in retained topics changes nothing.
            for noise in (b"\xff\0{", b"[" * 900, b'{"boxes": 1e99}', b"{}", b"x" * 60_000, b"[]"):
                for topic in ("countdown/the-tide", "moment", "clock/clock/dim", "timer"):
                    hub.say(topic, noise)
            hub.say("countdown/another", {"boxes": 4, "id": "another", "marked": 4, "name": "A"})
            hub.countdown(3)
            until(board, lambda seen: marked(seen) == 6)
            assert board.starts == 1, board.said

            at = now_ms()
            hub.moment(phase="locked", awaited=2, committed=2, reveal_at=utc(at + 600))
            until(board, lambda seen: seen.count(faces.VIOLET) == 4)
            hub.moment(phase="decision", revealed_at=utc(now_ms()))
            until(board, lambda seen: faces.WHITE in seen)
            until(board, lambda seen: marked(seen) == 6)

            hub.say("status", "offline")
            until(board, lambda seen: seen.count(faces.DARK) == 10 and marked(seen) == 0)
            hub.say("status", "online")
            until(board, lambda seen: marked(seen) == 6)

            # After a reset, the retained messages restore the display.
            board.reset()
            until(board, lambda seen: board.starts == 2 and marked(seen) == 6)

            # A broker loses its retained messages, and Wi-Fi drops and returns.
            hub.leave()
            broker.restart()
            until(board, lambda seen: seen.count(faces.DARK) == 10 and marked(seen) == 0)
            hub = Hub(broker.port)
            hub.countdown(1)
            hub.say("status", "online")
            until(board, lambda seen: marked(seen) == 2)
            board.tell(wifi=False)
            until(board, lambda seen: marked(seen) == 0)
            board.tell(wifi=True)
            until(board, lambda seen: marked(seen) == 2)
            hub.say("countdown/the-tide", "")
            until(board, lambda seen: seen == [faces.DIM, *[faces.DARK] * 11])
    finally:
        hub.leave()


def test_a_clock_without_the_right_time_learns_it_from_the_table(
    broker: Mosquitto, tmp_path: Path
) -> None:
    hub = Hub(broker.port)
    table_ms = 4_000_000_000_000  # the table's clock is in another century
    hub.say("timer", {"deadline": utc(table_ms + 20_000), "seconds": 40.0, "warnings": [12, 5]})
    hub.moment(at_ms=table_ms - 3_600_000)  # an old one, retained by the broker
    hub.say("status", "online")
    try:
        with clock(tmp_path, broker.port, shows="timer") as board:
            until(board, lambda seen: seen.count(faces.TEAL) == 1 and seen.count(faces.DARK) == 11)
            hub.moment(at_ms=table_ms, awaited=2)
            until(board, lambda seen: 5 <= seen.count(faces.TEAL) <= 6)
            hub.moment(at_ms=table_ms + 8_100, awaited=2, committed=1)
            until(board, lambda seen: seen == [faces.WHITE] * COUNT)
            # The hub has found that its clock was wrong: the very next moment corrects this clock,
            # not the ninth.
            set_ms = table_ms - 400_000_000_000
            hub.say("timer", {"deadline": utc(set_ms + 20_000), "seconds": 40.0, "warnings": []})
            hub.moment(at_ms=set_ms, awaited=2)
            until(board, lambda seen: 5 <= seen.count(faces.TEAL) <= 6)
            table_ms = set_ms
            hub.say("timer", {"deadline": utc(table_ms), "seconds": 40.0, "warnings": []})
            until(board, lambda seen: seen == [faces.RED] * COUNT)
            hub.say("timer", "")
            until(board, lambda seen: seen == [faces.DIM, *[faces.DARK] * 11])
    finally:
        hub.leave()
