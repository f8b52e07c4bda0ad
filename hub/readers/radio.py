"""Whether a chip's radio works: a dead one sees no card, like an empty field. Pure.

The chip can test its antenna: Diagnose 0x07 measures the current that the antenna draws. How far
the test can be trusted differs between boards: it is specified for a supply of 5 V, and boards
with 3.3 V are reported to fail it sometimes with a sound antenna. So it is trusted only after it
has passed several times in a row, and never again after it has failed a radio that sees tags.

Ref: UM0701-02 §7.2.1 (Diagnose, NumTst 0x07, register Andet_Control 0x610C).
"""

from collections.abc import Callable
from enum import StrEnum

ANTENNA_TEST = bytes([0x07, 0x0F])
"""Data for Diagnose: the test's number, and the widest limits for the current (5 to 150 mA)."""

_TRIALS = 5
_DENIALS = 3


class RadioDead(Exception):
    """The chip answers its host but sees no tag: its radio does not work."""


class UnknownTest(Exception):
    """The chip refuses this test, or does not answer it."""


class Antenna(StrEnum):
    """The test's result when the reader was opened."""

    UNTRIED = "untried"
    PASSES = "passes"
    FAILS = "fails"
    FLICKERS = "flickers"
    """It sometimes passes: the board's supply has 3.3 V."""
    UNKNOWN = "unknown"
    """The chip does not know the test."""


class AntennaTest:
    """Results of a board's antenna test so far; kept when the device is reopened.

    The methods run the test by calling ``passes``, which may raise :exc:`UnknownTest`.
    """

    def __init__(self) -> None:
        self._believed: bool | None = None
        self._denied = False
        self.said = Antenna.UNTRIED

    @property
    def is_believed(self) -> bool:
        """Whether passing the test proves a working radio, and failing it a dead one."""
        return bool(self._believed)

    def try_out(self, passes: Callable[[], bool]) -> None:
        """Find out whether the test can be trusted, unless that is known.

        A test that never passes may be right, so it is tried again next time.
        """
        if self._believed is not None:
            return
        try:
            results = [passes() for _ in range(_TRIALS)]
        except UnknownTest:
            self._believed = False
            self.said = Antenna.UNKNOWN
            return
        self.said = Antenna.FAILS
        if any(results):
            self._believed = all(results)
            self.said = Antenna.PASSES if self._believed else Antenna.FLICKERS

    def check(self, passes: Callable[[], bool]) -> None:
        """Raises :exc:`RadioDead` if the test is trusted and fails repeatedly."""
        if self._believed and not any(passes() for _ in range(_DENIALS)):
            self._denied = True
            raise RadioDead

    def tag_seen(self, passes: Callable[[], bool]) -> None:
        """A tag was seen, so the radio works.

        If the test had failed and still fails, it is never trusted again; otherwise the radio was
        dead and has recovered.
        """
        if self._denied:
            self._denied = False
            self._believed = any(passes() for _ in range(_DENIALS))
