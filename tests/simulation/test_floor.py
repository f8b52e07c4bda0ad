"""Many hubs on one broker, and lives with real threads beside the simulated ones."""

from msgspec.structs import replace

from tests.simulation import plan
from tests.simulation.floor import Floor
from tests.simulation.true import TrueLife


def test_a_floor_of_hubs_on_one_broker() -> None:
    floor = Floor(6)
    floor.run(600)
    assert floor.findings == []
    assert floor.rows > 6 * 5
    assert floor.virtual_s > 600


def test_a_life_with_real_threads_ends_without_a_finding() -> None:
    made = plan.drawn(12, mqtt=False, chips=False, pages=False)
    outcome = TrueLife(replace(made, turns=1)).run()
    assert outcome.finding == ""
    assert outcome.reached["seals of cards"]
