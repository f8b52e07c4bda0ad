"""The chip's UART as a pseudo-terminal behind a stable symbolic link, served by one thread.

The thread sleeps in select() until bytes, a change of the field or the chip's own clock wake it.
Unplugging closes the master side; a process that has the device open sees the same as when a USB
cable is pulled.
"""

import contextlib
import os
import select
import termios
import threading
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from time import monotonic

from hub.sim.cables import linked_terminal
from hub.sim.pn532 import frames
from hub.sim.pn532.chip import Chip
from hub.sim.pn532.firmware import BAUD_RATES

_SPEEDS = {
    getattr(termios, f"B{baud}"): baud for baud in BAUD_RATES if hasattr(termios, f"B{baud}")
}


class Fault(Enum):
    """The faults that a reader can have while it is plugged in."""

    NONE = "works"
    HANG = "swallows every byte"
    STALL = "does not drain its UART, so that writes block"
    MUTE = "acknowledges commands and never answers, which looks like an empty field"
    SKIPS = "misses one answer, and works again as soon as it is told to break off"
    CHECKSUM = "answers with wrong checksums"
    GARBAGE = "answers with noise"
    DEAF = "answers, but its radio is dead"
    HOT = "answers, but its antenna is too hot to be driven"
    ECHO = "sends back what it hears: the adapter's TX and RX touch"
    POSITION = "is a satellite receiver: tells a position every second, at 9600 bit/s"
    TEXT = "is a board that writes lines of its own"


_SAID = {
    Fault.POSITION: (9600, b"$GPRMC,120000.00,V,,,,,,,010126,,,N*7C\r\n"),
    Fault.TEXT: (115200, b"Ready. Temperature 21.4 C\r\n"),
}
"""The output of devices that are not readers: the rate, and the bytes."""
_SAYS_EVERY_S = 0.5
_MUTE = frozenset({Fault.MUTE, Fault.SKIPS})
_UNHEARING = frozenset({Fault.HANG, Fault.ECHO, *_SAID})


class Uart:
    """A reader that is plugged in from construction until :meth:`unplug`. ``link``: the device's
    path.
    """

    def __init__(self, link: Path, chip: Chip) -> None:
        self.chip = chip
        self.fault = Fault.NONE
        self._link = link
        self._skipped = False
        self._noise = b""
        self._says_at = 0.0
        self._lock = threading.Lock()
        self._unplugged = False
        # The slave side stays open here. Otherwise the master would report a hang-up while no
        # process listens, and the thread would spin on it.
        self._master, self._slave = linked_terminal(link)
        os.set_blocking(self._master, False)
        self._wake_r, self._wake_w = os.pipe()
        os.set_blocking(self._wake_w, False)
        self._thread = threading.Thread(target=self._run, name=f"pn532 {link.name}")
        self._thread.start()

    def unplug(self) -> None:
        """Remove the link, hang up, join the thread."""
        self._link.unlink(missing_ok=True)
        with self._lock, contextlib.suppress(BlockingIOError):
            self._unplugged = True  # from here on no other thread writes to the pipe
            os.write(self._wake_w, b"\0")
        self._thread.join()
        for fd in (self._master, self._slave, self._wake_r, self._wake_w):
            os.close(fd)

    def wake(self) -> None:
        """Tell the thread that the field, the fault or the noise has changed."""
        with self._lock, contextlib.suppress(BlockingIOError):  # a full pipe wakes it too
            if not self._unplugged:
                os.write(self._wake_w, b"\0")

    def noise(self, data: bytes) -> None:
        """Put bytes on the line to the host that the chip did not send."""
        with self._lock:
            self._noise += data
        self.wake()

    def _run(self) -> None:
        while not self._unplugged:
            now = monotonic()
            for frame in self.chip.tick(now):
                self._transmit(frame)
            with self._lock:
                noise, self._noise = self._noise, b""
            if noise:
                self._write(noise)
            due = self.chip.next_due()
            if self.fault in _SAID:
                due = self._say(now)
            watched = [self._wake_r]
            if self.fault is not Fault.STALL:
                watched.append(self._master)
            wait = None if due is None else max(0.0, due - monotonic())
            ready, _, _ = select.select(watched, [], [], wait)
            if self._wake_r in ready:
                os.read(self._wake_r, 4096)
            if self._master in ready:
                self._receive()

    def _say(self, now: float) -> float:
        """Send the text of a device that is not a reader, if it is time. Returns when to send it
        again.
        """
        if now >= self._says_at:
            baud, text = _SAID[self.fault]
            self._says_at = now + _SAYS_EVERY_S
            self._write(text if self._host_baud() == baud else bytes(b ^ 0x9A for b in text))
        return self._says_at

    def _receive(self) -> None:
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._master, 4096)
            if self.fault is Fault.ECHO:
                self._write(data)
            if self.fault is Fault.SKIPS and self._skipped and frames.ACK in data:
                self.fault, self._skipped = Fault.NONE, False
            if self.fault not in _UNHEARING and self.chip.hears(self._host_baud()):
                self.chip.receive(data, monotonic())

    def _transmit(self, frame: bytes) -> None:
        damage: Callable[[int], int] = int
        if self.fault in _MUTE and frame != frames.ACK:
            self._skipped = True
            return
        if self.fault is Fault.GARBAGE or not self.chip.hears(self._host_baud()):
            damage = 0x5A.__xor__
        elif self.fault is Fault.CHECKSUM and frame != frames.ACK:
            frame = frame[:-2] + bytes([frame[-2] ^ 0x01]) + frame[-1:]
        self._write(bytes(map(damage, frame)))

    def _write(self, data: bytes) -> None:
        with contextlib.suppress(BlockingIOError):  # unread: an overrun, as on a real UART
            os.write(self._master, data)

    def _host_baud(self) -> int:
        return _SPEEDS.get(termios.tcgetattr(self._master)[5], 0)
