"""MicroPython's ``neopixel``: a chain of WS2812, reported to the world in wire order.

Ref: docs of MicroPython 1.25, library neopixel; WS2812B data sheet (order G, R, B).
"""

import binascii
import hands


class NeoPixel:
    """A chain of ``n`` lights with ``bpp`` bytes each."""

    def __init__(self, pin, n, bpp=3, timing=1):
        self.pin, self.n, self.bpp = pin, n, bpp
        self.buf = bytearray(n * bpp)
        self._shown = None

    def __len__(self):
        return self.n

    def __setitem__(self, at, colour):
        for part, value in zip((1, 0, 2, 3), colour):
            self.buf[at * self.bpp + part] = value

    def __getitem__(self, at):
        return tuple(self.buf[at * self.bpp + part] for part in (1, 0, 2, 3)[: self.bpp])

    def fill(self, colour):
        for at in range(self.n):
            self[at] = colour

    def write(self):
        if self._shown != self.buf:
            self._shown = bytes(self.buf)
            hands.tell(pin=self.pin.id, pixels=binascii.hexlify(self.buf).decode())
