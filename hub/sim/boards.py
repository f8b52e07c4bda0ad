"""Simulated microcontroller boards: MicroPython for Unix runs the real firmware.

Only the hardware is replaced (``firmware/sim``): wires end in file descriptors, pins and lamps in
this process. A board behaves like a real one: it starts when it gets power, and restarts after a
reset, when its watchdog is not fed, and when its process is killed. After an uncaught exception it
stops at its prompt.
"""

import json
import os
import shutil
import socket
import subprocess
import termios
import threading
import time
import tty
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

OLDEST = (1, 24)
_ANSWER_S = 10.0
_UNPACKED = Path(__file__).parents[2] / ".micropython" / "start"
"""Where ``make micropython`` puts MicroPython in a checkout; it is preferred to the system's."""


class NoMicroPython(Exception):
    """No usable MicroPython was found; the message says why and what to do."""


def find_micropython() -> Sequence[str]:
    """The command that starts MicroPython: the checkout's, or else the system's. Raises
    :class:`NoMicroPython`.
    """
    oldest = ".".join(map(str, OLDEST))
    advice = (
        f"install micropython for Unix, {oldest} or newer, with the system's package manager, or "
        "in a checkout run: make micropython"
    )
    found = str(_UNPACKED) if _UNPACKED.exists() else shutil.which("micropython")
    if found is None:
        raise NoMicroPython(f"there is no MicroPython on this machine: {advice}")
    asks = f"import sys; sys.exit(sys.implementation.version < {OLDEST})"
    try:
        status = subprocess.run(  # noqa: S603 - the system's own, or the checkout's
            [found, "-c", asks], timeout=_ANSWER_S, capture_output=True, check=False
        ).returncode
    except (OSError, subprocess.TimeoutExpired):
        raise NoMicroPython(f"{found} does not run: {advice}") from None
    if status:
        raise NoMicroPython(f"{found} is older than {oldest}, or no MicroPython: {advice}")
    return (found,)


_RESET_STATUS = 3
_BOOT_S = 0.1
_STOP_S = 2.0
_MOST_SAID = 4000


class Board:
    """A board that runs ``firmware/PROGRAM/main.py``; a context manager that gives it power.

    ``micropython``: the command of :func:`find_micropython`; ``firmware``: the folder with all
    programs; ``folder``: the board's own files. ``wires``: name (``USB``, ``UART0``, ``UART1``) → a
    function that opens the wire and returns a non-blocking file descriptor. ``environment``:
    further variables for the simulated hardware, such as ``SIM_UART0_DE``. ``board_id``: eight
    bytes, in hex. ``heap``: MicroPython's memory, in bytes or as ``192K``.
    """

    def __init__(
        self,
        program: str,
        *,
        micropython: Sequence[str],
        firmware: Path,
        wires: Mapping[str, Callable[[], int]] | None = None,
        environment: Mapping[str, str] | None = None,
        board_id: str = "e661000000000001",
        heap: str = "192K",
        folder: Path | None = None,
    ) -> None:
        self.program = program
        self.board_id = board_id
        self._firmware = firmware
        self._command = [*micropython, "-X", f"heapsize={heap}"]
        self._wires = wires or {}
        self._environment = environment or {}
        self._folder = folder
        self._power = threading.Event()
        self._changed = threading.Condition()
        self._process: subprocess.Popen[bytes] | None = None
        self._hands: socket.socket | None = None
        self._levels: dict[int, int] = {}
        self._thread: threading.Thread | None = None
        self._reset_by = ""
        self._due: float | None = None
        self._food_s = 0.0
        self.pixels: dict[int, bytes] = {}
        """Pin → the picture on that pin's chain of lamps, as bytes on the wire (G, R, B
        of each).
        """
        self.shown: Callable[[int, bytes], None] = lambda pin, pixels: None
        """Called in the board's thread with the pin and each new picture on its chain."""
        self.heard: Callable[[dict[str, Any]], None] = lambda line: None
        """Called in the board's thread with every other message of the simulated hardware."""
        self.starts = 0
        self.said = b""
        """The end of the board's output to stderr and, without a USB wire, to stdout."""

    def power_on(self) -> None:
        """Give the board power; no effect if it has power."""
        if self._thread is None:
            self._power.set()
            self._thread = threading.Thread(
                target=self._run, name=f"board {self.board_id}", daemon=True
            )
            self._thread.start()

    def power_off(self) -> None:
        """Take the power away, so that the board's wires hang up. Idempotent."""
        self._power.clear()
        self._kill()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self.pixels = {}

    def reset(self) -> None:
        """Press the board's reset button."""
        self._reset_by = "button"
        self._kill()

    def pin(self, number: int, level: int) -> None:
        """Pull a pin to a level, now and at each later start."""
        self._levels[number] = level
        self.tell(pin=number, level=level)

    def tell(self, **done: Any) -> None:
        """Send another message that the simulated hardware understands; lost without power."""
        with suppress(OSError, AttributeError):
            self._hands.sendall(json.dumps(done).encode() + b"\n")  # type: ignore[union-attr]

    def wait_for(self, holds: Callable[[], bool], seconds: float = 20.0) -> bool:
        """Wait until ``holds()`` is true, which is checked after each message of the board. Returns
        False if it is not true after ``seconds``.
        """
        with self._changed:
            return self._changed.wait_for(holds, seconds)

    def _kill(self) -> None:
        process = self._process
        if process is not None:
            process.kill()

    def _run(self) -> None:
        while self._power.is_set():
            status = self._live()
            if not self._power.is_set():
                return
            if not self._reset_by and 0 <= status != _RESET_STATUS:
                self._sign()
                with self._changed:  # stopped at its prompt, until a reset
                    while self._power.is_set() and not self._reset_by:
                        self._changed.wait(0.1)
            time.sleep(_BOOT_S)

    def _live(self) -> int:
        ours, its = socket.socketpair()
        its.setblocking(False)
        opened = {name: open_wire() for name, open_wire in self._wires.items()}
        usb = opened.get("USB")
        environment = {
            **self._environment,
            **{f"SIM_{name}": str(fd) for name, fd in opened.items() if name != "USB"},
            "MICROPYPATH": f"{self._firmware / 'sim'}:{self._firmware}:.frozen",
            "SIM_HANDS": str(its.fileno()),
            "SIM_ID": self.board_id,
            "SIM_RESET": self._reset_by,
        }
        self._reset_by = ""
        self.starts += 1
        for number, level in self._levels.items():
            ours.sendall(json.dumps({"pin": number, "level": level}).encode() + b"\n")
        process = subprocess.Popen(  # noqa: S603  (the caller chose the command)
            [*self._command, str(self._firmware / self.program / "main.py")],
            stdin=subprocess.DEVNULL if usb is None else usb,
            stdout=subprocess.PIPE if usb is None else usb,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=self._folder,
            pass_fds=[its.fileno(), *opened.values()],
        )
        self._process = process
        its.close()
        for fd in opened.values():
            os.close(fd)
        self._hands = ours
        if not self._power.is_set() or self._reset_by:
            process.kill()
        listener = threading.Thread(target=self._listen, args=(process,), daemon=True)
        listener.start()
        self._attend(ours, process)
        status = process.wait(_STOP_S)
        listener.join()
        self._hands = None
        ours.close()
        return status

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                with stream:
                    for line in stream:
                        self.said = (self.said + line)[-_MOST_SAID:]
                        self._sign()

    def _attend(self, ours: socket.socket, process: subprocess.Popen[bytes]) -> None:
        self._due, waiting = None, b""
        while True:
            ours.settimeout(None if self._due is None else max(0.001, self._due - time.monotonic()))
            try:
                data = ours.recv(65536)
            except TimeoutError:
                self._reset_by = "watchdog"
                process.kill()
                self._due = None
                continue
            except OSError:
                data = b""
            if not data:
                process.kill()
                return
            *lines, waiting = (waiting + data).split(b"\n")
            for line in lines:
                self._see(json.loads(line))
            self._sign()

    def _see(self, line: dict[str, Any]) -> None:
        if "pixels" in line:
            picture = bytes.fromhex(line["pixels"])
            self.pixels[line["pin"]] = picture
            self.shown(line["pin"], picture)
        elif "watchdog" in line:
            self._food_s = line["watchdog"] / 1000
            self._due = time.monotonic() + self._food_s
        elif "fed" in line:
            self._due = time.monotonic() + self._food_s
        else:
            self.heard(line)

    def _sign(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def __enter__(self) -> Self:
        self.power_on()
        return self

    def __exit__(self, *_: object) -> None:
        self.power_off()


def serial_wire(path: str, speed: int = termios.B115200) -> int:
    """Open the serial device at ``path`` for a board's UART; ``speed`` as in termios. Returns its
    descriptor. Raises :exc:`OSError`.
    """
    fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    tty.setraw(fd)
    mode = termios.tcgetattr(fd)
    mode[4] = mode[5] = speed
    termios.tcsetattr(fd, termios.TCSANOW, mode)
    return fd


_PIN = 0
_SETTINGS = "clock.json"


class SimulatedClock:
    """A simulated LED clock: a board with a ring of ``lights`` LEDs that follows a table through a
    broker on this machine. A context manager."""

    def __init__(
        self,
        directory: Path,
        *,
        micropython: Sequence[str],
        firmware: Path,
        table: str,
        port: int,
        shows: str,
        lights: int,
    ) -> None:
        """``directory`` gets a folder for the clock's files. ``table`` and ``port``: the table's
        name and its broker's port. ``shows``: as in the clock's own settings. ``micropython`` and
        ``firmware``: as for :class:`Board`.
        """
        folder = directory / "clock-board"
        folder.mkdir()
        self._file = folder / _SETTINGS
        self._settings = {
            "wifi": "the virtual table", "host": "127.0.0.1", "port": port, "table": table,
            "name": "virtual", "shows": shows, "pin": _PIN, "lights": lights, "brightness": 255,
        }  # fmt: skip
        self.board = Board("led_clock", micropython=micropython, firmware=firmware, folder=folder)

    @property
    def lights(self) -> bytes:
        """The last colours of the ring: green, red, blue of each light; empty without power."""
        return self.board.pixels.get(_PIN, b"")

    def __enter__(self) -> Self:
        self._file.write_text(json.dumps(self._settings))
        self.board.power_on()
        return self

    def __exit__(self, *_: object) -> None:
        self.board.power_off()
