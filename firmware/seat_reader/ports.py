"""The cable to the hub (USB serial or a half-duplex bus), the wire to the PN532, the supply
voltage."""

import select
import sys

from machine import ADC, I2C, UART, Pin
from seat_reader import i2c

CHIP_BAUD = 115200
_AT_ONCE = 64
_VSYS_PIN, _DIVIDED_BY, _REFERENCE_MV = 29, 3, 3300


def supply_mv(board):
    """The supply voltage of the board with this name, in mV; 0 if its wiring cannot tell.

    On a Pico W the pin for it belongs to the radio.

    Ref: Raspberry Pi Pico data sheet §2.1 (GPIO29, ADC3: VSYS/3).
    """
    if not board.startswith("Raspberry Pi Pico") or " W " in board:
        return 0
    return ADC(_VSYS_PIN).read_u16() * _REFERENCE_MV * _DIVIDED_BY // 65535


def chip_wire(settings):
    """The connection to the PN532."""
    uart, tx, rx, bus, sda, scl = (
        settings["pn532_" + each] for each in ("uart", "tx", "rx", "i2c", "sda", "scl")
    )
    if settings["pn532"] == "i2c":
        return i2c.Wire(I2C(bus, sda=Pin(sda), scl=Pin(scl), freq=i2c.RATE))
    return UART(uart, CHIP_BAUD, tx=Pin(tx), rx=Pin(rx), rxbuf=512)


class Usb:
    """The board's own USB serial, which is also its prompt while no program runs."""

    def __init__(self):
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def read(self):
        """The bytes that have come; may be empty."""
        data = b""
        while len(data) < _AT_ONCE and self._poll.poll(0):
            byte = sys.stdin.buffer.read(1)
            if not byte:
                break
            data += byte
        return data

    def write(self, data):
        """Send ``data`` to the hub."""
        sys.stdout.buffer.write(data)


class Bus:
    """A UART behind an RS-485 driver, which sends while ``drive`` is high."""

    def __init__(self, uart, baud, tx, rx, drive):
        self._drive = Pin(drive, Pin.OUT, value=0)
        self._uart = UART(uart, baud, tx=Pin(tx), rx=Pin(rx), rxbuf=512, txbuf=512)

    def read(self):
        """The bytes that have come; may be empty."""
        return self._uart.read() or b"" if self._uart.any() else b""

    def write(self, data):
        """Take the bus, send, and release it."""
        self._drive.value(1)
        self._uart.write(data)
        self._uart.flush()
        self._drive.value(0)
