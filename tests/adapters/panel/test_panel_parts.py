"""A panel's settings, the owners of its pins, its rhythms, and missing pins."""

import asyncio
import logging
import re
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hub.config.loader import load_config
from hub.daemon.outputs import OUTPUTS
from hub.firmware.common import lamps
from hub.games.game import GM
from hub.kernel.faults import Faulty
from hub.panel import claims
from hub.panel.board import Board
from hub.panel.controls import SETTLE_S
from hub.panel.panel import Panel
from hub.panel.settings import Button, LampAt, PanelSettings
from hub.panel.signals import rhythm
from hub.ports import AtPanel
from hub.table.acts import Command
from hub.wire.replies import Reply
from hub.world.pins import PinsAbsent, open_pins
from tests.adapters.web.playing import PlayedTable

GUIDE = Path(__file__).parents[3] / "docs/build/panel.md"
TABLE = """\
[table]
name = "test"
journal = "journal.db"
deck = "deck.toml"
[[seat]]
name = "north"
reader = "{reader}"
characters = ["Ada"]
[[seat]]
name = "south"
reader = "sim:south"
characters = ["Bo"]
gm = true
[scene]
file = "scene.toml"
"""
BOOT = """\
dtparam=i2c_arm=on   # for a screen
#dtparam=spi=on
[pi5]
dtoverlay=uart3-pi5
[pi4]
dtoverlay=w1-gpio,gpiopin=17
[all]
enable_uart=1
dtparam=i2s=on
dtparam=i2s=off
dtoverlay=gpio-ir
"""


def wrong(folder: Path, said: str, reader: str = "sim:north", boot: str = "") -> list[str]:
    """Return the faults that the configuration reports."""
    (folder / "deck.toml").touch()
    (folder / "scene.toml").touch()
    (folder / "hub.toml").write_text(TABLE.format(reader=reader) + said, encoding="utf-8")
    (folder / "config.txt").write_text(boot, encoding="utf-8")
    with patch.object(claims, "BOOT_FILES", (folder / "none.txt", folder / "config.txt")):
        try:
            load_config(folder / "hub.toml", OUTPUTS)
        except Faulty as fault:
            return [str(each.said()) for each in fault.faults]
    return []


def test_the_guides_table_file_is_valid(tmp_path: Path) -> None:
    blocks = re.findall(r"```text\n(\[panel\].*?)```", GUIDE.read_text(encoding="utf-8"), re.S)
    assert len(blocks) == 1
    assert wrong(tmp_path, blocks[0]) == []


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("[panel.buzzer]\npin = 28\n", "from 2 to 27"),
        ("[panel.buzzer]\npin = 1\n", "from 2 to 27"),
        ("[panel.buzzer]\npin = true\n", "from 2 to 27"),
        ('[panel.buzzer]\npin = 5\nkind = "loud"\n', '"active"'),
        ('[panel]\ndriver = "pigpio"\n', '"lgpio"'),
        ('[[panel.button]]\npin = 5\ndoes = "win"\n', '"next"'),
        ('[[panel.button]]\npin = 5\ndoes = "next"\nof = "The tide"\n', "only a button that marks"),
        ('[[panel.lamp]]\npin = 5\nseat = "west"\n', "'west' is not a seat of this table"),
        (
            '[panel]\nlamp = [{ pin = 5, seat = "north" }, { pin = 6, seat = "north" }]\n',
            "has a lamp",
        ),
        (
            '[[panel.button]]\npin = 5\ndoes = "next"\n[panel.knob]\na = 4\nb = 5\n',
            "GPIO5 is already used in line 17",
        ),
    ],
)
def test_each_fault_is_named(tmp_path: Path, said: str, found: str) -> None:
    told = wrong(tmp_path, said)
    assert len(told) == 1 and found in told[0], told


def test_a_pin_in_other_use_is_named_with_its_owner(tmp_path: Path) -> None:
    serial = wrong(tmp_path, "[panel.buzzer]\npin = 14\n", reader="pn532:/dev/serial0")
    assert "GPIO14 belongs to /dev/serial0" in serial[0]
    bus = wrong(tmp_path, "[panel.knob]\na = 2\nb = 4\n", boot=BOOT)
    assert len(bus) == 1 and "GPIO2 belongs to dtparam=i2c_arm=on (" in bus[0]
    assert wrong(tmp_path, "[panel.knob]\na = 2\nb = 4\n") == []
    assert wrong(tmp_path, '[panel]\ndriver = "mock"\nbuzzer = { pin = 2 }\n', boot=BOOT) == []
    assert wrong(tmp_path, "[panel]\nenabled = false\nbuzzer = { pin = 2 }\n", boot=BOOT) == []


def test_the_boot_configuration_is_read_as_the_pi_reads_it() -> None:
    everywhere = {2, 3, 14, 15, 18}
    assert set(claims.claims_of(BOOT)) == everywhere
    assert set(claims.claims_of(BOOT, "Raspberry Pi 5 Model B Rev 1.0")) == everywhere | {8, 9}
    assert set(claims.claims_of(BOOT, "Raspberry Pi 4 Model B Rev 1.5")) == everywhere | {17}
    assert claims.claims_of("dtparam=\n=\ndtoverlay=w1-gpio,gpiopin=x\n") == {
        4: "dtoverlay=w1-gpio,gpiopin=x"
    }


@pytest.mark.parametrize(
    ("line", "pins"),
    [
        ("dtparam=i2c=on,i2s=on,spi=on", {2, 3, 7, 8, 9, 10, 11, 18, 19, 20, 21}),
        ("dtparam=spi=on\ndtparam=i2c=on,spi=off", {2, 3}),
        ("dtparam=audio=on,i2c_arm", {2, 3}),
        ("dtoverlay=uart0-pi5", {14, 15}),
        ("dtoverlay=uart2-pi5,ctsrts", {4, 5, 6, 7}),
        ("dtoverlay=uart5,ctsrts=on", {12, 13, 14, 15}),
        ("dtoverlay=uart5,ctsrts=off", {12, 13}),
        ("dtoverlay=spi1-3cs", {16, 17, 18, 19, 20, 21}),
        ("dtoverlay=spi1-2cs,cs1_pin=5", {5, 18, 19, 20, 21}),
        ("dtoverlay=w1-gpio-pullup,gpiopin=6", {5, 6}),
        ("dtoverlay=gpio-shutdown", {3}),
        ("dtoverlay=gpio-poweroff", {26}),
        ("dtoverlay=i2c-gpio,i2c_gpio_sda=5", {5, 24}),
    ],
)
def test_a_line_takes_the_pins_that_the_overlays_readme_names(line: str, pins: set[int]) -> None:
    assert set(claims.claims_of(line)) == pins


def test_every_pattern_has_its_own_rhythm() -> None:
    found = [rhythm(pattern) for pattern in range(len(lamps.NAMES)) if pattern != lamps.DARK]
    assert len(set(found)) == len(found)
    for each in found:
        lit = sum(beat.lit for beat in each.beats)
        length_s = sum(beat.ms for beat in each.beats) / 1000
        assert not each.repeats or lit / length_s <= 3, "no more than three times a second"


class Busy(MockPWMPin):  # type: ignore[misc]
    """A pin that another program holds, with lgpio's error."""

    def __init__(self, factory: Any, info: Any) -> None:
        if info.name == "GPIO17":
            raise RuntimeError("'GPIO busy'")
        super().__init__(factory, info)


async def test_a_busy_pin_is_named_and_the_others_work(caplog: pytest.LogCaptureFixture) -> None:
    told: list[AtPanel] = []
    settings = PanelSettings(
        buttons=(Button(pin=5, does="pause"),), lamps=(LampAt(pin=17, seat="north"),)
    )
    pins = MockFactory(pin_class=Busy)
    nothing: Any = None
    with caplog.at_level(logging.WARNING):
        async with Panel(
            settings, lambda _: pins, nothing, nothing, lambda: 0, tell=told.append
        ) as panel:
            panel.show_lamp("north", lamps.AWAITED)
    assert told == [AtPanel(missing=("GPIO17",))]
    assert [each.levelname for each in caplog.records] == ["WARNING"]
    assert "lamp (north) at GPIO17: RuntimeError: 'GPIO busy'" in caplog.text


async def test_a_press_from_a_pins_thread_reaches_the_loop_in_order() -> None:
    """As on a Pi, where the library calls from its own thread while the loop sleeps."""
    pins = MockFactory(pin_class=MockPWMPin)
    asked: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
    loop, thumb = asyncio.get_running_loop(), threading.Event()

    async def sink(command: Command, by: str) -> Reply:
        assert asyncio.get_running_loop() is loop and by == GM
        asked.put_nowait((type(command).__name__, threading.get_ident()))
        thumb.set()
        return Reply("", ok=True)

    def press() -> None:
        for pin in (5, 13, 5, 5, 13):
            thumb.clear()
            pins.pin(pin).drive_low()
            assert thumb.wait(10), f"nobody heard GPIO{pin}"
            pins.pin(pin).drive_high()
            time.sleep(4 * SETTLE_S)  # longer than the button takes to settle

    settings = PanelSettings(buttons=(Button(pin=5, does="next"), Button(pin=13, does="pause")))
    table = PlayedTable(lambda told: None)
    nothing: Any = None
    panel = Panel(settings, lambda _: pins, sink, nothing, lambda: 0, tell=lambda at: None)
    async with panel:
        panel.announce(table.announcement())
        await asyncio.to_thread(press)
    heard = [asked.get_nowait() for _ in range(asked.qsize())]
    assert [name for name, _ in heard] == ["Next", "Pause", "Next", "Next", "Pause"]
    assert {ident for _, ident in heard} == {threading.get_ident()}


def test_a_press_while_the_hub_ends_does_no_harm() -> None:
    pins = MockFactory(pin_class=MockPWMPin)

    async def until_closed() -> Callable[[], None]:
        board = Board(PanelSettings(buttons=(Button(pin=5, does="next"),)), pins)
        late = board.hand_over(lambda: None)
        board.close()
        return late

    asyncio.run(until_closed())()


async def test_without_pins_the_table_plays_on_and_reports_it_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    told: list[AtPanel] = []
    settings = PanelSettings(buttons=(Button(pin=5, does="pause"),))
    nothing: Any = None
    with patch.dict(sys.modules, {"gpiozero.pins.lgpio": None}), caplog.at_level(logging.WARNING):
        with pytest.raises(PinsAbsent, match=r"facedown\[pi\]"):
            open_pins("lgpio")
        async with Panel(settings, open_pins, nothing, nothing, lambda: 0, tell=told.append):
            pass
    assert told == [AtPanel(missing=("panel",))]
    assert len(caplog.records) == 1 and "the table plays without it" in caplog.text


def test_a_folder_that_lgpio_cannot_write_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unwritable:
        """Imported in place of lgpio, which cannot make its pipe here."""

        def find_spec(self, name: str, *_: object) -> None:
            if name == "lgpio":
                raise FileNotFoundError(".lgd-nfy-3")

    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Unwritable(), *sys.meta_path])
    with pytest.raises(PinsAbsent, match="in a folder that its user may write"):
        open_pins("lgpio")


async def test_every_pin_is_free_afterwards() -> None:
    settings = PanelSettings(
        buttons=(Button(pin=5, does="pause"),), lamps=(LampAt(pin=17, seat="north"),)
    )
    for _ in range(2):
        board = Board(settings, open_pins("mock"))
        assert not board.faults
        board.leds["north"].show(lamps.COMMITTED)
        board.close()
        board.close()
