"""Wraps a driver to collect figures while the reader is watched as in play."""

import errno
from collections.abc import Callable
from time import monotonic

from hub.kernel.reasons import Reason
from hub.readers.causes import Cause, Told, cause_of, may_not_open
from hub.readers.driver import Driver
from hub.readers.figures import Figures
from hub.readers.frames import UNKNOWN_COMMAND
from hub.readers.presence import Care, Look
from hub.readers.probe import Heard

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
        """See :class:`Driver`."""
        return self._driver.blind

    def start(self) -> None:
        """See :class:`Driver`. If nothing answers, find out once what else is on the line."""
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
        """See :class:`Driver`."""
        self._mended = True
        try:
            self._driver.mend()
        except Exception as error:
            note_loss(error, self._path, self._figures)
            raise

    def observe(self, patience_s: float, care: Care = Care.USUAL) -> Look:
        """See :class:`Driver`. After a failure the reader is mended and tried once more, then
        lost."""
        began = monotonic()
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
        now = monotonic()
        self._figures.blind = self._driver.blind
        took_s = None if patience_s else now - began
        self._figures.saw(look.tags, now, took_s, self._driver.uids)
        return look

    def cancel(self) -> None:
        """See :class:`Driver`."""
        self._driver.cancel()

    def close(self) -> None:
        """See :class:`Driver`."""
        self._driver.close()

    def _read(self) -> None:
        counted = self._driver.unheard, self._driver.damaged
        self._figures.antenna = self._driver.antenna
        self._figures.chip = self._driver.chip or self._figures.chip
        self._figures.unheard += counted[0] - self._counted[0]
        self._figures.damaged += counted[1] - self._counted[1]
        self._counted = counted
        if (health := self._driver.health) is not None:
            self._figures.board = health.told(monotonic())


def gauged(connect: Callable[[], Driver], path: str, figures: Figures) -> Callable[[], Driver]:
    """A ``connect`` that wraps the driver it opens in a gauge."""

    def opened() -> Driver:
        try:
            return Gauge(connect(), path, figures)
        except Exception as error:
            note_loss(error, path, figures)
            raise

    return opened


def note_loss(error: Exception, path: str, figures: Figures) -> None:
    """Record that the reader is lost by ``error``; count it as a loss if it was up."""
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
