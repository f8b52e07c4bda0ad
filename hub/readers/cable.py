"""A serial device that leads to one or more boards, used by one reader's thread at a time.

Ref: tty_ioctl(4) (TIOCEXCL); firmware/PROTOCOL.md.
"""

import contextlib
import errno
import fcntl
import os
import select
import termios
import threading
from collections import deque
from collections.abc import Callable
from time import monotonic

from hub.readers.causes import Told
from hub.wire import link

_WRITE_S = 0.2


def failed(code: int) -> OSError:
    """The exception for an errno ``code``, with the system's text."""
    return OSError(code, os.strerror(code))


class SerialDevice:
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

    def _discard_input(self) -> None:
        try:
            termios.tcflush(self._fd, termios.TCIFLUSH)
        except termios.error as error:  # not an OSError, although it reports one
            raise OSError(*error.args) from error

    def _release(self) -> None:
        with contextlib.suppress(OSError, termios.error):
            termios.tcflush(self._fd, termios.TCOFLUSH)  # or close() waits until it is drained
        with contextlib.suppress(OSError):
            fcntl.ioctl(self._fd, termios.TIOCNXCL)  # a pty outlives its last user
        with contextlib.suppress(OSError):
            self._tty.close()


class Cable(SerialDevice):
    """The device at ``path``, opened as a :class:`SerialDevice`, for frames of the link."""

    def __init__(self, path: str, baud: int = link.BAUD) -> None:
        super().__init__(path, baud)
        self.baud = baud
        self._stream = link.Stream()
        self._heard: deque[link.Frame] = deque()
        """Frames that came in one read and have not been looked at yet."""
        self._over = 0.0
        """A deadline that passed while frames were still coming."""
        self._open = True
        self.turn = threading.Lock()
        """A reader holds this lock from its question to the answer."""

    @property
    def damaged(self) -> int:
        """How many pieces of input were not frames."""
        return self._stream.damaged

    def send(self, frame: link.Frame) -> None:
        """Discard unrequested input, and send. Raises :exc:`OSError`: EIO if that takes longer than
        0.2 s or the device is gone, ENXIO if the cable is closed.
        """
        if not self._open:  # it broke while another board's reader used it
            raise failed(errno.ENXIO)
        self._stream.feed(b"\0")
        self._heard.clear()
        self._discard_input()
        rest = memoryview(link.encode(frame))
        deadline = monotonic() + _WRITE_S
        while rest:
            left = max(0.0, deadline - monotonic())
            if not select.select([], [self._fd], [], left)[1]:
                raise failed(errno.EIO)
            with contextlib.suppress(BlockingIOError):
                rest = rest[os.write(self._fd, rest) :]

    def hear(self, wake: int, until: float) -> tuple[link.Frame | None, bool]:
        """Wait for the next frame. Returns the frame and False; None and False at ``until``
        (monotonic, s); None and True as soon as the descriptor ``wake`` is readable.

        On a cable that is never silent, frames from one last read may still be returned after
        ``until``. Raises :exc:`OSError`: ENXIO if the device is gone.
        """
        if not self._heard and until == self._over:
            return None, False
        while not self._heard:
            left = max(0.0, until - monotonic())
            ready, _, _ = select.select([self._fd, wake], [], [], left)
            if self._fd in ready:
                data = os.read(self._fd, 512)
                if not data:
                    raise failed(errno.ENXIO)
                self._heard.extend(self._stream.feed(data))
            if self._heard:
                break
            if wake in ready:
                return None, True
            if monotonic() >= until:
                return None, False
        if monotonic() >= until:
            self._over = until
        return self._heard.popleft(), False

    def close(self) -> None:
        """Release the device without waiting for unsent bytes."""
        self._open = False
        self._release()


class Cables:
    """The cables of one table's readers. Each device is opened once for all its boards."""

    def __init__(self, connect: Callable[[str, int], Cable] = Cable) -> None:
        self._connect = connect
        self._lock = threading.Lock()
        self._taken: dict[str, tuple[Cable, int]] = {}

    def take(self, path: str, baud: int = link.BAUD) -> Cable:
        """The cable at ``path``; return it with :meth:`give_back`. Raises :exc:`OSError`, and
        :exc:`Told` if another board's address names the cable with another rate.
        """
        device = os.path.realpath(path)  # a device may have several names
        with self._lock:
            cable, users = self._taken.get(device) or (self._connect(path, baud), 0)
            if cable.baud != baud:
                raise Told(
                    f"two rates are named for the bus at {path}, {cable.baud} and {baud} bit/s: "
                    "give all its boards the same ?baud= in hub.toml"
                )
            self._taken[device] = cable, users + 1
            return cable

    def give_back(self, cable: Cable, *, broken: bool) -> None:
        """Close the cable after its last user. A ``broken`` cable is closed at once and not used
        again.
        """
        with self._lock:
            device = next((at for at, held in self._taken.items() if held[0] is cable), None)
            if device is None:  # it already broke for another reader
                return
            users = self._taken[device][1]
            if users > 1 and not broken:
                self._taken[device] = cable, users - 1
                return
            del self._taken[device]
        with cable.turn:
            cable.close()
