"""Makes a plan that ends in a finding small, so that a person can read why.

Each step tries a simpler plan and keeps it if the same finding still comes. Decisions go first, by
delta debugging. Ref: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input",
IEEE Transactions on Software Engineering 28 (2002).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from tests.simulation.life import Life, live
from tests.simulation.outcome import Outcome
from tests.simulation.plan import FLAGS, SEATS, Decision, Plan

MOST_RUNS = 200
SIMPLE_BY = (0.5, 0.0, 1.0)
_VARYING = (
    (re.compile(r"0x[0-9a-f]+|[0-9a-f]{16,}"), "HEX"),
    (re.compile(r"\b(?:" + "|".join(SEATS) + r"|ninja|crow)\b(?:-\d+)?"), "NAME"),
    (re.compile(r"'[^']*'"), "NAME"),
    (re.compile(r"\d+(?:\.\d+)?"), "N"),
)


def kind_of(finding: str) -> str:
    """A finding without its numbers and names: two runs with equal ones show the same fault."""
    for pattern, instead in _VARYING:
        finding = pattern.sub(instead, finding)
    return finding


def is_same(first: str, second: str) -> bool:
    """Whether two findings are of the same kind."""
    return kind_of(first) == kind_of(second)


def shrink(
    plan: Plan,
    plants: Sequence[Callable[[Life], Any]] = (),
    same: Callable[[str, str], bool] = is_same,
    most_runs: int = MOST_RUNS,
) -> Outcome:
    """The outcome of the smallest plan found with the finding of this one; of the plan itself if it
    has none. Lives through at most ``most_runs`` plans."""
    return _Shrinking(plan, plants, same, most_runs).outcome


class _Shrinking:
    def __init__(
        self,
        plan: Plan,
        plants: Sequence[Callable[[Life], Any]],
        same: Callable[[str, str], bool],
        most_runs: int,
    ) -> None:
        self._plants, self._same = plants, same
        self._left = most_runs
        self._tried: set[Plan] = {plan}
        self.outcome = live(plan, plants)
        self._finding = self.outcome.finding
        if self._finding:
            self._shrink()

    @property
    def plan(self) -> Plan:
        return self.outcome.plan

    def _shrink(self) -> None:
        before = None
        while before != self.plan and self._left > 0:
            before = self.plan
            self._cut_end()
            self._without_groups()
            self._halve()
            self._simplify_plan()
            self._simplify_decisions()

    def _try(self, plan: Plan) -> bool:
        """Keep a plan if it ends in the same finding."""
        if plan in self._tried or self._left <= 0:
            return False
        self._tried.add(plan)
        self._left -= 1
        outcome = live(plan, self._plants)
        if not outcome.finding or not self._same(self._finding, outcome.finding):
            return False
        self.outcome = outcome
        return True

    def _try_without(self, some: Iterable[Decision]) -> bool:
        return self._try(self.plan.without(some))

    def _cut_end(self) -> None:
        """Leave out what comes after the finding."""
        self._try_without([d for d in self.plan.decisions if d.at_s > self.outcome.virtual_s])

    def _without_groups(self) -> None:
        self._try(replace(self.plan, decisions=()))
        for of in (lambda d: d.kind, lambda d: d.seat):
            for group in sorted({of(d) for d in self.plan.decisions}):
                self._try_without([d for d in self.plan.decisions if of(d) == group])

    def _halve(self) -> None:
        """Leave out ever smaller parts, down to single decisions, until none can go."""
        size = len(self.plan.decisions) // 2
        while size >= 1:
            gone = False
            at = 0
            while at < len(self.plan.decisions):
                if self._try_without(self.plan.decisions[at : at + size]):
                    gone = True
                else:
                    at += size
            if not gone or size > 1:
                size //= 2

    def _simplify_plan(self) -> None:
        for flag in FLAGS:
            self._try(replace(self.plan, **{flag: False}))
        if self.plan.order != "fifo":
            self._try(replace(self.plan, order="fifo"))
        for turns in range(1, self.plan.turns):
            if self._try(replace(self.plan, turns=turns)):
                break

    def _simplify_decisions(self) -> None:
        for at in range(len(self.plan.decisions)):
            for simpler in _simpler(self.plan.decisions[at]):
                self._try_with(at, simpler)

    def _try_with(self, at: int, change: Callable[[Decision], Decision]) -> None:
        decisions = list(self.plan.decisions)
        decisions[at] = change(decisions[at])
        # In its order of time, which a rounded moment may change.
        if decisions == sorted(decisions):
            self._try(replace(self.plan, decisions=tuple(decisions)))


def _simpler(decision: Decision) -> Iterator[Callable[[Decision], Decision]]:
    """Ways to make a decision simpler, each to be tried upon what the ones before have left."""
    if decision.by not in SIMPLE_BY:
        for by in SIMPLE_BY:
            yield lambda d, by=by: d if d.by in SIMPLE_BY else replace(d, by=by)
        yield lambda d: d if d.by in SIMPLE_BY else replace(d, by=round(d.by, 1))
    for digits in (0, 1):
        yield lambda d, digits=digits: replace(d, at_s=round(d.at_s, digits))
