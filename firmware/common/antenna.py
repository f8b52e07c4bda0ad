"""Tests a chip's radio, because a dead one looks like an empty field. Pure.

The chip can test its antenna: Diagnose 0x07 measures the current that the antenna draws. How far
the test can be trusted differs between boards: it is specified for a supply of 5 V, and boards with
3.3 V are reported to fail it sometimes with a sound antenna. So it is trusted only after it has
passed several times in a row, and never again after it has failed a radio that sees tags.

Ref: UM0701-02 §7.2.1 (Diagnose, NumTst 0x07, register Andet_Control 0x610C).
"""

TEST = b"\x07\x0f"
"""Data for Diagnose: the test's number, and the widest limits for the current (5 to 150 mA)."""

UNTRIED, PASSES, FAILS, FLICKERS, UNKNOWN = range(5)
_TRIALS, _DENIALS = 5, 3


class RadioDead(Exception):
    """The chip answers its host but sees no tag: its radio does not work."""


class UnknownTest(Exception):
    """The chip refuses this test, or does not answer it."""


class AntennaTest:
    """A chip's antenna test. ``passes``: a generator that runs the test and returns whether it
    passed, or raises :exc:`UnknownTest`."""

    def __init__(self, passes):
        self._passes = passes
        self._settled = self._denied = False
        self.is_believed = False
        self.said = UNTRIED

    def try_out(self):
        """Find out whether the test can be trusted, unless that is known.

        A test that never passes may be right, so it is tried again next time.
        """
        if self._settled:
            return
        passed = 0
        try:
            for _ in range(_TRIALS):
                passed += yield from self._passes()
        except UnknownTest:
            self._settled, self.said = True, UNKNOWN
            return
        self.said = FAILS
        if passed:
            self._settled = True
            self.is_believed = passed == _TRIALS
            self.said = PASSES if self.is_believed else FLICKERS

    def check(self):
        """Raise :exc:`RadioDead` if the test is trusted and fails repeatedly."""
        if self.is_believed and not (yield from self._any()):
            self._denied = True
            raise RadioDead

    def tag_seen(self):
        """Record that a tag was seen, which proves that the radio works.

        If the test had failed and still fails, it is never trusted again; otherwise the radio was
        dead and has recovered.
        """
        if self._denied:
            self._denied = False
            self.is_believed = yield from self._any()

    def _any(self):
        for _ in range(_DENIALS):
            if (yield from self._passes()):
                return True
        return False
