"""Collects counters and times of a reader while it is watched as in play.

The reader's own thread writes; any thread may read.
"""

import errno
import threading
from collections import deque
from collections.abc import Callable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from hub.kernel.reasons import Reason
from hub.readers.board_reports import BoardFigures
from hub.readers.causes import Cause, Told, cause_of, may_not_open
from hub.readers.driver import Driver
from hub.readers.frames import UNKNOWN_COMMAND
from hub.readers.presence import Care, Look, Tags
from hub.readers.radio import Antenna
from hub.readers.wakeup import Heard
from hub.world import MACHINE

AWAY_S = 1.0
"""A card not seen for longer than this was lifted; a card seen again sooner was only missed."""
_MOST_TIMES = 5000


class Lying(Struct):
    """One card on one reader, from being laid to being lifted. ``since``: the first look that saw
    it (monotonic, s).
    """

    tag: str
    since: float
    until: float
    """When the latest look that saw the card was made (monotonic, s)."""
    seen: int = 1
    missed: int = 0
    """How many looks did not see the card although looks before and after did."""
    gaps: int = 0
    """How often the card was missed; several misses in a row count as one."""
    uid: bytes = b""
    """The tag's UID; empty if the driver does not know it."""
    _missing: int = 0

    def overlaps(self, other: "Lying") -> bool:
        """Whether both cards were on their readers at the same time."""
        return self.since <= other.until and other.since <= self.until


class Counts(Struct):
    """Counters and state of one reader."""

    chip: str = ""
    """The chip and its firmware as reported; empty if no chip has answered."""
    up: bool = False
    looks: int = 0
    """How many looks were made while a card was believed to be in the field."""
    crowded: int = 0
    """How many looks saw two or more cards at once."""
    disturbances: int = 0
    """How many looks failed, so that the reader had to be revived."""
    losses: int = 0
    restarts: int = 0
    """How often the chip had lost its settings because its supply broke down."""
    damaged: int = 0
    unheard: int = 0
    """How many commands had to be sent again."""
    antenna: Antenna = Antenna.UNTRIED
    blind: bool = False
    cause: Cause | None = None
    """Why the reader is not up; None while it is."""
    heard: Heard | None = None
    """The kind of device that is on the line instead of a reader, if that was found out."""
    fault: Reason | str = ""
    """What was said about the last loss: the driver's reason, or else the error's text."""
    board: BoardFigures | None = None


class Measured(Counts):
    """All figures of one reader at one moment. ``lies``: the ids of the cards there now. ``lain``:
    all cards that were on it, those still there among them.
    """

    look_ms: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """How long looks took: median, 99th percentile, maximum."""
    lies: Tags = ()
    lain: tuple[Lying, ...] = ()

    @property
    def seen(self) -> int:
        """How often a look saw a card, summed over all cards."""
        return sum(each.seen for each in self.lain)

    @property
    def missed(self) -> int:
        """How often a look missed a card, summed over all cards."""
        return sum(each.missed for each in self.lain)

    @property
    def gaps(self) -> int:
        """How often cards were missed; several misses in a row count as one."""
        return sum(each.gaps for each in self.lain)


class Figures(Counts):
    """Collects the figures of one reader while it is watched. ``was_up``: whether it has ever
    answered.
    """

    was_up: bool = False
    _times: deque[float] = field(default_factory=lambda: deque(maxlen=_MOST_TIMES))
    _lies: dict[str, Lying] = field(default_factory=dict)
    _lain: deque[Lying] = field(default_factory=lambda: deque(maxlen=_MOST_TIMES))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def saw(
        self, tags: Tags, now: float, took_s: float | None, uids: Mapping[str, bytes] | None = None
    ) -> None:
        """Record one look, made at ``now`` (monotonic, s).

        ``took_s``: how long it took; None if it waited for a card. ``uids``: a card's id → its
        tag's UID.
        """
        with self._lock:
            self.up = self.was_up = True
            self.cause = None
            if took_s is not None:
                self.looks += 1
                self._times.append(1000 * took_s)
            self.crowded += len(tags) > 1
            for tag in set(tags):
                lying = self._lies.get(tag)
                if lying is None:
                    self._lies[tag] = Lying(tag, now, now, uid=(uids or {}).get(tag, b""))
                    continue
                lying.seen += 1
                lying.until = now
                if lying._missing:
                    lying.missed += lying._missing
                    lying.gaps += 1
                    lying._missing = 0
            for tag, lying in list(self._lies.items()):
                if tag in tags:
                    continue
                lying._missing += 1
                if now - lying.until > AWAY_S:
                    self._lain.append(self._lies.pop(tag))

    def now(self) -> Measured:
        """A copy of the current figures."""
        with self._lock:
            times = sorted(self._times)
            return Measured(
                **{name: getattr(self, name) for name in Counts.__struct_fields__},
                look_ms=_quantiles(times),
                lies=tuple(tag for tag, each in self._lies.items() if not each._missing),
                lain=tuple(replace(each) for each in (*self._lain, *self._lies.values())),
            )


def _quantiles(times: list[float]) -> tuple[float, float, float]:
    if not times:
        return 0.0, 0.0, 0.0
    last = len(times) - 1
    return (
        round(times[last // 2], 1),
        round(times[min(last, round(0.99 * last))], 1),
        round(times[last], 1),
    )


_UNEXPLAINED = (Cause.SILENT, Cause.STOPPED)


class Gauge(Driver):
    """Wraps another driver and collects its figures."""

    def __init__(self, driver: Driver, path: str, figures: Figures) -> None:
        self._driver = driver
        self._path = path
        self._figures = figures
        self._counted = (0, 0)
        self._mended = False

    @property
    def blind(self) -> bool:
        """The wrapped driver's :attr:`Driver.blind`."""
        return self._driver.blind

    def start(self) -> None:
        """Start the wrapped driver. If no chip answers, find out once what else is on the line."""
        try:
            self._driver.start()
        except Exception as error:
            note_loss(error, self._path, self._figures)
            if self._figures.cause in _UNEXPLAINED and self._figures.heard is None:
                self._figures.heard = self._probe()
            raise
        finally:
            self._read()
        self._figures.heard = None

    def _probe(self) -> Heard | None:
        try:
            return self._driver.probe()
        except OSError:
            return None

    def mend(self) -> None:
        """Mend the wrapped driver, and record a failure as a loss."""
        self._mended = True
        try:
            self._driver.mend()
        except Exception as error:
            note_loss(error, self._path, self._figures)
            raise

    def observe(self, patience_s: float, care: Care = Care.USUAL) -> Look:
        """Look with the wrapped driver. A failure counts as a disturbance, or as a loss right after
        :meth:`mend`.
        """
        began = MACHINE.monotonic()
        try:
            look = self._driver.observe(patience_s, care)
        except Exception as error:
            if self._mended:
                note_loss(error, self._path, self._figures)
            elif not _is_cancelled(error):
                self._figures.disturbances += 1
                self._figures.restarts += getattr(error, "errno", None) == UNKNOWN_COMMAND
            raise
        finally:
            self._read()
        self._mended = False
        now = MACHINE.monotonic()
        self._figures.blind = self._driver.blind
        took_s = None if patience_s else now - began
        self._figures.saw(look.tags, now, took_s, self._driver.uids)
        return look

    def cancel(self) -> None:
        """Cancel the wrapped driver."""
        self._driver.cancel()

    def close(self) -> None:
        """Close the wrapped driver."""
        self._driver.close()

    def _read(self) -> None:
        counted = self._driver.unheard, self._driver.damaged
        self._figures.antenna = self._driver.antenna
        self._figures.chip = self._driver.chip or self._figures.chip
        self._figures.unheard += counted[0] - self._counted[0]
        self._figures.damaged += counted[1] - self._counted[1]
        self._counted = counted
        if (health := self._driver.health) is not None:
            self._figures.board = health.told(MACHINE.monotonic())


def gauged(connect: Callable[[], Driver], path: str, figures: Figures) -> Callable[[], Driver]:
    """A function like ``connect`` that wraps its driver in a :class:`Gauge` and records a failure
    to open as a loss.
    """

    def opened() -> Driver:
        try:
            return Gauge(connect(), path, figures)
        except Exception as error:
            note_loss(error, path, figures)
            raise

    return opened


def note_loss(error: Exception, path: str, figures: Figures) -> None:
    """Record that the reader at ``path`` is lost because of ``error``; count a loss if it was up. A
    cancelled reader is not lost.
    """
    if _is_cancelled(error):
        return
    figures.losses += figures.up
    figures.up = False
    cause = cause_of(error, path, was_up=figures.was_up)
    figures.fault = _fault(error, cause, path)
    if figures.cause is not Cause.RADIO or cause not in _UNEXPLAINED:  # RADIO explains more
        figures.cause = cause


def _fault(error: Exception, cause: Cause, path: str) -> Reason | str:
    if isinstance(error, Told):
        return error.why
    return may_not_open(path) if cause is Cause.PERMISSION else str(error)


def _is_cancelled(error: Exception) -> bool:
    return isinstance(error, OSError) and error.errno == errno.ECANCELED
