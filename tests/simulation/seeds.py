"""Lives through many seeds, on several cores."""

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack
from itertools import count, islice
from multiprocessing import get_context

from msgspec import Struct, field

from tests.simulation.life import live
from tests.simulation.outcome import Outcome
from tests.simulation.plan import Plan, drawn
from tests.simulation.shrink import kind_of, shrink

CHUNK = 8
"""How many seeds a process takes at a time."""


def plan_of(seed: int) -> Plan:
    """The plan of a seed, as every run of seeds has it."""
    return drawn(seed)


class Tally(Struct):
    """Totals of many seeds. ``busy_s``: processor time of all cores together."""

    seeds: int = 0
    steps: int = 0
    virtual_s: float = 0.0
    busy_s: float = 0.0
    reached: Counter[str] = field(default_factory=Counter)
    findings: dict[str, list[int]] = field(default_factory=dict)
    """Kind of finding → the seeds that end in it."""

    def add(self, outcome: Outcome) -> None:
        self.seeds += 1
        self.steps += outcome.steps
        self.virtual_s += outcome.virtual_s
        self.reached.update(outcome.reached)
        if outcome.finding:
            self.findings.setdefault(kind_of(outcome.finding), []).append(outcome.plan.seed)

    def merge(self, other: "Tally") -> None:
        self.seeds += other.seeds
        self.steps += other.steps
        self.virtual_s += other.virtual_s
        self.busy_s += other.busy_s
        self.reached.update(other.reached)
        for kind, seeds in other.findings.items():
            self.findings.setdefault(kind, []).extend(seeds)


def lived(seeds: list[int]) -> Tally:
    """Live through these seeds in this process."""
    tally, began_s = Tally(), time.process_time()
    for seed in seeds:
        tally.add(live(plan_of(seed)))
    tally.busy_s = time.process_time() - began_s
    return tally


def shrunk(seed: int) -> Outcome:
    """The smallest plan found with the finding of this seed, lived through in this process."""
    return shrink(plan_of(seed))


class Seeds:
    """A run from ``first`` on: of ``number`` seeds, and for ``most_s`` seconds, at most.

    Used as a context manager, which ends its processes. Ctrl-C is for the caller alone: the
    processes ignore it and end with the seeds at hand.
    """

    def __init__(
        self, first: int, number: int | None, jobs: int | None = None, most_s: float | None = None
    ) -> None:
        self._seeds = count(first) if number is None else iter(range(first, first + number))
        self._jobs = jobs or os.cpu_count() or 1
        self._until_s = None if most_s is None else time.monotonic() + most_s
        self.tally = Tally()
        self._stack = ExitStack()

    def __enter__(self) -> "Seeds":
        # Spawned, because a forked process would share the folder and the greenlets of its parent.
        pool = ProcessPoolExecutor(self._jobs, get_context("spawn"), _ignore_interrupts)
        self._pool = pool
        self._stack.callback(pool.shutdown, cancel_futures=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def run(self, on_progress: Callable[[Tally], object] = lambda tally: None) -> None:
        """Live through the seeds; ``on_progress`` is called after each part of them."""
        running = set(islice(self._parts(), 2 * self._jobs))
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for each in done:
                self.tally.merge(each.result())
                running |= set(islice(self._parts(), 1))
            on_progress(self.tally)

    def _parts(self) -> "Iterator[Future[Tally]]":
        while self._until_s is None or time.monotonic() < self._until_s:
            seeds = list(islice(self._seeds, CHUNK))
            if not seeds:
                return
            yield self._pool.submit(lived, seeds)

    def shrunk(self, seeds: list[int]) -> list[Outcome]:
        """The outcomes of these seeds' findings, each made small."""
        return list(self._pool.map(shrunk, seeds))


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
