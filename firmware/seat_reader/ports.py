"""The board's end of the cable to the hub: USB serial, or a half-duplex bus."""

import select
import sys

import micropython
from machine import UART, Pin

BAUD = 115200
_AT_ONCE = 64


class Usb:
    """The board's own USB serial, which is its prompt as well while no program runs."""

    def __init__(self):
        micropython.kbd_intr(-1)  # a 03 is a byte like any other
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def read(self):
        """What has come; empty for nothing."""
        data = b""
        while len(data) < _AT_ONCE and self._poll.poll(0):
            byte = sys.stdin.buffer.read(1)
            if not byte:
                break
            data += byte
        return data

    def write(self, data):
        """Send."""
        sys.stdout.buffer.write(data)


class Bus:
    """A UART behind an RS-485 driver, which sends while ``drive`` is high."""

    def __init__(self, uart, tx, rx, drive):
        self._drive = Pin(drive, Pin.OUT, value=0)
        self._uart = UART(uart, BAUD, tx=Pin(tx), rx=Pin(rx), rxbuf=512, txbuf=512)

    def read(self):
        """What has come; empty for nothing."""
        return self._uart.read() or b"" if self._uart.any() else b""

    def write(self, data):
        """Take the bus, send, and leave it."""
        self._drive.value(1)
        self._uart.write(data)
        self._uart.flush()
        self._drive.value(0)
