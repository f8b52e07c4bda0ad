"""A serial line of the machine, and how another thread ends the wait for it.

Ref: tty_ioctl(4) (TIOCEXCL).
"""

import contextlib
import errno
import fcntl
import os
import select
import termios
import threading


class Waker:
    """Lets any thread end another one's wait. A wake-up stays until it is cleared."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)
        self._open = True

    def fileno(self) -> int:
        """A descriptor that is readable until the wake-up is cleared."""
        return self._read

    def wake(self) -> None:
        """End the wait. Without effect once it is closed."""
        with self._lock, contextlib.suppress(BlockingIOError):  # a full pipe wakes as well
            if self._open:
                os.write(self._write, b"\0")

    def clear(self) -> None:
        """Clear all wake-ups so far."""
        while select.select([self._read], [], [], 0)[0]:
            os.read(self._read, 64)

    def wait(self, seconds: float) -> bool:
        """Wait at most this long. Returns whether it was woken."""
        return bool(select.select([self._read], [], [], seconds)[0])

    def close(self) -> None:
        """Release the descriptors. Idempotent."""
        with self._lock:
            if self._open:
                self._open = False
                os.close(self._read)
                os.close(self._write)


class SerialLine:
    """The device at ``path``, open and locked, at ``baud`` bit/s.

    Raises :exc:`OSError` with the reason's errno. The device never becomes the controlling
    terminal, because unplugging that would kill a service by SIGHUP.
    """

    def __init__(self, path: str, baud: int) -> None:
        import serial  # type: ignore[import-untyped]

        self._tty = serial.Serial(path, baud, timeout=0, exclusive=True)  # flock; O_NOCTTY
        self._fd = self._tty.fileno()
        with contextlib.suppress(OSError):  # also keeps out programs that take no lock
            fcntl.ioctl(self._fd, termios.TIOCEXCL)

    @property
    def path(self) -> str:
        """The path of the device."""
        return str(self._tty.port)

    @property
    def baud(self) -> int:
        """The host's rate, in bit/s. Setting it does not change the other end's."""
        return int(self._tty.baudrate)

    @baud.setter
    def baud(self, value: int) -> None:
        self._tty.baudrate = value

    def await_input(self, waker: Waker, seconds: float) -> tuple[bool, bool]:
        """Wait until there is something to read, or ``waker`` ends the wait, at most this long.
        Returns whether there is, and whether it did. Raises :exc:`OSError`."""
        ready = select.select([self._fd, waker], [], [], max(0.0, seconds))[0]
        return self._fd in ready, waker in ready

    def await_room(self, waker: Waker | None, seconds: float) -> tuple[bool, bool]:
        """Wait, in the same way, until something can be written."""
        wakers = [] if waker is None else [waker]
        woken, ready, _ = select.select(wakers, [self._fd], [], max(0.0, seconds))
        return bool(ready), bool(woken)

    def read(self) -> bytes:
        """Read the bytes that have arrived, at most 512. Raises :exc:`OSError`: ENXIO if the
        device is gone, which makes it readable without data."""
        data = os.read(self._fd, 512)
        if not data:
            raise OSError(errno.ENXIO, os.strerror(errno.ENXIO))
        return data

    def write(self, data: "bytes | memoryview[int]") -> int:
        """Write as much as there is room for, and return how much. Raises :exc:`OSError`."""
        try:
            return os.write(self._fd, data)
        except BlockingIOError:
            return 0

    def discard_input(self) -> None:
        """Drop the bytes that were not read yet. Raises :exc:`OSError`."""
        try:
            termios.tcflush(self._fd, termios.TCIFLUSH)
        except termios.error as error:  # not an OSError, although it reports one
            raise OSError(*error.args) from error

    def close(self) -> None:
        """Release the device without waiting for unsent bytes."""
        with contextlib.suppress(OSError, termios.error):
            termios.tcflush(self._fd, termios.TCOFLUSH)  # or close() waits until it is drained
        with contextlib.suppress(OSError):
            fcntl.ioctl(self._fd, termios.TIOCNXCL)  # a pty outlives its last user
        with contextlib.suppress(OSError):
            self._tty.close()
