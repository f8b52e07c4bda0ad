"""A board at its prompt: MicroPython for Unix behind the raw REPL that ``mpremote`` speaks.

Ref: docs of MicroPython 1.25, "The MicroPython REPL", raw mode.
"""

import os
import subprocess
import threading
import tty
from contextlib import suppress
from pathlib import Path
from typing import Self

from tests.support.micropython import FIRMWARE, micropython

_WORLD = """
import os, sys
real = os
class Board:
    def __getattr__(self, name): return getattr(real, name)
    def uname(self): return Name()
class Name:
    sysname, machine = sys.argv[1], sys.argv[2].replace("_", " ")
sys.modules["os"] = Board()
class System:
    implementation = ("micropython", tuple(map(int, sys.argv[3].split("."))))
    def __getattr__(self, name): return getattr(sys, name)
sys.modules["sys"] = System()
class Machine:
    def reset(self): pass
    def WDT(self, timeout): return self
    def feed(self): pass
sys.modules["machine"] = Machine()
names = {}
while True:
    size = sys.stdin.readline()
    if not size: break
    code = sys.stdin.read(int(size))
    try:
        exec(code, names)
        sys.stdout.write("\\x04\\x04")
    except BaseException as error:
        sys.stdout.write("\\x04")
        sys.print_exception(error, sys.stdout)
        sys.stdout.write("\\x04")
"""


class Prompt:
    """A board whose flash is ``folder``.

    ``mute``: its program ignores Ctrl-C. ``pastes``: whether it supports raw paste mode, with a
    window of 16 KiB, as newer versions do.
    """

    def __init__(
        self, folder: Path, system: str = "rp2", machine: str = "Raspberry_Pi_Pico_W",
        *, wifi: bool = True, mute: bool = False, pastes: bool = True, version: str = "1.25.0",
    ) -> None:  # fmt: skip
        self.unfed = self.most_unfed = 0
        """Commands since the watchdog was last fed: now, and the most so far."""
        self._mute = mute
        self._pastes, self._pasting = pastes, False
        self._ours, self._its = os.openpty()
        tty.setraw(self._its)
        self.port = os.ttyname(self._its)
        self.resets = 0
        self.spoils = b""
        """Bytes that mark a command to be lost on its way into the flash."""
        self._process = subprocess.Popen(
            [*micropython(), "-c", _WORLD, system, machine, version],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            env={"MICROPYPATH": f"{FIRMWARE / 'sim'}:.frozen" if wifi else ".frozen"},
        )
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._its)
        self._thread.join()
        os.close(self._ours)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._process.wait()

    def _serve(self) -> None:
        waiting = b""
        with suppress(OSError):
            while data := os.read(self._ours, 1024):
                waiting += data
                waiting = self._take(waiting)

    def _take(self, waiting: bytes) -> bytes:
        if self._mute:
            return b""
        if waiting.startswith(b"\x05A\x01"):
            self._pasting = self._pastes
            self._say(b"R\x01\x00\x40" if self._pastes else b"R\0")
            return waiting[3:]
        if self._pasting:
            if waiting.endswith(b"\x04"):
                self._pasting = False
                self._say(b"\x04" + self._run(waiting[:-1]) + b">")
                return b""
            return waiting
        if waiting.endswith(b"\x01"):
            self._say(b"raw REPL; CTRL-B to exit\r\n>")
            return b""
        if waiting == b"\x04":
            self._say(b"OK\r\nMPY: soft reboot\r\nraw REPL; CTRL-B to exit\r\n>")
            return b""
        if not waiting.endswith(b"\x04"):
            return waiting
        self._say(b"OK" + self._run(waiting[:-1]) + b">")
        return b""

    def _run(self, code: bytes) -> bytes:
        self.resets += code == b"import machine\nmachine.reset()"
        self.unfed = 0 if b".feed()" in code else self.unfed + 1
        self.most_unfed = max(self.most_unfed, self.unfed)
        if self.spoils and self.spoils in code:
            code = b"pass"
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(b"%d\n" % len(code.decode()) + code)
        self._process.stdin.flush()
        said = b""
        while said.count(b"\x04") < 2:
            said += os.read(self._process.stdout.fileno(), 4096)
        return said.replace(b"\n", b"\r\n")

    def _say(self, data: bytes) -> None:
        os.write(self._ours, data)
