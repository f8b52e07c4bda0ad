"""Evenings of a whole hub with faults, in virtual time: no finding, the same result for the same
seed each time, and a planted fault is found and shrunk."""

import os
import subprocess
import sys
import time
from collections.abc import Iterable
from html.parser import HTMLParser
from random import Random
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from hub.journal.journal import SqliteJournal
from tests.simulation import shrink as shrinking
from tests.simulation.life import Life, live
from tests.simulation.outcome import Outcome
from tests.simulation.plan import Decision, Plan, drawn
from tests.simulation.reach import EXPECTED, RARE, UNREACHABLE, missing
from tests.simulation.seeds import Tally, plan_of
from tests.simulation.shrink import kind_of, shrink
from tests.simulation.story import lines, page, replay

FIXED = range(1, 61)
NEW = 4
MOST_LEFT = 10
MOST_LINES = 80


def lived(seeds: Iterable[int]) -> Tally:
    """Live through these seeds. The first finding is shrunk and fails the test."""
    tally = Tally()
    for seed in seeds:
        outcome = live(plan_of(seed))
        tally.add(outcome)
        if outcome.finding:
            small = shrink(plan_of(seed))
            story = "\n".join(lines(small, MOST_LINES))
            pytest.fail(f"{small.finding}\n{replay(small)}\n(seed {seed})\n{story}")
    return tally


def test_the_fixed_seeds_end_without_a_finding_and_reach_all_that_is_not_rare() -> None:
    fixed = lived(FIXED)
    assert fixed.reached["seals of cards"] > 10 * len(FIXED)
    left = missing(fixed.reached, rare=False)
    assert not any(left.values()), left
    assert not [key for key in UNREACHABLE if fixed.reached[key]]
    known = set().union(*EXPECTED.values())
    assert known >= UNREACHABLE | RARE, "names what does not exist"
    assert not UNREACHABLE & RARE


def test_new_seeds_end_without_a_finding() -> None:
    first = time.time_ns() // 10**6 % 10**9
    print(f"seeds {first} to {first + NEW - 1}")
    lived(range(first, first + NEW))


# Determinism


def test_a_seed_lives_through_the_same_each_time() -> None:
    first, again, other = live(plan_of(5)), live(plan_of(5)), live(plan_of(6))
    assert first == again
    assert first.digest != other.digest


def test_a_seed_lives_through_the_same_in_every_process() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-m", "tests.simulation", "--seed", "14"],
            env={**os.environ, "PYTHONHASHSEED": hashes},
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
        for hashes in ("1", "2")
    }
    assert len(told) == 1
    assert live(plan_of(14)).digest[:16].encode() in told.pop()


# Faults that are planted


def without_syncs(life: Life) -> None:
    """Commits that do not wait for the disk."""
    begin = SqliteJournal._begin

    def begun(self: SqliteJournal, *given: object) -> None:
        begin(self, *given)  # type: ignore[arg-type]
        self._db.execute("PRAGMA synchronous = OFF")

    life.planted.enter_context(patch.object(SqliteJournal, "_begin", begun))


def losing_rows(life: Life) -> None:
    """A journal that stores nothing at each 40th call."""
    store, calls = SqliteJournal._store, iter(range(10**6))

    def stored(self: SqliteJournal, *given: object) -> None:
        if next(calls) % 40 != 39:
            store(self, *given)  # type: ignore[arg-type]

    life.planted.enter_context(patch.object(SqliteJournal, "_store", stored))


@pytest.mark.parametrize("plant", [without_syncs, losing_rows])
def test_a_planted_fault_is_found_and_made_small(plant: object) -> None:
    plants = [plant]
    found = next(
        outcome
        for seed in range(1, 30)
        if (outcome := live(plan_of(seed), plants)).finding  # type: ignore[arg-type]
    )
    small = shrink(found.plan, plants)  # type: ignore[arg-type]
    print(replay(small))
    assert kind_of(small.finding) == kind_of(found.finding)
    assert len(small.plan.decisions) <= MOST_LEFT
    assert live(Plan.read(small.plan.write()), plants) == small  # type: ignore[arg-type]


def test_what_has_no_finding_is_not_made_smaller() -> None:
    assert shrink(plan_of(2)).plan == plan_of(2)


def test_only_the_decisions_that_matter_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    plan, chance = drawn(1), Random(1)
    many = (Decision(chance.random(), "lift", "ada", chance.random()) for _ in range(100))
    plan = replace(plan, order="pct", mqtt=True, decisions=tuple(sorted(many)))
    needed = {plan.decisions[17].at_s, plan.decisions[80].at_s}

    def lived(plan: Plan, plants: object = ()) -> Outcome:
        fails = {each.at_s for each in plan.decisions} >= needed and plan.turns > 3
        return Outcome(plan, finding="record 7 is missing" if fails else "", virtual_s=120)

    monkeypatch.setattr(shrinking, "live", lived)
    small = shrink(plan).plan
    assert {each.at_s for each in small.decisions} == needed
    assert (small.order, small.mqtt, small.turns) == ("fifo", False, 4)


def test_findings_are_alike_but_for_numbers_and_names() -> None:
    first, other = "record 8 seals a card of 'bo' at bo", "record 17 seals a card of 'ada' at ada"
    assert kind_of(first) == kind_of(other) != kind_of("record 8 is missing")


# Plans on a line, and stories


@pytest.mark.parametrize("seed", range(1, 12))
def test_a_written_plan_is_read_back(seed: int) -> None:
    plan = drawn(seed)
    assert Plan.read(plan.write()) == plan


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7",
        "7 fifo:",
        "x fifo 10:",
        "7 lifo 10:",
        "7 fifo http 10:",
        "7 fifo 10: 3s",
        "7 fifo 10: 3 kill gm 0.5",
        "7 fifo 10: 3s kilt gm 0.5",
        "7 fifo 10: 3s kill bob 0.5",
    ],
)
def test_another_text_is_no_plan(text: str) -> None:
    with pytest.raises(ValueError):
        Plan.read(text)


class _Balanced(HTMLParser):
    """Notes elements that are open, and addresses from which something would be fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "input", "link", "img"):
            self.open.append(tag)
        self.fetched += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_of_a_story_fetches_nothing_and_shows_all() -> None:
    outcome = live(plan_of(3))
    outcome.finding = "<i>not</i> what it should be"
    text = page(outcome)
    parser = _Balanced()
    parser.feed(text)
    assert parser.open == []
    assert parser.fetched == []
    assert "//" not in text.partition("<script>")[0]
    assert "&lt;i&gt;not&lt;/i&gt;" in text
    assert "<i>not" not in text
    assert "make sim ARGS=&quot;--seed 3&quot;" in text
    for lane in ("table", "ada", "hub", "disk"):
        assert f'<div class="name">{lane}</div>' in text
    assert len(lines(outcome)) == text.count("<tr ")
