"""A WLED device as a clock: it shows the table through every fault."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.firmware.common import faces
from hub.games.countdowns import CountdownView
from hub.games.story import StoryView
from hub.mqtt import wled as driver
from hub.mqtt.settings import MqttSettings
from hub.mqtt.wled import WledClock, WledSettings
from hub.ports import Announcement
from hub.table.views import SeatView, TimerView, public_view, utc
from tests.support.broker import Mosquitto
from tests.support.tabletalk import TableTalk
from tests.support.wled import EFFECT, Wled

NOW_MS = 1_800_000_000_000
GONE = [faces.AMBER, *[faces.DARK] * 5, faces.AMBER, *[faces.DARK] * 5]
IDLE = [faces.DIM, *[faces.DARK] * 11]


class Time:
    ms = NOW_MS

    def __call__(self) -> int:
        return self.ms


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path_factory.mktemp("broker")) as broker:
        yield broker


def told(**changes: object) -> Announcement:
    """Return an announcement of a table at rest, with changes to its view."""
    talk = TableTalk()
    view = public_view(talk.state)
    own = {key: changes.pop(key) for key in ("stalled", "revealed_at_ms") if key in changes}
    return Announcement(replace(view, **changes), **own)  # type: ignore[arg-type]


def countdown(marked: int, boxes: int = 4) -> Announcement:
    tide = CountdownView(id="the-tide", name="The tide", boxes=boxes, marked=marked)
    return told(story=StoryView(countdowns=(tide,), erased=()))


def clock(port: int, time: Time, topic: str, **more: object) -> WledClock:
    given = {"lights": 12, "shows": "countdown"} | more
    settings = MqttSettings(
        table="test", port=port, client_id=f"clock-{topic}", retry_first_s=0.05, retry_most_s=0.2
    )
    return WledClock(settings, WledSettings(topic=topic, **given), time)  # type: ignore[arg-type]


def lit(device: Wled) -> int:
    return device.shown.count(faces.MARKED)


async def test_a_countdown_is_shown_through_every_fault_of_the_device(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "FRAME_S", 0.01)
    time = Time()
    async with Wled(broker.port, "wled/one", 12) as device:
        async with clock(broker.port, time, "wled/one", brightness=77) as it:
            it.announce(countdown(1))
            await device.until(lambda: lit(device) == 2)  # three lights a box, with a gap
            assert (device.on, device.bri) == (True, 77)
            assert json.loads(device.heard[0]).keys() == {
                "on",
                "bri",
                "tt",
            }  # in the first message, alone
            it.announce(countdown(2))
            await device.until(lambda: faces.WHITE in device.shown)  # the flourish
            time.ms += faces.FLOURISH_MS
            await device.until(lambda: lit(device) == 4)
            # The device's own 'online' at each change of state must not trigger a full repaint.
            wakes = [each for each in device.heard if b'"on"' in each]
            assert len(wakes) <= 2

            await device.pull()
            await device.plug()
            await device.until(lambda: lit(device) == 4)
            assert device.bri == 77

            await device.switch(False)
            assert device.shown == [faces.DARK] * 12
            await device.switch(True)
            assert EFFECT in device.shown
            await device.until(lambda: lit(device) == 4)

            it.announce(told(stalled=True))
            await device.until(lambda: device.shown[0] in (faces.AMBER, faces.DIM))
            assert device.bri == 200  # a user's own setting is kept
            it.announce(countdown(4))
            time.ms += 2000 - time.ms % 2000
            await device.until(lambda: lit(device) == 8)
        await device.until(lambda: device.shown == GONE)
    assert device.dropped == 0


async def test_a_hub_that_dies_leaves_the_picture_for_gone(broker: Mosquitto) -> None:
    async with Wled(broker.port, "wled/two", 12) as device:
        it = clock(broker.port, Time(), "wled/two", shows="timer")
        async with it:
            it.announce(told())
            await device.until(lambda: device.shown == IDLE)
            assert it._task is not None
            it._task.cancel()
            await device.until(lambda: device.shown == GONE)


async def test_timer_seat_and_reveal(broker: Mosquitto, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "FRAME_S", 0.01)
    time = Time()
    running = TimerView(utc(NOW_MS + 30_000), 30.0, (10.0,))
    seats = [
        SeatView(seat="ada", characters=("ada",), reader="ok", awaited=True, committed=done)
        for done in (False, True)
    ]
    async with (
        Wled(broker.port, "wled/timer", 12) as timer,
        clock(broker.port, time, "wled/timer", shows="timer") as of_timer,
        Wled(broker.port, "wled/seat", 12) as seat,
        clock(broker.port, time, "wled/seat", shows="seat", of="ada") as of_seat,
    ):
        both = (of_timer, of_seat)
        for each in both:
            each.announce(told(timer=running, seats=(seats[0],)))
        await timer.until(lambda: timer.shown == [faces.TEAL] * 12)
        await seat.until(lambda: len({*seat.shown}) == 1 and seat.shown[0][2] > seat.shown[0][0])
        time.ms += 15_000
        await timer.until(lambda: timer.shown[:6] == [faces.TEAL] * 6)
        await timer.until(lambda: timer.shown[7:] == [faces.DARK] * 5)
        time.ms += 5_000
        await timer.until(lambda: timer.shown == [faces.WHITE] * 12)
        for each in both:
            each.announce(told(seats=(seats[1],)))
        await timer.until(lambda: timer.shown == IDLE)
        await seat.until(lambda: seat.shown == [faces.TEAL] * 12)
        for each in both:
            each.announce(told(seats=(seats[1],), revealed_at_ms=time.ms - 900))
        for device in (timer, seat):
            await device.until(lambda device=device: faces.WHITE in device.shown)
        time.ms += faces.SWEEP_MS
        await timer.until(lambda: timer.shown == IDLE)


async def test_presets_replace_lights_and_give_them_back(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "FRAME_S", 0.01)
    time = Time()
    async with Wled(broker.port, "wled/ps", 12) as device:
        presets = {"idle": 9, "offline": 8}
        async with clock(broker.port, time, "wled/ps", shows="reveal", presets=presets) as it:
            it.announce(told())
            await device.until(lambda: device.preset == 9)
            it.announce(told(awaited=("ada", "bo"), committed=("ada",)))
            await device.until(lambda: device.shown == [faces.TEAL] * 6 + [faces.DIM] * 6)
            assert device.preset == 0
        await device.until(lambda: device.preset == 8)


async def test_a_broker_that_forgets_everything_is_told_again(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as broker:
        async with clock(broker.port, Time(), "wled/late") as it:
            it.announce(countdown(4))
            broker.restart()
            async with Wled(broker.port, "wled/late", 12) as device:
                await device.until(lambda: lit(device) == 8)
            broker.restart()
            async with Wled(broker.port, "wled/late", 600) as device:
                await device.until(lambda: lit(device) == 8)


async def test_lost_messages_are_sent_again(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "REPAINT_S", 0.2)
    async with Wled(broker.port, "wled/lossy", 300) as device:
        async with clock(broker.port, Time(), "wled/lossy", lights=300, shows="reveal") as it:
            it.announce(told(awaited=("a", "b"), committed=("a",)))
            await device.until(lambda: device.shown.count(faces.TEAL) == 150)
            device.lights = [EFFECT] * 300
            await device.until(lambda: device.shown.count(faces.TEAL) == 150)
        assert device.dropped == 0
