"""The table's clock: it follows the system's when nothing is due, and never goes back."""

import time

import pytest

from hub.daemon.clock import SteadyClock

HOUR_MS = 3_600_000


class System:
    """The system's clocks, set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, ms: int) -> None:
        self.ms, self.uptime_ms = ms, 7
        monkeypatch.setattr(time, "time_ns", lambda: self.ms * 1_000_000)
        monkeypatch.setattr(time, "monotonic_ns", lambda: self.uptime_ms * 1_000_000)
        monkeypatch.setattr(time, "clock_gettime_ns", lambda _: self.uptime_ms * 1_000_000)

    def run(self, ms: int) -> None:
        self.ms += ms
        self.uptime_ms += ms


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> System:
    return System(monkeypatch, 50 * HOUR_MS)


def test_it_adopts_a_new_system_time_only_on_request(system: System) -> None:
    clock = SteadyClock()
    system.ms += HOUR_MS
    system.run(5)
    assert clock.now_ms() == 50 * HOUR_MS + 5
    clock.follow()
    assert clock.now_ms() == 51 * HOUR_MS + 5


def test_it_does_not_go_back_with_the_system(system: System) -> None:
    clock = SteadyClock()
    system.ms -= HOUR_MS
    clock.follow()
    assert clock.now_ms() == 50 * HOUR_MS
    system.run(300)
    clock.follow()
    assert clock.now_ms() == 50 * HOUR_MS + 300, "nor does it stand still"


def test_it_starts_no_earlier_than_the_logs_end_and_runs_on_from_there(system: System) -> None:
    """A Pi without a clock chip, after a power cut: a reveal is due in a second, not in hours."""
    clock = SteadyClock(53 * HOUR_MS)
    assert clock.now_ms() == 53 * HOUR_MS
    system.run(1000)
    assert clock.now_ms() == 53 * HOUR_MS + 1000


def test_it_reports_its_offset_and_can_be_moved_by_it(system: System) -> None:
    clock = SteadyClock(60 * HOUR_MS)
    assert clock.off_ms() == -10 * HOUR_MS
    clock.move(clock.off_ms())
    system.run(20)
    assert (clock.now_ms(), clock.off_ms()) == (50 * HOUR_MS + 20, 0)


def test_the_start_time_is_true_however_the_system_was_set(system: System) -> None:
    clock = SteadyClock(60 * HOUR_MS)
    system.run(500)
    assert clock.began_ms() == 50 * HOUR_MS
    system.ms += 7 * HOUR_MS
    assert clock.began_ms() == 57 * HOUR_MS
