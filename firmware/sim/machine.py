"""MicroPython's ``machine`` module for a simulated board, whose wires end in the process that
started it.

A UART is the file descriptor named by ``SIM_UART0`` or ``SIM_UART1``. Bytes that come before the
program opens it are lost, as on a board. Opened at a rate other than ``SIM_UART0_BAUD``, it
garbles everything. With ``SIM_UART0_DE`` (a pin's number) it has a half-duplex driver: it sends
while that pin is high, and receives while it is low. A watchdog that is not fed resets the board
from outside, even if the program hangs completely.

Ref: docs of MicroPython 1.25, library machine.
"""

import hands
import os
import sys
import time

PWRON_RESET, WDT_RESET = 1, 3

_RESET_STATUS = 3
"""The exit status when the program resets the board."""


class Pin:
    """A pin that reads 1 while nothing pulls it down, and 0 with a pull-down."""

    IN, OUT, OPEN_DRAIN = 0, 1, 2
    PULL_UP, PULL_DOWN = 1, 2
    _driven = {}

    def __init__(self, id, mode=-1, pull=-1, *, value=None):
        self.id, self._rest = id, 0 if pull == self.PULL_DOWN else 1
        self._mode = mode
        if value is not None:
            self.value(value)

    def value(self, level=None):
        if level is not None:
            Pin._driven[self.id] = 1 if level else 0
            return None
        hands.attend()
        if self._mode == Pin.OUT:
            return Pin._driven.get(self.id, 0)
        return hands.levels.get(self.id, self._rest)

    __call__ = value

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)


class UART:
    def __init__(self, id, baudrate=9600, **how):
        fd = os.getenv("SIM_UART%d" % id)
        if fd is None:
            raise ValueError("no wire is at UART%d" % id)
        direction = os.getenv("SIM_UART%d_DE" % id)
        self._direction = None if direction is None else int(direction)
        self._fits = os.getenv("SIM_UART%d_BAUD" % id) in (None, str(baudrate))
        self._wire = open(int(fd), "r+b", 0)
        self._most = how.get("rxbuf", 256)
        self._heard = b""
        while self._wire.read(512):
            pass
        hands.poller.register(self._wire, hands.POLLIN)

    def init(self, *args, **how):
        self._most = how.get("rxbuf", self._most)

    def _sends(self):
        return self._direction is None or Pin._driven.get(self._direction, 0)

    def _listen(self):
        data = self._wire.read(512)
        if not data:
            return
        data = self._on_the_wire(data)
        if self._direction is None or not self._sends():
            self._heard = (self._heard + data)[: self._most]  # the rest overruns

    def any(self):
        self._listen()
        return len(self._heard)

    def read(self, most=None):
        self._listen()
        if not self._heard:
            return None
        most = len(self._heard) if most is None else most
        data, self._heard = self._heard[:most], self._heard[most:]
        return data

    def write(self, data):
        if self._sends():
            self._wire.write(self._on_the_wire(data))
        return len(data)

    def _on_the_wire(self, data):
        return data if self._fits else bytes(byte & 0x55 for byte in data)

    def flush(self):
        pass


class I2C:
    """An I2C bus with a PN532: the chip at the wire of ``SIM_UART1``, by its rules for I2C.

    A read that ends within a frame loses the rest of it (UM0701-02 §6.2.4).
    """

    _PN532 = 0x24

    def __init__(self, id, *, scl, sda, freq=400000):
        self._uart = UART(1, 115200, rxbuf=2048)
        self._heard = b""

    def _frame(self):
        """The length of a completely received frame; 0 if there is none."""
        self._heard += self._uart.read() or b""
        at = self._heard.find(b"\0\0\xff")
        if at < 0 or len(self._heard) < at + 6:
            return 0
        head = self._heard[at + 3 : at + 5]
        end = at + (6 if head in (b"\0\xff", b"\xff\0") else head[0] + 7)
        return end if len(self._heard) >= end else 0

    def readfrom(self, address, size):
        if address != self._PN532:
            raise OSError(5)
        end = self._frame()
        if size == 1 or not end:
            return bytes((bool(end),)) + bytes(size - 1)
        frame, self._heard = self._heard[:end], self._heard[end:]
        return (b"\1" + frame + bytes(size))[:size]

    def writeto(self, address, data):
        if address != self._PN532:
            raise OSError(5)
        self._uart.write(data)


class ADC:
    """An ADC whose pins all have the voltage ``SIM_MV``."""

    def __init__(self, pin):
        pass

    def read_u16(self):
        return int(os.getenv("SIM_MV", "0")) * 65535 // 3300


class WDT:
    """A watchdog. Once started it never ends: unless fed every ``timeout`` ms, the world resets
    the board."""

    def __init__(self, id=0, timeout=5000):
        self._told = time.ticks_ms()
        self._pace = timeout // 8
        hands.tell(watchdog=timeout)

    def feed(self):
        now = time.ticks_ms()
        if time.ticks_diff(now, self._told) >= self._pace:
            self._told = now
            hands.tell(fed=True)


def unique_id():
    return bytes(
        int(os.getenv("SIM_ID", "e661000000000000")[at : at + 2], 16) for at in range(0, 16, 2)
    )


def reset_cause():
    return WDT_RESET if os.getenv("SIM_RESET") == "watchdog" else PWRON_RESET


def reset():
    sys.exit(_RESET_STATUS)


def idle():
    """Sleep until a wire or the next tick (1 ms) wakes the processor."""
    hands.poller.poll(1)
