"""The seat reader's program: it looks for tags, and lights the lamps, as the hub asks."""

import gc
import os
import sys
from time import ticks_diff, ticks_ms, ticks_us

import machine
from common import files, lamps
from common.session import Session
from neopixel import NeoPixel
from seat_reader import ports
from seat_reader.chip import Chip
from seat_reader.field import Field
from seat_reader.job import Job

PROGRAM = "seat_reader 1.0"
FOLDERS = ("common", "seat_reader")

_LOST_MS = 3000
_PICTURE_MS = 40
_WATCHDOG_MS = 4000
_DEBOUNCE_MS = 30


class Lamps:
    """The chain of lamps, and the pattern on it."""

    def __init__(self, pin, count):
        self._chain = NeoPixel(machine.Pin(pin, machine.Pin.OUT), count) if count else None
        self._count = count
        self._pattern, self._brightness = lamps.LOST, 80
        self._since = self._drawn = ticks_ms()

    def show(self, pattern, brightness):
        """Begin a pattern, unless it is shown already. Raises :exc:`ValueError` for an unknown
        one."""
        if pattern >= lamps.LOST:
            raise ValueError
        self._brightness = brightness
        self._begin(pattern)

    def lose(self):
        """Show that the hub has not asked for a while."""
        self._begin(lamps.LOST)

    def _begin(self, pattern):
        if pattern != self._pattern:
            self._pattern, self._since = pattern, ticks_ms()

    def draw(self, now_ms):
        """Draw the next picture of the pattern, if it is due."""
        if self._chain is None or ticks_diff(now_ms, self._drawn) < _PICTURE_MS:
            return
        self._drawn = now_ms
        for at, colour in enumerate(
            lamps.colours(
                self._pattern, ticks_diff(now_ms, self._since), self._count, self._brightness
            )
        ):
            self._chain[at] = colour
        self._chain.write()


class Button:
    """Detects presses of the button."""

    def __init__(self, pin):
        self._pin = pin
        self._down, self._changed_at = False, ticks_ms()

    def pressed(self, now_ms):
        """Whether the button has just been pressed."""
        down = not self._pin.value()
        if down == self._down or ticks_diff(now_ms, self._changed_at) < _DEBOUNCE_MS:
            return False
        self._down, self._changed_at = down, now_ms
        return down


def run(settings, button_pin, main):
    """Run for ever. ``main``: the file that the board has started with."""
    watchdog = machine.WDT(timeout=_WATCHDOG_MS)
    chip = Chip(ports.chip_wire(settings))
    field = Field(chip)
    job = Job(chip, field)
    shown = Lamps(settings["lamps_pin"], settings["lamps"])
    button = Button(button_pin)
    began = ticks_ms()
    start = int.from_bytes(os.urandom(2), "big")
    age = [0, began]  # s, and up to which tick: ticks wrap

    def health():
        gc.collect()
        return (
            age[0],
            gc.mem_free(),
            3 if machine.reset_cause() == machine.WDT_RESET else 1,
            chip.unheard & 0xFFFF,
            chip.damaged & 0xFFFF,
            ports.supply_mv(sys.implementation._machine),
            start,
        )

    identity = ((bytes(8) + machine.unique_id())[-8:], files.digest(FOLDERS, main)[:8], PROGRAM)
    session = Session(settings["address"], identity, (job, shown, health), ticks_diff)
    if settings["link"] == "usb":
        port = ports.Usb()
    else:
        wired = ("bus_uart", "baud", "bus_tx", "bus_rx", "bus_drive")
        port = ports.Bus(*(settings[key] for key in wired))
    asked_at = began
    while True:
        now_us, now_ms = ticks_us(), ticks_ms()
        data = port.read()
        if data:
            out, asked = session.hear(data, now_us, now_ms)
            if out:
                port.write(out)
            if asked:
                asked_at = now_ms
        job.step()
        out = session.tick(ticks_us(), now_ms)
        if out:
            port.write(out)
        if button.pressed(now_ms):
            session.presses += 1
        while ticks_diff(now_ms, age[1]) >= 1000:
            age[0] += 1
            age[1] += 1000
        if ticks_diff(now_ms, asked_at) > _LOST_MS:
            asked_at = now_ms - _LOST_MS
            shown.lose()
        shown.draw(now_ms)
        watchdog.feed()
        if not data:
            machine.idle()
