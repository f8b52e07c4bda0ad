"""The panel's own code on gpiozero's mock pins, at a table in play; time is the loop's."""

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import pytest

from hub.firmware.common import lamps
from hub.panel import board as hub_board
from hub.panel.panel import HOLD_S
from hub.panel.settings import LampAt, PanelSettings
from hub.panel.signals import Call
from hub.world import World as Machine
from hub.world.pins import open_pins
from tests.support.twins.hands import Hands
from tests.support.twins.moment import MomentLoop
from tests.support.twins.setting import BUTTONS, BUZZER, KNOB, LEDS, Setting
from tests.support.twins.world import World, live

Evening = Callable[[World, Hands], Coroutine[Any, Any, None]]


def played(evening: Evening, **setting: Any) -> World:
    """Play this evening at a table with a panel."""

    done = False

    async def life(world: World) -> None:
        nonlocal done
        await evening(world, Hands(world, "panel", 0))
        done = True

    world = live(Setting(panel=True, **setting), life, "panel")
    assert done, world.telling.said[-1]
    return world


def heard(world: World, pin: int, since_ms: int = 0) -> list[tuple[int, float]]:
    """Return what a pin was set to, as (ms after ``since_ms``, level)."""
    return [
        (said.at_ms - since_ms, float(said.data.split()[0]))
        for said in world.telling.said
        if said.channel == f"panel GPIO{pin}" and said.at_ms >= since_ms
    ]


def tones(world: World, since_ms: int) -> list[str]:
    """Return the frequencies that sounded."""
    return [
        said.data.split()[1].decode()
        for said in world.telling.said
        if said.channel == f"panel GPIO{BUZZER}"
        and said.at_ms >= since_ms
        and said.data.startswith(b"0.5")
    ]


def sounds(call: Call) -> list[str]:
    return [str(tone.hz) for tone in call.value if tone.hz]


async def since(world: World) -> int:
    """Wait until all is quiet, and return the time."""
    await world.wait(6000)
    return world.telling.now_ms()


def test_next_takes_the_table_on_and_sounds() -> None:
    async def evening(world: World, hands: Hands) -> None:
        assert world.state["phase"] == "idle"
        at = await since(world)
        await world.hold("next")
        assert world.state["title"] == "A duel" or world.state["phase"] != "idle"
        await world.wait(500)
        assert tones(world, at) == sounds(Call.DONE)

    played(evening)


def test_a_button_pressed_twice_takes_one_step() -> None:
    async def evening(world: World, hands: Hands) -> None:
        at = await since(world)
        await world.hold("next")
        seq = world.state["seq"]
        await world.wait(200)
        await world.hold("next")
        await world.wait(500)
        assert world.state["seq"] == seq
        assert tones(world, at) == [*sounds(Call.DONE), *sounds(Call.NO)]

    played(evening)


def test_next_is_also_an_mqtt_command() -> None:
    async def evening(world: World, hands: Hands) -> None:
        await world.ask_broker("next")
        assert world.state["phase"] != "idle"
        await hands._reach("file", "stance")
        await world.wait(5000)
        seq = world.state["seq"]
        await world.ask_broker("next")
        await world.wait(10)
        assert world.state["seq"] == seq
        replies = [
            s.data for s in world.telling.said if s.channel.startswith("mqtt facedown/test/reply ")
        ]
        assert b'"ok":true' in replies[0] and b'"code":"next-waits-for"' in replies[-1]

    played(evening)


def test_an_unintended_press_takes_no_second_step() -> None:
    """From a sender that does not name the state it saw: a double press, and a press while cards
    turn over."""

    async def evening(world: World, hands: Hands) -> None:
        def codes() -> list[str]:
            said = [json.loads(s.data) for s in world.telling.said if "/reply " in s.channel]
            return [
                each["why"]["values"]["why"]["code"] if each["why"] else "done" for each in said
            ]

        await world.wait(2000)  # the connection to the broker takes a moment
        await world.ask_broker("next")
        await world.ask_broker("next")
        await world.wait(200)
        assert codes() == ["done", "only-just-happened"]
        await hands._reach("file", "move")
        await hands.sealed(0)
        turned = asyncio.get_running_loop().time()
        seq = world.state["seq"]
        await world.ask_broker("next")
        await world.hold("next")
        await world.wait(200)
        assert codes()[2:] == ["still-turning-over"]
        assert world.state["phase"] == "decision", "there is something that it could do"
        assert world.state["seq"] == seq
        await world.wait(4000 - int(1000 * (asyncio.get_running_loop().time() - turned)))
        await world.ask_broker("next")
        await world.wait(200)
        assert codes()[-1] == "done"
        assert world.state["seq"] > seq

    played(evening)


def test_without_a_buzzer_every_lamp_winks_twice_and_goes_on() -> None:
    loop = MomentLoop()
    pins = open_pins("mock")

    async def winking() -> None:
        settings = PanelSettings(lamps=(LampAt(pin=17, seat="ada"),))
        board = hub_board.Board(settings, pins)
        led = board.leds["ada"]
        led.show(lamps.COMMITTED)
        pins.pin(17).clear_states()
        led.wink()
        await asyncio.sleep(2)
        assert [each.state for each in pins.pin(17).states] == [1.0, 0.0, 1.0, 0.0, 1.0]
        led.wink()
        led.show(lamps.DARK)
        pins.pin(17).clear_states()
        await asyncio.sleep(2)
        assert len(pins.pin(17).states) == 1, "what it is to show comes first"
        board.close()

    try:
        loop.run_until_complete(winking())
    finally:
        loop.close()


def test_a_button_that_can_do_nothing_sounds_so_and_changes_nothing() -> None:
    async def evening(world: World, hands: Hands) -> None:
        await hands._reach("file", "stance")
        at, seq = await since(world), world.state["seq"]
        await world.hold("next")
        await world.wait(500)
        assert world.state["seq"] == seq
        assert tones(world, at) == sounds(Call.NO)
        assert [level for _, level in heard(world, BUZZER, at)] == [0.5, 0.0, 0.5, 0.0]

    played(evening)


def test_a_bouncing_button_is_pressed_once() -> None:
    async def evening(world: World, hands: Hands) -> None:
        await hands._reach("file", "stance")
        await world.wait(6000)
        pin, seq = world.pins.pin(BUTTONS["pause"]), world.state["seq"]
        for _ in range(7):
            pin.drive_low()
            await world.wait(2)
            pin.drive_high()
            await world.wait(2)
        pin.drive_low()
        await world.wait(100)
        for _ in range(5):
            pin.drive_high()
            await world.wait(3)
            pin.drive_low()
            await world.wait(1)
        pin.drive_high()
        await world.wait(200)
        assert (world.state["phase"], world.state["seq"]) == ("paused", seq + 1)
        await world.hold("pause")
        assert world.state["phase"] == "sealed"

    played(evening)


@pytest.mark.parametrize(("seconds", "done"), [(HOLD_S - 0.1, False), (HOLD_S + 0.1, True)])
def test_undo_is_held_and_shown_first(seconds: float, done: bool) -> None:
    async def evening(world: World, hands: Hands) -> None:
        await hands._reach("file", "stance")
        assert await world.ask("gm", "tell-story", deed="countdown mark The tide")
        await world.wait(6000)
        marked = world.state["story"]["countdowns"][0]["marked"]
        pin = world.pins.pin(BUTTONS["undo"])
        pin.drive_low()
        await world.wait(500)
        holding = world.state["panel"]["holding"]
        assert (holding["what"], holding["seconds"]) == ("deed", HOLD_S)
        assert [each["event"]["type"] for each in holding["entries"]] == ["story-told"]
        assert world.state["story"]["countdowns"][0]["marked"] == marked, "nothing is done yet"
        await world.wait(round(seconds * 1000) - 500)
        pin.drive_high()
        await world.wait(300)
        assert world.state["panel"]["holding"] is None
        assert world.state["story"]["countdowns"][0]["marked"] == marked - done

    played(evening)


def test_an_undo_is_cancelled_by_any_other_event() -> None:
    async def evening(world: World, hands: Hands) -> None:
        await hands._reach("file", "stance")
        await world.wait(6000)
        world.pins.pin(BUTTONS["undo"]).drive_low()
        await world.wait(500)
        assert world.state["panel"]["holding"]
        assert await world.ask("gm", "name-evening", title="The last ferry")
        seq = world.state["seq"]
        await world.wait(5000)
        assert world.state["panel"]["holding"] is None
        assert world.state["seq"] == seq

    played(evening)


def test_a_button_held_at_the_start_counts_after_its_release(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def evening(world: World, hands: Hands) -> None:
        await world.wait(100)
        opened = Machine.pins

        def with_a_thumb(driver: str) -> Any:
            pins = opened(driver)
            pins.pin(BUTTONS["next"])._set_pull("up")
            pins.pin(BUTTONS["next"]).drive_low()
            pins.pin(BUTTONS["next"])._set_pull = lambda _: None
            return pins

        await world.stop()
        pressed = patch.object(Machine, "pins", staticmethod(with_a_thumb))
        with pressed, caplog.at_level(logging.WARNING):
            await world.boot()
        assert "held down" in caplog.text
        await world.wait(3000)
        assert world.state["phase"] == "idle"
        pin = world.pins.pin(BUTTONS["next"])
        pin.drive_high()
        await world.wait(200)
        assert world.state["phase"] == "idle"
        await world.hold("next")
        assert world.state["phase"] != "idle"

    played(evening)


def test_the_knob_tells_the_table_once_however_fast_it_is_turned() -> None:
    async def evening(world: World, hands: Hands) -> None:
        seq = world.state["seq"]
        for _ in range(20):
            await world.turn(1)
            await world.wait(10)
        assert world.state["seq"] == seq
        await world.wait(1000)
        assert (world.state["commit_seconds"], world.state["seq"]) == (100, seq + 1)
        await world.turn(-50)
        await world.wait(1000)
        assert world.state["commit_seconds"] == 0
        await world.turn(2)
        await world.wait(1000)
        await world.hold("knob")
        assert world.state["commit_seconds"] == 0
        await world.hold("knob")
        assert world.state["commit_seconds"] == 10

    assert KNOB
    played(evening)


def test_a_lamp_shows_the_rhythm_of_its_seat() -> None:
    async def evening(world: World, hands: Hands) -> None:
        await hands._reach("file", "stance")
        await world.wait(6000)
        at = world.telling.now_ms()
        await world.wait(4000)
        seat = hands.seat_of(hands.waiting()[0])
        beats = heard(world, LEDS[seat], at)
        gaps = [b - a for (a, _), (b, _) in pairwise(beats)]
        assert len(gaps) >= 2 and gaps[0] + gaps[1] == 2000, "it breathes as the firmware's do"
        cards = hands.open(hands.waiting()[0])
        await hands.lay(seat, cards[0])
        at = world.telling.now_ms()
        await world.wait(5000)
        assert heard(world, LEDS[seat], at) == [], "a sealed card stands still"

    played(evening)


def test_the_lights_go_down_and_out_and_come_back() -> None:
    async def evening(world: World, hands: Hands) -> None:
        await hands._reach("file", "stance")
        levels = []
        for _ in range(3):
            at = await since(world)
            await world.wait(6000)
            lit = {level for led in LEDS.values() for _, level in heard(world, led, at)}
            levels.append(max(lit, default=0.0))
            await world.hold("lights")
        assert levels == [1.0, 0.2, 0.0]
        boards = [said.data for said in world.telling.said if said.channel == "lamp ada"]
        shone = [int(data.split()[1]) for data in boards]
        assert [a for a, b in pairwise([*shone, -1]) if a != b] == [150, 30, 0, 150]

    played(evening)


def test_a_seal_ticks_and_a_reveal_sounds() -> None:
    async def evening(world: World, hands: Hands) -> None:
        await hands._reach("file", "stance")
        at = await since(world)
        first, second = hands.waiting()
        await hands.lay(hands.seat_of(first), hands.open(first)[0])
        await world.wait(300)
        assert tones(world, at) == sounds(Call.TICK)
        at = world.telling.now_ms()
        await hands.lay(hands.seat_of(second), hands.open(second)[0])
        await world.wait(3000)
        assert tones(world, at) == [*sounds(Call.TICK), *sounds(Call.REVEAL)]

    played(evening)


def test_the_timer_warns_and_ends_aloud() -> None:
    async def evening(world: World, hands: Hands) -> None:
        await hands._reach("file", "stance")
        at = world.telling.now_ms()
        await world.wait(25_000)
        assert tones(world, at)[-1:] == sounds(Call.ZERO)

    played(evening, commit_s=20.0)


def test_a_panel_starts_no_thread() -> None:
    import threading

    before = threading.active_count()

    async def evening(world: World, hands: Hands) -> None:
        assert threading.active_count() == before

    played(evening)
