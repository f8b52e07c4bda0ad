"""A standard stream that never makes the hub wait for its reader.

A pipe that is not read is full after 64 KiB, and the next write would block its thread for ever. So
a separate thread writes from a bounded queue: lines that do not fit are dropped, and their count is
written in place of them.
"""

import io
import os
import select
import signal
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import Condition, Thread

MOST_LINES = 1000
"""How many lines may wait to be written; further ones are dropped."""
CLOSE_S = 0.25
"""How long a close waits for lines to be read (s)."""
_MOST_CHARS = 10_000
"""The longest line; a longer one is cut off."""


def _gap(dropped: int) -> str:
    return f"{dropped} lines are missing here: nobody read them in time"


class Outlet(io.TextIOBase):
    """A text stream onto descriptor ``fd``, which stays open. Used from any thread.

    Once the reader is gone, everything is discarded.
    """

    def __init__(self, fd: int) -> None:
        super().__init__()
        self._fd = fd
        self.gap: Callable[[int], str] = _gap
        """Returns the line that stands in place of so many dropped lines."""
        self._lines: deque[str] = deque()
        self._part = ""
        self._dropped = 0
        self._closing = False
        self._changed = Condition()
        self._thread = Thread(target=self._write_all, name=f"outlet {fd}", daemon=True)
        self._thread.start()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Always UTF-8."""
        return "utf-8"

    def writable(self) -> bool:
        """Always true."""
        return True

    def isatty(self) -> bool:
        """Whether the descriptor is a terminal."""
        return os.isatty(self._fd)

    def fileno(self) -> int:
        """The descriptor that is written to."""
        return self._fd

    def write(self, text: str) -> int:
        """Queue ``text`` and return at once; only whole lines are written."""
        with self._changed:
            *lines, self._part = (self._part + text).split("\n")
            for line in lines:
                self._put(line)
            self._part = self._part[:_MOST_CHARS]
            self._changed.notify_all()
        return len(text)

    def _put(self, line: str) -> None:
        if len(self._lines) >= MOST_LINES:
            self._dropped += 1
            return
        self._note_gap()
        self._lines.append(line[:_MOST_CHARS])

    def _note_gap(self) -> None:
        if self._dropped:
            self._lines.append(self.gap(self._dropped))
            self._dropped = 0

    def close(self) -> None:
        """Write the lines that still wait, if they are read within :data:`CLOSE_S`. Idempotent."""
        with self._changed:
            if self._closing:
                return
            if self._part:
                self._put(self._part)
            self._part, self._closing = "", True
            self._changed.notify_all()
        self._thread.join(CLOSE_S)

    def _write_all(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # for other threads
        while data := self._next():
            try:
                self._write_out(data)
            except OSError as error:
                with self._changed:
                    self._dropped += data.count(b"\n")
                if isinstance(error, BrokenPipeError):
                    return

    def _next(self) -> bytes:
        """The next bytes to write, waiting for them. Empty when closed and all is written."""
        with self._changed:
            while not self._lines:
                if self._closing:
                    return b""
                self._changed.wait()
            line = self._lines.popleft()
            if not self._lines:
                self._note_gap()
        return f"{line}\n".encode(errors="backslashreplace")

    def _write_out(self, data: bytes) -> None:
        while data:
            with suppress(BlockingIOError):  # the descriptor may be non-blocking
                data = data[os.write(self._fd, data) :]
                continue
            select.select([], [self._fd], [])
