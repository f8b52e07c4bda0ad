"""Whether a chip's own antenna test can be trusted, by the rules of the hub's own driver.

As in hub/readers/radio.py, it is trusted only after it has passed several times in a row, and
never again after it has failed a radio that sees tags. Pure.
"""

UNTRIED, PASSES, FAILS, FLICKERS, UNKNOWN = range(5)
_TRIALS, _DENIALS = 5, 3


class RadioDead(Exception):
    """The chip answers but sees no tag: its radio does not work."""


class UnknownTest(Exception):
    """The chip refuses this test, or does not answer it."""


class AntennaTest:
    """A chip's antenna test. ``passes``: a generator that runs it; may raise :exc:`UnknownTest`."""

    def __init__(self, passes):
        self._passes = passes
        self._settled = self._denied = False
        self.is_believed = False
        self.said = UNTRIED

    def try_out(self):
        """Find out whether the test can be trusted, unless that is known."""
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
        """Raises :exc:`RadioDead` if the test is trusted and fails repeatedly."""
        if self.is_believed and not (yield from self._any()):
            self._denied = True
            raise RadioDead

    def tag_seen(self):
        """A tag was seen, so the radio works: a test that still fails is never trusted again."""
        if self._denied:
            self._denied = False
            self.is_believed = yield from self._any()

    def _any(self):
        for _ in range(_DENIALS):
            if (yield from self._passes()):
                return True
        return False
