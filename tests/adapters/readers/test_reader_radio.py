"""How far a board's antenna test is believed."""

import pytest

from hub.readers.radio import AntennaTest, RadioDead, UnknownTest


class Board:
    """A board whose antenna test says what it is told to, again and again."""

    def __init__(self, *results: bool) -> None:
        self.results = results
        self.runs = 0

    def passes(self) -> bool:
        self.runs += 1
        return self.results[(self.runs - 1) % len(self.results)]


GOOD, BAD, FLAKY = Board(True), Board(False), Board(True, False)


def unknown() -> bool:
    raise UnknownTest


def test_one_that_passes_time_and_again_is_believed() -> None:
    antenna = AntennaTest()
    antenna.try_out(GOOD.passes)
    assert antenna.is_believed
    antenna.check(GOOD.passes)
    antenna.check(Board(False, False, True).passes)  # it passed once in three
    with pytest.raises(RadioDead):
        antenna.check(BAD.passes)


@pytest.mark.parametrize("passes", [BAD.passes, FLAKY.passes, unknown])
def test_one_that_does_not_is_not(passes: object) -> None:
    antenna = AntennaTest()
    antenna.try_out(passes)  # type: ignore[arg-type]
    assert not antenna.is_believed
    antenna.check(BAD.passes)


def test_one_that_never_passed_is_tried_again() -> None:
    """The hub may have been started over a dead radio."""
    antenna = AntennaTest()
    antenna.try_out(BAD.passes)
    antenna.try_out(GOOD.passes)
    assert antenna.is_believed


@pytest.mark.parametrize(("later", "believed"), [(GOOD, True), (BAD, False)])
def test_one_that_denies_a_radio_which_sees_is_never_believed_again(
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
