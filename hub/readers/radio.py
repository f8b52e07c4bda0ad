"""The antenna test of a chip on a cable, judged as seat boards judge theirs: see
:mod:`hub.firmware.common.antenna`. Pure.
"""

from collections.abc import Callable, Generator, Iterable
from enum import StrEnum

from hub.firmware.common import antenna
from hub.firmware.common.antenna import RadioDead, UnknownTest

__all__ = ["ANTENNA_TEST", "Antenna", "AntennaTest", "RadioDead", "UnknownTest"]

ANTENNA_TEST: bytes = antenna.TEST


class Antenna(StrEnum):
    """The results that the antenna test can have, in the order of the firmware's numbers."""

    UNTRIED = "untried"
    PASSES = "passes"
    FAILS = "fails"
    FLICKERS = "flickers"
    """The test passes sometimes, because the board's supply has only 3.3 V."""
    UNKNOWN = "unknown"
    """The chip does not know the test."""


class AntennaTest:
    """The results of a board's antenna test so far; kept when the device is reopened.

    Each method takes ``passes``, which runs the test and may raise :exc:`UnknownTest`. On a seat
    board the same steps are generators, because its program waits for several things at once; here
    each call waits.
    """

    def __init__(self) -> None:
        self._passes: Callable[[], bool] = bool
        self._test = antenna.AntennaTest(self._ask)

    @property
    def said(self) -> Antenna:
        """The result so far."""
        return tuple(Antenna)[self._test.said]

    @property
    def is_believed(self) -> bool:
        """Whether passing the test proves a working radio, and failing it a dead one."""
        return bool(self._test.is_believed)

    def try_out(self, passes: Callable[[], bool]) -> None:
        """Find out whether the test can be trusted, unless that is known."""
        self._run(passes, self._test.try_out())

    def check(self, passes: Callable[[], bool]) -> None:
        """Run the test if it is trusted. Raises :exc:`RadioDead` if it fails repeatedly."""
        self._run(passes, self._test.check())

    def tag_seen(self, passes: Callable[[], bool]) -> None:
        """Note that a tag was seen, so that the radio must be working. A test that had failed is
        then run again, and is not trusted any more if it still fails.
        """
        self._run(passes, self._test.tag_seen())

    def _run(self, passes: Callable[[], bool], steps: Iterable[None]) -> None:
        self._passes = passes
        for _ in steps:
            pass

    def _ask(self) -> Generator[None, None, bool]:
        yield from ()
        return self._passes()
