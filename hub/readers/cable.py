"""A serial device that leads to one or more boards, used by one reader's thread at a time.

Ref: firmware/PROTOCOL.md.
"""

import errno
import os
import threading
from collections import deque
from collections.abc import Callable

from hub.readers.causes import Told
from hub.wire import link
from hub.world import MACHINE, World
from hub.world.lines import Waker

_WRITE_S = 0.2


def failed(code: int) -> OSError:
    """The exception for an errno ``code``, with the system's text."""
    return OSError(code, os.strerror(code))


class Cable:
    """The device at ``path``, open and locked, for frames of the link. Raises :exc:`OSError`."""

    def __init__(self, path: str, baud: int = link.BAUD, world: World = MACHINE) -> None:
        self._line = world.serial(path, baud)
        self._now = world.monotonic
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
        self._line.discard_input()
        rest = memoryview(link.encode(frame))
        deadline = self._now() + _WRITE_S
        while rest:
            if not self._line.await_room(None, deadline - self._now())[0]:
                raise failed(errno.EIO)
            rest = rest[self._line.write(rest) :]

    def hear(self, waker: Waker, until: float) -> tuple[link.Frame | None, bool]:
        """Wait for the next frame. Returns the frame and False; None and False at ``until``
        (monotonic, s); None and True as soon as ``waker`` ends the wait.

        On a cable that is never silent, frames from one last read may still be returned after
        ``until``. Raises :exc:`OSError`: ENXIO if the device is gone.
        """
        if not self._heard and until == self._over:
            return None, False
        while not self._heard:
            ready, woken = self._line.await_input(waker, until - self._now())
            if ready:
                self._heard.extend(self._stream.feed(self._line.read()))
            if self._heard:
                break
            if woken:
                return None, True
            if self._now() >= until:
                return None, False
        if self._now() >= until:
            self._over = until
        return self._heard.popleft(), False

    def close(self) -> None:
        """Release the device without waiting for unsent bytes."""
        self._open = False
        self._line.close()


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
