"""Keeps one reader watched: opens it, tells what lies in its field, and tries for ever again.

A reader that fails is not a lifted card: its loss is told as :class:`~hub.ports.ReaderDown`, once,
with a line that says what to do, and what lay in its field stays untold until it is back.
"""

import errno
import grp
import logging
import math
import os
import pwd
import threading
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from time import monotonic
from typing import Protocol

from hub.ports import FieldSeen, Reader, ReaderDown, ReaderEvent, ReaderTroubled, ReaderUp
from hub.readers.address import SAFE_BAUD, Pn532Address
from hub.readers.presence import Care, Look, Presence
from hub.readers.radio import AntennaTest, RadioDead
from hub.readers.trouble import Troubles
from hub.table.inputs import Sight

_log = logging.getLogger(__name__)

_PATIENCE_S = 1.2  # a dead reader is told within two seconds
_LOOK_S = 0.04  # between two looks at a card that lies there
_LOOK_TAKES_S = 0.02
_DOUBT_S = 0.01  # between two looks while it seems to be gone
_NEVER = math.inf  # the moment a reader came up that did not


class Driver(Protocol):
    """An open device, as :class:`hub.readers.pn532.Pn532` is one."""

    @property
    def blind(self) -> bool:
        """Whether it cannot tell a dead radio from an empty field; settled by the first look."""
        ...

    def start(self) -> None:
        """Make it answer."""
        ...

    def mend(self) -> None:
        """Make it answer again, within some 0.4 s."""
        ...

    def observe(self, patience_s: float, care: Care = Care.USUAL) -> Look:
        """What lies in the field; waits so long for a tag to come. After an exception
        :meth:`mend` is tried once."""
        ...

    def cancel(self) -> None:
        """From any thread: make observe() fail at once."""
        ...

    def close(self) -> None:
        """Release the device, within 0.5 s."""
        ...


class Supervisor:
    """A :class:`hub.ports.Reader`. ``connect`` opens the device at ``path``, or raises.

    ``dwell_s``: how long a card has to be seen before it is told that it has rested.
    ``retry_s``: the first and the longest pause between attempts, each pause twice the one before.
    """

    def __init__(
        self,
        name: str,
        path: str,
        connect: Callable[[], Driver],
        *,
        dwell_s: float = 0.3,
        retry_s: tuple[float, float] = (0.1, 2.0),
        misses: int = 3,
    ) -> None:
        self._name = name
        self._path = path
        self._connect = connect
        self._dwell_s = dwell_s
        self._retry_s = retry_s
        self._misses = misses
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._driver: Driver | None = None
        self._thread: threading.Thread | None = None
        self._up_since = _NEVER
        self._blind = False
        self._troubles = Troubles()

    def open(self, sink: Callable[[ReaderEvent], None]) -> None:
        """Begin to watch; returns at once. Raises :exc:`RuntimeError` the second time."""
        if self._thread is not None or self._stop.is_set():
            raise RuntimeError(f"the reader {self._name} was opened before")
        self._thread = threading.Thread(
            target=self._run, args=(sink,), name=f"reader {self._name}", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop, release the device, join the thread; within about a second. Idempotent."""
        self._stop.set()
        with self._lock:
            if self._driver is not None:
                self._driver.cancel()
        if self._thread is not None:
            self._thread.join()

    def _run(self, sink: Callable[[ReaderEvent], None]) -> None:
        pause, longest = self._retry_s
        told = False
        while not self._stop.is_set():
            self._up_since = _NEVER
            try:
                driver = self._connect()
                try:
                    if self._adopt(driver):
                        driver.start()
                        self._watch(driver, sink)
                finally:
                    self._adopt(None)
                    driver.close()
            except Exception as error:
                if self._stop.is_set():
                    return
                was_up = self._up_since != _NEVER
                if was_up:
                    self._troubles.lost(monotonic())
                told = told and not was_up
                if monotonic() - self._up_since > longest:  # else it flaps: keep it slow
                    pause = self._retry_s[0]
                _log.log(logging.DEBUG if told else logging.INFO, "%s: %r", self._name, error)
                if not told:
                    told = True
                    sink(ReaderDown(self._name, explain(error, self._path, was_up=was_up)))
                self._tell_troubles(sink)
                self._stop.wait(pause)
                pause = min(2 * pause, longest)

    def _adopt(self, driver: Driver | None) -> bool:
        """Let close() reach the driver; False if it came before."""
        with self._lock:
            self._driver = driver
            return not self._stop.is_set()

    def _watch(self, driver: Driver, sink: Callable[[ReaderEvent], None]) -> None:
        field = Presence(self._dwell_s, self._misses)

        def tell(sights: Iterable[Sight]) -> None:
            for sight in sights:
                sink(FieldSeen(self._name, field.content or (), sight))

        while not self._stop.is_set():
            try:
                look = driver.observe(_PATIENCE_S if field.empty else 0, field.care(monotonic()))
            except Exception as error:  # nfcpy raises what the bytes make of it
                if self._stop.is_set():
                    raise
                _log.info("%s: disturbed (%r), starting it again", self._name, error)
                tell(field.disturbed())
                self._troubles.disturbed(monotonic())
                driver.mend()
                look = driver.observe(0, Care.THOROUGH)
            if self._up_since == _NEVER:
                self._up_since = monotonic()
                sink(ReaderUp(self._name))
            tell(field.see(look))
            self._blind = driver.blind
            self._tell_troubles(sink)
            if not field.empty:
                self._stop.wait(self._pause(field))

    def _tell_troubles(self, sink: Callable[[ReaderEvent], None]) -> None:
        if news := self._troubles.news(monotonic(), blind=self._blind):
            losses, disturbances, blind = news
            sink(ReaderTroubled(self._name, losses, disturbances, blind))

    def _pause(self, field: Presence) -> float:
        if field.doubtful:
            return _DOUBT_S
        rests_in = field.rests_at - monotonic()
        return max(0.0, rests_in) if rests_in < _LOOK_S + _LOOK_TAKES_S else _LOOK_S


def explain(error: Exception, path: str, *, was_up: bool) -> str:
    """One line for people: what is wrong with the reader at ``path``, and what to do."""
    code = error.errno if isinstance(error, OSError) else None
    match code:
        case errno.EACCES | errno.EPERM:
            return _permission(path)
        case errno.EBUSY | errno.EAGAIN:
            return f"{path} is held by another process: stop it (fuser -v {path} names it)"
        case errno.ENOENT | errno.ENXIO | errno.ENODEV | errno.ENOTDIR:
            return _missing(path)
    if not Path(path).exists():
        return _missing(path)
    if isinstance(error, ImportError):
        return f"the driver cannot be loaded ({error}): install nfcpy and libusb-1.0"
    if isinstance(error, RadioDead):
        return (
            f"the PN532 at {path} answers, but its radio is dead: unplug it, wait a moment, "
            "plug it in"
        )
    if was_up:
        return f"the PN532 at {path} stopped answering: unplug it, wait a moment, plug it in"
    return (
        f"no PN532 answers at {path}: check its power, that TX and RX are crossed, "
        "and that its switches select UART (HSU)"
    )


def _missing(path: str) -> str:
    return f"no device at {path}: plug the reader in, or correct its path"


def _permission(path: str) -> str:
    try:
        user = pwd.getpwuid(os.geteuid()).pw_name
        group = grp.getgrgid(Path(path).stat().st_gid).gr_name
    except (OSError, KeyError):
        user, group = f"user {os.geteuid()}", "root"
    if group == "root":
        return f"{user} may not open {path}: a udev rule has to give it the group dialout"
    return (
        f"{user} may not open {path}: add the user to the group {group} "
        f"(sudo usermod -aG {group} {user}) and log in again"
    )


def open_reader(
    name: str,
    path: str,
    *,
    baud: int = SAFE_BAUD,
    dwell_s: float = 0.3,
    retry_s: tuple[float, float] = (0.1, 2.0),
    misses: int = 3,
) -> Reader:
    """A reader for the PN532 at ``path``, to be told apart by ``name``; open() starts it."""
    address = Pn532Address(path, baud)
    antenna = AntennaTest()
    return Supervisor(
        name,
        path,
        lambda: _connect(address, antenna),
        dwell_s=dwell_s,
        retry_s=retry_s,
        misses=misses,
    )


def _connect(address: Pn532Address, antenna: AntennaTest) -> Driver:
    before = warnings.showwarning
    try:
        from hub.readers.pn532 import Pn532
    except OSError as error:  # a library that nfcpy loads
        raise ImportError(str(error)) from error
    if warnings.showwarning is not before:
        logging.captureWarnings(False)  # nfcpy turns it on for the whole process
    return Pn532(address, antenna)
