"""A board's memory stays flat under any load; `make soak` plays a whole hour."""

from tests.firmware.soak import play

LOOKS = 300


def test_memory_stays_flat_and_a_flood_is_survived() -> None:
    healths = play(LOOKS, floods=1)
    free = [health.free_bytes for health in healths]
    assert min(free[1:]) > free[0] - 4_000, free
    assert healths[-1].damaged > 0
    assert all(health.reset == 1 for health in healths)
    assert min(free) > 100_000
