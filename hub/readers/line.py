"""The serial line to a PN532, as a transport for nfcpy's chipset classes.

nfcpy's own transport blocks for ever on a UART that is not drained, fails with IndexError on half a
frame, does not lock its device against other programs, and is configured by ``stty`` through a
shell. This transport locks the device, limits the time of every call, and lets another thread abort
a call.

It also repeats lost messages. Boards miss commands that come within a millisecond of their last
answer, and sometimes the command after an abort. So a command that is not acknowledged is sent
again, and an answer with a wrong checksum is requested again.

Ref: UM0701-02 §6.2.2 (dialogue: acknowledge, NACK, abort, repetition); tty_ioctl(4) (TIOCEXCL).
"""

import contextlib
import errno
import os
import select
import threading
from time import monotonic, sleep

from hub.readers.address import SAFE_BAUD
from hub.readers.cable import SerialDevice, failed
from hub.readers.frames import ACK, NACK, Stream, answers, command_code, is_whole

_WRITE_TIMEOUT_S = 0.2  # 300 bytes take 26 ms at 115200 bit/s
_PAUSE_S = 0.0012  # after the chip's last byte, and after an abort
_UNACKNOWLEDGED_S = 0.018  # then a command is sent again
_REPEATS = 5
_MOST_HEARD = 4096
_ASKED_AGAIN = 2  # times for one answer


class Line(SerialDevice):
    """A transport over the device at ``path``, opened as a
    :class:`hub.readers.cable.SerialDevice`.
    """

    TYPE = "TTY"

    def __init__(self, path: str, baud: int = SAFE_BAUD) -> None:
        super().__init__(path, baud)
        self._stream = Stream()
        self._quiet_until = 0.0
        self._code: int | None = None
        self._unacknowledged = b""
        self._acknowledged_by = 0.0
        self._lock = threading.Lock()
        self._wake_r, self._wake_w = os.pipe()
        self._open = True
        self.unheard = 0
        """How many commands were sent again because they were not acknowledged."""
        self.damaged = 0
        """How many answers had a wrong checksum."""

    @property
    def port(self) -> str:
        """The path of the device."""
        return str(self._tty.port)

    @property
    def baudrate(self) -> int:
        """The host's rate, in bit/s. Setting it does not change the chip's."""
        return int(self._tty.baudrate)

    @baudrate.setter
    def baudrate(self, value: int) -> None:
        self._tty.baudrate = value

    def read(self, timeout: int) -> bytearray:
        """The next frame: first a command's ACK, then its answer.

        After a disturbance the command is sent again, or its answer requested again; other frames
        are dropped. ``timeout`` in ms. Raises :exc:`OSError`: ETIMEDOUT, ECANCELED after
        :meth:`cancel`, EIO or ENXIO if the device is gone.
        """
        deadline = monotonic() + timeout / 1000
        repeats, asked_again = _REPEATS, _ASKED_AGAIN
        while True:
            waiting = self._unacknowledged and repeats
            until = min(deadline, self._acknowledged_by) if waiting else deadline
            frame = self._next(until)
            if frame is None:
                if until == deadline:
                    raise failed(errno.ETIMEDOUT)
            elif self._code is None:
                return frame
            elif frame == ACK:
                if self._unacknowledged:
                    self._unacknowledged = b""
                    return frame
                continue  # of a command that was sent again
            elif frame != NACK and answers(frame, self._code):
                self.damaged += not is_whole(frame)
                if is_whole(frame) or not asked_again:
                    self._unacknowledged = b""
                    return frame
                asked_again -= 1
                self._send(NACK)
                continue
            elif frame != NACK:
                continue  # the answer to an aborted command
            if waiting:
                repeats -= 1
                self.unheard += 1
                self._send_command()

    def listen(self, seconds: float) -> bytes:
        """All bytes that arrive within ``seconds``, some 4 kB at most. Raises :exc:`OSError`:
        ECANCELED after :meth:`cancel`, ENXIO if the device is gone.
        """
        heard = bytes(self._stream.waiting)
        self._stream.clear()
        until = monotonic() + seconds
        while (left := until - monotonic()) > 0 and len(heard) < _MOST_HEARD:
            ready, _, _ = select.select([self._fd, self._wake_r], [], [], left)
            if self._wake_r in ready:
                raise failed(errno.ECANCELED)
            if ready:
                data = os.read(self._fd, 512)
                if not data:
                    raise failed(errno.ENXIO)
                heard += data
        return heard

    def _next(self, until: float) -> bytearray | None:
        while (frame := self._stream.take()) is None:
            left = until - monotonic()
            ready, _, _ = select.select([self._fd, self._wake_r], [], [], max(0.0, left))
            if self._wake_r in ready:
                raise failed(errno.ECANCELED)
            if not ready:
                return None
            data = os.read(self._fd, 512)
            if not data:
                raise failed(errno.ENXIO)  # hung up: readable, but without data
            self._stream.waiting += data
            self._quiet_until = monotonic() + _PAUSE_S
        return frame

    def write(self, frame: bytes, takes_s: float = 0.0) -> None:
        """Discard unrequested input, then send ``frame``.

        :meth:`read` repeats a command until it is acknowledged. ``takes_s``: the answer will not be
        read, and the next frame is sent only after this time. Raises :exc:`OSError`: EIO if the
        device is gone or does not drain its UART within 0.2 s, ECANCELED after :meth:`cancel`.
        """
        self._code = command_code(frame)
        self._unacknowledged = b"" if self._code is None else bytes(frame)
        if self._code is None:
            self._send(frame)
            self._quiet_until = monotonic() + _PAUSE_S
        else:
            self._send_command()
        if takes_s:
            self._quiet_until = monotonic() + takes_s + _PAUSE_S

    def _send_command(self) -> None:
        self._send(self._unacknowledged)
        on_the_wire_s = len(self._unacknowledged) * 10 / self.baudrate
        self._acknowledged_by = monotonic() + on_the_wire_s + _UNACKNOWLEDGED_S

    def doze(self, seconds: float) -> None:
        """Wait for the least time that an operation takes. Raises :exc:`OSError`: ECANCELED after
        :meth:`cancel`.
        """
        if select.select([self._wake_r], [], [], seconds)[0]:
            raise failed(errno.ECANCELED)

    def _send(self, frame: bytes) -> None:
        if (left := self._quiet_until - monotonic()) > 0:
            sleep(left)
        self._stream.clear()
        self._discard_input()
        rest = memoryview(bytes(frame))
        deadline = monotonic() + _WRITE_TIMEOUT_S
        while rest:
            left = max(0.0, deadline - monotonic())
            woken, ready, _ = select.select([self._wake_r], [self._fd], [], left)
            if woken:
                raise failed(errno.ECANCELED)
            if not ready:
                raise failed(errno.EIO)
            with contextlib.suppress(BlockingIOError):
                rest = rest[os.write(self._fd, rest) :]

    def cancel(self) -> None:
        """Abort the running call and all later calls until :meth:`resume`. Safe from any thread."""
        with self._lock:
            if self._open:
                os.write(self._wake_w, b"\0")

    def resume(self) -> None:
        """Undo :meth:`cancel`."""
        while select.select([self._wake_r], [], [], 0)[0]:
            os.read(self._wake_r, 64)

    def close(self) -> None:
        """Release the device without waiting for unsent bytes. Idempotent."""
        with self._lock:
            if not self._open:
                return
            self._open = False
        self._release()
        os.close(self._wake_r)
        os.close(self._wake_w)
