"""``facedown firmware``: puts programs on boards with ``mpremote``, and checks each file's hash."""

import hashlib
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Annotated, Any

import typer
from msgspec import Struct

from hub.cli.failing import give_up
from hub.sim.boards import OLDEST

_RP2, _ESP32 = "rp2", "esp32"
_CHUNK = 512
_SILENT_S = 2.0
_MARK = "facedown.json"
"""The file on a board that names its program. It is written last, after the program's files."""
_FAULTS = "fault.txt"
"""The file on a board to which its program logs faults; a few KiB at most."""
_FEED = "import machine\nmachine.WDT(timeout=8300).feed()"
"""Python code for the board. It feeds the watchdog, which still runs after the board's program was
stopped."""
_FEED_EVERY = 8
"""The watchdog is fed each time this many chunks of a file have been written."""
_WHO = (
    "import os, sys\n"
    "try:\n import network\n w = hasattr(network, 'WLAN')\n"
    "except ImportError:\n w = False\n"
    "print(os.uname().sysname, os.uname().machine, w, *sys.implementation[1][:2], sep='|')"
)


class BoardFault(Exception):
    """The board cannot be used; the message says why and what to do."""


class Program(Struct, frozen=True):
    """A program that Facedown can put on boards. ``what``: its purpose; ``systems``: the values of
    ``sys.platform`` of the boards that run it; ``wifi``: whether it needs Wi-Fi."""

    name: str
    what: str
    systems: Sequence[str]
    wifi: bool
    keeps: str
    """The name of the settings file on the board, which is never overwritten."""

    def files(self) -> Mapping[str, bytes]:
        """Path on the board → content, for each file in the program's ``package.json``."""
        firmware = resources.files("hub") / "firmware"
        listed = (firmware / self.name / "package.json").read_text(encoding="utf-8")
        return {
            target: _source(firmware, self.name, source).read_bytes()
            for target, source in json.loads(listed)["urls"]
        }

    def digest(self) -> str:
        """The SHA-256 over the paths and contents of all the program's files, in hex."""
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
    """Stop the program of the board at the serial port ``port``, and yield the board. It is reset
    at the end, but not after an error. Raises :class:`BoardFault`."""
    from mpremote.transport import TransportError
    from mpremote.transport_serial import SerialTransport

    try:
        with redirect_stdout(io.StringIO()):  # it prints output that it does not understand
            line = SerialTransport(port, baudrate=115200, timeout=_SILENT_S)
            try:
                line.enter_raw_repl(timeout_overall=5)
            except BaseException:
                line.close()
                raise
    except (TransportError, OSError) as error:
        raise BoardFault(
            f"{port}: no MicroPython answers ({error}); hold the board's button while you plug it "
            "in, then try again. A new board needs MicroPython first: docs/build/clock.md"
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
    """A board whose program is stopped, so that MicroPython takes commands."""

    def __init__(self, port: str, line: Any) -> None:
        self._port = port
        self._line = line
        line.exec(_FEED)
        told = line.exec(_WHO).decode().strip().split("|")
        self.system, self.machine, wifi, *version = told
        self.wifi = wifi == "True"
        self.version = tuple(int(each) for each in version)

    def check(self, program: Program, *, replace: bool) -> None:
        """Raise :class:`BoardFault` if the board cannot run ``program``, or has another of our
        programs and ``replace`` is False."""
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
        """The name of the program on the board; empty if it has none of our programs."""
        try:
            name = json.loads(self._line.fs_readfile(_MARK))["program"]
        except (OSError, ValueError, KeyError, TypeError):
            return ""
        return name if name in PROGRAMS else ""

    def write(self, program: Program, done: Callable[[str, int], None]) -> int:
        """Write the files of ``program``, and the mark that names it; not those that the board has
        already. Returns how many were written, the mark included.

        ``done`` is called for each file with its path and the bytes finished so far. Raises
        :class:`BoardFault`.
        """
        files = program.files()
        self._folders(files)
        mark = json.dumps({"program": program.name, "sha256": program.digest()}).encode()
        if not self._has(_MARK, mark) and self._line.fs_exists(_FAULTS):
            self._line.fs_rmfile(_FAULTS)  # faults of the previous program
        written = total = 0
        # main.py comes last, so that a board unplugged halfway starts no incomplete program.
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


app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    help="What runs on boards: seat readers and clocks.",
)


@app.command("list")
def list_programs() -> None:
    """List the programs, their purpose, and the hash that identifies a board's version."""
    for program in PROGRAMS.values():
        files = program.files()
        size = sum(map(len, files.values())) / 1024
        typer.echo(f"{program.name:<12} {program.what}")
        typer.echo(f"{'':<12} {len(files)} files, {size:.0f} KiB, {program.digest()[:12]}")


@app.command()
def flash(
    port: Annotated[str, typer.Argument(metavar="PORT", help="The board's serial port.")],
    program: Annotated[str, typer.Argument(metavar="PROGRAM", help="led_clock or seat_reader.")],
    *,
    replace: Annotated[
        bool, typer.Option("--replace", help="Also if the board is something else by now.")
    ] = False,
) -> None:
    """Put a program on a board that runs MicroPython, check it file by file, and start it.

    The settings on the board (clock.json, seat.json) stay unchanged. Files that are the same are
    not written again.

    Example:

      facedown firmware flash /dev/ttyACM0 led_clock
    """
    wanted = PROGRAMS.get(program)
    if wanted is None:
        give_up(f"there is no program {program!r}; there are {', '.join(PROGRAMS)}")
    from rich.console import Console
    from rich.progress import Progress

    total = sum(map(len, wanted.files().values()))
    console = Console(stderr=True)
    try:
        with board_at(port) as board:
            board.check(wanted, replace=replace)
            machine = board.machine
            with Progress(console=console, disable=not console.is_terminal) as bar:
                task = bar.add_task(machine, total=total)
                written = board.write(
                    wanted, lambda path, done: bar.update(task, completed=done, description=path)
                )
    except BoardFault as fault:
        give_up(str(fault))
    typer.echo(
        f"{machine}: {program} {wanted.digest()[:12]}, {written} files written, all checked; "
        "it starts now"
    )
