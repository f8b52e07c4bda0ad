"""A PN532 on an I2C bus, with the interface of a UART.

Each read begins with a byte that says whether an answer is ready. An answer that is not read to
its end is lost, so each read is as long as the expected frame can be.

Ref: UM0701-02 §6.2.4; PN532/C1 data sheet §8.3.2 (address, 400 kbit/s, it holds the clock).
"""

ADDRESS = 0x24
RATE = 400_000
_ACK, _MOST = 6, 80


class Wire:
    """The PN532 on the bus ``i2c``."""

    def __init__(self, i2c):
        self._i2c = i2c
        self._heard = b""
        self._next = _MOST

    def any(self):
        """How many bytes have come."""
        if not self._heard:
            try:
                if self._i2c.readfrom(ADDRESS, 1)[0] & 1:
                    self._heard = self._i2c.readfrom(ADDRESS, 1 + self._next)[1:]
                    self._next = _MOST
            except OSError:  # no chip at this address: as silent as a UART without one
                pass
        return len(self._heard)

    def read(self):
        """The bytes that have come."""
        heard, self._heard = self._heard, b""
        return heard

    def write(self, data):
        """Send ``data``, without wake-up bytes for a UART: here the chip is woken by its
        address."""
        if not data.strip(b"\0"):
            return
        try:
            self._i2c.writeto(ADDRESS, data)
        except OSError:
            pass
        self._next = _ACK if len(data) > _ACK else _MOST
