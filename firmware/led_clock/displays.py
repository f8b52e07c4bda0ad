"""A clock's display: a chain of WS2812, or four digits on a TM1637 or an HT16K33.

Ref: TM1637 data sheet (Titan Micro), HT16K33 data sheet (Holtek), Adafruit's 7-segment backpack
(the colon is bit 1 of the third place).
"""

import time

from common import faces, figures

_ADDRESS = 0x70


class Chain:
    """A chain of WS2812, in a ring or a strip."""

    def __init__(self, chain: object) -> None:
        self._chain = chain
        self._lights = [faces.DARK] * len(chain)

    def show(self, shows: str, facts: object, now: int, dim: int) -> None:
        """Draw all lights. ``dim``: their brightness, 0 to 255."""
        faces.paint(self._lights, shows, facts, now)
        for at in range(len(self._lights)):
            red, green, blue = self._lights[at]
            self._chain[at] = (
                (red * dim + 254) // 255,
                (green * dim + 254) // 255,
                (blue * dim + 254) // 255,
            )
        self._chain.write()


class Digits:
    """Four digits and a colon, on a TM1637 or an HT16K33."""

    def __init__(self, chip: object) -> None:
        self._chip = chip
        self._shown = None

    def show(self, shows: str, facts: object, now: int, dim: int) -> None:
        """Draw the digits and the colon. ``dim``: their brightness, 0 to 255."""
        word, colon = figures.text(faces.mood(shows, facts, now), shows, facts, now)
        wanted = word, colon, dim
        if wanted != self._shown:
            self._chip.put([figures.SEGMENTS[each] for each in word], colon, dim)
            self._shown = wanted


class Tm1637:
    """A TM1637 at two open-drain wires, clock and data. Its own board has the pull-ups."""

    def __init__(self, clock: object, data: object) -> None:
        self._clock, self._data = clock, data
        clock.value(1)
        data.value(1)

    def put(self, places: list, colon: bool, dim: int) -> None:
        """Show four places of segments; the colon is the top bit of the second."""
        if colon:
            places[1] |= 0x80
        self._send([0x40])
        self._send([0xC0] + places)
        self._send([0x80 | (0x08 | dim // 32 if dim else 0)])

    def _send(self, data: list) -> None:
        self._wire(self._data, 0)  # start: data falls while the clock is high
        for byte in data:
            for bit in range(8):
                self._wire(self._clock, 0)
                self._wire(self._data, byte >> bit & 1)
                self._wire(self._clock, 1)
            self._wire(self._clock, 0)
            self._wire(self._data, 1)  # release: the chip acknowledges
            self._wire(self._clock, 1)
        self._wire(self._clock, 0)
        self._wire(self._data, 0)
        self._wire(self._clock, 1)
        self._wire(self._data, 1)  # stop: data rises while the clock is high

    def _wire(self, pin: object, level: int) -> None:
        pin.value(level)
        time.sleep_us(5)


class Ht16k33:
    """An HT16K33 at an I2C bus."""

    def __init__(self, bus: object, address: int = _ADDRESS) -> None:
        self._bus, self._address = bus, address
        self._awake = False

    def put(self, places: list, colon: bool, dim: int) -> None:
        """Show four places of segments. A chip that does not answer is tried again next time."""
        try:
            if not self._awake:
                self._bus.writeto(self._address, b"\x21")
                self._awake = True
            self._bus.writeto(self._address, bytes([0x81 if dim else 0x80]))
            self._bus.writeto(self._address, bytes([0xE0 | dim // 16]))
            middle = 2 if colon else 0
            rows = (places[0], places[1], middle, places[2], places[3])
            data = bytearray(11)
            for at in range(5):
                data[1 + 2 * at] = rows[at]
            self._bus.writeto(self._address, data)
        except OSError:
            self._awake = False


def display(settings: object) -> object:
    """The display that the settings name."""
    import machine

    if settings.display == "ws2812":
        import neopixel

        return Chain(neopixel.NeoPixel(machine.Pin(settings.pin), settings.lights))
    if settings.display == "ht16k33":
        wires = {"sda": machine.Pin(settings.pin), "scl": machine.Pin(settings.pin2)}
        return Digits(Ht16k33(machine.I2C(settings.pin // 2 % 2, freq=100_000, **wires)))
    open_drain = machine.Pin.OPEN_DRAIN
    clock = machine.Pin(settings.pin, open_drain, value=1)
    return Digits(Tm1637(clock, machine.Pin(settings.pin2, open_drain, value=1)))
