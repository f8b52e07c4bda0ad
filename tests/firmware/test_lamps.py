"""A seat's lamps: distinct by rhythm alone, dimmable, and showing only public facts."""

import sys
from itertools import combinations

import pytest

from hub.readers.lamp import Pattern, SeatLamps, pattern_of
from hub.table.signals import Signal
from hub.table.state import Phase
from hub.table.views import PublicView, SeatView, Version
from tests.support import micropython

sys.path.insert(0, str(micropython.FIRMWARE))
try:
    from common import lamps  # type: ignore[import-not-found]
finally:
    sys.path.pop(0)

MS = range(0, 12_000, 10)


def _bright(pattern: int, count: int, brightness: int = 255) -> list[tuple[int, ...]]:
    """Return each lamp's brightness over twelve seconds, without its colour."""
    return [tuple(map(max, lamps.colours(pattern, ms, count, brightness))) for ms in MS]


def _rhythm(pattern: int, count: int) -> list[tuple[bool, ...]]:
    """Return when each lamp exceeds half of its maximum."""
    shown = _bright(pattern, count)
    most = max(map(max, shown)) or 1
    return [tuple(light > most // 2 for light in each) for each in shown]


def test_hub_and_board_number_the_patterns_alike() -> None:
    names = [name.replace(" it", "").upper() for name in lamps.NAMES[:-1]]
    assert names == [each.name for each in Pattern]
    assert lamps.NAMES[lamps.LOST] == "lost hub"


@pytest.mark.parametrize("count", [1, 3, 8])
def test_any_two_patterns_differ_by_rhythm_alone(count: int) -> None:
    for one, other in combinations(range(lamps.LOST + 1), 2):
        first, second = _rhythm(one, count), _rhythm(other, count)
        differ = sum(a != b for a, b in zip(first, second, strict=True))
        assert differ > len(MS) * 0.02, (lamps.NAMES[one], lamps.NAMES[other])


@pytest.mark.parametrize("pattern", range(9))
def test_no_lamp_lights_up_more_than_three_times_a_second(pattern: int) -> None:
    for lamp in range(8):
        on = [each[lamp] for each in _rhythm(pattern, 8)]
        rises = [at * 10 for at in range(1, len(on)) if on[at] and not on[at - 1]]
        assert all(later - first > 1000 for first, later in zip(rises, rises[3:], strict=False))


@pytest.mark.parametrize("pattern", range(9))
def test_lamps_dim_to_nothing(pattern: int) -> None:
    full, half, none = (_bright(pattern, 4, brightness) for brightness in (255, 128, 0))
    assert all(
        a >= b for one, two in zip(full, half, strict=True) for a, b in zip(one, two, strict=True)
    )
    assert not any(map(any, none))
    assert all(0 <= part <= 255 for ms in MS for c in lamps.colours(pattern, ms, 4) for part in c)


def _view(
    phase: Phase, *, awaited: bool = True, committed: bool = False, **more: object
) -> PublicView:
    seat = SeatView(
        seat="north", characters=("Ada",), reader="ok", awaited=awaited, committed=committed
    )
    where = {"version": Version(1, 1, 1), "scene": 1, "seats": (seat,)}
    return PublicView(table="t", log="", seq=1, phase=phase, **where, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("view", "signal", "pattern"),
    [
        (_view(Phase.SEALED), None, Pattern.AWAITED),
        (_view(Phase.SEALED, awaited=False), None, Pattern.IDLE),
        (_view(Phase.SEALED, committed=True), Signal.SEALED, Pattern.COMMITTED),
        (_view(Phase.SEALED), Signal.TAKEN_BACK, Pattern.AWAITED),
        (_view(Phase.SEALED), Signal.REFUSED, Pattern.REFUSED),
        (_view(Phase.SEALED), Signal.TWO_CARDS, Pattern.REFUSED),
        (_view(Phase.SEALED), Signal.LEFT, Pattern.LIFT),
        (_view(Phase.LOCKED, committed=True), Signal.SEALED, Pattern.LOCKED),
        (_view(Phase.DECISION), None, Pattern.AWAITED),
        (_view(Phase.PAUSED), Signal.PAUSED, Pattern.IDLE),
        (_view(Phase.OVER), None, Pattern.IDLE),
        (_view(Phase.OPEN, awaited=False), Signal.WAITS, Pattern.COMMITTED),
        (_view(Phase.OPEN), Signal.WAITS, Pattern.AWAITED),
    ],
)
def test_a_seat_shows_the_pattern_of_its_state(
    view: PublicView, signal: Signal | None, pattern: Pattern
) -> None:
    assert pattern_of(view, view.seats[0], signal) is pattern


def test_a_reveals_consequences_wait_for_its_end() -> None:
    table = SeatLamps(77)
    lamp, told = table.of("north"), []
    lamp.wake = lambda: told.append(lamp.pattern)
    assert not table.see(_view(Phase.SEALED, revealed_at="before"))
    assert table.see(_view(Phase.SEALED, revealed_at="now", awaited=False))
    assert not table.see(_view(Phase.DECISION, revealed_at="now"))
    table.hear("north", Signal.LEFT)
    assert told == [Pattern.AWAITED, Pattern.REVEAL]
    table.settle()
    assert told[-1] is Pattern.LIFT
    assert lamp.brightness == 77
