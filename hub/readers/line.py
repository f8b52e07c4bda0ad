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

import errno

from hub.readers.address import SAFE_BAUD
from hub.readers.cable import failed
from hub.readers.frames import ACK, NACK, Stream, answers, command_code, is_whole
from hub.world import MACHINE, World

_WRITE_TIMEOUT_S = 0.2  # 300 bytes take 26 ms at 115200 bit/s
_PAUSE_S = 0.0012  # after the chip's last byte, and after an abort
_UNACKNOWLEDGED_S = 0.018  # then a command is sent again
_REPEATS = 5
_MOST_HEARD = 4096
_ASKED_AGAIN = 2  # times for one answer


class Line:
    """A transport over the device at ``path``, open and locked. Raises :exc:`OSError`."""

    TYPE = "TTY"

    def __init__(self, path: str, baud: int = SAFE_BAUD, world: World = MACHINE) -> None:
        self._world, self._now = world, world.monotonic
        self._tty = world.serial(path, baud)
        self._stream = Stream()
        self._quiet_until = 0.0
        self._code: int | None = None
        self._unacknowledged = b""
        self._acknowledged_by = 0.0
        self._waker = world.waker()
        self._open = True
        self.unheard = 0
        """How many commands were sent again because they were not acknowledged."""
        self.damaged = 0
        """How many answers had a wrong checksum."""

    @property
    def port(self) -> str:
        """The path of the device."""
        return self._tty.path

    @property
    def baudrate(self) -> int:
        """The host's rate, in bit/s. Setting it does not change the chip's."""
        return self._tty.baud

    @baudrate.setter
    def baudrate(self, value: int) -> None:
        self._tty.baud = value

    def read(self, timeout: int) -> bytearray:
        """The next frame: first a command's ACK, then its answer.

        After a disturbance the command is sent again, or its answer requested again; other frames
        are dropped. ``timeout`` in ms. Raises :exc:`OSError`: ETIMEDOUT, ECANCELED after
        :meth:`cancel`, EIO or ENXIO if the device is gone.
        """
        deadline = self._now() + timeout / 1000
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
        until = self._now() + seconds
        while (left := until - self._now()) > 0 and len(heard) < _MOST_HEARD:
            ready, woken = self._tty.await_input(self._waker, left)
            if woken:
                raise failed(errno.ECANCELED)
            if ready:
                heard += self._tty.read()
        return heard

    def _next(self, until: float) -> bytearray | None:
        while (frame := self._stream.take()) is None:
            ready, woken = self._tty.await_input(self._waker, until - self._now())
            if woken:
                raise failed(errno.ECANCELED)
            if not ready:
                return None
            self._stream.waiting += self._tty.read()
            self._quiet_until = self._now() + _PAUSE_S
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
            self._quiet_until = self._now() + _PAUSE_S
        else:
            self._send_command()
        if takes_s:
            self._quiet_until = self._now() + takes_s + _PAUSE_S

    def _send_command(self) -> None:
        self._send(self._unacknowledged)
        on_the_wire_s = len(self._unacknowledged) * 10 / self.baudrate
        self._acknowledged_by = self._now() + on_the_wire_s + _UNACKNOWLEDGED_S

    def doze(self, seconds: float) -> None:
        """Wait for the least time that an operation takes. Raises :exc:`OSError`: ECANCELED after
        :meth:`cancel`.
        """
        if self._waker.wait(seconds):
            raise failed(errno.ECANCELED)

    def pause(self) -> None:
        """Give the chip the millisecond that it needs after an abort or a new rate."""
        self._world.sleep(0.001)

    def _send(self, frame: bytes) -> None:
        if (left := self._quiet_until - self._now()) > 0:
            self._world.sleep(left)
        self._stream.clear()
        self._tty.discard_input()
        rest = memoryview(bytes(frame))
        deadline = self._now() + _WRITE_TIMEOUT_S
        while rest:
            ready, woken = self._tty.await_room(self._waker, deadline - self._now())
            if woken:
                raise failed(errno.ECANCELED)
            if not ready:
                raise failed(errno.EIO)
            rest = rest[self._tty.write(rest) :]

    def cancel(self) -> None:
        """Abort the running call and all later calls until :meth:`resume`. Safe from any thread."""
        self._waker.wake()

    def resume(self) -> None:
        """Undo :meth:`cancel`."""
        self._waker.clear()

    def close(self) -> None:
        """Release the device without waiting for unsent bytes. Idempotent."""
        if self._open:
            self._open = False
            self._tty.close()
            self._waker.close()
