"""An RS-485 bus, simulated with all that can go wrong on one.

Ref: TIA-485 (one driver at a time; two at once garble each other).
"""

import contextlib
import os
import select
import socket
import termios
import threading
import time
from pathlib import Path

from hub.sim.cables import linked_terminal
from hub.wire.link import BAUD

_BITS = 10  # a byte with its start and stop bits


class Bus:
    """An RS-485 bus with the hub's adapter, the device at ``path``; a context manager.

    Every end receives all bytes. Two that send at once garble each other; a hub at another rate
    sends and receives garbage.
    """

    def __init__(self, path: Path, *, baud: int = BAUD, time_scale: float = 1.0) -> None:
        self.path = str(path)
        self._baud = baud
        self._byte_s = time_scale * _BITS / baud
        self._lock = threading.Lock()
        self._wires: dict[int, socket.socket] = {}
        self._wake_r, self._wake_w = os.pipe()
        self._master = self._slave = -1
        self._busy_until, self._last = 0.0, -1
        self._closed = False
        self.lose = 0
        self.turn = 0
        """How many of the next bytes are changed."""
        self.again = False
        self.hears_itself = False
        """Whether the adapter also receives while it sends, so that the hub reads its own bytes."""
        self.gathers_s = 0.0
        """How long the adapter holds received bytes back, like an FTDI's latency timer."""
        self._gathered, self._tells_at = b"", 0.0
        self.carried = 0
        self._thread = threading.Thread(target=self._run, name="bus", daemon=True)

    def open(self) -> int:
        """Another board's end."""
        ours, its = socket.socketpair()
        ours.setblocking(False)
        its.setblocking(False)
        with self._lock:
            self._wires[ours.fileno()] = ours
        os.write(self._wake_w, b"\0")
        return its.detach()

    def plug(self) -> None:
        """Plug the hub's adapter in."""
        with self._lock:
            if self._master < 0:
                self._master, self._slave = linked_terminal(Path(self.path))
                os.set_blocking(self._master, False)
        os.write(self._wake_w, b"\0")

    def pull(self) -> None:
        """Unplug the hub's adapter. Idempotent."""
        Path(self.path).unlink(missing_ok=True)
        with self._lock:
            ends, self._master, self._slave = (self._master, self._slave), -1, -1
            for end in ends:
                if end >= 0:
                    os.close(end)
        os.write(self._wake_w, b"\0")

    def noise(self, data: bytes) -> None:
        """Put noise on the bus, for all ends."""
        self._spread(data, None)

    def _run(self) -> None:
        while not self._closed:
            with self._lock:
                wires = dict(self._wires)
                watched = [self._wake_r, *wires]
                if self._master >= 0:
                    watched.append(self._master)
            left_s = max(0.0, self._tells_at - time.monotonic()) if self._gathered else None
            try:
                ready, _, _ = select.select(watched, [], [], left_s)
            except (OSError, ValueError):  # the adapter was just unplugged
                continue
            if self._wake_r in ready:
                os.read(self._wake_r, 64)
            self._tell_gathered()
            senders = [each for each in ready if each != self._wake_r]
            for sender in senders:
                data = self._take(sender, wires)
                if data:
                    self._carry(data, sender, alone=len(senders) == 1)

    def _take(self, sender: int, wires: dict[int, socket.socket]) -> bytes:
        try:
            if sender in wires:
                data = wires[sender].recv(512)
                if not data:  # the board lost its power
                    raise ConnectionError
                return data
            with self._lock:
                return os.read(sender, 512) if sender == self._master else b""
        except BlockingIOError:
            return b""
        except OSError:
            with self._lock:
                if sender in wires:
                    self._wires.pop(sender).close()
            return b""

    def _carry(self, data: bytes, sender: int, *, alone: bool) -> None:
        now = time.monotonic()
        if not alone or (now < self._busy_until and sender != self._last):
            data = bytes(byte & 0x55 for byte in data)
        self._busy_until, self._last = now + len(data) * self._byte_s, sender
        if self._byte_s:
            time.sleep(len(data) * self._byte_s)
        self._spread(data, sender)

    def _spread(self, data: bytes, sender: int | None) -> None:
        lost, self.lose = data[: self.lose], max(0, self.lose - len(data))
        data = data[len(lost) :]
        turned, self.turn = data[: self.turn], max(0, self.turn - len(data))
        data = bytes(byte ^ 0x10 for byte in turned) + data[len(turned) :]
        data *= 1 + self.again
        self.carried += len(data)
        with self._lock:
            adapters = data if self._adapter_fits() else bytes(byte & 0x55 for byte in data)
            for number, wire in self._wires.items():
                if number != sender:
                    with contextlib.suppress(OSError):
                        wire.send(adapters if sender == self._master else data)
            if self._master != sender or self.hears_itself:
                if not self._gathered:
                    self._tells_at = time.monotonic() + self.gathers_s
                self._gathered += adapters
        self._tell_gathered()

    def _tell_gathered(self) -> None:
        with self._lock:
            if self._gathered and time.monotonic() >= self._tells_at:
                if self._master >= 0:
                    with contextlib.suppress(OSError):
                        os.write(self._master, self._gathered)
                self._gathered = b""

    def _adapter_fits(self) -> bool:
        with contextlib.suppress(OSError, ValueError, termios.error):  # it is not plugged in
            rate: int = termios.tcgetattr(self._slave)[4]
            return bool(rate == getattr(termios, f"B{self._baud}"))
        return True

    def __enter__(self) -> "Bus":
        self.plug()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True
        self.pull()
        self._thread.join()
        for wire in self._wires.values():
            wire.close()
        os.close(self._wake_r)
        os.close(self._wake_w)
