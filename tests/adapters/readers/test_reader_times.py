"""The times that docs/build/readers.md promises, at every moment of a look."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from hub.ports import ReaderDown, ReaderTroubled, ReaderUp
from hub.readers.presence import DwellDeadlines
from hub.sim.pn532.firmware import AntennaTest
from hub.sim.pn532.uart import Fault
from hub.sim.tags import card
from hub.table.acts import Sight
from hub.wire.tags import tag_id
from tests.adapters.readers.test_reader_field import ultralight
from tests.support.virtual import Virtual

A, B = tag_id(b"a" * 16), tag_id(b"b" * 16)
DOCS = Path(__file__).parents[3] / "docs/build/readers.md"
MOMENTS = [n / 16 for n in range(16)]
"""Fractions of the driver's period, within which it repeats itself."""
IDLE_S, LYING_S, DWELL_S = 1.3, 0.28, 0.3
"""The driver's periods over an empty field and under a card; the dwell."""

World = Callable[..., Virtual]


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return lambda **chip: Virtual(monkeypatch, **chip)


def promised(row: str) -> float:
    """Return the time in a row of the page's table, in s."""
    line = next(line for line in DOCS.read_text().splitlines() if line.startswith(f"| {row}"))
    number, unit = re.findall(r"([\d.]+) (ms|s)\b", line)[-1]
    return float(number) / (1000 if unit == "ms" else 1)


def settled(there: Virtual, moment: float) -> float:
    """Place a card long before, and return a time at this moment of a look."""
    there.at(2.0, lambda: there.place(A))
    return 5.0 + LYING_S * moment


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_card_in_an_empty_field_is_seen(world: World, moment: float) -> None:
    there = world(misses=0)
    came = there.now + 3.0 + IDLE_S * moment
    there.at(came - there.now, lambda: there.place(A))
    there.run(6.0)
    read_s = 0.025
    [(seen, tags, _)] = there.seen(came)[:1]
    assert tags == (A,)
    # The life sign between two polls and the radio's new set-up take time as well.
    assert seen - came < promised("a card in an empty field") + read_s + 0.05


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_lifted_card_is_in_doubt_and_then_gone(world: World, moment: float) -> None:
    there = world()
    lifted = there.now + settled(there, moment)
    there.at(lifted - there.now, there.lift)
    there.run(8.0)
    doubtful = there.sight(Sight.DOUBTFUL, lifted)
    assert doubtful is not None
    assert doubtful - lifted < promised("a card that has rested is lifted")
    assert there.sight(Sight.RESTED, doubtful) is None
    [(gone, tags, _)] = [each for each in there.seen(lifted) if each[2] is Sight.NEW]
    assert tags == ()
    assert gone - lifted < promised("the same")


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_card_lifted_in_its_dwell_is_in_doubt_and_never_rests(
    world: World, moment: float
) -> None:
    there = world()
    came = there.now + 3.0
    lifted = came + 0.05 + (DWELL_S - 0.051) * moment
    there.at(3.0, lambda: there.place(A))
    there.at(lifted - there.now, there.lift)
    there.run(5.0)
    doubtful = there.sight(Sight.DOUBTFUL, lifted)
    assert doubtful is not None
    assert doubtful - lifted < promised("a card whose dwell runs is lifted")
    assert there.sight(Sight.RESTED) is None


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("before_s", [0.13, 0.1, 0.06, 0.03])
def test_a_lock_at_the_end_of_another_cards_dwell_notices_an_earlier_lift(
    world: World, before_s: float, moment: float
) -> None:
    """The end of that dwell is known as soon as its card is seen; the dwell ends with a look of
    some 8 ms."""
    there = world()
    dwell_deadlines = DwellDeadlines()
    ends = there.now + settled(there, moment)
    seen = ends - DWELL_S - there.now
    there.at(seen, lambda: dwell_deadlines.tell("south", ends))
    there.at(ends - promised("a card is lifted before") * before_s / 0.03 - there.now, there.lift)
    there.run(8.0, dwell_deadlines=dwell_deadlines)
    doubtful = there.sight(Sight.DOUBTFUL, 105.0 - DWELL_S)
    assert doubtful is not None
    assert doubtful < ends + 0.006, "sooner nothing is locked"


def test_a_rested_card_is_looked_at_less_often(world: World) -> None:
    """Half as often as in its dwell, and no command is repeated."""
    there = world(misses=0)
    there.place(A)
    there.run(10.0)
    before = sum(there.asked.values())
    longer = world(misses=0)
    longer.place(A)
    longer.run(20.0)
    assert (sum(longer.asked.values()) - before) / 10 < 18


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_swapped_card_is_never_taken_for_the_one_before(world: World, moment: float) -> None:
    there = world()
    swapped = there.now + settled(there, moment)

    there.at(swapped - there.now, there.lift)
    there.at(swapped - there.now + 0.01, lambda: there.place(B))
    there.run(8.0)
    doubtful = there.sight(Sight.DOUBTFUL, swapped)
    assert doubtful is not None
    assert doubtful - swapped < promised("a card that has rested is swapped")
    told = [tags for _, tags, sight in there.seen(swapped) if sight is Sight.NEW]
    assert told == [(B,)]


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_second_card_is_seen(world: World, moment: float) -> None:
    there = world()
    came = there.now + settled(there, moment)
    there.at(came - there.now, lambda: there.place(B))
    there.run(8.0)
    [(seen, tags, _)] = [each for each in there.seen(came) if each[2] is Sight.NEW]
    assert tags == tuple(sorted((A, B)))
    assert seen - came < promised("a second card beside one")


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("dwell_s", [0.15, 0.3])
def test_two_kinds_of_tags_rest_at_the_very_same_time(
    world: World, dwell_s: float, moment: float
) -> None:
    """One is read in a third of the other's time."""
    took = []
    for tag in (card(A), ultralight(A)):
        there = world(misses=0)
        came = there.now + 3.0 + IDLE_S * moment
        there.at(came - there.now, partial(there.place, tag))
        there.run(6.0, dwell_s=dwell_s)
        rested = there.sight(Sight.RESTED, came)
        assert rested is not None
        took.append(rested - came)
        assert dwell_s <= took[-1] < dwell_s + 0.05
    assert took[0] == pytest.approx(took[1], abs=1e-6)


@pytest.mark.parametrize("moment", MOMENTS[::2])
@pytest.mark.parametrize("lies", [False, True], ids=["idle", "under a card"])
@pytest.mark.parametrize(
    "fault", [Fault.HANG, Fault.MUTE, Fault.DEAF, Fault.HOT], ids=lambda fault: fault.name
)
def test_a_dead_chip_or_radio_is_lost_in_time(
    world: World, fault: Fault, lies: bool, moment: float
) -> None:
    there = world()
    broke = there.now + 5.0 + (LYING_S if lies else IDLE_S) * moment
    if lies:
        there.at(2.0, lambda: there.place(A))
    there.at(broke - there.now, lambda: there.suffer(fault))
    there.run(10.0, retry_s=(60, 60))
    lost = there.first(ReaderDown, broke)
    assert lost is not None
    assert lost - broke < promised("a chip stops answering")
    assert there.sight(Sight.NEW, broke) is None, "a dead reader is no lifted card"


@pytest.mark.parametrize("antenna_test", AntennaTest)
def test_an_overheated_antenna_is_lost_even_without_a_trusted_test(
    world: World, antenna_test: AntennaTest
) -> None:
    there = world(antenna_test=antenna_test)
    broke = there.now + settled(there, 0.0)
    there.at(broke - there.now, lambda: there.suffer(Fault.HOT))
    there.run(8.0, retry_s=(60, 60))
    lost = there.first(ReaderDown, broke)
    assert lost is not None
    assert lost - broke < promised("a chip stops answering")
    assert there.sight(Sight.NEW, broke) is None


@pytest.mark.parametrize("antenna_test", AntennaTest)
def test_a_working_radio_is_never_called_dead(world: World, antenna_test: AntennaTest) -> None:
    """The antenna test is trusted only after it has proved itself."""
    there = world(antenna_test=antenna_test)
    for laid in (5.0, 12.0):
        there.at(laid, lambda: there.place(A))
        there.at(laid + 3.0, there.lift)
    there.run(45.0)
    assert there.first(ReaderDown) is None
    told = [(tags, sight) for _, tags, sight in there.seen() if sight is Sight.NEW]
    assert [tags for tags, _ in told] == [(), (A,), (), (A,), ()]
    [health] = [event for _, event in there.told if isinstance(event, ReaderTroubled)]
    assert health.blind is (antenna_test is not AntennaTest.TRUE)


def test_a_test_that_turns_against_a_working_radio_is_trusted_only_once(world: World) -> None:
    there = world()
    there.at(5.0, there.chip.deny_antenna)
    there.at(10.0, lambda: there.place(A))
    there.at(20.0, there.lift)
    there.run(60.0, retry_s=(0.1, 2.0))
    denied = there.first(ReaderDown)
    back = there.first(ReaderUp, denied or 0.0)
    assert denied is not None and back is not None and back > 110.0
    assert there.first(ReaderDown, back) is None
    health = [event.blind for _, event in there.told if isinstance(event, ReaderTroubled)]
    assert health[0] is False
    assert health[-1] is True


def test_a_reader_that_starts_over_a_dead_radio_reports_itself_blind(world: World) -> None:
    """The antenna test has never passed, and the board may be one on which it always fails."""
    there = world()
    there.suffer(Fault.DEAF)
    there.at(5.0, lambda: there.suffer(Fault.NONE))
    there.run(60.0)
    health = [event.blind for _, event in there.told if isinstance(event, ReaderTroubled)]
    assert health[0] is True
    assert health[-1] is False, "once it passes, it is believed"
