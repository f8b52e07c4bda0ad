"""How far a board's antenna test is trusted."""

import pytest

from hub.readers.radio import AntennaTest, RadioDead, UnknownTest


class Board:
    """A board whose antenna test gives these results, over and over."""

    def __init__(self, *results: bool) -> None:
        self.results = results
        self.runs = 0

    def passes(self) -> bool:
        self.runs += 1
        return self.results[(self.runs - 1) % len(self.results)]


GOOD, BAD, FLAKY = Board(True), Board(False), Board(True, False)


def unknown() -> bool:
    raise UnknownTest


def test_a_test_that_passes_repeatedly_is_trusted() -> None:
    antenna = AntennaTest()
    antenna.try_out(GOOD.passes)
    assert antenna.is_believed
    antenna.check(GOOD.passes)
    antenna.check(Board(False, False, True).passes)  # it passed once in three tries
    with pytest.raises(RadioDead):
        antenna.check(BAD.passes)


@pytest.mark.parametrize("passes", [BAD.passes, FLAKY.passes, unknown])
def test_a_test_that_fails_at_first_is_not_trusted(passes: object) -> None:
    antenna = AntennaTest()
    antenna.try_out(passes)  # type: ignore[arg-type]
    assert not antenna.is_believed
    antenna.check(BAD.passes)


def test_a_test_that_never_passed_is_tried_again() -> None:
    """The hub may have started while the radio was dead."""
    antenna = AntennaTest()
    antenna.try_out(BAD.passes)
    antenna.try_out(GOOD.passes)
    assert antenna.is_believed


@pytest.mark.parametrize(("later", "believed"), [(GOOD, True), (BAD, False)])
def test_a_test_that_fails_a_working_radio_is_never_trusted_again(
    later: Board, believed: bool
) -> None:
    antenna = AntennaTest()
    antenna.try_out(GOOD.passes)
    with pytest.raises(RadioDead):
        antenna.check(BAD.passes)
    antenna.tag_seen(later.passes)
    assert antenna.is_believed is believed
    antenna.try_out(GOOD.passes)
    assert antenna.is_believed is believed
