"""The serial line to a PN532, as nfcpy's chipset classes expect a transport to be.

nfcpy's own transport blocks for ever on a UART that is not drained, fails with IndexError on half
a frame, shares its device with whoever opens it too, and is tuned by ``stty`` through a shell.
This one holds the device alone, gives every call an end, and lets another thread break it off.

Ref: UM0701-02 §6.2.1 (frame structure); tty_ioctl(4) (TIOCEXCL).
"""

import contextlib
import errno
import fcntl
import os
import select
import termios
import threading
from time import monotonic

import serial  # type: ignore[import-untyped]

from hub.readers.address import SAFE_BAUD

ACK = bytes.fromhex("0000ff00ff00")

_START = b"\x00\x00\xff"
_EXTENDED = b"\xff\xff"
_NORMAL_HEAD, _EXTENDED_HEAD = 5, 8  # bytes up to the frame's content
_MAX_DATA = 265
_WRITE_TIMEOUT_S = 0.2  # 300 bytes take 26 ms at 115200 bit/s


def _error(code: int) -> OSError:
    return OSError(code, os.strerror(code))


class Line:
    """The device at ``path``, open and locked. Raises :exc:`OSError` with the reason's errno.

    Never becomes the controlling terminal: unplugging would kill a service by SIGHUP.
    """

    TYPE = "TTY"

    def __init__(self, path: str, baud: int = SAFE_BAUD) -> None:
        self._tty = serial.Serial(path, baud, timeout=0, exclusive=True)  # flock; O_NOCTTY
        self._fd = self._tty.fileno()
        with contextlib.suppress(OSError):  # also keeps out programs that take no lock
            fcntl.ioctl(self._fd, termios.TIOCEXCL)
        self._buffer = bytearray()
        self._lock = threading.Lock()
        self._wake_r, self._wake_w = os.pipe()
        self._open = True

    @property
    def port(self) -> str:
        """The device's path."""
        return str(self._tty.port)

    @property
    def baudrate(self) -> int:
        """The host's rate, in bit/s."""
        return int(self._tty.baudrate)

    @baudrate.setter
    def baudrate(self, value: int) -> None:
        self._tty.baudrate = value

    def read(self, timeout: int) -> bytearray:
        """The next frame, its checksums unproved; bytes before it are dropped.

        ``timeout`` in ms. Raises :exc:`OSError`: ETIMEDOUT without a frame by then, ECANCELED
        after :meth:`cancel`, EIO when the device is gone.
        """
        deadline = monotonic() + timeout / 1000
        while (frame := self._frame()) is None:
            left = deadline - monotonic()
            ready, _, _ = select.select([self._fd, self._wake_r], [], [], max(0.0, left))
            if self._wake_r in ready:
                raise _error(errno.ECANCELED)
            if not ready:
                raise _error(errno.ETIMEDOUT)
            data = os.read(self._fd, 512)
            if not data:
                raise _error(errno.ENXIO)  # hung up: ready to read, and nothing there
            self._buffer += data
        return frame

    def _frame(self) -> bytearray | None:
        """Take the first whole frame off the buffer."""
        buffer = self._buffer
        while (at := buffer.find(_START)) >= 0:
            del buffer[:at]
            if len(buffer) < _NORMAL_HEAD:
                return None
            size, end = buffer[3], _NORMAL_HEAD + 1
            if buffer[3:5] == _EXTENDED:
                if len(buffer) < _EXTENDED_HEAD:
                    return None
                size = int.from_bytes(buffer[5:7], "big")
                end = _EXTENDED_HEAD + size + 2
            elif size:
                end = _NORMAL_HEAD + size + 2
            if size > _MAX_DATA:
                del buffer[: len(_START)]
                continue
            if len(buffer) < end:
                return None
            frame = buffer[:end]
            del buffer[:end]
            return frame
        del buffer[: -len(_START) + 1]
        return None

    def write(self, frame: bytes) -> None:
        """Drop what came unasked, then send. Raises :exc:`OSError`: EIO when the device is gone
        or does not drain its UART within 0.2 s, ECANCELED after :meth:`cancel`."""
        self._buffer.clear()
        try:
            termios.tcflush(self._fd, termios.TCIFLUSH)
        except termios.error as error:  # no OSError, though it stands for one
            raise OSError(*error.args) from error
        rest = memoryview(bytes(frame))
        deadline = monotonic() + _WRITE_TIMEOUT_S
        while rest:
            left = max(0.0, deadline - monotonic())
            woken, ready, _ = select.select([self._wake_r], [self._fd], [], left)
            if woken:
                raise _error(errno.ECANCELED)
            if not ready:
                raise _error(errno.EIO)
            with contextlib.suppress(BlockingIOError):
                rest = rest[os.write(self._fd, rest) :]

    def cancel(self) -> None:
        """From any thread: break off what the line does, and all it is asked, until
        :meth:`resume`. No effect on a closed line."""
        with self._lock:
            if self._open:
                os.write(self._wake_w, b"\0")

    def resume(self) -> None:
        """Take :meth:`cancel` back."""
        while select.select([self._wake_r], [], [], 0)[0]:
            os.read(self._wake_r, 64)

    def close(self) -> None:
        """Release the device without waiting for its UART. Idempotent."""
        with self._lock:
            if not self._open:
                return
            self._open = False
        with contextlib.suppress(OSError, termios.error):
            termios.tcflush(self._fd, termios.TCOFLUSH)  # or close() waits until it is drained
        with contextlib.suppress(OSError):
            fcntl.ioctl(self._fd, termios.TIOCNXCL)  # a pty outlives its last user
        with contextlib.suppress(OSError):
            self._tty.close()
        os.close(self._wake_r)
        os.close(self._wake_w)
