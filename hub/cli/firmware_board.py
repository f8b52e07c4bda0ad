"""A board's files, written by ``mpremote`` over its prompt, and checked by their hashes."""

import hashlib
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from msgspec import Struct

from hub.sim.micropython import OLDEST

_RP2, _ESP32 = "rp2", "esp32"
_CHUNK = 512
_SILENT_S = 2.0
_MARK = "facedown.json"
"""What a board is told that it is, last of all."""
_FAULTS = "fault.txt"
"""What a board wrote of its program's faults, each once, and none beyond a few KiB."""
_FEED = "import machine\nmachine.WDT(timeout=8300).feed()"
"""The watchdog of the program that was stopped goes on, and nothing can end it but a reset."""
_FEED_EVERY = 8
"""Pieces of a file."""
_WHO = (
    "import os, sys\n"
    "try:\n import network\n w = hasattr(network, 'WLAN')\n"
    "except ImportError:\n w = False\n"
    "print(os.uname().sysname, os.uname().machine, w, *sys.implementation[1][:2], sep='|')"
)


class BoardFault(Exception):
    """The board cannot be used; the message says why and what to do."""


class Program(Struct, frozen=True):
    """What can be put on a board."""

    name: str
    what: str
    systems: Sequence[str]
    wifi: bool
    keeps: str
    """The settings file on the board, which is never touched."""

    def files(self) -> Mapping[str, bytes]:
        """Path on the board → what stands there; ``package.json`` beside the program names them."""
        firmware = resources.files("hub") / "firmware"
        listed = (firmware / self.name / "package.json").read_text(encoding="utf-8")
        return {
            target: _source(firmware, self.name, source).read_bytes()
            for target, source in json.loads(listed)["urls"]
        }

    def digest(self) -> str:
        """SHA-256 over all of it, in hex."""
        whole = hashlib.sha256()
        for path, data in sorted(self.files().items()):
            whole.update(f"{path}\0{len(data)}\0".encode() + data)
        return whole.hexdigest()


def _source(firmware: Traversable, program: str, source: str) -> Traversable:
    beside = source.removeprefix("../")
    return firmware / beside if beside != source else firmware / program / source


PROGRAMS = {
    each.name: each
    for each in (
        Program(
            name="led_clock",
            what="a clock of lights or digits, by Wi-Fi and MQTT",
            systems=(_RP2, _ESP32),
            wifi=True,
            keeps="clock.json",
        ),
        Program(
            name="seat_reader",
            what="a seat's reader with lamps and a button, by USB or RS-485",
            systems=(_RP2,),
            wifi=False,
            keeps="seat.json",
        ),
    )
}


@contextmanager
def board_at(port: str) -> Iterator["Board"]:
    """The board at a serial port, its program stopped; started anew at the end. Raises
    :class:`BoardFault`."""
    from mpremote.transport import TransportError
    from mpremote.transport_serial import SerialTransport

    try:
        with redirect_stdout(io.StringIO()):  # it prints what it does not understand
            line = SerialTransport(port, baudrate=115200, timeout=_SILENT_S)
            try:
                line.enter_raw_repl(timeout_overall=5)
            except BaseException:
                line.close()
                raise
    except (TransportError, OSError) as error:
        raise BoardFault(
            f"{port}: no MicroPython answers ({error}); hold the board's button while you plug it "
            "in, then try again. A new board needs MicroPython first: docs/guides/clock.md"
        ) from None
    try:
        try:
            yield Board(port, line)
        except (TransportError, OSError) as error:
            raise BoardFault(
                f"{port}: the board fell silent or refused ({error}); what it was told is not "
                "whole: plug it in again and repeat the command"
            ) from None
        line.exec_raw_no_follow("import machine\nmachine.reset()")
    finally:
        line.close()


class Board:
    """One whose prompt answers."""

    def __init__(self, port: str, line: Any) -> None:
        self._port = port
        self._line = line
        line.exec(_FEED)
        told = line.exec(_WHO).decode().strip().split("|")
        self.system, self.machine, wifi, *version = told
        self.wifi = wifi == "True"
        self.version = tuple(int(each) for each in version)

    def check(self, program: Program, *, replace: bool) -> None:
        """Raises :class:`BoardFault` if it is not a board for ``program``."""
        here = f"{self._port}: this is a {self.machine}"
        if self.version < OLDEST:
            found, least = (".".join(map(str, each)) for each in (self.version, OLDEST))
            raise BoardFault(f"{here} with MicroPython {found}; it needs {least} or newer")
        if self.system not in program.systems:
            raise BoardFault(
                f"{here}, and {program.name} runs on {' and '.join(program.systems)} boards"
            )
        if program.wifi and not self.wifi:
            raise BoardFault(f"{here} without Wi-Fi, which {program.name} needs: take a Pico W")
        other = self.program
        if other and other != program.name and not replace:
            raise BoardFault(
                f"{here} that is a {other} already; with --replace it becomes a {program.name}"
            )

    @property
    def program(self) -> str:
        """What it is already; empty for nothing of ours."""
        try:
            name = json.loads(self._line.fs_readfile(_MARK))["program"]
        except (OSError, ValueError, KeyError, TypeError):
            return ""
        return name if name in PROGRAMS else ""

    def write(self, program: Program, done: Callable[[str, int], None]) -> int:
        """Bring it up to date; ``done`` is told each file and how many bytes of all are there.
        How many files were written; those that are right already are not. Raises
        :class:`BoardFault`."""
        files = program.files()
        self._folders(files)
        mark = json.dumps({"program": program.name, "sha256": program.digest()}).encode()
        if not self._has(_MARK, mark) and self._line.fs_exists(_FAULTS):
            self._line.fs_rmfile(_FAULTS)  # of the program before
        written = total = 0
        # What starts the program comes last: a board that was unplugged starts none by half.
        order = sorted(files, key=lambda path: (path == "main.py", path))
        for path, data in (*((each, files[each]) for each in order), (_MARK, mark)):
            self._line.exec(_FEED)
            if not self._has(path, data):
                self._line.fs_writefile(path, data, _CHUNK, self._feed)
                written += 1
                if not self._has(path, data):
                    raise BoardFault(
                        f"{self._port}: {path} does not hold what was written; is the board full, "
                        "or its memory worn?"
                    )
            total += len(data)
            done(path, total)
        return written

    def _feed(self, written: int, _: int) -> None:
        if written // _CHUNK % _FEED_EVERY == 0:
            self._line.exec(_FEED)

    def _has(self, path: str, data: bytes) -> bool:
        try:
            return bool(self._line.fs_hashfile(path, "sha256") == hashlib.sha256(data).digest())
        except OSError:
            return False

    def _folders(self, files: Mapping[str, bytes]) -> None:
        for folder in sorted({path.rpartition("/")[0] for path in files} - {""}):
            if not self._line.fs_exists(folder):
                self._line.fs_mkdir(folder)
