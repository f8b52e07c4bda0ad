"""Whether a chip's radio lives. A dead one sees no card, which is not the same as no card. Pure.

The chip can test its antenna by itself: Diagnose 0x07 measures the current that the antenna draws.
How far that can be believed differs from board to board: it is specified for a supply of 5 V, and
boards with 3.3 V are reported to fail it now and then with a sound antenna. So it is believed only
once it has passed several times in a row, and never again after it has denied a radio that sees.

Ref: UM0701-02 §7.2.1 (Diagnose, NumTst 0x07, register Andet_Control 0x610C).
"""

from collections.abc import Callable
from enum import StrEnum

ANTENNA_TEST = bytes([0x07, 0x0F])
"""Data of Diagnose: its number, and the widest limits for the current (5 to 150 mA)."""

_TRIALS = 5
_DENIALS = 3


class RadioDead(Exception):
    """The chip answers its host and sees no tag: its radio does not work."""


class UnknownTest(Exception):
    """The chip refuses this test, or does not answer it."""


class Antenna(StrEnum):
    """What the test said when the reader was opened."""

    UNTRIED = "untried"
    PASSES = "passes"
    FAILS = "fails"
    FLICKERS = "flickers"
    """Now this, now that: the board's supply has 3.3 V."""
    UNKNOWN = "unknown"
    """The chip does not know it."""


class AntennaTest:
    """What is known of a board's antenna test; outlives the device's reopening.

    The methods run it by ``passes``, which may raise :exc:`UnknownTest`.
    """

    def __init__(self) -> None:
        self._believed: bool | None = None
        self._denied = False
        self.said = Antenna.UNTRIED

    @property
    def is_believed(self) -> bool:
        """Whether it is a sign of life when it passes, and of death when it does not."""
        return bool(self._believed)

    def try_out(self, passes: Callable[[], bool]) -> None:
        """Find out whether it can be believed, unless that is known. One that never passes may
        tell the truth: it is tried again the next time."""
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
        """Raises :exc:`RadioDead` if it is believed, and denies the radio time and again."""
        if self._believed and not any(passes() for _ in range(_DENIALS)):
            self._denied = True
            raise RadioDead

    def tag_seen(self, passes: Callable[[], bool]) -> None:
        """The radio lives. If the test denied it, and denies it still, it is never believed
        again; else the radio was dead, and has come back."""
        if self._denied:
            self._denied = False
            self._believed = any(passes() for _ in range(_DENIALS))
