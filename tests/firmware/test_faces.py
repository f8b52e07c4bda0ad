"""A clock of lights shows public facts legibly, within bounds, and without strobing."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.firmware.common import faces
from hub.firmware.common.faces import Facts
from hub.readers.lamp import REVEAL_S

SECOND = 1000
NOW = 100 * SECOND
EVERY = [(shows, mood) for shows in faces.SHOWS for mood in (*faces.MOODS[shows], *faces.ALWAYS)]


def facts(shows: str, mood: str) -> Facts:
    """Return facts that put ``shows`` into ``mood`` at :data:`NOW`."""
    it = Facts()
    it.online, it.phase = mood != "offline", "sealed"
    it.boxes, it.marked = (0 if mood == "none" else 6), {"full": 6}.get(mood, 3)
    it.marked_at = NOW - 200 if mood == "marked" else None
    it.awaited = 3 if mood == "choosing" else 0
    it.committed = it.awaited // 2
    it.timeless = mood == "timeless"
    it.seat_lost, it.seat_awaited = mood == "lost", mood in ("awaited", "committed")
    it.seat_committed = mood == "committed"
    left = {"running": 25, "warning": 9.9, "zero": -3}.get(mood)
    if shows == faces.TIMER and left is not None:
        it.deadline, it.total = NOW + round(left * SECOND), 30 * SECOND
        it.warnings = (10 * SECOND, 5 * SECOND)
    if mood == "locked":
        it.phase, it.reveal_at = "locked", NOW + 700
    if mood == "revealed":
        it.revealed_at = NOW - 500
    return it


def painted(count: int, shows: str, it: Facts, at: int) -> list[tuple[int, int, int]]:
    lights: list[tuple[int, int, int]] = [(9, 9, 9)] * count
    faces.paint(lights, shows, it, at)
    return lights


@pytest.mark.parametrize(("shows", "mood"), EVERY)
def test_each_mood_has_its_name(shows: str, mood: str) -> None:
    assert faces.mood(shows, facts(shows, mood), NOW) == mood


@pytest.mark.parametrize("shows", faces.SHOWS)
def test_no_two_moods_look_alike_without_colour(shows: str) -> None:
    def film(mood: str) -> list[list[int]]:
        it = facts(shows, mood)
        times = range(NOW, NOW + 2 * SECOND, 50)
        return [[max(each) // 32 for each in painted(24, shows, it, at)] for at in times]

    films = {mood: film(mood) for mood in (*faces.MOODS[shows], *faces.ALWAYS)}
    for one, other in combinations(films, 2):
        assert films[one] != films[other], (one, other)


@pytest.mark.parametrize("count", [1, 2, 8, 24])
@pytest.mark.parametrize(("shows", "mood"), EVERY)
def test_no_light_flashes_more_than_three_times_a_second(shows: str, mood: str, count: int) -> None:
    if mood == "locked" and count >= 3:
        return  # running lights instead of a flash: a third of them is always lit
    it = facts(shows, mood)
    seen = [
        sum(max(each) for each in painted(count, shows, it, at)) > 128 * count
        for at in range(NOW, NOW + SECOND, 10)
    ]
    assert sum(b and not a for a, b in pairwise(seen)) <= 3


@pytest.mark.parametrize("count", [1, 5, 8, 12, 60, 144])
def test_the_marks_of_a_countdown_can_be_counted(count: int) -> None:
    lit = []
    for marked in range(7):
        it = facts(faces.COUNTDOWN, "running")
        it.marked = marked
        lights = painted(count, faces.COUNTDOWN, it, NOW // 2000 * 2000)
        lit.append(lights.count(faces.MARKED))
        runs = sum(a == faces.MARKED != b for a, b in pairwise([*lights, faces.DARK]))
        assert count < 18 or runs == marked
    assert lit == sorted(lit)
    assert lit[0] == 0 < lit[1] and (count < 2 or lit[5] < lit[6])


def test_a_timer_runs_out_evenly_and_warns_when_it_should() -> None:
    it = facts(faces.TIMER, "running")
    assert it.deadline is not None
    began = it.deadline - it.total
    moods = [faces.mood(faces.TIMER, it, at) for at in range(began, it.deadline + SECOND, 100)]
    assert [moods.index("warning"), len(moods) - moods[::-1].index("warning")] == [200, 262]
    assert moods[-1] == "zero"
    lit = [
        sum(max(each) > 0 for each in painted(24, faces.TIMER, it, at))
        for at in range(began, it.deadline - 11 * SECOND, 50)
    ]
    assert lit[0] == 24 and lit == sorted(lit, reverse=True)


def test_only_a_new_mark_is_celebrated() -> None:
    it = Facts()
    it.online = True
    told = []
    for boxes, marked in [(6, 2), (6, 3), (6, 3), (6, 2), (8, 5), (0, 0), (6, 1)]:
        it.count(boxes, marked, NOW)
        told.append(faces.mood(faces.COUNTDOWN, it, NOW + 1))
        it.marked_at = None
    assert told == ["running", "marked", "running", "running", "running", "none", "running"]


@given(st.data())
def test_any_facts_give_each_light_a_valid_colour(data: st.DataObject) -> None:
    it, some = Facts(), st.none() | st.integers(0, 10**13)
    for name, value in vars(it).items():
        kind = st.booleans() if isinstance(value, bool) else st.integers(0, 40_000)
        setattr(it, name, data.draw(some if value is None else kind, label=name))
    it.phase = data.draw(st.sampled_from(["locked", "sealed"]))
    it.warnings = tuple(data.draw(st.lists(st.integers(1, 60_000), max_size=3)))
    shows, count = data.draw(st.sampled_from(faces.SHOWS)), data.draw(st.integers(0, 40))
    at = data.draw(st.integers(0, 10**13))
    lights = painted(count, shows, it, at)
    assert len(lights) == count
    assert all(0 <= part <= 255 for light in lights for part in light)


def test_a_reveals_consequences_stay_hidden_as_long_as_on_pages() -> None:
    """The next actor would give away who has lost, so the lights wait as long as seats' lamps
    do."""
    it = facts(faces.SEAT, "awaited")
    it.revealed_at = NOW
    for shows in faces.SHOWS:
        for at in range(NOW, NOW + round(REVEAL_S * SECOND), 100):
            assert faces.mood(shows, it, at) == "revealed"
    assert faces.mood(faces.SEAT, it, NOW + round(REVEAL_S * SECOND)) == "awaited"
