"""A simulated Raspberry Pi Pico: rp2040py runs a MicroPython image instruction by instruction.
Connected to it, and running on its simulated time, are a seat board's parts: a PN532 at GP8 and
GP9, lamps at GP6, a button at GP7, 5 V at VSYS. Its USB is a pty that appears and disappears with
it.

Run in its own process, with rp2040py on the path::

python -m tests.rp2040.pico IMAGE DEVICE

Lines of JSON on stdin are the user's actions: ``{"place": id}``, ``{"lift": true}``, ``{"button":
true}``, ``{"reset": true}``. Those on stdout are the visible effects: ``usb``, ``pixels``,
``reset``.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from time import monotonic
from typing import Any

from rp2040py.boards import BoardSpec
from rp2040py.device.base_device import BaseDevice, ResetCause
from rp2040py.external.ws2812 import Ws2812
from rp2040py.peripherals.uart import RPUART, UARTDR, UARTTXINTR

from hub.sim.cables import UsbCable
from hub.sim.pn532.chip import Chip
from hub.sim.pn532.timing import Timing
from hub.sim.tags import Field, card

LAMPS, BUTTON, CHIP_UART = 6, 7, 1
_BYTE_NS = 10 * 1e9 / 115200
_LOOK_NS = 1e6
_REASON = 0x08  # RP2040 data sheet §4.7.6: 1 is the timer, 2 the program's own request
_VSYS_CHANNEL, _VSYS = 3, round(5.0 / 3 / 3.3 * 4095)


def tell(**seen: Any) -> None:
    print(json.dumps(seen), flush=True)


class Pl011(RPUART):
    """The simulator's UART, with the transmit interrupt as on the chip: it is raised once the data
    has been sent, and stays low after it is cleared. rp2040py 0.3.6 raises it again at each check,
    so that a program using MicroPython's UART would do nothing but serve it.

    Ref: Arm DDI 0183 (PL011) §2.8.2, UARTTXINTR.
    """

    def check_interrupts(self) -> None:
        self.rp2040.set_interrupt(self.irq, bool(self._interrupt_status & self._interrupt_mask))

    def write_uint32(self, offset: int, value: int) -> None:
        super().write_uint32(offset, value)
        if offset == UARTDR:  # sending takes no time here
            self._interrupt_status |= UARTTXINTR
            self.check_interrupts()


class Wire:
    """The PN532 at the board's UART; it sends byte by byte at 115200 bit/s."""

    def __init__(self, device: BaseDevice) -> None:
        self._clock = device.simulator.clock
        self._uart = device.mcu.uart[CHIP_UART]
        self._uart.__class__ = Pl011
        self._uart.on_byte = self._hear
        self.field = Field(lambda: None)
        self._chip = Chip(self.field, Timing(1.0), misses=0.05)
        self._out = bytearray()
        self._sending = self._clock.create_alarm(self._send)
        self._idle = True
        self._working = self._clock.create_alarm(self._work)
        self._working.schedule(_LOOK_NS)

    @property
    def _now(self) -> float:
        return float(self._clock.nanos) / 1e9

    def _hear(self, byte: int) -> None:
        self._chip.receive(bytes((byte,)), self._now)

    def _work(self) -> None:
        for frame in self._chip.tick(self._now):
            self._out += frame
        if self._out and self._idle:
            self._send()
        self._working.schedule(_LOOK_NS / 4)

    def _send(self) -> None:
        self._idle = not self._out
        if self._out:
            self._uart.feed_byte(self._out.pop(0))
            self._sending.schedule(_BYTE_NS)


class Usb:
    """The chip's CDC serial as a pty at ``path``, from each enumeration to the next reset."""

    def __init__(self, device: BaseDevice, path: Path) -> None:
        self._cdc = device.cdc
        self._cable = UsbCable(path)
        self._master = -1
        self._said = b""
        self._loop = asyncio.get_running_loop()
        self._cdc.on_device_connected = self._plug
        self._cdc.on_serial_data = self._say
        reset = device.mcu.usb_ctrl.on_reset

        def gone() -> None:
            reset()
            self._pull()

        device.mcu.usb_ctrl.on_reset = gone

    def _plug(self) -> None:
        self._pull()
        self._master = self._cable.open()
        tell(usb=True)

    def _pull(self) -> None:
        if self._master >= 0:
            os.close(self._master)
            self._master = -1
            self._cable.close()
            tell(usb=False)

    def _say(self, data: bytes) -> None:
        self._said += bytes(data)

    def carry(self) -> None:
        """Pass pending bytes both ways, as far as there is room."""
        if self._master < 0:
            self._said = b""
            return
        try:
            if self._said:
                self._said = self._said[os.write(self._master, self._said) :]
        except BlockingIOError:
            pass
        fifo = self._cdc.tx_fifo
        try:
            for byte in os.read(self._master, fifo.size - fifo.item_count):
                self._cdc.send_serial_byte(byte)
        except OSError:  # nothing to read
            pass


async def live(image: str, path: Path) -> None:
    """Run until stdin ends. Simulated time never runs ahead of real time."""
    device = BaseDevice(board=BoardSpec(image=image))
    simulator, mcu = device.simulator, device.mcu
    mcu.adc.channel_values[_VSYS_CHANNEL] = _VSYS
    reset = mcu.watchdog.on_watchdog_trigger

    def bitten() -> None:
        tell(reset="timer" if mcu.watchdog.read_uint32(_REASON) == 1 else "asked")
        reset()

    mcu.watchdog.on_watchdog_trigger = bitten
    wire, usb = Wire(device), Usb(device, path)
    lamps = Ws2812(LAMPS, on_pixels=lambda pixels: tell(pixels=pixels))
    lamps.attach(mcu)
    began = monotonic()

    def pace() -> None:
        simulator.stopped = simulator.clock.nanos / 1e9 > monotonic() - began
        pacing.schedule(_LOOK_NS)

    pacing = simulator.clock.create_alarm(pace)
    pacing.schedule(_LOOK_NS)

    def hands() -> None:
        data = os.read(0, 65536)
        if not data:
            done.set()
        for line in data.splitlines():
            do(json.loads(line))

    def do(wish: dict[str, Any]) -> None:
        if "place" in wish:
            wire.field.place(card(wish["place"]))
        elif "lift" in wish:
            wire.field.lift(lambda _: True)
        elif "button" in wish:
            pin = mcu.gpio[BUTTON]
            pin.set_input_value(False) if wish["button"] else pin.release_input()
        elif "reset" in wish:
            device.hard_reset(cause=ResetCause.RUN_PIN)

    done = asyncio.Event()
    asyncio.get_running_loop().add_reader(0, hands)
    mcu.core.pc = 0x10000000
    while not done.is_set():
        simulator.stopped = False
        simulator._execute_batch()
        usb.carry()
        ahead = simulator.clock.nanos / 1e9 - (monotonic() - began)
        if ahead < -0.5:  # on a slow machine: do not try to catch up
            began -= ahead
        await asyncio.sleep(max(0.0, ahead))


if __name__ == "__main__":
    asyncio.run(live(sys.argv[1], Path(sys.argv[2])))
